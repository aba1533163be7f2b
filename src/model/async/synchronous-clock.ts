/**
 * Clocks of processes that agree up to a skew (`clock: 'synchronous'`). One process beside all others knows what is armed anywhere and lets
 * it fire, one timer after the other: the first that is due, or another one that is due so little later that its clock may be ahead.
 *
 *     process: setTimeout(f, 10)    arm ─▶ clock                      at once, as memory does
 *     clock, if anything is armed   tick ─▶ itself                    all that was armed before the tick is known when it comes
 *     clock, when the tick comes    fire ─▶ process                   and nothing else fires before
 *     process: f() and what it does  done ─▶ clock                    it waits again
 *
 * So how long code and messages take is as open as ever; but no code of a process is so slow that another timer fires meanwhile, once one
 * of the process has. To engines these are messages and choices like all others, so each of them explores exactly these executions.
 */
import type { Operation } from '../../core/operation.ts'
import { running } from '../../core/running.ts'
import { Address } from '../../core/value.ts'
import { choose, receive, sendOverMemory } from '../process.ts'
import { type Mark, ReplyFilter } from '../replies.ts'
import { type Steps, withoutPlace } from '../shared/protocol.ts'

/** The process that has the time. */
export const clockId = 'clock'

const clock = Address.of<unknown>(clockId)

interface Timer {
  readonly process: Address<unknown>
  /** Of one arming of the process. */
  readonly key: number
  readonly due: number
}

type Told =
  | { readonly kind: 'tick' }
  | { readonly kind: 'arm'; readonly process: Address<unknown>; readonly key: number; readonly delay: number }
  | { readonly kind: 'clear' | 'done'; readonly process: Address<unknown>; readonly key: number }

/** What a process tells the clock. */
export function telling(message: Exclude<Told, { kind: 'tick' }>): Operation<void> {
  return sendOverMemory(clock, message)
}

/** With what a process is told that its timer fires. */
export interface Fired {
  readonly reply: Mark
  readonly key: number
  readonly now: number
}

/** Takes what says that one of these timers fires. */
export class FiringFilter extends ReplyFilter {
  readonly #keys: ReadonlySet<number>

  constructor(keys: Iterable<number>) {
    super('a timer', mark)
    this.#keys = new Set(keys)
  }

  override takes(message: unknown): boolean {
    return super.takes(message) && this.#keys.has((message as Fired).key)
  }
}

const mark: Mark = Address.of('#timer')

/** The process: what is armed, and the time that timers have made it. */
export function* serveClock(skew: number): Steps<void> {
  running.assumed.push(
    `clocks are synchronous, within ${skew} ms: no timer fires while another, of whatever process, is due more than ${skew} ms before it`,
  )
  let [armed, firing, now, isTicking]: [readonly Timer[], Timer | undefined, number, boolean] = [
    [],
    undefined,
    0,
    false,
  ]
  for (;;) {
    if (firing === undefined && armed.length > 0 && !isTicking) {
      yield* withoutPlace(sendOverMemory(clock, { kind: 'tick' }))
      isTicking = true
    }
    const told = yield* withoutPlace(receive<Told>())
    if (told.kind === 'arm') armed = [...armed, { process: told.process, key: told.key, due: now + told.delay }]
    else if (told.kind === 'tick') {
      isTicking = false
      if (armed.length === 0) continue
      const next = yield* nextOf(mayFire(armed, skew))
      armed = armed.filter((one) => one !== next)
      now = Math.max(now, next.due)
      firing = next
      yield* withoutPlace(sendOverMemory(next.process, { kind: 'fire', reply: mark, key: next.key, now }))
    } else {
      // One that is cleared when it is about to fire is done with.
      if (firing !== undefined && isSame(firing, told)) firing = undefined
      armed = armed.filter((one) => !isSame(one, told))
    }
  }
}

/** Timers of one process have one clock, and fire in their order. */
function mayFire(armed: readonly Timer[], skew: number): readonly Timer[] {
  const first = Math.min(...armed.map(({ due }) => due))
  return armed.filter(
    (one, at) =>
      one.due - skew <= first &&
      !armed.some(
        (other, index) =>
          other.process.id === one.process.id && (other.due < one.due || (other.due === one.due && index < at)),
      ),
  )
}

function* nextOf(timers: readonly Timer[]): Steps<Timer> {
  const [first, ...others] = timers as readonly [Timer, ...Timer[]]
  if (others.length === 0) return first
  // At most one of each process.
  const process = yield* withoutPlace(choose(timers.map((one) => one.process.id)))
  return timers.find((one) => one.process.id === process) ?? first
}

function isSame(timer: Timer, { process, key }: { readonly process: Address<unknown>; readonly key: number }): boolean {
  return timer.process.id === process.id && timer.key === key
}
