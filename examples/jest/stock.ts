/** How many of an article are left, and who has it. */
export class Stock {
  #left = 1

  async take(): Promise<boolean> {
    if (this.#left === 0) return false
    await Promise.resolve()
    this.#left--
    return true
  }

  left(): number {
    return this.#left
  }
}

/** The same, but what is left is counted before anything is awaited. */
export class CarefulStock {
  #left = 1

  async take(): Promise<boolean> {
    if (this.#left === 0) return false
    this.#left--
    await Promise.resolve()
    return true
  }

  left(): number {
    return this.#left
  }
}
