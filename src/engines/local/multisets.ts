/** Multisets of messages as numbers: equal ones have equal numbers. A multiset is its elements, ascending, with repetitions. */
import { SequenceInterner } from '../../collections/sequence-interner.ts'

export const emptyMultiset = 0

export class Multisets {
  readonly #elements = new SequenceInterner()

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
    // Not remembered either: that took as much memory as the multisets.
    const elements = this.#elements.at(multiset)
    const at = elements.findIndex((other) => other > element)
    return this.#elements.intern(elements.toSpliced(at < 0 ? elements.length : at, 0, element))
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
    // Not remembered: asked of millions of pairs, most of them once, answers took six times the memory of all else, for no time.
    return isIncluded(this.#elements.at(small), this.#elements.at(large))
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
