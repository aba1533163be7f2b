/**
 * What a rule says of states, as a tree: a node is the next look at a state, its branches are what it shows, a leaf is what the rule says.
 * As a rule depends on nothing else, that holds of all states which show the same. To ask a state is to follow the branches, without any code of
 * the user.
 */
import { PairMap } from '../../../collections/pair-map.ts'
import type { Layout } from './layout.ts'

/** In place of a look: nobody has asked yet, or the rule says something. */
const open = -1
const leaf = -2
/** Values of a cell are numbered as they come: most are small, and found without hashing. */
const fewValues = 256

export class CellTree<Said> {
  readonly #layout: Layout
  /** By node. */
  readonly #looks: number[] = [open]
  readonly #branches: number[][] = [[]]
  readonly #furtherBranches = new PairMap()
  readonly #said: (Said | undefined)[] = [undefined]

  constructor(layout: Layout) {
    this.#layout = layout
  }

  /** What is said of a state with these values in its cells, if that is known. */
  said(values: Int32Array): Said | undefined {
    const [layout, looks] = [this.#layout, this.#looks]
    let node = 0
    for (;;) {
      const look = looks[node] as number
      if (look < 0) return this.#said[node]
      const next = this.#next(node, layout.shown(look, values))
      if (next === undefined) return undefined
      node = next
    }
  }

  /** Notes what is said of a state by a rule that has looked at it so. False if that contradicts what it did before. */
  learn(values: Int32Array, looks: Iterable<number>, said: Said): boolean {
    let node = 0
    for (const look of looks) {
      if (this.#looks[node] === open) this.#looks[node] = look
      else if (this.#looks[node] !== look) return false
      node = this.#after(node, this.#layout.shown(look, values))
    }
    if (this.#looks[node] !== open) return false
    this.#looks[node] = leaf
    this.#said[node] = said
    return true
  }

  #next(node: number, value: number): number | undefined {
    return value < fewValues ? (this.#branches[node] as number[])[value] : this.#furtherBranches.get(node, value)
  }

  #after(node: number, value: number): number {
    const known = this.#next(node, value)
    if (known !== undefined) return known
    const next = this.#looks.push(open) - 1
    this.#branches.push([])
    this.#said.push(undefined)
    if (value < fewValues) (this.#branches[node] as number[])[value] = next
    else this.#furtherBranches.set(node, value, next)
    return next
  }
}
