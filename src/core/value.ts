/**
 * Values: what may stand in a message, a parameter or a return value. Plain JSON-like data, addresses, `Map`, `Set` and
 * `bigint`; everything else (functions, class instances, symbols, cycles) is refused with the path to the offender, because
 * it could not be compared, stored or shipped.
 */

import { closeCollection, type PlainKind, plainKind, type ValueProblem } from './plain-value.ts'

export type { ValueProblem }

declare const accepts: unique symbol

/** Names a process; `Message` is what it accepts. One object per process, so `===` compares identity. */
export class Address<in Message = never> {
  declare readonly [accepts]: (message: Message) => void
  readonly id: string

  protected constructor(id: string) {
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

/** Values nested deeper are looked through for cycles: remembering every object met would cost more than the freezing. */
const deepest = 500
const tooDeep: ValueProblem = { path: '', found: `nested more than ${deepest} levels deep` }

/** Whether a Map or a Set was ever among what was frozen. */
export const freezing = { closedCollections: false }

/** Set for the time of one call: a parameter of every function below would slow down every message. */
let mayHoldFunctions = false
let frozenBefore: { has(part: object): boolean } | undefined
let freezes = true

interface Freezing {
  readonly functions?: true | undefined
  /** Parts that are known to be frozen with all that is in them are passed over. */
  readonly frozen?: { has(part: object): boolean } | undefined
}

/**
 * Freezes a value deeply, so that changing it afterwards fails at the line that changes it instead of leaking state between
 * processes. Returns the first part that is not a value. Runs for every message of every replayed process: paths are put
 * together only when there is a problem to report.
 */
export function freezeValue(value: unknown, { functions, frozen }: Freezing = {}): ValueProblem | undefined {
  return looked(value, { functions, frozen, freezes: true })
}

/** The same, of what stays as it is. */
export function valueProblem(value: unknown): ValueProblem | undefined {
  return looked(value, { freezes: false })
}

function looked(value: unknown, how: Freezing & { readonly freezes: boolean }): ValueProblem | undefined {
  mayHoldFunctions = how.functions === true
  frozenBefore = how.frozen
  freezes = how.freezes
  const problem = freezePart(value, 0)
  return problem?.found === tooDeep.found ? (nestingProblem(value) ?? tooDeep) : problem
}

/** What makes a value impossible to print or compare; nothing of it is frozen. */
export function nestingProblem(value: unknown): ValueProblem | undefined {
  const problem = cycleIn(value, new Set())
  return problem?.found === tooDeep.found ? tooDeep : problem
}

/** Cycles through more objects than these are told as too deep: the stack has an end. */
const longestCycle = 2_000

function cycleIn(value: unknown, open: Set<unknown>): ValueProblem | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (open.size > longestCycle) return tooDeep
  if (open.has(value)) return { path: '', found: 'a cycle' }
  open.add(value)
  for (const [step, part] of partsOf(value)) {
    const found = cycleIn(part, open)
    if (found !== undefined) return below(step, found)
  }
  open.delete(value)
  return undefined
}

/** Whether a value without cycles is nested so deep at most; what is drawn or compared calls itself for each level. */
export function isNestedWithin(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  const keys = value instanceof Map ? [...value.keys()] : []
  const parts = [...keys, ...partsOf(value).map(([, part]) => part)]
  return levels > 0 && parts.every((part) => isNestedWithin(part, levels - 1))
}

function partsOf(value: object): readonly (readonly [step: string, part: unknown])[] {
  // Places that were left out are passed over by `map`.
  if (Array.isArray(value)) return Array.from(value, (item, at) => [`[${at}]`, item])
  if (value instanceof Set) return [...value].map((item, at) => [`.items[${at}]`, item])
  if (value instanceof Map) return [...value.values()].map((item, at) => [`.values[${at}]`, item])
  return Object.entries(value).map(([key, item]) => [`.${key}`, item])
}

function freezePart(value: unknown, depth: number): ValueProblem | undefined {
  switch (typeof value) {
    case 'object':
      return value === null || value instanceof Address ? undefined : freezeObject(value, depth)
    case 'function':
      if (mayHoldFunctions) return undefined
      return { path: '', found: `a function${value.name ? ` (${value.name})` : ''}` }
    case 'symbol':
      return { path: '', found: 'a symbol' }
    default:
      return undefined
  }
}

function freezeObject(value: object, depth: number): ValueProblem | undefined {
  if (frozenBefore?.has(value) === true) return undefined
  if (depth > deepest) return tooDeep
  const kind = plainKind(value)
  if (typeof kind === 'object') return kind
  const problem = freezeParts(value, kind, depth + 1)
  if (problem !== undefined || !freezes) return problem
  if (kind === 'map' || kind === 'set') {
    freezing.closedCollections = true
    closeCollection(value, kind)
  }
  Object.freeze(value)
  return undefined
}

function freezeParts(value: object, kind: PlainKind, depth: number): ValueProblem | undefined {
  switch (kind) {
    case 'record':
      return freezeFields(value as Fields, depth)
    case 'list':
      return freezeItems(value as readonly unknown[], depth)
    case 'map':
      return freezeMap(value as ReadonlyMap<unknown, unknown>, depth)
    case 'set':
      return freezeSet(value as ReadonlySet<unknown>, depth)
  }
}

function freezeFields(value: Fields, depth: number): ValueProblem | undefined {
  for (const key of Object.keys(value)) {
    const part = value[key]
    const problem = typeof part === 'string' || typeof part === 'number' ? undefined : freezePart(part, depth)
    if (problem !== undefined) return below(`.${key}`, problem)
  }
  return undefined
}

function freezeItems(value: readonly unknown[], depth: number): ValueProblem | undefined {
  for (let at = 0; at < value.length; at++) {
    const problem = freezePart(value[at], depth)
    if (problem !== undefined) return below(`[${at}]`, problem)
  }
  return undefined
}

function freezeMap(value: ReadonlyMap<unknown, unknown>, depth: number): ValueProblem | undefined {
  let at = 0
  for (const [key, item] of value) {
    const problem = freezePart(key, depth)
    if (problem !== undefined) return below(`.keys[${at}]`, problem)
    const itemProblem = freezePart(item, depth)
    if (itemProblem !== undefined) return below(`.values[${at}]`, itemProblem)
    at++
  }
  return undefined
}

function freezeSet(value: ReadonlySet<unknown>, depth: number): ValueProblem | undefined {
  let at = 0
  for (const item of value) {
    const problem = freezePart(item, depth)
    if (problem !== undefined) return below(`.items[${at}]`, problem)
    at++
  }
  return undefined
}

function below(step: string, problem: ValueProblem): ValueProblem {
  return { path: `${step}${problem.path}`, found: problem.found }
}

/** Structural equality: the order of fields, map entries and set items does not count. */
export function sameValue(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  return encodeValue(left as Value) === encodeValue(right as Value)
}

/** Equality that no reader of the value can break, short of comparing identities: orders count. */
export function sameToTheEye(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  if (left instanceof Address || Object.getPrototypeOf(left) !== Object.getPrototypeOf(right)) return false
  if (left instanceof Map || left instanceof Set) return sameToTheEye([...left], [...(right as typeof left)])
  const [keys, others] = [Object.keys(left), Object.keys(right)]
  if (keys.length !== others.length) return false
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at] as string
    if (key !== others[at] || !sameToTheEye((left as Fields)[key], (right as Fields)[key])) return false
  }
  return true
}

