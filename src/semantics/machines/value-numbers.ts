/** Values by short texts: values that no code can tell apart, short of comparing identities, and only they, have equal ones. Parts that values share are looked at once, as long as they are frozen. */
import { KeyIndex } from '../../collections/key-index.ts'
import { Address, encodeInOrder, type Value } from '../../core/value.ts'

export class ValueNumbers {
  /** Texts of parts that were met, by identity. Invariant: they are frozen with all that is in them. */
  readonly #texts = new WeakMap<object, string>()
  /** Parts by what they consist of. */
  readonly #numbers = new KeyIndex()

  /** Whether a part was met, and is frozen therefore. */
  has(part: object): boolean {
    return this.#texts.has(part)
  }

  /** Of a whole state that is frozen, which nobody shares: it is not remembered itself. */
  whole(value: Value): string {
    const isPart = typeof value !== 'object' || value === null || value instanceof Address
    return isPart ? encodeInOrder(value) : this.#whole(value)
  }

  /** Of a value that is frozen. */
  text(value: Value): string {
    if (typeof value !== 'object' || value === null || value instanceof Address) return encodeInOrder(value)
    const known = this.#texts.get(value)
    if (known !== undefined) return known
    const whole = this.#whole(value)
    const found = this.#numbers.find(whole)
    const text = `#${found < 0 ? this.#numbers.add(whole) : found}`
    this.#texts.set(value, text)
    return text
  }

  /** What an object consists of, by the texts of its parts. */
  #whole(value: object): string {
    if (Array.isArray(value)) {
      let items = '['
      for (const item of value) items += `${this.text(item as Value)},`
      return items
    }
    if (value instanceof Set) return `S${[...value].map((item) => this.text(item as Value)).join()}`
    if (value instanceof Map)
      return `M${[...value].map(([key, item]) => `${this.text(key as Value)}:${this.text(item as Value)}`).join()}`
    const record = value as { readonly [key: string]: Value }
    let fields = '{'
    for (const key of Object.keys(record)) fields += `${JSON.stringify(key)}:${this.text(record[key])},`
    return fields
  }
}
