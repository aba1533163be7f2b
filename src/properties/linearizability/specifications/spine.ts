/**
 * Sequences that grow and shrink at one end and know their own identity: equal contents above one root are one object, with
 * a number as key. So a log of n entries costs n cells for all its prefixes, and comparing two states costs nothing; as
 * canonical texts the prefixes of 100,000 entries would be 10 GB.
 */
import { encodeValue, type Value } from '../../../core/value.ts'
import { showValue } from '../../../core/value-text.ts'

export class Spine {
  readonly below: Spine | undefined
  readonly value: Value
  readonly size: number
  /** Unique among the spines above one root, and so a key of the contents. */
  readonly id: number
  /** Shared by all spines above one root. */
  readonly #made: { count: number }
  /** By text of the next value. Invariant: one spine for each; that makes equal contents one object. */
  #above: Map<string, Spine> | undefined

  private constructor(below: Spine | undefined, value: Value, made: { count: number }) {
    this.below = below
    this.value = value
    this.size = below === undefined ? 0 : below.size + 1
    this.id = made.count++
    this.#made = made
  }

  static of(values: readonly Value[]): Spine {
    let spine = new Spine(undefined, undefined, { count: 0 })
    for (const value of values) spine = spine.with(value)
    return spine
  }

  /** The same sequences above a new root, so that the memory of all others can be reclaimed. */
  static copies(spines: readonly Spine[]): readonly Spine[] {
    const root = Spine.of([])
    const known = new Map<Spine, Spine>()
    return spines.map((spine) => {
      const missing: Spine[] = []
      let cell = spine
      for (; !known.has(cell) && cell.below !== undefined; cell = cell.below) missing.push(cell)
      let copy = known.get(cell) ?? root
      for (let next = missing.pop(); next !== undefined; next = missing.pop()) {
        copy = copy.with(next.value)
        known.set(next, copy)
      }
      return copy
    })
  }

  with(value: Value): Spine {
    this.#above ??= new Map()
    const name = encodeValue(value)
    let found = this.#above.get(name)
    if (found === undefined) {
      found = new Spine(this, value, this.#made)
      this.#above.set(name, found)
    }
    return found
  }

  /** The entries from an offset on, oldest first. */
  from(offset: number): readonly Value[] {
    const found: Value[] = []
    for (let cell: Spine = this; cell.below !== undefined && cell.size > offset; cell = cell.below)
      found.push(cell.value)
    return found.reverse()
  }

  describe(): string {
    const shown = this.from(Math.max(0, this.size - 8)).map((value) => showValue(value, 20))
    return `[${this.size > shown.length ? '…, ' : ''}${shown.join(', ')}]`
  }
}
