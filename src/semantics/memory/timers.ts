/**
 * Timers and immediates of classes. One surely fires before another only if it was armed no later and its delay is no longer, as in
 * Node, which reads the clock at every arming; otherwise both orders are explored, and a timer fires at any moment.
 */
import { running } from '../../core/running.ts'
import { accessModes, wholeObject } from '../../program/stateful.ts'
import { ActOperation } from './operations.ts'
import { type AccessOperation, machine } from './process.ts'
import { world } from './spawning.ts'

/** How often a timer that is armed again, by itself or by its own callback, fires in one execution. */
export const mostRounds = 3

type TimerKind = 'timer' | 'interval' | 'immediate'

/** What `setTimeout` and its kind give. */
export class Timeout {
  readonly kind: TimerKind
  readonly delay: number
  /** How many callbacks of timers led to it. */
  round = world.acting?.round ?? 0
  isCleared = false
  /** When it fires, if code takes no time. */
  due = 0

  constructor(kind: TimerKind, delay: unknown) {
    this.kind = kind
    this.delay = kind === 'immediate' ? 0 : delayOf(delay)
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }

  hasRef(): boolean {
    return true
  }

  refresh(): this {
    if (isArmed(this)) arm(this)
    return this
  }

  close(): this {
    disarm(this)
    return this
  }

  [Symbol.dispose](): void {
    disarm(this)
  }
}

/** As Node reads a delay. */
function delayOf(delay: unknown): number {
  const number = Number(delay)
  return number >= 1 && number <= 0x7fff_ffff ? Math.trunc(number) : 1
}

/** Puts it behind those that are armed. */
export function arm(timer: Timeout): void {
  const { heap } = machine
  heap?.change(timer, 'due', heap.host.now + timer.delay)
  put((armed) => [...armed.filter((one) => one !== timer), timer])
}

/** Of an interval that has fired, the next time. */
export function armAgain(timer: Timeout): void {
  machine.heap?.change(timer, 'round', timer.round + 1)
  if (!timer.isCleared) arm(timer)
}

export function disarm(timer: unknown): void {
  if (!(timer instanceof Timeout)) return
  if (isArmed(timer)) put((armed) => armed.filter((one) => one !== timer))
  machine.heap?.change(timer, 'isCleared', true)
}

function isArmed(timer: Timeout): boolean {
  return machine.heap?.host.armed.includes(timer) === true
}

/** Waits until it fires, which it does not if it was cleared before. */
export function firing(timer: Timeout): AccessOperation {
  return new ActOperation({
    text: timer.kind === 'immediate' ? 'an immediate' : `a timer of ${timer.delay} ms`,
    operands: [timer],
    waits: true,
    isTimer: true,
    isEnabled: () => isArmed(timer) && timer.round < mostRounds && !isPreceded(timer),
    isOver: () => !isArmed(timer) || isCut(timer),
    touch: (heap) => heap.touch(heap.host, wholeObject, accessModes.write),
    perform: (heap) => {
      put((armed) => armed.filter((one) => one !== timer))
      heap.change(heap.host, 'now', Math.max(heap.host.now, timer.due))
    },
  })
}

/** What would come of it is not explored, and the verdict says so. */
function isCut({ round }: Timeout): boolean {
  running.timersCut ||= round >= mostRounds
  return round >= mostRounds
}

function isPreceded(timer: Timeout): boolean {
  const armed = machine.heap?.host.armed ?? []
  return armed
    .slice(0, armed.indexOf(timer))
    .some(
      (other) =>
        (other.kind === 'immediate') === (timer.kind === 'immediate') &&
        other.round < mostRounds &&
        other.delay <= timer.delay,
    )
}

function put(change: (armed: readonly Timeout[]) => readonly Timeout[]): void {
  const { heap } = machine
  if (heap === undefined) return
  heap.touch(heap.host, wholeObject, accessModes.write)
  heap.change(heap.host, 'armed', change(heap.host.armed))
}
