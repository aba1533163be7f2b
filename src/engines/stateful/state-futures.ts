/** The future of each closed state (`futures.ts`), computed when it is first needed and then remembered. */
import { IntVector } from '../../collections/int-vector.ts'
import type { Actions } from './actions.ts'
import { Futures, noFuture } from './futures.ts'
import { type Graph, nowhere } from './graph.ts'

const unknown = -1

export class StateFutures {
  readonly #graph: Graph
  readonly #futures: Futures
  /** By state. Invariant: states of cycles are known as soon as their component is closed. */
  readonly #futureOf = new IntVector(1024)
  /** The stack of `of`; empty between calls. */
  readonly #pending: number[] = []

  constructor(graph: Graph, actions: Actions) {
    this.#graph = graph
    this.#futures = new Futures(actions)
  }

  /** A component has been closed. */
  closed(states: readonly number[]): void {
    while (this.#futureOf.length < this.#graph.states) this.#futureOf.push(unknown)
    const [first] = states
    if (states.length > 1 || (first !== undefined && this.#leadsTo(first, first))) this.#settle(states)
  }

  /** Processes whose actions after the closed state depend on the action, a label in its numbers. */
  dependents(state: number, label: number): number {
    return this.#futures.dependents(this.of(state), label)
  }

  of(state: number): number {
    const known = this.#futureOf.at(state)
    if (known !== unknown) return known
    // Post-order without recursion: executions can be long. No cycles here, those are settled.
    const pending = this.#pending
    pending.push(state)
    while (pending.length > 0) {
      const last = pending[pending.length - 1] as number
      const missing = this.#unknownAfter(last)
      if (missing !== unknown) pending.push(missing)
      else {
        this.#futureOf.set(last, this.#computed(last))
        pending.pop()
      }
    }
    return this.#futureOf.at(state)
  }

  /** Around a cycle objects may change their numbers, so going round once need not be enough. */
  #settle(states: readonly number[]): void {
    for (const state of states) this.#futureOf.set(state, noFuture)
    for (const state of states) {
      for (let after = this.#unknownAfter(state); after !== unknown; after = this.#unknownAfter(state)) this.of(after)
    }
    for (let changed = true; changed; ) {
      changed = false
      for (const state of states) {
        const future = this.#computed(state)
        if (future === this.#futureOf.at(state)) continue
        this.#futureOf.set(state, future)
        changed = true
      }
    }
  }

  #computed(state: number): number {
    let future = noFuture
    for (let edge = this.#graph.firstEdge(state); edge < this.#graph.edgesEnd(state); edge++) {
      const target = this.#graph.target(edge)
      const after = target === nowhere ? noFuture : this.#futureOf.at(target)
      const before = this.#futures.before(this.#graph.label(edge), this.#graph.renaming(edge), after)
      future = this.#futures.union(future, before)
    }
    return future
  }

  #unknownAfter(state: number): number {
    for (let edge = this.#graph.firstEdge(state); edge < this.#graph.edgesEnd(state); edge++) {
      const target = this.#graph.target(edge)
      if (target !== nowhere && this.#futureOf.at(target) === unknown) return target
    }
    return unknown
  }

  #leadsTo(state: number, other: number): boolean {
    for (let edge = this.#graph.firstEdge(state); edge < this.#graph.edgesEnd(state); edge++) {
      if (this.#graph.target(edge) === other) return true
    }
    return false
  }
}
