/** Private copies of values: a handler may change its own, and nobody else sees it. */
import { Address, encodeInOrder, freezeValue, type Value, type ValueProblem, valueProblem } from './value.ts'

/** Levels that are copied; values have fewer. */
const deepest = 600
let isTooDeep = false

/** Of a value. What is none is handed on as it is, as a whole if it is nested without end; of fields that no value has nothing is left. */
export function copyValue(value: unknown): unknown {
  isTooDeep = false
  const copy = copyPart(value, 0)
  return isTooDeep ? value : copy
}

/** A copy that nobody can change, and of which no part stands in it twice or anywhere else. */
export function frozenCopy(value: Value): Value {
  const copy = copyValue(value) as Value
  freezeValue(copy)
  return copy
}

export type Taken = { readonly value: Value } | { readonly problem: ValueProblem }

/** The same of what user code gave, if that is a value: what a copy would leave out is looked for before. */
export function takenCopy(given: unknown): Taken {
  const problem = valueProblem(given)
  return problem === undefined ? { value: frozenCopy(given as Value) } : { problem }
}

function copyPart(value: unknown, depth: number): unknown {
  if (depth > deepest) isTooDeep = true
  if (isTooDeep) return value
  if (typeof value !== 'object' || value === null || value instanceof Address) return value
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === Array.prototype) return copyItems(value as readonly unknown[], depth + 1)
  if (prototype === Object.prototype || prototype === null) return copyFields(value, depth + 1)
  if (prototype === Map.prototype) {
    const copy = new Map<unknown, unknown>()
    for (const [key, item] of value as Map<unknown, unknown>)
      copy.set(copyPart(key, depth + 1), copyPart(item, depth + 1))
    return copy
  }
  if (prototype === Set.prototype) {
    const copy = new Set<unknown>()
    for (const item of value as Set<unknown>) copy.add(copyPart(item, depth + 1))
    return copy
  }
  return value
}

function copyItems(items: readonly unknown[], depth: number): unknown {
  return items.map((item) => copyPart(item, depth))
}

function copyFields(value: object, depth: number): unknown {
  const copy: { [key: string]: unknown } = {}
  for (const key of Object.keys(value)) {
    const part = (value as { readonly [key: string]: unknown })[key]
    setField(copy, key, copyPart(part, depth))
  }
  return copy
}

/** A copy in which parts that look alike are one object, as far as they stand in lists and records: who compares identities sees the most equal ones there can be. */
export function copyShared(value: Value): unknown {
  return sharedPart(value, new Map())
}

function sharedPart(value: Value, known: Map<string, unknown>): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Address) return value
  const text = encodeInOrder(value)
  if (known.has(text)) return known.get(text)
  const copy = sharedParts(value, known)
  known.set(text, copy)
  return copy
}

function sharedParts(value: Value & object, known: Map<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((item: Value) => sharedPart(item, known))
  if (value instanceof Map || value instanceof Set) return copyValue(value)
  const copy: { [key: string]: unknown } = {}
  for (const [key, part] of Object.entries(value)) setField(copy, key, sharedPart(part, known))
  return copy
}

/** An own field, whatever its name is. */
export function setField(fields: { [key: string]: unknown }, key: string, value: unknown): void {
  // To assign a field of this name would set the prototype.
  if (key === '__proto__')
    Object.defineProperty(fields, key, { value, enumerable: true, writable: true, configurable: true })
  else fields[key] = value
}
