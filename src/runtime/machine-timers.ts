/** The timers of one machine on a real clock. In a check a timer that is set may fire at any time; here it fires when it is due. */

/** For timers that were set without a duration. */
const defaultMilliseconds = 100
/** Longer ones would fire at once: `setTimeout` counts in 31 bits. */
const longestTimeout = 2 ** 31 - 1

export class MachineTimers {
  readonly #fire: (name: string) => void
  /** By name. Invariant after `follow`: exactly the timers of the machine's state, whose names stand in its definition. */
  readonly #armed = new Map<string, NodeJS.Timeout>()

  constructor(fire: (name: string) => void) {
    this.#fire = fire
  }

  /** Makes exactly these timers run. One that was set again starts anew. */
  follow(names: readonly string[], waits: ReadonlyMap<string, number> | undefined): void {
    for (const [name, timeout] of this.#armed) {
      if (names.includes(name) && waits?.has(name) !== true) continue
      clearTimeout(timeout)
      this.#armed.delete(name)
    }
    for (const name of names) if (!this.#armed.has(name)) this.#arm(name, waits?.get(name) ?? defaultMilliseconds)
  }

  stop(): void {
    this.follow([], undefined)
  }

  #arm(name: string, milliseconds: number): void {
    const fire = (): void => {
      this.#armed.delete(name)
      this.#fire(name)
    }
    this.#armed.set(name, setTimeout(fire, Math.min(Math.max(0, milliseconds), longestTimeout)))
  }
}
