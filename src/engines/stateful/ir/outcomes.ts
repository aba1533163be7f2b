/** What may come of one run of a handler: an outcome for each way to choose. */
import type { Violation } from '../../../core/property.ts'
import type { FairChoices } from '../../../semantics/ir/fair-choices.ts'
import type { ChoiceGraph } from './choice-graph.ts'

/** What a machine does to others, in order. */
export type Effect =
  | { readonly kind: 'send'; readonly entry: number }
  | { readonly kind: 'create'; readonly slot: number; readonly local: number; readonly entry: number }
  /** Monitors are told, and a send tells them first. */
  | { readonly kind: 'tell'; readonly observation: number }

/** All of an outcome but what its machine is then. Runs that end alike may share it. */
export interface Ending {
  /** Which options were chosen. */
  readonly choices: readonly number[]
  /** Options of fair choices on the way, and those that were taken; each once. */
  readonly fair: FairChoices
  readonly effects: readonly Effect[]
  /** What went wrong, after the effects. */
  readonly violation: Violation | undefined
  readonly isHalted: boolean
}

/** Two lists of the same length, as an object for each outcome of each run is what a search would spend much of its time on. */
export class Outcomes {
  readonly locals: number[]
  readonly endings: Ending[]
  /** How it may go on for ever, where it is told. */
  rounds: ChoiceGraph | undefined = undefined

  constructor(locals: number[] = [], endings: Ending[] = []) {
    this.locals = locals
    this.endings = endings
  }

  get size(): number {
    return this.locals.length
  }

  add(local: number, ending: Ending): void {
    this.locals.push(local)
    this.endings.push(ending)
  }
}

/** What was chosen on the way to the end of a run: equal choices are one path, with a number. */
export class ChoicePath {
  readonly choices: readonly number[]
  readonly number: number
  readonly #next: ChoicePath[] = []
  readonly #count: { paths: number }

  constructor(choices: readonly number[] = [], count = { paths: 0 }) {
    this.choices = choices
    this.number = count.paths++
    this.#count = count
  }

  after(option: number): ChoicePath {
    const known = this.#next[option]
    if (known !== undefined) return known
    const made = new ChoicePath([...this.choices, option], this.#count)
    this.#next[option] = made
    return made
  }
}
