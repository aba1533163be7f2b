/**
 * Values by short texts: values that no code can tell apart, short of comparing identities, and only they, have equal ones. Of parts that are alike the first is
 * kept in the place of all others, so that it is looked at, and takes memory, once.
 */
import { KeyIndex } from '../../collections/key-index.ts'
import { Address, encodeInOrder, type Value } from '../../core/value.ts'

/** A `Map` of V8 ends at 2^24 entries. Parts beyond are looked at again and again. */
const mostKnown = 1 << 23

interface Part {
  /** Invariant: it is frozen with all that is in it. */
  readonly first: object
  readonly text: string
}

export class ValueNumbers {
  /** Parts by what they consist of. */
  readonly #numbers = new KeyIndex()
  readonly #parts: Part[] = []
  /** The same by the first of them, that is by identity. */
  readonly #known = new Map<object, Part>()
  /** Lists of field names, and those of the last record: most have the same ones. */
  readonly #shapes = new KeyIndex()
  #lastKeys: readonly string[] = []
  #lastShape = this.#shapeOf([])

  /** Whether a part was met, and is frozen therefore. */
  has(part: object): boolean {
    return this.#known.has(part)
  }

  /** Of a whole state that is frozen, which nobody shares: it is not remembered itself. */
  whole(value: Value): string {
    return isSimple(value) ? encodeInOrder(value) : this.#whole(value)
  }

  /** The same value, of parts that it has in common with those that were met; it must be frozen. */
  shared(value: Value): Value {
    if (isSimple(value) || Object.getPrototypeOf(value) !== Object.prototype) return value
    const record = value as { readonly [key: string]: Value }
    let copy: { [key: string]: Value } | undefined
    for (const key of Object.keys(record)) {
      const part = record[key]
      if (isSimple(part) || key === '__proto__') continue
      const first = this.#part(part).first as Value
      if (first === part) continue
      copy ??= { ...record }
      copy[key] = first
    }
    return copy === undefined ? value : Object.freeze(copy)
  }

  /** Of a value that is frozen. */
  text(value: Value): string {
    return isSimple(value) ? encodeInOrder(value) : this.#part(value).text
  }

  #part(value: object): Part {
    const known = this.#known.get(value)
    if (known !== undefined) return known
    const whole = this.#whole(value)
    const found = this.#numbers.find(whole)
    if (found >= 0) return this.#parts[found] as Part
    const part = { first: value, text: `#${this.#numbers.add(whole)}` }
    this.#parts.push(part)
    if (this.#known.size < mostKnown) this.#known.set(value, part)
    return part
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
    const keys = Object.keys(record)
    let fields = this.#shape(keys)
    for (const key of keys) fields += `${this.text(record[key])},`
    return fields
  }

  #shape(keys: readonly string[]): string {
    if (!isSameList(keys, this.#lastKeys)) {
      this.#lastKeys = keys
      this.#lastShape = this.#shapeOf(keys)
    }
    return this.#lastShape
  }

  #shapeOf(keys: readonly string[]): string {
    const text = JSON.stringify(keys)
    const found = this.#shapes.find(text)
    return `{${found < 0 ? this.#shapes.add(text) : found}:`
  }
}

type Simple = Exclude<Value, object> | Address | null

/** What is not made of parts. */
function isSimple(value: Value): value is Simple {
  return typeof value !== 'object' || value === null || value instanceof Address
}

function isSameList(left: readonly string[], right: readonly string[]): boolean {
  if (left.length !== right.length) return false
  for (let at = 0; at < left.length; at++) if (left[at] !== right[at]) return false
  return true
}
