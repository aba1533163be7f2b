/**
 * Eager dependencies (thesis §2.2.1.2, Algorithm 2): kept for every transition as soon as what follows it is known.
 *
 * The thesis walks back along the stack for each new transition, and for everything reachable from a state that is met again.
 * Here each closed state remembers its future once, in its own object numbers, which gives the same sets without walking.
 *
 * Departure: the thesis updates only the *last* dependent transition of the execution. That misses executions. Three processes,
 * x = y = 0: (1) reads x; (2) reads x, then sets y; (3) sets x if y is set. After 1 2 2 3 the write of 3 depends last on the
 * read by 2, so nothing is ever noted against the read by 1: {1} passes for a source set of the initial state, and the
 * final state in which 1 has read what 3 wrote is never reached. Here every dependent transition counts, as Figure 2.3 defines
 * `current`.
 */
import { bit } from '../../collections/bit-mask.ts'
import type { Actions } from './actions.ts'
import type { Foresight } from './foresight.ts'
import type { Graph } from './graph.ts'
import { StateFutures } from './state-futures.ts'

export class Eager implements Foresight {
  readonly #actions: Actions
  readonly #futures: StateFutures

  constructor(graph: Graph, actions: Actions) {
    this.#actions = actions
    this.#futures = new StateFutures(graph, actions)
  }

  closed(states: readonly number[]): void {
    this.#futures.closed(states)
    for (const state of states) this.#futures.of(state)
  }

  dependents(state: number, label: number): number {
    return bit(this.#actions.process(label)) | this.#futures.dependents(state, label)
  }
}
