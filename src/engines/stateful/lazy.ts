/**
 * Lazy dependencies (thesis §2.2.2, Algorithm 3, lines 26-28): found by going through the explored graph again, only when the
 * search returns to a state and has to decide whether to go on there. A traversal stops as soon as the answer cannot matter
 * any more (§2.2.2.1). Beyond the thesis, it skips states after which only processes act that are in the answer already, and
 * it is given up after a few states for the futures that the eager variant keeps, computed for what is reachable from here
 * and remembered. So a search looks at each transition a bounded number of times; without that, traversals cost ten times
 * what the search itself does where three processes depend on each other in a ring.
 *
 * Object numbers change from state to state, so what is traversed are pairs: a state, and the action in its numbers.
 */
import { bit, isSubset } from '../../collections/bit-mask.ts'
import { IntVector } from '../../collections/int-vector.ts'
import { PairMap } from '../../collections/pair-map.ts'
import type { Actions } from './actions.ts'
import type { Foresight } from './foresight.ts'
import { type Graph, nowhere } from './graph.ts'
import { StateFutures } from './state-futures.ts'

/** Most traversals that stop early do so in the first states. */
const traversalLimit = 16

export class Lazy implements Foresight {
  readonly #graph: Graph
  readonly #actions: Actions
  /** By state, once it is closed: processes that perform a visible action after it, or are left waiting. */
  readonly #acting = new IntVector(1024)
  /** By state: the last traversal that met it, and with which label. Further labels of the same traversal are in `#further`. */
  readonly #metBy = new IntVector(1024)
  readonly #metWith = new IntVector(1024)
  readonly #further = new PairMap()
  #traversals = 0
  readonly #futures: StateFutures
  /** Pairs still to be looked at: state, label, state, label … */
  readonly #pending = new IntVector()

  constructor(graph: Graph, actions: Actions) {
    this.#graph = graph
    this.#actions = actions
    this.#futures = new StateFutures(graph, actions)
  }

  closed(states: readonly number[]): void {
    this.#futures.closed(states)
    while (this.#acting.length < this.#graph.states) {
      this.#acting.push(0)
      this.#metBy.push(0)
      this.#metWith.push(0)
    }
    let acting = 0
    for (const state of states) {
      for (let edge = this.#graph.firstEdge(state); edge < this.#graph.edgesEnd(state); edge++) {
        const [label, target] = [this.#graph.label(edge), this.#graph.target(edge)]
        if (!this.#actions.isIndependent(label)) acting |= bit(this.#actions.process(label))
        if (target !== nowhere) acting |= this.#acting.at(target)
      }
    }
    for (const state of states) this.#acting.set(state, acting)
  }

  dependents(state: number, label: number, safe: number): number {
    let found = bit(this.#actions.process(label))
    this.#begin(state, label)
    for (let looked = 0; this.#pending.length > 0; looked++) {
      if (looked === traversalLimit) return found | this.#futures.dependents(state, label)
      const action = this.#pending.pop()
      const at = this.#pending.pop()
      if (isSubset(this.#acting.at(at), found)) continue
      for (let edge = this.#graph.firstEdge(at); edge < this.#graph.edgesEnd(at); edge++) {
        const process = bit(this.#actions.process(this.#graph.label(edge)))
        if ((found & process) === 0 && this.#actions.dependent(action, this.#graph.label(edge))) {
          found |= process
          if (!isSubset(found, safe) || isSubset(safe, found)) return found
        }
        const target = this.#graph.target(edge)
        if (target !== nowhere) this.#meet(target, this.#actions.continued(action, this.#graph.renaming(edge)))
      }
    }
    return found
  }

  #begin(state: number, label: number): void {
    this.#traversals++
    this.#further.clear()
    while (this.#pending.length > 0) this.#pending.pop()
    this.#meet(state, label)
  }

  #meet(state: number, label: number): void {
    // An action none of whose objects can be reached any more depends on nothing.
    if (this.#actions.isIndependent(label)) return
    if (this.#metBy.at(state) !== this.#traversals) {
      this.#metBy.set(state, this.#traversals)
      this.#metWith.set(state, label)
    } else {
      if (this.#metWith.at(state) === label || this.#further.get(state, label) !== undefined) return
      this.#further.set(state, label, 1)
    }
    this.#pending.push(state)
    this.#pending.push(label)
  }
}
