/** Which messages a machine has consumed whenever it is in a state, whatever path led to it: those on all of them. */
import { type LocalSpace, startState } from './local-space.ts'
import { noMessage } from './messages.ts'

const nothing: ReadonlySet<number> = new Set()

export class MustConsume {
  /** By state; undefined where no path has been followed yet. */
  readonly #sets: (ReadonlySet<number> | undefined)[] = []

  constructor(space: LocalSpace) {
    this.#sets[startState] = nothing
    const waiting = [startState]
    const isWaiting = new Set(waiting)
    for (let state = waiting.shift(); state !== undefined; state = waiting.shift()) {
      isWaiting.delete(state)
      const here = this.of(state)
      for (const { to, consumed } of space.outOf[state] ?? []) {
        if (!this.#narrow(to, here, consumed) || isWaiting.has(to)) continue
        waiting.push(to)
        isWaiting.add(to)
      }
    }
  }

  of(state: number): ReadonlySet<number> {
    return this.#sets[state] ?? nothing
  }

  /** True if the set of the state became smaller. */
  #narrow(state: number, before: ReadonlySet<number>, consumed: number): boolean {
    const known = this.#sets[state]
    if (known === undefined) {
      this.#sets[state] = consumed === noMessage ? before : new Set([...before, consumed])
      return true
    }
    const kept = [...known].filter((message) => message === consumed || before.has(message))
    if (kept.length === known.size) return false
    this.#sets[state] = new Set(kept)
    return true
  }
}
