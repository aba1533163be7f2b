/** Values of which a part is not known: results of opaque functions before an execution shows what they are. */

import { Address, type Value } from '../../core/value.ts'
import { computed, type Literal } from '../../program/icet.ts'

/** What an opaque function came to. Whatever is found out about it holds for the whole execution. */
export class Unknown {
  /** What it turned out to be; another one, if all that is known is that both are the same. */
  is: { readonly found: Symbolic } | undefined
  truthy: boolean | undefined
  /** What was read of it. */
  readonly fields = new Map<string, Unknown>()
  readonly number: number

  constructor(number: number) {
    this.number = number
  }
}

/** A record some of whose fields are not known. */
export class Fields {
  readonly parts: ReadonlyMap<string, Symbolic>

  constructor(parts: ReadonlyMap<string, Symbolic>) {
    this.parts = parts
  }
}

/** Arithmetic with operands that are not known. */
export class Sum {
  readonly operator: string
  readonly left: Symbolic
  readonly right: Symbolic

  constructor(operator: string, left: Symbolic, right: Symbolic) {
    this.operator = operator
    this.left = left
    this.right = right
  }
}

export type Symbolic = Value | Unknown | Fields | Sum

/** As far as it is known now: unknown only if nothing is. */
export function foundOf(symbolic: Symbolic): Symbolic {
  let at = symbolic
  while (at instanceof Unknown && at.is !== undefined) at = at.is.found
  if (!(at instanceof Sum)) return at
  const [left, right] = [knownOf(at.left), knownOf(at.right)]
  return left === undefined || right === undefined ? at : calculated(at.operator, left.value, right.value)
}

export function calculated(operator: string, left: Value, right: Value): Value {
  return computed(operator, left as Literal, right as Literal)
}

/** The value, if all of it is known. */
export function knownOf(symbolic: Symbolic): { readonly value: Value } | undefined {
  const found = foundOf(symbolic)
  if (found instanceof Unknown || found instanceof Sum) return undefined
  if (!(found instanceof Fields)) return { value: found }
  const entries: [string, Value][] = []
  for (const [name, part] of found.parts) {
    const known = knownOf(part)
    if (known === undefined) return undefined
    entries.push([name, known.value])
  }
  return { value: Object.fromEntries(entries) }
}

export function isObject(value: Value): value is Extract<Value, object> {
  return typeof value === 'object' && value !== null && !(value instanceof Address)
}

/** Whether it is a record as terms have them. */
export function isRecord(value: Value): value is { readonly [key: string]: Value } {
  return isObject(value) && !Array.isArray(value) && !(value instanceof Map) && !(value instanceof Set)
}

/** Equal for inputs that the prover takes for equal; what is not known stands for itself. The order of entries counts, as loops see it. */
export function inputKey(symbolic: Symbolic): string {
  const found = foundOf(symbolic)
  if (found instanceof Unknown) return `?${found.number}`
  if (found instanceof Sum) return `(${inputKey(found.left)}${found.operator}${inputKey(found.right)})`
  if (found instanceof Fields) return fieldsKey([...found.parts])
  if (Array.isArray(found)) return `[${found.map((item) => inputKey(item as Value)).join()}]`
  if (found instanceof Set) return `Set[${[...found].map(inputKey).join()}]`
  if (found instanceof Map) return `Map[${[...found].flat().map(inputKey).join()}]`
  if (isRecord(found)) return fieldsKey(Object.entries(found))
  if (found instanceof Address) return `@${JSON.stringify(found.id)}`
  if (typeof found === 'string') return JSON.stringify(found)
  return Object.is(found, -0) ? '-0' : `${typeof found} ${String(found)}`
}

function fieldsKey(fields: readonly (readonly [string, Symbolic])[]): string {
  const sorted = [...fields].sort(([left], [right]) => (left < right ? -1 : 1))
  return `{${sorted.map(([name, part]) => `${JSON.stringify(name)}:${inputKey(part)}`).join()}}`
}
