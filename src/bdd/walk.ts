/** Visits each node below given roots once. */
import { IntVector } from '../collections/int-vector.ts'
import type { Diagram } from './diagram.ts'
import { leafLevel, type NodeTable } from './node-table.ts'

export class Walk {
  readonly #table: NodeTable
  /** By node: the last walk that met it. Grows with the table, at the next walk. */
  #stamps = new Int32Array(0)
  #walks = 0
  readonly #stack = new IntVector()

  constructor(table: NodeTable) {
    this.#table = table
  }

  get bytes(): number {
    return this.#stamps.byteLength
  }

  /** All nodes below the roots, leaves included, children before parents. */
  below(roots: Iterable<Diagram>): IntVector {
    const { nodes } = this.#table
    const found = new IntVector()
    const { stamps, stamp } = this.#begin()
    const stack = this.#stack
    for (const root of roots) {
      stack.push(root)
      while (stack.length > 0) {
        const next = stack.pop()
        // The complement of a number: its children were visited.
        if (next < 0) {
          found.push(~next)
        } else if (stamps[next] !== stamp) {
          stamps[next] = stamp
          stack.push(~next)
          this.#pushChildren(nodes, next)
        }
      }
    }
    return found
  }

  /** Stamps all nodes below the roots; the stamp tells them from all others until the next walk. */
  mark(roots: Iterable<Diagram>): { readonly stamps: Int32Array; readonly stamp: number } {
    const { nodes } = this.#table
    const { stamps, stamp } = this.#begin()
    const stack = this.#stack
    stamps[0] = stamp
    stamps[1] = stamp
    for (const root of roots) {
      stack.push(root)
      while (stack.length > 0) {
        const next = stack.pop()
        if (stamps[next] === stamp) continue
        stamps[next] = stamp
        this.#pushChildren(nodes, next)
      }
    }
    return { stamps, stamp }
  }

  #pushChildren(nodes: Int32Array, of: Diagram): void {
    if (nodes[of << 2] === leafLevel) return
    this.#stack.push(nodes[(of << 2) + 2]!)
    this.#stack.push(nodes[(of << 2) + 1]!)
  }

  #begin(): { readonly stamps: Int32Array; readonly stamp: number } {
    if (this.#stamps.length < this.#table.capacity || this.#walks === 0x7fffffff) {
      this.#stamps = new Int32Array(this.#table.capacity)
      this.#walks = 0
    }
    return { stamps: this.#stamps, stamp: ++this.#walks }
  }
}
