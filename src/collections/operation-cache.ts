/**
 * Results of operations on numbers, as far as there is room: a newer one takes the place of an older one. Operations that are done again and again are
 * looked up instead, and nothing is wrong if one is not there.
 */
export class OperationCache {
  /** Five cells for each place: what was done, on what, and the result. The number of places is a power of two. */
  readonly #cells: Int32Array
  readonly #mask: number

  constructor(bits: number) {
    this.#cells = new Int32Array(5 << bits)
    this.#mask = (1 << bits) - 1
  }

  /** Below 0: not there. Operations are numbers above 0, results are not below 0. */
  get(operation: number, first: number, second: number, third: number): number {
    const cells = this.#cells
    const at = (hashOf(operation, first, second, third) & this.#mask) * 5
    const isThere =
      cells[at] === operation && cells[at + 1] === first && cells[at + 2] === second && cells[at + 3] === third
    return isThere ? cells[at + 4]! : -1
  }

  set(operation: number, [first, second, third]: readonly [number, number, number], result: number): void {
    const cells = this.#cells
    const at = (hashOf(operation, first, second, third) & this.#mask) * 5
    cells[at] = operation
    cells[at + 1] = first
    cells[at + 2] = second
    cells[at + 3] = third
    cells[at + 4] = result
  }
}

function hashOf(operation: number, first: number, second: number, third: number): number {
  let hash = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b) ^ Math.imul(third + operation, 0xc2b2ae35)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return hash ^ (hash >>> 13)
}
