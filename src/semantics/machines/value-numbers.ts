/**
 * Values by short texts: values that no code can tell apart, short of comparing identities, and only they, have equal ones. Of parts that are alike the first in
 * each field is kept in the place of all others there, so that it is looked at, and takes memory, once. Never in another field: code that copies a state with
 * `structuredClone` and changes a part of the copy would change both.
 */
import { KeyIndex } from '../../collections/key-index.ts'
import { frozenCopy } from '../../core/copy-value.ts'
import { Address, encodeInOrder, type Value } from '../../core/value.ts'

/** A `Map` of V8 ends at 2^24 entries. Parts beyond are looked at again and again. */
const mostKnown = 1 << 23

/** What a field holds in all states, by its text. */
interface Field {
  readonly numbers: KeyIndex
  /** Invariant: each is frozen with all that is in it, and no object of it is part of another field, or twice part of it. */
  readonly values: object[]
}

export class ValueNumbers {
  /** Parts by what they consist of, numbered; and the texts of those that were met, by identity. */
  readonly #numbers = new KeyIndex()
  readonly #known = new Map<object, string>()
  readonly #fields = new Map<string, Field>()
  /** The field that an object belongs to, and that of which it is a whole value. */
  readonly #owners = new WeakMap<object, Field>()
  readonly #wholes = new WeakMap<object, Field>()
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
      const first = this.#inField(key, part) as Value
      if (first === part) continue
      copy ??= { ...record }
      copy[key] = first
    }
    return copy === undefined ? value : Object.freeze(copy)
  }

  /** What a field holds where this would be in it. */
  #inField(key: string, part: object): object {
    const field = this.#fields.get(key) ?? { numbers: new KeyIndex(), values: [] }
    if (this.#wholes.get(part) === field) return part
    this.#fields.set(key, field)
    const text = this.#part(part)
    const found = field.numbers.find(text)
    if (found >= 0) return field.values[found] as object
    const own = this.#isApart(part, field) ? part : this.#copy(part)
    for (const inner of objectsIn(own)) this.#owners.set(inner, field)
    this.#wholes.set(own, field)
    field.numbers.add(text)
    field.values.push(own)
    return own
  }

  /** It is met from now on, with all that is in it. */
  #copy(value: object): object {
    const copy = frozenCopy(value as Value) as object
    for (const inner of objectsIn(copy)) if (this.#known.size < mostKnown) this.#known.set(inner, this.#part(inner))
    return copy
  }

  /** Whether no object of it is part of another field, or twice part of it. */
  #isApart(value: object, field: Field): boolean {
    const met = new Set<object>()
    for (const inner of objectsIn(value)) {
      if (met.has(inner) || (this.#owners.get(inner) ?? field) !== field) return false
      met.add(inner)
    }
    return true
  }

  /** Of a value that is frozen. */
  text(value: Value): string {
    return isSimple(value) ? encodeInOrder(value) : this.#part(value)
  }

  #part(value: object): string {
    const known = this.#known.get(value)
    if (known !== undefined) return known
    const whole = this.#whole(value)
    const found = this.#numbers.find(whole)
    if (found >= 0) return `#${found}`
    const text = `#${this.#numbers.add(whole)}`
    if (this.#known.size < mostKnown) this.#known.set(value, text)
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

/** An object and all that are in it, each as often as it is. */
function* objectsIn(value: object): Generator<object> {
  yield value
  for (const inner of value instanceof Map ? [...value.keys(), ...value.values()] : innerOf(value))
    if (!isSimple(inner as Value)) yield* objectsIn(inner as object)
}

function innerOf(value: object): Iterable<unknown> {
  return value instanceof Set ? value : Object.values(value)
}

function isSameList(left: readonly string[], right: readonly string[]): boolean {
  if (left.length !== right.length) return false
  for (let at = 0; at < left.length; at++) if (left[at] !== right[at]) return false
  return true
}
