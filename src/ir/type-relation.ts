/** Types of IR: as text, and which values a type takes. */
import { unreachable } from '../core/invariant.ts'
import type { IrExpression, IrType } from './ir.ts'

/** As P writes it; machines with their permissions as places of events. Different types have different texts. */
export function typeText(type: IrType): string {
  switch (type.kind) {
    case 'bool':
    case 'int':
    case 'float':
    case 'string':
    case 'event':
    case 'any':
      return type.kind
    case 'machine':
      return type.receives === undefined ? 'machine' : `machine{${type.receives.join(',')}}`
    case 'enum':
      return `enum ${type.name}`
    case 'foreign':
      return `foreign ${type.name}`
    case 'seq':
    case 'set':
      return `${type.kind}[${typeText(type.of)}]`
    case 'map':
      return `map[${typeText(type.key)}, ${typeText(type.value)}]`
    case 'tuple':
      return `(${listed(type.items.map(typeText))})`
    case 'record':
      return `(${listed(type.fields.map((field) => `${field.name}: ${typeText(field.type)}`))})`
    default:
      return unreachable(type, 'type')
  }
}

/** One-element tuples are written with a comma at the end. */
function listed(items: readonly string[]): string {
  return items.length === 1 ? `${items[0]},` : items.join(', ')
}

export function isSameType(left: IrType, right: IrType): boolean {
  return left === right || typeText(left) === typeText(right)
}

/** Whether a variable of the type `to` may hold what an expression of the type `from` gives: `any` takes all, parts are covariant. */
export function accepts(to: IrType, from: IrType): boolean {
  if (to.kind === 'any' || isSameType(to, from)) return true
  switch (to.kind) {
    case 'machine':
      return from.kind === 'machine' && to.receives === undefined
    case 'seq':
    case 'set':
      return from.kind === to.kind && accepts(to.of, from.of)
    case 'map':
      return from.kind === 'map' && accepts(to.key, from.key) && accepts(to.value, from.value)
    case 'tuple':
      return (
        from.kind === 'tuple' &&
        from.items.length === to.items.length &&
        to.items.every((item, index) => acceptsPart(item, from.items[index]))
      )
    case 'record':
      return (
        from.kind === 'record' &&
        from.fields.length === to.fields.length &&
        to.fields.every(
          (field, index) =>
            field.name === from.fields[index]?.name && acceptsPart(field.type, from.fields[index]?.type),
        )
      )
    default:
      return false
  }
}

/** Like `accepts`; `null` is a machine, an event and anything, wherever it stands in a tuple. */
export function acceptsExpression(to: IrType, from: IrExpression): boolean {
  if (from.kind === 'constant' && from.value.kind === 'null') {
    return to.kind === 'machine' || to.kind === 'event' || to.kind === 'any'
  }
  const { items } = from.kind === 'tuple' ? from : { items: undefined }
  const parts = partsOf(to)
  if (items === undefined || parts === undefined || to.kind !== from.type.kind) return accepts(to, from.type)
  return (
    namesAgree(to, from.type) &&
    items.length === parts.length &&
    items.every((item, index) => takes(parts[index], item))
  )
}

/** Types of the items of a tuple or a record. */
export function partsOf(type: IrType): readonly IrType[] | undefined {
  if (type.kind === 'tuple') return type.items
  return type.kind === 'record' ? type.fields.map((field) => field.type) : undefined
}

function takes(to: IrType | undefined, from: IrExpression): boolean {
  return to !== undefined && acceptsExpression(to, from)
}

function acceptsPart(to: IrType, from: IrType | undefined): boolean {
  return from !== undefined && accepts(to, from)
}

function namesAgree(left: IrType, right: IrType): boolean {
  if (left.kind !== 'record' || right.kind !== 'record') return true
  return left.fields.every((field, index) => field.name === right.fields[index]?.name)
}
