/** What is known about data while a program is sequentialized: constants, constructors, processes; everything else by name. */
import type { Literal } from '../../program/icet.ts'

export type Value =
  | { readonly kind: 'constant'; readonly value: Literal }
  | { readonly kind: 'process'; readonly id: string }
  | { readonly kind: 'parameter'; readonly name: string }
  /** Some value, the same wherever it stands. */
  | { readonly kind: 'symbol'; readonly id: number }
  | { readonly kind: 'record'; readonly fields: ReadonlyMap<string, Value> }
  /** A pure function of what is inside. */
  | { readonly kind: 'term'; readonly operator: string; readonly inputs: readonly Value[] }
  /** In what all members of a set have in common: the member itself. */
  | { readonly kind: 'self'; readonly set: string }
  /** In what all members or all iterations have in common: some value, for each its own; one of these, if that is known. */
  | { readonly kind: 'unknown'; readonly among?: readonly Literal[] }

/** The constants that a symbol may be; undefined: any value. */
export type DomainOf = (symbol: number) => readonly Literal[] | undefined

/** Unlike a symbol it is not even equal to itself: each member or iteration has its own. */
export const unknown: Value = { kind: 'unknown' }

/** More are not worth keeping. */
const mostAmong = 16

export function unknownAmong(among: readonly Literal[] | undefined): Value {
  if (among === undefined) return unknown
  const different = [...new Map(among.map((one) => [keyOf(constant(one)), one])).values()]
  return different.length > mostAmong ? unknown : { kind: 'unknown', among: different }
}

/** The constants that a value is one of, if that is known. */
export function possibleOf(value: Value, domainOf: DomainOf): readonly Literal[] | undefined {
  switch (value.kind) {
    case 'constant':
      return [value.value]
    case 'symbol':
      return domainOf(value.id)
    case 'unknown':
      return value.among
    default:
      return undefined
  }
}

export function constant(value: Literal): Value {
  return { kind: 'constant', value }
}

export function processValue(id: string): Value {
  return { kind: 'process', id }
}

export function term(operator: string, ...inputs: readonly Value[]): Value {
  return { kind: 'term', operator, inputs }
}

/** Of a variable that was perhaps never set: then it is undefined, which has no fields and is not an address. */
export function perhapsUnset(value: Value): Value {
  return isPerhapsUnset(value) ? value : term(unsetOperator, value)
}

export function isPerhapsUnset(value: Value): boolean {
  return value.kind === 'term' && value.operator === unsetOperator
}

export function isUnset(value: Value): boolean {
  return isPerhapsUnset(value) || (value.kind === 'constant' && (value.value === undefined || value.value === null))
}

const unsetOperator = 'perhaps unset'

/** Before the name of a set: the index of a member of it. Sources cannot say this operator: theirs are quoted. */
export const indexOperator = 'index in '

/** The set whose members the operator numbers, if it does. */
export function indexedBy(operator: string): string | undefined {
  return operator.startsWith(indexOperator) ? operator.slice(indexOperator.length) : undefined
}

/** Equal for values that are the same, whatever symbols stand for, and for no others: names and texts are quoted. */
export function keyOf(value: Value): string {
  switch (value.kind) {
    case 'constant':
      if (typeof value.value === 'string') return JSON.stringify(value.value)
      return Object.is(value.value, -0) ? '-0' : String(value.value)
    case 'process':
      return `@${JSON.stringify(value.id)}`
    case 'parameter':
      return `$${JSON.stringify(value.name)}`
    case 'symbol':
      return `#${value.id}`
    case 'record': {
      const names = [...value.fields.keys()].sort()
      return `{${names.map((name) => `${JSON.stringify(name)}:${keyOf(value.fields.get(name) as Value)}`).join(',')}}`
    }
    case 'term':
      return `${JSON.stringify(value.operator)}(${value.inputs.map(keyOf).join(',')})`
    case 'self':
      return `self(${value.set})`
    case 'unknown':
      return value.among === undefined ? '?' : `?[${value.among.map((one) => keyOf(constant(one))).sort()}]`
  }
}

/** Replaces the leaves: every value but records and terms. */
export function mapLeaves(value: Value, change: (leaf: Value) => Value): Value {
  if (value.kind === 'record') {
    return { kind: 'record', fields: new Map([...value.fields].map(([name, part]) => [name, mapLeaves(part, change)])) }
  }
  if (value.kind === 'term') {
    return { ...value, inputs: value.inputs.map((input) => mapLeaves(input, change)) }
  }
  return change(value)
}

export function* leavesOf(value: Value): Generator<Value> {
  if (value.kind === 'record') for (const part of value.fields.values()) yield* leavesOf(part)
  else if (value.kind === 'term') for (const input of value.inputs) yield* leavesOf(input)
  else yield value
}

/** A term that holds something which differs from case to case is itself unknown; a record keeps its other fields. */
export function forget(value: Value, isForgotten: (leaf: Value) => boolean, domainOf: DomainOf): Value {
  switch (value.kind) {
    case 'record':
      return {
        kind: 'record',
        fields: new Map([...value.fields].map(([name, part]) => [name, forget(part, isForgotten, domainOf)])),
      }
    case 'term': {
      const isMixed = [...leavesOf(value)].some((leaf) => leaf.kind === 'unknown' || isForgotten(leaf))
      if (!isMixed) return value
      return isPerhapsUnset(value) ? perhapsUnset(unknown) : unknown
    }
    default:
      return isForgotten(value) ? unknownAmong(possibleOf(value, domainOf)) : value
  }
}

/** What two values have in common; constants that symbols may be are looked up where the value stands. */
export function joinValues(left: Value, right: Value, domainsOf: readonly [DomainOf, DomainOf]): Value {
  if (keyOf(left) === keyOf(right)) return left
  if (isUnset(left) || isUnset(right)) return perhapsUnset(unknown)
  if (left.kind !== 'record' || right.kind !== 'record') {
    const [first, second] = [possibleOf(left, domainsOf[0]), possibleOf(right, domainsOf[1])]
    return first === undefined || second === undefined ? unknown : unknownAmong([...first, ...second])
  }
  if (left.fields.size !== right.fields.size) return unknown
  const fields = new Map<string, Value>()
  for (const [name, part] of left.fields) {
    const other = right.fields.get(name)
    if (other === undefined) return unknown
    fields.set(name, joinValues(part, other, domainsOf))
  }
  return { kind: 'record', fields }
}

/** Whether something inside is a record. */
export function hasRecord(value: Value): boolean {
  return value.kind === 'record' || (value.kind === 'term' && value.inputs.some(hasRecord))
}

/** Whether something inside may be a value that is not spelled out. */
export function hasUnknown(value: Value): boolean {
  return [...leavesOf(value)].some(({ kind }) => kind === 'symbol' || kind === 'unknown')
}
