/** What types of P have to do with each other: which accept which, and how they are written. */
import type { Type } from './type.ts'

export const boolType: Type = { kind: 'bool' }
export const eventType: Type = { kind: 'event' }
export const floatType: Type = { kind: 'float' }
export const intType: Type = { kind: 'int' }
export const nullType: Type = { kind: 'null' }
export const stringType: Type = { kind: 'string' }
export const unknownType: Type = { kind: 'unknown' }
export const voidType: Type = { kind: 'void' }
/** Any reference to a machine, whatever it may be sent. */
export const machineType: Type = { kind: 'machine', name: undefined, receives: undefined }

/** As P writes it. */
export function typeText(type: Type): string {
  switch (type.kind) {
    case 'machine':
      return type.name ?? 'machine'
    case 'enum':
      return type.symbol.name
    case 'foreign':
      return type.name
    case 'seq':
    case 'set':
      return `${type.kind}[${typeText(type.of)}]`
    case 'map':
      return `map[${typeText(type.key)}, ${typeText(type.value)}]`
    case 'tuple':
      return `(${type.items.map(typeText).join(', ')}${type.items.length === 1 ? ',' : ''})`
    case 'record':
      return `(${type.fields.map((field) => `${field.name}: ${typeText(field.type)}`).join(', ')})`
    case 'void':
      return 'nothing'
    default:
      return type.kind
  }
}

/** Whether a place of the type `to` takes a value of the type `from`. Values are copied, so collections are covariant. */
export function isAssignable(to: Type, from: Type): boolean {
  if (to.kind === 'unknown' || from.kind === 'unknown' || to.kind === 'any') return true
  // P has one type for `null` and for what returns nothing.
  if (from.kind === 'null' || from.kind === 'void') return acceptsNull(to)
  switch (to.kind) {
    case 'data':
      return refersToNoMachine(from)
    case 'machine':
      return from.kind === 'machine' && (to.name === undefined || (from.name !== undefined && haveSameEvents(to, from)))
    case 'enum':
      return from.kind === 'enum' && from.symbol === to.symbol
    case 'foreign':
      return from.kind === 'foreign' && from.name === to.name
    case 'seq':
    case 'set':
      return from.kind === to.kind && isAssignable(to.of, from.of)
    case 'map':
      return from.kind === 'map' && isAssignable(to.key, from.key) && isAssignable(to.value, from.value)
    case 'tuple':
      return (
        from.kind === 'tuple' &&
        from.items.length === to.items.length &&
        to.items.every((item, index) => isAssignable(item, from.items[index] ?? voidType))
      )
    case 'record':
      return from.kind === 'record' && from.fields.length === to.fields.length && acceptsFields(to.fields, from.fields)
    default:
      return to.kind === from.kind
  }
}

/** Whether each accepts the other. */
export function isSame(left: Type, right: Type): boolean {
  return isAssignable(left, right) && isAssignable(right, left)
}

type Fields = readonly { readonly name: string; readonly type: Type }[]

/** Names are the same in the same order. */
function acceptsFields(to: Fields, from: Fields): boolean {
  return to.every((field, index) => {
    const other = from[index]
    return other !== undefined && other.name === field.name && isAssignable(field.type, other.type)
  })
}

function acceptsNull(type: Type): boolean {
  if (type.kind === 'machine') return type.name === undefined
  return type.kind === 'null' || type.kind === 'void' || type.kind === 'event' || type.kind === 'data'
}

/** Named types of machines are permissions: they agree when the same events may be sent. */
function haveSameEvents(
  left: { readonly receives: readonly string[] | undefined },
  right: { readonly receives: readonly string[] | undefined },
): boolean {
  if (left.receives === undefined || right.receives === undefined) return left.receives === right.receives
  return (
    left.receives.length === right.receives.length && left.receives.every((name, at) => name === right.receives?.[at])
  )
}

/** What `data` accepts. A machine that may be sent nothing counts as data, as it does for P. */
function refersToNoMachine(type: Type): boolean {
  switch (type.kind) {
    case 'any':
    case 'foreign':
      return false
    case 'machine':
      return type.receives !== undefined && type.receives.length === 0
    case 'seq':
    case 'set':
      return refersToNoMachine(type.of)
    case 'map':
      return refersToNoMachine(type.key) && refersToNoMachine(type.value)
    case 'tuple':
      return type.items.every(refersToNoMachine)
    case 'record':
      return type.fields.every((field) => refersToNoMachine(field.type))
    default:
      return true
  }
}
