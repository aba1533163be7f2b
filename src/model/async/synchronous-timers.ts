/** Timers of an async process whose clock agrees with those of others: the clock says when one of them fires. */
import { Operation } from '../../core/operation.ts'
import { mistake, running } from '../../core/running.ts'
import { Address } from '../../core/value.ts'
import type { Armed, ArmedSet } from '../../jobs/armed.ts'
import { isOfTime, isReadingTime } from './globals.ts'
import { withoutNotice } from './own-operations.ts'
import { Request } from './requests.ts'
import { type Fired, FiringFilter, telling } from './synchronous-clock.ts'

interface Process {
  /** In its turn. */
  perform(operation: Operation, activity: undefined): void
}

/** The program relies on how time passes, or is refused what it cannot know. */
export function noteTime(clock: SynchronousTimers | undefined, name: string): void {
  if (clock === undefined) running.clocked ||= isOfTime(name)
  else if (isReadingTime(name)) clock.refuseUnknownTime(name)
}

export class SynchronousTimers {
  readonly #process: Process
  readonly #id = running.process ?? ''
  /** By the number of their arming. */
  readonly #armed = new Map<number, Armed>()
  #timers: ArmedSet | undefined
  /** One that has fired: nothing else fires before it is said that what it began is done. */
  #firing: number | undefined
  /** Whether nothing was asked for since the clock told the time. */
  #knowsTime = false
  #next: Armed | undefined

  constructor(process: Process) {
    this.#process = process
  }

  watch(timers: ArmedSet): void {
    this.#timers = timers
    timers.watcher = {
      armed: (timer) => {
        this.#armed.set(timer.sequence, timer)
        this.#tell({ kind: 'arm', process: this.#address, key: timer.sequence, delay: timer.delay })
      },
      disarmed: ({ sequence }) => {
        if (this.#armed.delete(sequence)) this.#tell({ kind: 'clear', process: this.#address, key: sequence })
      },
    }
  }

  get #address(): Address<unknown> {
    return Address.of<unknown>(this.#id)
  }

  #tell(message: Parameters<typeof telling>[0]): void {
    this.#process.perform(
      withoutNotice(() => telling(message)),
      undefined,
    )
  }

  /** Something was asked for, and time may have passed. */
  forgetTime(): void {
    this.#knowsTime = false
  }

  refuseUnknownTime(shown: string): void {
    if (this.#knowsTime) return
    mistake({
      code: 'E209',
      message: `${shown} was called where the process does not know the time`,
      hint: "with clock: 'synchronous' it knows the time when one of its timers has fired, up to its next operation: await new Promise((resolve) => setTimeout(resolve, 1))",
    })
  }

  /** What waits, with the wait for a timer if any is armed. */
  beside(receives: readonly Request[], stack: string | undefined): readonly Request[] {
    return this.#armed.size === 0 ? [...receives] : [...receives, new Firing(stack, this.#armed, this.#fires)]
  }

  /** What the clock has said fires. */
  fired(): readonly Armed[] | undefined {
    const timer = this.#next
    this.#next = undefined
    return timer && [timer]
  }

  readonly #fires = ({ key, now }: Fired): void => {
    const timer = this.#armed.get(key) as Armed
    this.#armed.delete(key)
    this.#timers?.passTo(timer, now)
    this.#firing = key
    this.#knowsTime = true
    this.#next = timer
  }

  /** The process waits again: says what it owes to the clock. Gives whether it had something to say. */
  settles(): boolean {
    if (this.#firing === undefined) return false
    this.#tell({ kind: 'done', process: this.#address, key: this.#firing })
    this.#firing = undefined
    return true
  }

  /** The process ends: what is armed and need not fire never does. */
  ends(): boolean {
    const armed = [...this.#armed.values()]
    for (const timer of armed) this.#timers?.disarm(timer)
    return this.settles() || armed.length > 0
  }
}

/** Takes the word of the clock, as a receive takes messages. */
class Firing extends Request {
  readonly #fired: (message: Fired) => void

  constructor(stack: string | undefined, armed: ReadonlyMap<number, Armed>, fired: (message: Fired) => void) {
    const filter = new FiringFilter(armed.keys())
    super(
      withoutNotice(() => new Operation('receive', undefined, undefined, filter, undefined, stack)),
      undefined,
      [],
    )
    this.#fired = fired
  }

  override get isAwaited(): boolean {
    return true
  }

  override answer(message: unknown): void {
    this.#fired(message as Fired)
  }
}
