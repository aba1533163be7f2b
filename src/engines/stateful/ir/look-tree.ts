/**
 * What a handler does, as a tree: a node is the next look at what it begins with, its branches are what it may see, a leaf is what it does then. As it depends
 * on nothing else, that holds whenever it sees the same. For systems that are declared by rules `cells/cell-tree.ts` does so with values that are
 * numbered one by one; here they are any numbers.
 */

/** What values show to looks, which are numbers. */
export interface Shows {
  shown(look: number, values: Int32Array): number
}

/** In place of a look: nobody has asked yet, or something is done. */
const open = -1
const leaf = -2

/** Of a branch: the node that it leads away from, plus 1, what is shown there, the node that it leads to, and the look of that. */
const cellsOfBranch = 4

export class LookTree<Done> {
  readonly #shows: Shows
  #firstLook = open
  /** Branches by open addressing, four cells each, so that one is read at once. Invariant: at most half of the slots are taken, and their number is a power of two. */
  #branches = new Int32Array(4 * cellsOfBranch)
  /** How many nodes there are: each but the first has a branch that leads to it. */
  #size = 1
  /** By node. */
  readonly #done: (Done | undefined)[] = [undefined]

  constructor(shows: Shows) {
    this.#shows = shows
  }

  get size(): number {
    return this.#size
  }

  /** What is done with these values, if that is known. */
  done(values: Int32Array): Done | undefined {
    const [shows, branches] = [this.#shows, this.#branches]
    let node = 0
    let look = this.#firstLook
    while (look >= 0) {
      const at = this.#place(node, shows.shown(look, values))
      if (branches[at] === 0) return undefined
      node = branches[at + 2] as number
      look = branches[at + 3] as number
    }
    return this.#done[node]
  }

  /** Notes what was done after these looks. False if that contradicts what it did before. */
  learn(values: Int32Array, looks: Iterable<number>, done: Done): boolean {
    let node = 0
    // The branch that leads here; below 0 for the first node.
    let branch = -1
    for (const look of looks) {
      if (!this.#settles(branch, look)) return false
      branch = this.#after(node, this.#shows.shown(look, values))
      node = this.#branches[branch + 2] as number
    }
    if (this.#lookBehind(branch) !== open || !this.#settles(branch, leaf)) return false
    this.#done[node] = done
    return true
  }

  #lookBehind(branch: number): number {
    return branch < 0 ? this.#firstLook : (this.#branches[branch + 3] as number)
  }

  /** Whether this is the look of the node behind a branch, which it is from now on if there was none. */
  #settles(branch: number, look: number): boolean {
    const known = this.#lookBehind(branch)
    if (known !== open) return known === look
    if (branch < 0) this.#firstLook = look
    else this.#branches[branch + 3] = look
    return true
  }

  /** Where the branch is, or would be put. */
  #place(node: number, value: number): number {
    const branches = this.#branches
    const mask = branches.length / cellsOfBranch - 1
    let hash = Math.imul(node, 0x9e3779b1) ^ Math.imul(value, 0x85ebca6b)
    hash ^= hash >>> 15
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const at = slot * cellsOfBranch
      const from = branches[at] as number
      if (from === 0 || (from === node + 1 && branches[at + 1] === value)) return at
    }
  }

  #after(node: number, value: number): number {
    const at = this.#place(node, value)
    if (this.#branches[at] !== 0) return at
    if ((this.#size + 1) * 2 > this.#branches.length / cellsOfBranch) {
      this.#grow()
      return this.#after(node, value)
    }
    this.#branches.set([node + 1, value, this.#size++, open], at)
    this.#done.push(undefined)
    return at
  }

  #grow(): void {
    const before = this.#branches
    this.#branches = new Int32Array(before.length * 2)
    for (let at = 0; at < before.length; at += cellsOfBranch) {
      const branch = before.subarray(at, at + cellsOfBranch)
      if (branch[0] !== 0) this.#branches.set(branch, this.#place((branch[0] as number) - 1, branch[1] as number))
    }
  }
}
