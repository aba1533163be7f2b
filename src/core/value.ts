/**
 * Values: what may stand in a message, a parameter or a return value. Plain JSON-like data, addresses, `Map`, `Set` and
 * `bigint`; everything else (functions, class instances, symbols, cycles) is refused with the path to the offender, because
 * it could not be compared, stored or shipped.
 */

declare const accepts: unique symbol

/** Names a process; `Message` is what it accepts. One object per process, so `===` compares identity. */
export class Address<in Message = never> {
  declare readonly [accepts]: (message: Message) => void
  readonly id: string

  private constructor(id: string) {
    this.id = id
    Object.freeze(this)
  }

  /** Invariant: one address per id, so that users may compare with `===` across re-executions. */
  static readonly #known = new Map<string, Address<never>>()

  static of<M>(id: string): Address<M> {
    let address = Address.#known.get(id)
    if (address === undefined) {
      address = new Address<never>(id)
      Address.#known.set(id, address)
    }
    return address as Address<unknown> as Address<M>
  }

  toString(): string {
    return this.id
  }

  toJSON(): unknown {
    return { '#address': this.id }
  }
}

export type Value =
  | undefined
  | null
  | boolean
  | number
  | bigint
  | string
  | Address<never>
  | readonly Value[]
  | { readonly [key: string]: Value }
  | ReadonlyMap<Value, Value>
  | ReadonlySet<Value>

/** Why something is not a value, and where inside it. */
export interface ValueProblem {
  readonly path: string
  readonly found: string
}

const admitted = new WeakSet<object>()
const plainPrototypes = new Set<unknown>([Object.prototype, Array.prototype, Map.prototype, Set.prototype, null])

/**
 * Freezes a value deeply, so that changing it afterwards fails at the line that changes it instead of leaking state between
 * processes. Returns the first part that is not a value; nothing is frozen past it.
 */
export function freezeValue(value: unknown): ValueProblem | undefined {
  if (typeof value !== 'object' || value === null) return primitiveProblem(value, '')
  if (admitted.has(value)) return undefined
  return freezeObject(value, '', new Set())
}

function primitiveProblem(value: unknown, path: string): ValueProblem | undefined {
  if (typeof value === 'function') return { path, found: `a function${value.name ? ` (${value.name})` : ''}` }
  if (typeof value === 'symbol') return { path, found: 'a symbol' }
  return undefined
}

function freezeObject(value: object, path: string, open: Set<object>): ValueProblem | undefined {
  if (value instanceof Address || admitted.has(value)) return undefined
  if (open.has(value)) return { path, found: 'a cycle' }
  open.add(value)
  const problem = freezeParts(value, path, open)
  open.delete(value)
  if (problem === undefined) admitted.add(Object.freeze(value))
  return problem
}

function freezeParts(value: object, path: string, open: Set<object>): ValueProblem | undefined {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (!plainPrototypes.has(prototype)) return { path, found: describeInstance(value) }
  if (Object.getOwnPropertySymbols(value).length > 0) return { path, found: 'an object with a symbol as key' }
  if (value instanceof Map) {
    let at = 0
    for (const [key, item] of value) {
      const problem = freezePart(key, `${path}.keys[${at}]`, open) ?? freezePart(item, `${path}.values[${at}]`, open)
      if (problem !== undefined) return problem
      at++
    }
    return closeCollection(value, ['set', 'delete', 'clear'])
  }
  if (value instanceof Set) {
    let at = 0
    for (const item of value) {
      const problem = freezePart(item, `${path}.items[${at++}]`, open)
      if (problem !== undefined) return problem
    }
    return closeCollection(value, ['add', 'delete', 'clear'])
  }
  if (Array.isArray(value)) {
    if (Object.keys(value).length !== value.length)
      return { path, found: 'an array with holes or with properties of its own' }
  }
  return freezeFields(value, path, open)
}

function freezeFields(value: object, path: string, open: Set<object>): ValueProblem | undefined {
  for (const key of Object.keys(value)) {
    const at = Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`
    const field = Object.getOwnPropertyDescriptor(value, key)
    if (field?.get !== undefined) return { path: at, found: 'a getter' }
    const problem = freezePart(field?.value, at, open)
    if (problem !== undefined) return problem
  }
  return undefined
}

function freezePart(value: unknown, path: string, open: Set<object>): ValueProblem | undefined {
  return typeof value === 'object' && value !== null ? freezeObject(value, path, open) : primitiveProblem(value, path)
}

function describeInstance(value: object): string {
  const name = (value.constructor as { name?: string } | undefined)?.name
  return name ? `an instance of ${name}` : 'an object with a prototype of its own'
}

/** `Object.freeze` does not stop `map.set`: shadow the mutators on this one instance. */
function closeCollection(collection: object, mutators: readonly string[]): undefined {
  // Who froze it already meant it not to change; its mutators cannot be shadowed any more.
  if (!Object.isExtensible(collection)) return undefined
  for (const name of mutators) {
    const refuse = () => {
      throw new TypeError(`Cannot ${name}: this collection was sent in a message and is frozen`)
    }
    Object.defineProperty(collection, name, { value: refuse, configurable: false })
  }
  return undefined
}

/** Structural equality. */
export function sameValue(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  return encodeValue(left as Value) === encodeValue(right as Value)
}

/** A total order on values that does not depend on insertion order of keys, maps or sets. */
export function compareValues(left: Value, right: Value): number {
  const [a, b] = [encodeValue(left), encodeValue(right)]
  return a < b ? -1 : a > b ? 1 : 0
}

/** The canonical text of a value: equal values, and only they, have equal texts. */
export function encodeValue(value: Value): string {
  switch (typeof value) {
    case 'undefined':
      return 'u'
    case 'boolean':
      return value ? 't' : 'f'
    case 'number':
      return Object.is(value, -0) ? 'n-0' : `n${value}`
    case 'bigint':
      return `i${value}`
    case 'string':
      return JSON.stringify(value)
    default:
      return value === null ? '0' : encodeObject(value)
  }
}

function encodeObject(value: object): string {
  if (value instanceof Address) return `@${JSON.stringify(value.id)}`
  if (Array.isArray(value)) return `[${value.map((item) => encodeValue(item as Value)).join(',')}]`
  if (value instanceof Set)
    return `S(${[...value]
      .map((item) => encodeValue(item as Value))
      .sort()
      .join(',')})`
  if (value instanceof Map) {
    const entries = [...value].map(([key, item]) => `${encodeValue(key as Value)}:${encodeValue(item as Value)}`)
    return `M(${entries.sort().join(',')})`
  }
  const record = value as { readonly [key: string]: Value }
  const fields = Object.keys(record).sort()
  return `{${fields.map((key) => `${JSON.stringify(key)}:${encodeValue(record[key])}`).join(',')}}`
}

/** 16 hexadecimal digits: two independent 32-bit FNV-style hashes of the canonical text. */
export function fingerprint(value: Value): string {
  return fingerprintText(encodeValue(value))
}

export function fingerprintText(text: string): string {
  let low = 0x811c9dc5
  let high = 0x9747b28c
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    low = Math.imul(low ^ unit, 0x01000193)
    high = Math.imul(high ^ unit, 0x85ebca6b)
    high ^= high >>> 13
  }
  return hexadecimal(low) + hexadecimal(high)
}

function hexadecimal(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0')
}