type Fields = { readonly [key: string]: unknown }

/** A total order on values that does not depend on insertion order of keys, maps or sets. */
export function compareValues(left: Value, right: Value): number {
  const [a, b] = [encodeValue(left), encodeValue(right)]
  return a < b ? -1 : a > b ? 1 : 0
}

/** The canonical text of a value: equal values, and only they, have equal texts. */
export function encodeValue(value: Value): string {
  return encoded(value, sorted)
}

/** The text of a value as it is seen: equal only for values that no reader can tell apart, short of comparing identities. Orders count. */
export function encodeInOrder(value: Value): string {
  return encoded(value, asTheyAre)
}

type Ordered = (texts: string[]) => readonly string[]

const sorted: Ordered = (texts) => texts.sort()
const asTheyAre: Ordered = (texts) => texts

function encoded(value: Value, ordered: Ordered): string {
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
      return value === null ? '0' : encodedObject(value, ordered)
  }
}

function encodedObject(value: object, ordered: Ordered): string {
  if (value instanceof Address) return `@${JSON.stringify(value.id)}`
  if (Array.isArray(value)) return `[${value.map((item) => encoded(item as Value, ordered)).join(',')}]`
  if (value instanceof Set) return `S(${ordered([...value].map((item) => encoded(item as Value, ordered))).join(',')})`
  if (value instanceof Map) {
    const entries = [...value].map(
      ([key, item]) => `${encoded(key as Value, ordered)}:${encoded(item as Value, ordered)}`,
    )
    return `M(${ordered(entries).join(',')})`
  }
  const record = value as { readonly [key: string]: Value }
  const fields = ordered(Object.keys(record))
  return `{${fields.map((key) => `${JSON.stringify(key)}:${encoded(record[key], ordered)}`).join(',')}}`
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
