/**
 * What a handler does, as a tree: a node is the next look at what it begins with, its branches are what it may see, a leaf is what it does then. As it depends
 * on nothing else, that holds whenever it sees the same. For systems that are declared by rules `cells/cell-tree.ts` does so with values that are
 * numbered one by one; here they are any numbers.
 */
import { OperationCache } from '../../../collections/operation-cache.ts'
import { PairMap } from '../../../collections/pair-map.ts'

/** What values show to looks, which are numbers. */
export interface Shows {
  shown(look: number, values: Int32Array): number
  /** On which of the values that depends, as bits; all, if it is not known. */
  registersIn(look: number): number
}

/** In place of a look: nobody has asked yet, or something is done. */
const open = -1
const leaf = -2

/** Of a node: what was shown on the way to it, the next node below the same one, the first one below it, its look, and on what leaps from it depend. */
const cellsOfNode = 5
/** So many of the nodes below one are gone through; the others are found by a map. */
const mostInRow = 8
/** Trees in which a way has so many looks have leaps. */
const longWay = 6
/** Leaps that are remembered, as a power of two. */
const leapBits = 14
/** A leap over fewer looks takes longer than they do. */
const shortestLeap = 4
/** In place of the two values that leaps from a node depend on: nobody has asked yet, or there are none. */
const unknown = -1
const noLeaps = -2
const nowhere = -1

export class LookTree<Done> {
  readonly #shows: Shows
  /**
   * By node; number 0 is the first one, and as no way leads to it, none. Nodes of a way that was learnt at once lie side by side, so that to go along it reads
   * little memory.
   */
  #cells = new Int32Array(8 * cellsOfNode)
  #size = 1
  /** By a node and what is shown there: the node below, of those that are not gone through. */
  readonly #further = new PairMap()
  /** By a node and two values: a node that looks at these alone lead to. */
  #leaps: OperationCache | undefined
  /** By node. */
  readonly #done: (Done | undefined)[] = [undefined]

  constructor(shows: Shows) {
    this.#shows = shows
    this.#cells.set([0, 0, 0, open, unknown])
  }

  get size(): number {
    return this.#size
  }

  /** What is done with these values, if that is known. */
  done(values: Int32Array): Done | undefined {
    const [shows, cells, leaps] = [this.#shows, this.#cells, this.#leaps]
    let node = 0
    let look = cells[3] as number
    while (look >= 0) {
      const far = leaps === undefined ? node : this.#far(leaps, node, values)
      node = far === node ? this.#below(node, shows.shown(look, values)) : far
      if (node <= 0) return undefined
      look = cells[node * cellsOfNode + 3] as number
    }
    return this.#done[node]
  }

  /**
   * Many looks in a row are often at one or two values: where they lead is remembered by these, and is the same for as long as the tree lives. The node itself if
   * its look is at others; below 0: nobody has gone there yet.
   */
  #far(leaps: OperationCache, node: number, values: Int32Array): number {
    const at = node * cellsOfNode + 4
    if (this.#cells[at] === unknown) this.#cells[at] = this.#leapsFrom(node, values)
    const from = this.#cells[at] as number
    if (from < 0) return node
    const one = values[from & 31] as number
    const other = values[from >> 5] as number
    const known = leaps.get(1, node, one, other)
    if (known >= 0) return known
    const mask = (1 << (from & 31)) | (1 << (from >> 5))
    const far = this.#along(node, values, mask)
    if (far >= 0) leaps.set(1, [node, one, other], far)
    return far
  }

  /** Where looks lead that depend on these values alone; below 0: nobody has gone there yet. */
  #along(from: number, values: Int32Array, mask: number): number {
    const [shows, cells] = [this.#shows, this.#cells]
    let node = from
    for (;;) {
      const look = cells[node * cellsOfNode + 3] as number
      if (look < 0 || (shows.registersIn(look) & ~mask) !== 0) return node
      node = this.#below(node, shows.shown(look, values))
      if (node === 0) return nowhere
    }
  }

  /** The first two values on which the looks depend that follow from here with these values. */
  #leapsFrom(from: number, values: Int32Array): number {
    const [shows, cells] = [this.#shows, this.#cells]
    let mask = 0
    let length = 0
    for (let node = from; ; length++) {
      const look = cells[node * cellsOfNode + 3] as number
      const more = look < 0 ? -1 : mask | shows.registersIn(look)
      if (more < 0 || bitsIn(more) > 2) break
      mask = more
      const below = this.#below(node, shows.shown(look, values))
      if (below === 0) return unknown
      node = below
    }
    if (length < shortestLeap) return noLeaps
    const first = mask === 0 ? 0 : 31 - Math.clz32(mask)
    const rest = mask & ~(1 << first)
    return first | ((rest === 0 ? first : 31 - Math.clz32(rest)) << 5)
  }

  /** Notes what was done after these looks. False if that contradicts what it did before. */
  learn(values: Int32Array, looks: Iterable<number>, done: Done): boolean {
    let node = 0
    let length = 0
    for (const look of looks) {
      length++
      if (!this.#settles(node, look)) return false
      const shown = this.#shows.shown(look, values)
      const below = this.#below(node, shown)
      node = below === 0 ? this.#add(node, shown) : below
    }
    if (this.#cells[node * cellsOfNode + 3] !== open || !this.#settles(node, leaf)) return false
    this.#done[node] = done
    if (length >= longWay) this.#leaps ??= new OperationCache(leapBits)
    return true
  }

  /** Whether this is the look of a node, which it is from now on if there was none. */
  #settles(node: number, look: number): boolean {
    const at = node * cellsOfNode + 3
    if (this.#cells[at] === open) this.#cells[at] = look
    return this.#cells[at] === look
  }

  /** The node that what is shown leads to; 0: none. */
  #below(node: number, shown: number): number {
    const cells = this.#cells
    let below = cells[node * cellsOfNode + 2] as number
    for (let passed = 0; passed < mostInRow; passed++) {
      const at = below * cellsOfNode
      if (below === 0 || cells[at] === shown) return below
      below = cells[at + 1] as number
    }
    return this.#further.get(node, shown) ?? 0
  }

  #add(node: number, shown: number): number {
    const made = this.#size++
    if ((made + 1) * cellsOfNode > this.#cells.length) {
      const cells = new Int32Array(this.#cells.length * 2)
      cells.set(this.#cells)
      this.#cells = cells
    }
    const cells = this.#cells
    cells.set([shown, 0, 0, open, unknown], made * cellsOfNode)
    this.#done.push(undefined)
    // The cell that names the first node below, or the next one, until it names none.
    let from = node * cellsOfNode + 2
    for (let passed = 0; passed < mostInRow; passed++) {
      const below = cells[from] as number
      if (below === 0) {
        cells[from] = made
        return made
      }
      from = below * cellsOfNode + 1
    }
    this.#further.set(node, shown, made)
    return made
  }
}

function bitsIn(mask: number): number {
  let count = 0
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++
  return count
}
