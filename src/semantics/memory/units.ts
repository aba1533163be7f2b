/** Sequences of small numbers as texts that are quickly made and compared: most numbers are one character. */

/** Numbers from here on take three characters. Beyond are the surrogates, which a decoder would not leave as they are. */
const wide = (0xd800 >> 2) - 1
const fifteenBits = 0x7fff

const decoder = new TextDecoder('utf-16le', { ignoreBOM: true })

export class Units {
  /** Used again for every state: `text` copies. */
  #units = new Uint16Array(1024)
  #length = 0

  clear(): void {
    this.#length = 0
  }

  /** A number below 2^30, with a tag below 4. */
  put(tag: number, number: number): void {
    if (this.#length + 3 > this.#units.length) this.#grow()
    if (number < wide) {
      this.#units[this.#length++] = (number << 2) | tag
      return
    }
    this.#units[this.#length++] = (wide << 2) | tag
    this.#units[this.#length++] = number & fifteenBits
    this.#units[this.#length++] = number >>> 15
  }

  /** Equal for equal sequences, and only for those. */
  text(): string {
    return decoder.decode(this.#units.subarray(0, this.#length))
  }

  #grow(): void {
    const units = new Uint16Array(2 * this.#units.length)
    units.set(this.#units)
    this.#units = units
  }
}
