/** Messages that arrive in any order, by number: those that are alike are one, and wait together. */
export class Messages {
  readonly #numbers = new Map<number, number>()
  /** Packed values: tuples of a target, an event and a payload. */
  readonly all: number[] = []

  /** The number of a message, a packed value. */
  of(packed: number): number {
    const known = this.#numbers.get(packed)
    if (known !== undefined) return known
    this.#numbers.set(packed, this.all.length)
    return this.all.push(packed) - 1
  }
}
