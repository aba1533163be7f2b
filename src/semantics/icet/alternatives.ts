/** A search by repetition: what is run asks which way to go, and is run again for each way that was not taken. */
export class Alternatives {
  readonly #taken: boolean[] = []
  #at = 0

  /** True first. */
  next(): boolean {
    if (this.#at === this.#taken.length) this.#taken.push(true)
    return this.#taken[this.#at++] === true
  }

  /** Goes to the next run, which differs in the last answer that was true; false if there is none. */
  again(): boolean {
    this.#at = 0
    while (this.#taken.at(-1) === false) this.#taken.pop()
    if (this.#taken.length === 0) return false
    this.#taken[this.#taken.length - 1] = false
    return true
  }
}
