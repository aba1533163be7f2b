/**
 * Nodes that never change, in one array of 32-bit integers: equal ones are one node, so a number compares them. A node is a kind and parts, which are
 * numbers of any meaning; its number is where it lies, and 0 is none. Nodes stay for as long as the heap does.
 *
 * A node is made where the next one would lie: `open`, writing the parts, `close`. If it is known already, that room is used again.
 */
export class NodeHeap {
  /** Each node: its kind and the number of its parts in one cell, and the parts. Another array when it has grown, so nobody keeps it. */
  cells = new Int32Array(1 << 12)
  /** Open addressing: the node, 0 where nothing is. Invariant: at most two thirds full, and a power of two long. */
  #slots = new Int32Array(1 << 10)
  #top = 1
  #size = 0
  /** Of the rows that `ofRows` is given, and what it has read of memory: as that is kept, reading it is not left out. */
  #hashes = new Int32Array(16)
  read = 0

  /** How many nodes there are. */
  get size(): number {
    return this.#size
  }

  /** Bytes that nodes take, and the bytes that are held to find them. */
  get bytes(): number {
    return this.#top * 4 + this.#slots.byteLength
  }

  kindOf(node: number): number {
    return this.cells[node]! & kindMask
  }

  /** How many parts a node has. */
  lengthOf(node: number): number {
    return this.cells[node]! >>> kindBits
  }

  /** Not checked, for speed: the node has so many parts. */
  part(node: number, at: number): number {
    return this.cells[node + 1 + at]!
  }

  /** The cell of the first part, with room for so many. */
  open(length: number): number {
    if (this.#top + length + 1 > this.cells.length) this.#grow(length + 1)
    return this.#top + 1
  }

  /** The node with the parts that have been written. */
  close(kind: number, length: number): number {
    const head = (length << kindBits) | kind
    return this.#closed(head, hashOf(head, this.cells, this.#top + 1, length))
  }

  #closed(head: number, hash: number): number {
    const { cells } = this
    const length = head >>> kindBits
    const made = this.#top
    cells[made] = head
    const slots = this.#slots
    const mask = slots.length - 1
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const found = slots[slot]!
      if (found === 0) {
        slots[slot] = made
        return this.#added(made, length)
      }
      if (cells[found] === head && isSame(cells, found, made, length)) return found
    }
  }

  #added(made: number, length: number): number {
    this.#top = made + length + 1
    if (++this.#size * 3 > this.#slots.length * 2) this.#rehash()
    return made
  }

  of(kind: number, parts: readonly number[]): number {
    const first = this.open(parts.length)
    for (let at = 0; at < parts.length; at++) this.cells[first + at] = parts[at]!
    return this.close(kind, parts.length)
  }

  /**
   * The nodes of some rows of parts, one after the other. What is read for one of them is read for all before any is looked up: then the processor
   * waits for memory once, and not once for each.
   */
  ofRows(kind: number, length: number, rows: Int32Array, count: number): number[] {
    if (count > this.#hashes.length) this.#hashes = new Int32Array(count * 2)
    const [cells, slots, hashes] = [this.cells, this.#slots, this.#hashes]
    const mask = slots.length - 1
    const head = (length << kindBits) | kind
    let read = 0
    for (let at = 0; at < count; at++) {
      const hash = hashOf(head, rows, at * length, length)
      hashes[at] = hash
      read ^= cells[slots[hash & mask]!]!
    }
    this.read = read
    const nodes: number[] = new Array(count)
    for (let at = 0; at < count; at++) {
      const first = this.open(length)
      for (let part = 0; part < length; part++) this.cells[first + part] = rows[at * length + part]!
      nodes[at] = this.#closed(head, hashes[at]!)
    }
    return nodes
  }

  parts(node: number): number[] {
    const parts: number[] = new Array(this.lengthOf(node))
    for (let at = 0; at < parts.length; at++) parts[at] = this.cells[node + 1 + at]!
    return parts
  }

  #grow(needed: number): void {
    if (this.#top + needed > mostCells) throw new RangeError('there is no room for more nodes')
    const cells = new Int32Array(Math.min(Math.max(this.cells.length * 2, this.#top + needed), mostCells))
    cells.set(this.cells)
    this.cells = cells
  }

  #rehash(): void {
    const { cells } = this
    const slots = new Int32Array(this.#slots.length * 2)
    const mask = slots.length - 1
    for (let node = 1; node < this.#top; node += this.lengthOf(node) + 1) {
      let slot = hashOf(cells[node]!, cells, node + 1, this.lengthOf(node)) & mask
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = node
    }
    this.#slots = slots
  }
}

/** Twice the number of a node still fits 32 bits with a sign. */
const mostCells = 2 ** 30
const kindBits = 4
const kindMask = (1 << kindBits) - 1

/** Of a node, in cells that are at hand. */
export function kindIn(cells: Int32Array, node: number): number {
  return cells[node]! & kindMask
}

/** How many parts it has. */
export function lengthIn(cells: Int32Array, node: number): number {
  return cells[node]! >>> kindBits
}

function hashOf(head: number, cells: Int32Array, first: number, length: number): number {
  let hash = head
  for (let at = first; at < first + length; at++) {
    hash = Math.imul(hash ^ cells[at]!, 0x9e3779b1)
    hash ^= hash >>> 15
  }
  hash = Math.imul(hash, 0x85ebca6b)
  return hash ^ (hash >>> 13)
}

function isSame(cells: Int32Array, one: number, other: number, length: number): boolean {
  for (let at = 1; at <= length; at++) if (cells[one + at] !== cells[other + at]) return false
  return true
}
