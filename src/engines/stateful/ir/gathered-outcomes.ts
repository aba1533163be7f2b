/** Outcomes of one run as they are told, one after the other; their local states get their numbers when all are there. */
import { nodeKinds } from '../../../semantics/ir/compiled/packed-values.ts'
import type { LocalStates } from './local-states.ts'
import { type Ending, Outcomes } from './outcomes.ts'

export class GatheredOutcomes {
  readonly #locals: LocalStates
  /** Of outcomes whose machine has not halted: all of the local state but the fields, and the fields. The first so many. */
  #rows = new Int32Array(64)
  #rowCount = 0
  /** The first so many, and by outcome the local state of a machine that has halted; 0: it has not. */
  readonly #endings: Ending[] = []
  readonly #halted: number[] = []
  #size = 0
  #fields = 0

  constructor(locals: LocalStates) {
    this.#locals = locals
  }

  get size(): number {
    return this.#size
  }

  /** Outcomes of a machine with so many fields. */
  begin(fields: number): void {
    this.#fields = fields
    this.#size = 0
    this.#rowCount = 0
  }

  add(head: number, fields: Int32Array, ending: Ending): void {
    const count = this.#fields
    const first = this.#rowCount++ * (count + 1)
    if (first + count >= this.#rows.length) this.#grow(first + count + 1)
    const rows = this.#rows
    rows[first] = head
    for (let at = 0; at < count; at++) rows[first + 1 + at] = fields[at] as number
    this.#end(0, ending)
  }

  addHalted(local: number, ending: Ending): void {
    this.#end(local, ending)
  }

  #end(halted: number, ending: Ending): void {
    this.#halted[this.#size] = halted
    this.#endings[this.#size++] = ending
  }

  /** All of them. */
  get outcomes(): Outcomes {
    const size = this.#size
    const found = this.#locals.values.heap.ofRows(nodeKinds.local, this.#fields + 1, this.#rows, this.#rowCount)
    const endings = this.#endings.slice(0, size)
    if (found.length === size) return new Outcomes(found, endings)
    let next = 0
    const locals = this.#halted.slice(0, size).map((halted) => (halted === 0 ? (found[next++] as number) : halted))
    return new Outcomes(locals, endings)
  }

  #grow(least: number): void {
    const rows = new Int32Array(least * 2)
    rows.set(this.#rows)
    this.#rows = rows
  }
}
