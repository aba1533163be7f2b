/**
 * The explored part of the transition system (L_r of the thesis) and how far each of its states is.
 *
 * States are numbered in the order they are met, so along the search's path numbers grow. A state is open while it is on the
 * path; then complete; and closed once everything that can be reached from it is complete, which is known when its strongly
 * connected component is left (Tarjan 1972). What is reachable from a closed state never changes again.
 */
import { IntVector } from '../../collections/int-vector.ts'

const open = 0
const complete = 1
const closed = 2

/** Target of an edge without a step: the action of a process that waits. */
export const nowhere = -1

export class Graph {
  /** By state. `#first` and `#count` mean something once the state is complete: its edges are `#first` to `#first + #count`. */
  readonly #status = new IntVector(1024)
  readonly #first = new IntVector(1024)
  readonly #count = new IntVector(1024)
  /** By edge. Columns instead of objects: a search can have millions of edges, at 12 bytes each. */
  readonly #targets = new IntVector(1024)
  readonly #labels = new IntVector(1024)
  readonly #renamings = new IntVector(1024)
  /** States whose component has not been left, in the order they were met. */
  readonly #component = new IntVector()

  /** What `close` returned last. */
  readonly #closing: number[] = []

  get states(): number {
    return this.#status.length
  }

  /** A new state, open. */
  add(): number {
    const state = this.#status.push(open)
    this.#first.push(0)
    this.#count.push(0)
    this.#component.push(state)
    return state
  }

  isOpen(state: number): boolean {
    return this.#status.at(state) === open
  }

  isClosed(state: number): boolean {
    return this.#status.at(state) === closed
  }

  /** Edges are added when a state completes, all at once, so that they lie side by side. */
  complete(state: number, edges: Edges): void {
    this.#status.set(state, complete)
    this.#first.set(state, this.#targets.length)
    this.#count.set(state, edges.count)
    for (let edge = 0; edge < edges.count; edge++) {
      this.#targets.push(edges.targets[edge] as number)
      this.#labels.push(edges.labels[edge] as number)
      this.#renamings.push(edges.renamings[edge] as number)
    }
  }

  /** Closes the component whose first state is given; its states, last met first. The array is used again. */
  close(first: number): readonly number[] {
    const states = this.#closing
    states.length = 0
    for (let state = -1; state !== first; ) {
      state = this.#component.pop()
      this.#status.set(state, closed)
      states.push(state)
    }
    return states
  }

  firstEdge(state: number): number {
    return this.#first.at(state)
  }

  edgesEnd(state: number): number {
    return this.#first.at(state) + this.#count.at(state)
  }

  target(edge: number): number {
    return this.#targets.at(edge)
  }

  label(edge: number): number {
    return this.#labels.at(edge)
  }

  renaming(edge: number): number {
    return this.#renamings.at(edge)
  }
}

/** The edges of a state that is still open. The arrays are used again and again: only the first `count` items mean something. */
export class Edges {
  count = 0
  readonly targets: number[] = []
  readonly labels: number[] = []
  readonly renamings: number[] = []

  add(target: number, label: number, renaming: number): void {
    this.targets[this.count] = target
    this.labels[this.count] = label
    this.renamings[this.count] = renaming
    this.count++
  }
}
