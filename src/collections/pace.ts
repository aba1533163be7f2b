/**
 * How fast a search comes to longer executions: steps that they grew by in the second half of its work. What grows slowest ends first, so this compares
 * searches for the same answer that have little else in common.
 */
export class Pace {
  /** What was done until executions first had so many steps; work and length only grow. */
  readonly #marks: { readonly length: number; readonly work: number }[] = []
  #work = 0

  /** Some execution has so many steps after so much work. */
  add(length: number, work: number): void {
    this.#work = work
    const last = this.#marks.at(-1)
    if (last === undefined || length > last.length) this.#marks.push({ length, work })
  }

  get gained(): number {
    const last = this.#marks.at(-1)
    const half = this.#marks.findLast(({ work }) => work * 2 <= this.#work)
    return (last?.length ?? 0) - (half?.length ?? 0)
  }
}
