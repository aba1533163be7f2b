/** In which order states are left, and which have been: breadth first in the order of their numbers, depth first the last one that was met. */
import { IntVector } from '../../../collections/int-vector.ts'
import { mostSaved, type SavedSearch } from './saved-search.ts'

/** The first state is known before anything is left. */
const firstState = 1

export class Leaving {
  readonly #isDepthFirst: boolean
  /** Breadth first: the state that is left next, and the last one of its level. */
  #next = firstState
  #levelEnds = firstState
  /** Depth first: states that have not been left, and by state whether it has. */
  readonly #open = new IntVector(1024)
  readonly #hasLeft = new IntVector(1024)
  /** By state that was left, in that order: how many new states its steps led to. */
  readonly #met = new IntVector(1024)
  /** When a state had been left last, with all its steps: what a search that goes on begins with. */
  states = firstState
  transitions = 0
  terminals = 0
  depth = 0

  constructor(isDepthFirst: boolean) {
    this.#isDepthFirst = isDepthFirst
    // Number 0 is no state.
    this.#hasLeft.push(1)
    this.add(firstState)
  }

  /** A state was met; they are numbered in that order. */
  add(state: number): void {
    if (!this.#isDepthFirst) return
    this.#hasLeft.push(0)
    this.#open.push(state)
  }

  /** The state that is left now, of so many; 0 if all have been. */
  next(size: number): number {
    if (this.#isDepthFirst) {
      const state = this.#open.length === 0 ? 0 : this.#open.pop()
      this.#hasLeft.set(state, 1)
      return state
    }
    if (this.#next > size) return 0
    if (this.#next > this.#levelEnds) {
      this.depth++
      this.#levelEnds = size
    }
    return this.#next++
  }

  /** Whether a state that a step from another leads to has yet to be left. */
  isAhead(state: number, from: number): boolean {
    return this.#isDepthFirst ? this.#hasLeft.at(state) === 0 : state > from
  }

  /** The state has been left; so much is counted by now. */
  hasLeft(states: number, transitions: number, terminals: number): void {
    this.#met.push(states - this.states)
    this.states = states
    this.transitions = transitions
    this.terminals = terminals
  }

  /** By state, as which of the steps of another it was met. Undefined: it is too much. */
  saved(ordinals: IntVector): SavedSearch | undefined {
    if (this.states > mostSaved) return undefined
    const { transitions, terminals } = this
    const afterFirst = firstState + 1
    return {
      met: Array.from({ length: this.#met.length }, (_, at) => this.#met.at(at)),
      ordinals: Array.from({ length: this.states - firstState }, (_, at) => ordinals.at(at + afterFirst)),
      transitions,
      terminals,
    }
  }
}
