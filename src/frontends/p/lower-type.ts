/** Types of P as types of IR. */
import { InternalError, unreachable } from '../../core/invariant.ts'
import type { IrType } from '../../ir/ir.ts'
import type { Type } from './type.ts'

/** `event` gives the place of an event. */
export function lowerType(type: Type, event: (name: string) => number): IrType {
  const lower = (part: Type): IrType => lowerType(part, event)
  switch (type.kind) {
    case 'bool':
    case 'int':
    case 'float':
    case 'string':
    case 'event':
    case 'any':
      return { kind: type.kind }
    // That no machine is inside is for the checker to see to. What `null` is depends on where it stands: see `adapted`.
    case 'data':
    case 'null':
      return { kind: 'any' }
    case 'machine':
      return { kind: 'machine', receives: eventPlaces(type.receives, event) }
    case 'enum':
      return { kind: 'enum', name: type.symbol.name, elements: type.symbol.elements }
    case 'foreign':
      return { kind: 'foreign', name: type.name }
    case 'seq':
    case 'set':
      return { kind: type.kind, of: lower(type.of) }
    case 'map':
      return { kind: 'map', key: lower(type.key), value: lower(type.value) }
    case 'tuple':
      return { kind: 'tuple', items: type.items.map(lower) }
    case 'record':
      return { kind: 'record', fields: type.fields.map((field) => ({ name: field.name, type: lower(field.type) })) }
    case 'void':
    case 'unknown':
      throw new InternalError(`no value of a checked program has the type ${type.kind}`)
    default:
      return unreachable(type, 'type of P')
  }
}

/** Undefined: all. `null` is no event that anybody could be sent. */
export function eventPlaces(
  names: readonly string[] | undefined,
  event: (name: string) => number,
): readonly number[] | undefined {
  return names
    ?.filter((name) => name !== 'null')
    .map(event)
    .sort((left, right) => left - right)
}
