/** From a type as it is written to what it is: aliases are replaced, names of machines become what may be sent to them. */
import type { Name, TypedName, TypeNode } from './ast.ts'
import { type Project, refuse, refuseUnknown } from './project.ts'
import type { Type } from './type.ts'
import { machineType, unknownType } from './type-relations.ts'

export function resolveType(project: Project, node: TypeNode): Type {
  switch (node.kind) {
    case 'primitive':
      return node.name === 'machine' ? machineType : { kind: node.name }
    case 'seq':
    case 'set':
      return { kind: node.kind, of: resolveType(project, node.of) }
    case 'map':
      return { kind: 'map', key: resolveType(project, node.key), value: resolveType(project, node.value) }
    case 'tuple':
      return { kind: 'tuple', items: node.items.map((item) => resolveType(project, item)) }
    case 'record':
      return resolveRecord(project, node.fields)
    case 'named':
      return resolveName(project, node.name)
  }
}

function resolveRecord(project: Project, fields: readonly TypedName[]): Type {
  const first = new Map<string, TypedName>()
  for (const field of fields) {
    const other = first.get(field.name.text)
    if (other === undefined) first.set(field.name.text, field)
    else refuseSecondField(project, field.name, other.name)
  }
  return {
    kind: 'record',
    fields: [...first.values()].map((field) => ({ name: field.name.text, type: resolveType(project, field.type) })),
  }
}

export function refuseSecondField(project: Project, second: Name, first: Name): void {
  refuse(project, {
    code: 'E711',
    message: `a named tuple has two fields "${second.text}"`,
    hint: 'give one of them another name',
    at: second.at,
    second: { at: first.at, label: 'the first of them' },
  })
}

function resolveName(project: Project, name: Name): Type {
  const { enums, aliases, eventSets, interfaces, machines, events } = project.globals
  const symbol = enums.get(name.text)
  if (symbol !== undefined) return { kind: 'enum', symbol }
  if (aliases.has(name.text)) return resolveAlias(project, name)
  const permitted = eventSets.get(name.text)
  if (permitted !== undefined) return { kind: 'machine', name: name.text, receives: permitted }
  const declared = interfaces.get(name.text) ?? machines.get(name.text)
  if (declared !== undefined && !('kind' in declared && declared.kind !== 'machine')) {
    return { kind: 'machine', name: name.text, receives: declared.receives }
  }
  if (declared !== undefined || events.has(name.text)) {
    refuse(project, {
      code: 'E710',
      message: `"${name.text}" is not a type`,
      hint: events.has(name.text)
        ? 'values that are events have the type "event"'
        : 'nobody has a reference to a monitor',
      at: name.at,
    })
    return unknownType
  }
  refuseUnknown(project, name, {
    what: 'type',
    names: [enums, aliases, eventSets, interfaces, machines].flatMap((table) => [...table.keys()]),
    otherwise: 'a type is built in, or declared by "type", "enum", "eventset", "interface" or "machine"',
  })
  return unknownType
}

function resolveAlias(project: Project, name: Name): Type {
  const declaration = project.globals.aliases.get(name.text)
  if (declaration === undefined) return unknownType
  if (declaration.type === undefined) return { kind: 'foreign', name: name.text }
  if (project.resolved.has(name.text)) {
    const type = project.resolved.get(name.text)
    if (type !== undefined) return type
    refuse(project, {
      code: 'E712',
      message: `the type "${name.text}" contains itself`,
      hint: 'values are copied as a whole, so a type cannot be part of itself; refer to machines, or to keys of a map',
      at: name.at,
      second: { at: declaration.name.at, label: `"${name.text}" is declared here` },
    })
    return unknownType
  }
  project.resolved.set(name.text, undefined)
  project.openAliases++
  const isDeep = project.openAliases > deepestAliases
  const type = isDeep ? unknownType : resolveType(project, declaration.type)
  project.openAliases--
  const isLarge = sizeOf(type) > largestType
  if (isDeep || isLarge) {
    refuse(project, {
      code: 'E708',
      message: `the type "${name.text}" is nested too deeply, or has too many parts`,
      hint: `aliases build on at most ${deepestAliases} others, and a type has at most ${largestType} parts`,
      at: name.at,
    })
  }
  project.resolved.set(name.text, isLarge ? unknownType : type)
  return isLarge ? unknownType : type
}

const deepestAliases = 200
const largestType = 2000

/** How many parts a type has when it is written without aliases, which can be exponential in the length of the source. */
function sizeOf(type: Type): number {
  switch (type.kind) {
    case 'seq':
    case 'set':
      return 1 + sizeOf(type.of)
    case 'map':
      return 1 + sizeOf(type.key) + sizeOf(type.value)
    case 'tuple':
      return type.items.reduce((size, item) => size + sizeOf(item), 1)
    case 'record':
      return type.fields.reduce((size, field) => size + sizeOf(field.type), 1)
    default:
      return 1
  }
}
