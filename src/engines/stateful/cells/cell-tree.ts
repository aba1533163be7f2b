/**
 * What a rule says of states, as a tree: a node is the next look at a state, its branches are what it shows, a leaf is what the rule says.
 * As a rule depends on nothing else, that holds of all states which show the same. To ask a state is to follow the branches, without any code of
 * the user.
 */
import { PairMap } from '../../../collections/pair-map.ts'
import { cellOf, type Layout } from '../../../semantics/machines/layout.ts'

/** In place of a look: nobody has asked yet. What is less is a leaf, which says what has the number `leaf - look`. */
const open = -1
const leaf = -2
/** Values of a cell are numbered as they come: most are small, and their branches are in a table of the node. */
const fewValues = 256
const fewestBranches = 4
/** Of each node: its look, where its table begins, and how many values have a place in it. */
const parts = 3

export class CellTree<Said> {
  readonly #layout: Layout
  #nodes = new Int32Array(64 * parts)
  #nodeCount = 1
  /** The tables of all nodes: by number of a value the next node, 0 if none is known. One that became too small is left behind. */
  #tables = new Int32Array(1024)
  #tablesEnd = 0
  /** For numbers of values that are too large for a table, and for what looks show of lists and records, which is less than 0. */
  readonly #furtherBranches = new PairMap()
  readonly #said: Said[] = []

  constructor(layout: Layout) {
    this.#layout = layout
    this.#nodes[0] = open
  }

  /** The number of what is said of a state with these values in its cells; -1 if that is not known. */
  find(values: Int32Array): number {
    const [nodes, tables] = [this.#nodes, this.#tables]
    let node = 0
    for (;;) {
      const at = node * parts
      const look = nodes[at] as number
      if (look < 0) return leaf - look
      const value = values[cellOf(look)] as number
      node = value < (nodes[at + 2] as number) ? (tables[(nodes[at + 1] as number) + value] as number) : 0
      if (node > 0) continue
      node = this.#further(at / parts, look, value)
      if (node === 0) return -1
    }
  }

  said(number: number): Said {
    return this.#said[number] as Said
  }

  /** Notes what is said of a state by a rule that has looked at it so. False if that contradicts what it did before. */
  learn(values: Int32Array, looks: Iterable<number>, said: Said): boolean {
    let node = 0
    for (const look of looks) {
      const known = this.#nodes[node * parts] as number
      if (known === open) this.#nodes[node * parts] = look
      else if (known !== look) return false
      node = this.#after(node, look, values[cellOf(look)] as number)
    }
    if (this.#nodes[node * parts] !== open) return false
    this.#nodes[node * parts] = leaf - (this.#said.push(said) - 1)
    return true
  }

  /** The node after one whose table does not say which it is; 0 if there is none. Lists that were not looked into have one node together. */
  #further(node: number, look: number, value: number): number {
    if (value >= fewValues) {
      const known = this.#furtherBranches.get(node, value)
      if (known !== undefined) return known
    }
    const kind = this.#layout.kindShown(look, value)
    const known = kind < 0 ? this.#furtherBranches.get(node, kind) : undefined
    if (known !== undefined) this.#branch(node, value, known)
    return known ?? 0
  }

  #after(node: number, look: number, value: number): number {
    const at = node * parts
    const inTable = value < (this.#nodes[at + 2] as number) ? this.#tables[(this.#nodes[at + 1] as number) + value] : 0
    const known = inTable || this.#further(node, look, value)
    if (known > 0) return known
    const next = this.#node()
    this.#branch(node, value, next)
    const kind = this.#layout.kindShown(look, value)
    if (kind < 0) this.#furtherBranches.set(node, kind, next)
    return next
  }

  #branch(node: number, value: number, next: number): void {
    if (value >= fewValues) return this.#furtherBranches.set(node, value, next)
    if (value >= (this.#nodes[node * parts + 2] as number)) this.#widen(node, value)
    this.#tables[(this.#nodes[node * parts + 1] as number) + value] = next
  }

  #node(): number {
    if (this.#nodeCount * parts === this.#nodes.length) this.#nodes = grown(this.#nodes, this.#nodes.length * 2)
    this.#nodes[this.#nodeCount * parts] = open
    return this.#nodeCount++
  }

  /** Gives a node a table in which the value has a place. */
  #widen(node: number, value: number): void {
    const [from, width] = [this.#nodes[node * parts + 1] as number, this.#nodes[node * parts + 2] as number]
    let wider = Math.max(fewestBranches, width)
    while (wider <= value) wider *= 2
    const end = this.#tablesEnd + wider
    if (end > this.#tables.length) this.#tables = grown(this.#tables, Math.max(end, this.#tables.length * 2))
    this.#tables.copyWithin(this.#tablesEnd, from, from + width)
    this.#nodes[node * parts + 1] = this.#tablesEnd
    this.#nodes[node * parts + 2] = wider
    this.#tablesEnd = end
  }
}

function grown(items: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  const all = new Int32Array(length)
  all.set(items)
  return all
}
