/**
 * Needs where machines may crash so many times in all: beside what is needed, how many crashes came after. A local state knows of the
 * crashes of its own machine, so those that machines in given states have behind them are counted as well.
 */
import { SequenceInterner } from '../../collections/sequence-interner.ts'
import type { LocalState } from '../../program/machines.ts'
import { type LocalSpace, startState, type Transition } from './local-space.ts'
import { anywhere, type Needs, noNeeds } from './needs.ts'

export class CrashNeeds implements Needs {
  readonly #needs: Needs
  readonly #spaces: readonly LocalSpace[]
  readonly #most: number
  /** What is needed, and the crashes afterwards. */
  readonly #pairs = new SequenceInterner()
  readonly ignoredMatter: boolean

  constructor(needs: Needs, spaces: readonly LocalSpace[], most: number) {
    this.#needs = needs
    this.#spaces = spaces
    this.#most = most
    this.ignoredMatter = needs.ignoredMatter
    // The first number stands for no needs.
    this.#pairs.intern([noNeeds, 0])
  }

  consumed(needs: number, message: number): number {
    const { needed, crashes } = this.#at(needs)
    return this.#pairs.intern([this.#needs.consumed(needed, message), crashes])
  }

  before(needs: number, transition: Transition): readonly number[] {
    const { needed, crashes } = this.#at(needs)
    const after = crashes + (transition.internal?.kind === 'crash' ? 1 : 0)
    if (after > this.#most) return []
    return this.#needs.before(needed, transition).map((one) => this.#pairs.intern([one, after]))
  }

  metAtStart(needs: number): boolean {
    return this.#needs.metAtStart(this.#at(needs).needed)
  }

  within(smaller: number, larger: number): boolean {
    const [less, more] = [this.#at(smaller), this.#at(larger)]
    return less.crashes <= more.crashes && this.#needs.within(less.needed, more.needed)
  }

  messages(needs: number): readonly number[] {
    return this.#needs.messages(this.#at(needs).needed)
  }

  canBeInOrder(needs: number, states: readonly number[]): boolean {
    const { needed, crashes } = this.#at(needs)
    return crashes + crashesIn(this.#spaces, states) <= this.#most && this.#needs.canBeInOrder(needed, states)
  }

  #at(needs: number): { readonly needed: number; readonly crashes: number } {
    const [needed = noNeeds, crashes = 0] = this.#pairs.at(needs)
    return { needed, crashes }
  }
}

/** Since the start, of machines that are in a state. */
export function crashesIn(spaces: readonly LocalSpace[], places: readonly number[]): number {
  return spaces.reduce((sum, { states }, machine) => {
    const place = places[machine] ?? anywhere
    const crashes = (at: number) => (states[at] as LocalState).crashes
    return place === anywhere ? sum : sum + crashes(place) - crashes(startState)
  }, 0)
}
