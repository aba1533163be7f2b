/**
 * Preliminary violations as numbers. There may be millions, most of them rejected and kept in case a new transition matters to them:
 * as objects they took most of the memory of a search (170 bytes each; here 4 for each machine and 4 more).
 */
import { IntVector } from '../../collections/int-vector.ts'
import type { Failure } from './local-space.ts'

/** What candidates have in common: an invariant that they break, or the one handler that fails. */
export interface Sort {
  /** One violation of a kind is enough. */
  readonly kind: string
  /** Which invariant the states break, or which handler fails. */
  readonly invariant: string | undefined
  readonly failure: Failure | undefined
}

/** Looks that did not decide: each takes a multiple of the effort, so that there are never so many. */
const mostLooks = 32

export class CandidateTable {
  readonly #machines: number
  readonly #sorts: Sort[] = []
  /** By candidate and machine. */
  readonly #states = new IntVector()
  /** By candidate: its sort, and how often it was looked at in vain. */
  readonly #sortsAndLooks = new IntVector()

  constructor(machines: number) {
    this.#machines = machines
  }

  /** The number of the sort. */
  addSort(sort: Sort): number {
    return this.#sorts.push(sort) - 1
  }

  add(sort: number, states: readonly number[]): number {
    for (let machine = 0; machine < this.#machines; machine++) this.#states.push(states[machine] as number)
    return this.#sortsAndLooks.push(sort * mostLooks)
  }

  sortOf(candidate: number): Sort {
    return this.#sorts[Math.floor(this.#sortsAndLooks.at(candidate) / mostLooks)] as Sort
  }

  looksAt(candidate: number): number {
    return this.#sortsAndLooks.at(candidate) % mostLooks
  }

  looked(candidate: number): void {
    if (this.looksAt(candidate) < mostLooks - 1)
      this.#sortsAndLooks.set(candidate, this.#sortsAndLooks.at(candidate) + 1)
  }

  /** By machine; `anywhere` for those that take no part. */
  statesOf(candidate: number): readonly number[] {
    return Array.from({ length: this.#machines }, (_, machine) => this.stateOf(candidate, machine))
  }

  stateOf(candidate: number, machine: number): number {
    return this.#states.at(candidate * this.#machines + machine)
  }
}
