/**
 * Parties that play the same part, as columns of cells: a party has a cell in each of several rows, and to put parties into another order is to put columns into
 * another order. States are one if their columns are the same ones (sorted columns of interchangeable processes).
 *
 * Which cells belong to whom is found out by putting marks into all of them, and having the author's `renamed` change two parties. That this is what it does to
 * states, too, is tried by whoever searches.
 */
import type { Value } from '../../../core/value.ts'
import type { AlikeRules } from '../../../program/machines.ts'
import type { Layout } from '../../../semantics/machines/layout.ts'

export class Columns {
  /** By party, its cells; those at the same place are a row. */
  readonly #cells: readonly (readonly number[])[]
  readonly #order: number[]
  readonly #sorted: Int32Array

  constructor(cells: readonly (readonly number[])[]) {
    this.#cells = cells
    this.#order = cells.map((_, party) => party)
    this.#sorted = new Int32Array(cells.length * this.#height)
  }

  get parties(): number {
    return this.#cells.length
  }

  /** Cells that hold the same things, each of another party. */
  get rows(): readonly (readonly number[])[] {
    return Array.from({ length: this.#height }, (_, row) => this.#cells.map((cells) => cells[row] as number))
  }

  /** Puts the columns into the one order that all states have which are the same but for names. False if they were in it. */
  sort(values: Int32Array): boolean {
    const order = this.#order
    let isSorted = true
    for (let at = 0; at < order.length; at++) {
      let to = at
      while (to > 0 && this.#compared(values, order[to - 1] as number, at) > 0) {
        order[to] = order[to - 1] as number
        to--
      }
      order[to] = at
      isSorted &&= to === at
    }
    if (!isSorted) this.reorder(values, order)
    return !isSorted
  }

  /** Party `order[0]` becomes the first. */
  reorder(values: Int32Array, order: readonly number[]): void {
    const [height, sorted] = [this.#height, this.#sorted]
    for (let to = 0; to < order.length; to++) {
      const cells = this.#cells[order[to] as number] as readonly number[]
      for (let row = 0; row < height; row++) sorted[to * height + row] = values[cells[row] as number] as number
    }
    for (let to = 0; to < order.length; to++) {
      const cells = this.#cells[to] as readonly number[]
      for (let row = 0; row < height; row++) values[cells[row] as number] = sorted[to * height + row] as number
    }
  }

  get #height(): number {
    return (this.#cells[0] as readonly number[]).length
  }

  #compared(values: Int32Array, one: number, other: number): number {
    const [left, right] = [this.#cells[one] as readonly number[], this.#cells[other] as readonly number[]]
    for (let row = 0; row < left.length; row++) {
      const more = (values[left[row] as number] as number) - (values[right[row] as number] as number)
      if (more !== 0) return more
    }
    return 0
  }
}

/** Beyond, all pairs of them are too many to try. */
const mostParties = 16

/** Nothing if parties are no columns: if they know each other, or if something is written anew when they change places. */
export function columnsOf(layout: Layout, { parties, renamed }: AlikeRules, first: Value): Columns | undefined {
  const count = parties(first)
  if (count === undefined || count < 2 || count > mostParties) return undefined
  const marks = Array.from({ length: layout.size }, (_, cell) => Object.freeze({ cell }))
  const marked = layout.filled((cell) => marks[cell] as Value)
  const all = Array.from({ length: count }, (_, party) => party)
  /** Where what is in each cell comes from, when two parties change places. */
  const sources = (one: number, other: number): readonly number[] | undefined => {
    const made = renamed(marked, all.with(one, other).with(other, one))
    return made === undefined ? undefined : layout.sources(made, marks as readonly Value[])
  }
  const swaps = all.map((one) => all.map((other) => (one < other ? sources(one, other) : undefined)))
  if (all.some((one) => all.some((other) => one < other && swaps[one]?.[other] === undefined))) return undefined
  const swap = (one: number, other: number) => swaps[Math.min(one, other)]?.[Math.max(one, other)] as readonly number[]
  const isMoved = (cell: number, one: number, other: number) => swap(one, other)[cell] !== cell
  const own = marks
    .map(({ cell }) => cell)
    .filter((cell) => all.every((other) => other === 0 || isMoved(cell, 0, other)))
    .filter((cell) => count > 2 || cell < (swap(0, 1)[cell] as number))
  const cells = all.map((party) => (party === 0 ? own : own.map((cell) => swap(0, party)[cell] as number)))
  return own.length > 0 && areColumns(cells, layout.size, swap) ? new Columns(cells) : undefined
}

/** Whether two parties that change places change their cells, and nothing else. */
function areColumns(
  cells: readonly (readonly number[])[],
  size: number,
  swap: (one: number, other: number) => readonly number[],
): boolean {
  if (new Set(cells.flat()).size !== cells.length * (cells[0] as readonly number[]).length) return false
  return cells.every((left, one) =>
    cells.every((right, other) => {
      if (one >= other) return true
      const expected = Int32Array.from({ length: size }, (_, cell) => cell)
      for (const [row, cell] of left.entries()) {
        expected[cell] = right[row] as number
        expected[right[row] as number] = cell
      }
      return swap(one, other).every((source, cell) => source === expected[cell])
    }),
  )
}
