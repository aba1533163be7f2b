/**
 * Classes. Methods become generator methods that the runtime wraps once per class; constructors, values of fields and
 * static blocks run in one go.
 */
import type { Class, ClassElement, MethodDefinition, Node, PropertyDefinition, StaticBlock } from 'oxc-parser'
import { accessorCode, type Owner } from './accessors.ts'
import { capturedBy } from './bindings.ts'
import { Frame } from './frame.ts'
import { flagsOf } from './function-flags.ts'
import { generatorCode } from './functions.ts'
import { capturedProperty, made } from './literals.ts'
import { waiting } from './operands.ts'
import { siteCode } from './operations.ts'
import { type Code, slice } from './output.ts'
import { plainFunction, refuseCode } from './refused-functions.ts'
import type { Rewriter } from './rewriter.ts'
import type { Value } from './value.ts'

/** A class expression, or a class declaration inside a function without its name being declared. */
export function classValue(rewriter: Rewriter, frame: Frame, node: Class, name: string | undefined): Value {
  return made(rewriter, frame, node, classCode(rewriter, frame, node, name))
}

export function classCode(rewriter: Rewriter, frame: Frame, node: Class, inferred: string | undefined): Code {
  const owner = node.id?.name ?? inferred ?? '(class)'
  const head = headCode(rewriter, frame, node)
  const pieces: Code[] = []
  const stamp = stampOf(rewriter, frame, node)
  let at = node.body.start + 1
  for (const member of node.body.body) {
    const place = { name: owner, code: node.id?.name, stamp: member === stamp?.field ? stamp.code : undefined }
    pieces.push(slice(at, member.start), memberCode(rewriter, frame, member, place))
    at = member.end
  }
  const captured = capturedProperty(rewriter, frame, capturedBy(rewriter.regionOf(node)), node.start)
  const fields =
    captured === undefined ? '' : ` ${captured.key} = ${captured.value}; static ${captured.key} = ${captured.value};`
  const hidden =
    stamp === undefined || stamp.field !== undefined ? '' : ` #${rewriter.names.kept('stamp', 1)} = ${stamp.code};`
  return [head, wrapping(rewriter, node, node.id?.name ?? inferred), fields, hidden, pieces, slice(at, node.end)]
}

/**
 * A constructor may return an object that was there before; a class that extends it then adds its members to that. Before the first of
 * them is added, the runtime looks at the object: with the value of the first field, if it has one.
 */
function stampOf(rewriter: Rewriter, frame: Frame, { superClass, body, start }: Class): Stamp | undefined {
  if (superClass === null) return undefined
  const members = body.body.filter((member) => 'static' in member && !member.static)
  const [field] = members.filter((member) => member.type === 'PropertyDefinition' && member.declare !== true)
  const hasMethods = members.some((member) => 'key' in member && member.key.type === 'PrivateIdentifier')
  if (field === undefined && !hasMethods) return undefined
  const code = `${rewriter.runtime('stamped')}(${siteCode(rewriter, frame, start)}, this)`
  const isGiven = field?.type === 'PropertyDefinition' && (field.value !== null || isPrivate(field))
  return { code, field: isGiven ? field : undefined }
}

interface Stamp {
  readonly code: string
  /** Whose value begins with it. */
  readonly field: ClassElement | undefined
}

function isPrivate({ key }: PropertyDefinition | MethodDefinition): boolean {
  return key.type === 'PrivateIdentifier'
}

function headCode(rewriter: Rewriter, frame: Frame, { superClass, body, start }: Class): Code {
  if (superClass === null) return slice(start, body.start + 1)
  const parent = waiting(rewriter, frame, rewriter.expression(frame, superClass), [])
  return [slice(start, superClass.start), parent.code, slice(superClass.end, body.start + 1)]
}

/** The name is kept too. Static blocks run when all methods exist, in order with static fields: the first one comes before any use. */
function wrapping(rewriter: Rewriter, { body }: Class, name: string | undefined): Code {
  const lists = [false, true].map((isStatic) =>
    body.body
      .filter((member): member is MethodDefinition => member.type === 'MethodDefinition')
      .filter(({ static: onClass, kind, value }) => onClass === isStatic && kind === 'method' && value.body !== null)
      .filter(({ key }) => key.type !== 'PrivateIdentifier')
      .map(({ key, computed, value }) => {
        const code = computed ? rewriter.text(key) : JSON.stringify(rewriter.propertyName(key))
        return `[${code}, ${flagsOf(rewriter, value)}]`
      })
      .join(', '),
  )
  if (name === undefined && lists.every((list) => list === '')) return ''
  const named = name === undefined ? '' : `, ${JSON.stringify(name)}`
  return ` static { ${rewriter.runtime('methods')}(this, ${lists.map((list) => `[${list}]`).join(', ')}${named}) }`
}

