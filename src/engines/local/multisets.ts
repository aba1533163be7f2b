/** Multisets of messages as numbers: equal ones have equal numbers. A multiset is its elements, ascending, with repetitions. */
import { PairMap } from '../../collections/pair-map.ts'
import { SequenceInterner } from '../../collections/sequence-interner.ts'

export const emptyMultiset = 0

export class Multisets {
  readonly #elements = new SequenceInterner()
  /** Answers given before, by the two arguments. */
  readonly #plus = new PairMap()
  readonly #includes = new PairMap()

  constructor() {
    this.#elements.intern([])
  }

  of(elements: readonly number[]): number {
    return this.#elements.intern([...elements].sort((left, right) => left - right))
  }

  elements(multiset: number): readonly number[] {
    return this.#elements.at(multiset)
  }

  count(multiset: number, element: number): number {
    let count = 0
    for (const each of this.#elements.at(multiset)) if (each === element) count++
    return count
  }

  plus(multiset: number, element: number): number {
    const known = this.#plus.get(multiset, element)
    if (known !== undefined) return known
    const result = this.of([...this.#elements.at(multiset), element])
    this.#plus.set(multiset, element, result)
    return result
  }

  /** The greatest that both include. */
  common(left: number, right: number): number {
    const rest = [...this.#elements.at(right)]
    return this.of(
      this.#elements.at(left).filter((element) => {
        const at = rest.indexOf(element)
        if (at >= 0) rest.splice(at, 1)
        return at >= 0
      }),
    )
  }

  includes(large: number, small: number): boolean {
    if (large === small || small === emptyMultiset) return true
    const known = this.#includes.get(large, small)
    if (known !== undefined) return known === 1
    const result = isIncluded(this.#elements.at(small), this.#elements.at(large))
    this.#includes.set(large, small, result ? 1 : 0)
    return result
  }
}

function isIncluded(small: readonly number[], large: readonly number[]): boolean {
  let at = 0
  for (const element of small) {
    while (at < large.length && (large[at] as number) < element) at++
    if (large[at] !== element) return false
    at++
  }
  return true
}