function memberCode(rewriter: Rewriter, frame: Frame, member: ClassElement, owner: Member): Code {
  switch (member.type) {
    case 'MethodDefinition':
      if (member.value.body === null) return slice(member.start, member.end)
      if (member.kind === 'constructor') return constructorCode(rewriter, frame, member, owner.name)
      if (member.kind === 'method') return methodCode(rewriter, frame, member, owner.name)
      return accessorCode(rewriter, frame, member, owner)
    case 'PropertyDefinition':
      return fieldCode(rewriter, frame, member, owner)
    case 'StaticBlock':
      return staticBlockCode(rewriter, frame, member, owner.name)
    default:
      return slice(member.start, member.end)
  }
}

function methodCode(rewriter: Rewriter, frame: Frame, member: MethodDefinition, owner: string): Code {
  const { key, computed, value } = member
  const shown = computed
    ? `[${rewriter.text(key)}]`
    : key.type === 'PrivateIdentifier'
      ? `#${key.name}`
      : rewriter.propertyName(key)
  // A field above without a semicolon would be multiplied by what begins with a star.
  const modifier = member.static ? 'static *' : ';*'
  const name = computed ? ['[', slice(key.start, key.end), ']'] : slice(key.start, key.end)
  return [modifier, name, generatorCode(rewriter, frame, value, `${owner}.${shown}`)]
}

function constructorCode(rewriter: Rewriter, outer: Frame, member: MethodDefinition, owner: string): Code {
  const { value } = member
  const { body } = value
  if (body === null) return slice(member.start, member.end)
  const region = rewriter.regionOf(value)
  const index = rewriter.table.function(rewriter.qualified(outer, `${owner}.constructor`), value)
  const first = value.params[0]?.start ?? body.start
  const refusal = rewriter.refusals.functions.get(value)
  const refused = refusal === undefined ? '' : refuseCode(rewriter, index, refusal)
  return [slice(member.start, first), plainFunction(rewriter, { node: value, region, index, isAsync: false }, refused)]
}

/** Where a member stands. */
interface Member extends Owner {
  /** To be evaluated before its value. */
  readonly stamp: string | undefined
}

function fieldCode(rewriter: Rewriter, outer: Frame, member: PropertyDefinition, { name: owner, stamp }: Member): Code {
  const { key, computed, value, start, end } = member
  const name = computed ? rewriter.expression(outer, key).code : slice(key.start, key.end)
  const head = [slice(start, key.start), name]
  if (!isPrivate(member) && (value === null || member.declare === true)) return [head, slice(key.end, end)]
  const shown = computed ? undefined : key.type === 'PrivateIdentifier' ? `#${key.name}` : rewriter.propertyName(key)
  const index = rewriter.table.function(rewriter.qualified(outer, `${owner}.${shown ?? 'field'}`), member)
  const region = (value && rewriter.bindings.plainRegions.get(value)) ?? outer.region
  const frame = new Frame({ kind: 'plain', region, index, isAsync: false, names: rewriter.names })
  const given =
    value === null ? 'undefined' : rewriter.loose(frame, (inner) => rewriter.namedValue(inner, value, shown).code)
  const code = stamp === undefined ? given : [`(${stamp}, `, given, ')']
  if (value === null) return [head, ' = ', boxed(rewriter, key, code), ';']
  return [head, slice(key.end, value.start), boxed(rewriter, key, code), slice(value.end, end)]
}

/** A private field holds a box. */
function boxed(rewriter: Rewriter, key: Node, code: Code): Code {
  if (key.type !== 'PrivateIdentifier') return code
  return [rewriter.runtime('box'), `(this, ${JSON.stringify(rewriter.propertyName(key))}, `, code, ')']
}

function staticBlockCode(rewriter: Rewriter, outer: Frame, node: StaticBlock, owner: string): Code {
  const index = rewriter.table.function(rewriter.qualified(outer, `${owner}.static`), node)
  const region = rewriter.bindings.plainRegions.get(node) ?? outer.region
  const frame = new Frame({ kind: 'plain', region, index, isAsync: false, names: rewriter.names })
  const start = rewriter.find('{', node.start, node.end) + 1
  const content = [
    rewriter.scopeHead(frame, rewriter.bindings.scopes.get(node)),
    rewriter.statements(frame, node.body, { start, end: node.end }),
  ]
  frame.finish()
  return [slice(node.start, start), frame.declarations, content]
}
