/** Declarations of variables and functions, and what must exist from the head of a scope on. */
import type { Function as FunctionNode, Node, VariableDeclaration, VariableDeclarator } from 'oxc-parser'
import type { LexicalScope } from './bindings.ts'
import type { Frame } from './frame.ts'
import { closureOf, generatorCode } from './functions.ts'
import { nameCode } from './members.ts'
import { type Code, joined, slice } from './output.ts'
import { bindPattern, cellCode, declarators, declareName, type Item } from './patterns.ts'
import { plainPattern } from './plain-patterns.ts'
import type { Rewriter } from './rewriter.ts'
import { declaredNames, type Identifier } from './tree.ts'
import { transient } from './value.ts'

/** With `extra` items in front, as in the head of a loop. */
export function declaration(
  rewriter: Rewriter,
  frame: Frame,
  node: VariableDeclaration,
  { isHead = false, extra = [] }: { readonly isHead?: boolean; readonly extra?: readonly Item[] } = {},
): Code {
  if (extra.length === 0 && node.declarations.every((declarator) => isSimple(rewriter, declarator))) {
    return simpleDeclaration(rewriter, frame, node)
  }
  const items = [...extra, ...node.declarations.flatMap((declarator) => itemsOf(rewriter, frame, node, declarator))]
  return declarationOf(frame, node.kind, items, isHead)
}

/** Items as a declaration, or as expressions if none declares a name. */
export function declarationOf(
  frame: Frame,
  kind: VariableDeclaration['kind'],
  items: readonly Item[],
  isHead: boolean,
): Code {
  const end = isHead ? '' : ';'
  if (items.some(({ name }) => name !== undefined)) {
    const word =
      kind === 'const' && items.some(({ name, code }) => name !== undefined && code === undefined) ? 'let' : kind
    return [`${word} `, declarators(frame, items), end]
  }
  const codes = items.flatMap(({ code }) => (code === undefined ? [] : [code]))
  return codes.length === 0 ? end : ['(', joined(codes), ')', end]
}

/** Boxes and functions that code anywhere in the scope may use. */
export function scopeHead(rewriter: Rewriter, frame: Frame, scope: LexicalScope | undefined): Code {
  if (scope === undefined) return ''
  const pieces: Code[] = []
  for (const binding of scope.bindings.values()) {
    if (!binding.isBoxed || (!binding.isEarly && binding.kind !== 'var')) continue
    const variable = frame.variable(binding)
    frame.flow.define(variable)
    pieces.push(
      ` const ${variable.code} = `,
      cellCode(rewriter, frame, { name: binding.name, start: binding.offset }, 'undefined'),
      ';',
    )
  }
  for (const binding of scope.bindings.values()) {
    if (binding.kind !== 'function' || !binding.isHoisted || binding.isTopLevel) continue
    if (binding.own?.type === 'FunctionDeclaration') pieces.push(' ', createdFunction(rewriter, frame, binding.own))
  }
  return pieces
}

/** A declared function inside another: its generator stands in its place; hoisted ones are created at the head. */
export function functionDeclaration(rewriter: Rewriter, frame: Frame, node: FunctionNode): Code {
  if (node.id === null || node.body === null) return ''
  const binding = rewriter.bindings.resolved.get(node.id)
  const generator = [
    `function* ${rewriter.names.generator(node.id.name)}`,
    generatorCode(rewriter, frame, node, node.id.name),
  ]
  return binding?.isHoisted === true ? generator : [generator, ' ', createdFunction(rewriter, frame, node)]
}

function createdFunction(rewriter: Rewriter, frame: Frame, node: FunctionNode): Code {
  if (node.id === null) return ''
  const { name } = node.id
  const closure = closureOf(rewriter, frame, { node, generator: rewriter.names.generator(name), name })
  const item = declareName(rewriter, frame, node.id, closure)
  const binding = rewriter.bindings.resolved.get(node.id)
  // At the head of the scope the name stands elsewhere than in the source.
  const named = item.name === undefined || binding === undefined ? item : { ...item, name: frame.codeOf(binding) }
  return declarationOf(frame, 'const', [named], false)
}

/** Keeps its text but for the values. */
function isSimple(rewriter: Rewriter, { id }: VariableDeclarator): boolean {
  if (id.type !== 'Identifier') return false
  const binding = rewriter.bindings.resolved.get(id)
  return binding === undefined || !(binding.isBoxed || binding.isMoved || binding.hides > 0)
}

function simpleDeclaration(rewriter: Rewriter, frame: Frame, node: VariableDeclaration): Code {
  const pieces: Code[] = []
  let at = node.start
  for (const { id, init } of node.declarations) {
    const value = init === null ? undefined : rewriter.namedValue(frame, init, (id as Identifier).name)
    // A `var` without a value is not an assignment.
    if (node.kind !== 'var' || value !== undefined) declareName(rewriter, frame, id as Identifier, value)
    if (init === null || value === undefined) continue
    pieces.push(slice(at, init.start), value.code)
    at = init.end
  }
  return [pieces, slice(at, node.end)]
}

function itemsOf(
  rewriter: Rewriter,
  frame: Frame,
  { kind }: VariableDeclaration,
  { id, init }: VariableDeclarator,
): readonly Item[] {
  if (id.type === 'Identifier') {
    if (kind === 'var' && init === null) {
      const binding = rewriter.bindings.resolved.get(id)
      return binding?.isBoxed === true ? [] : [{ name: nameCode(frame, id, binding), code: undefined }]
    }
    return [declareName(rewriter, frame, id, init === null ? undefined : rewriter.namedValue(frame, init, id.name))]
  }
  if (init === null) return []
  const value = rewriter.expression(frame, init)
  if (frame.kind === 'generator') return bindPattern(rewriter, frame, { target: id, value, declares: true })
  return plainItems(rewriter, frame, id, value.code)
}

/** The language binds the names; boxes are made from them. */
function plainItems(rewriter: Rewriter, frame: Frame, pattern: Node, value: Code): readonly Item[] {
  return [{ name: plainPattern(rewriter, frame, pattern), code: value }, ...boxItems(rewriter, frame, pattern)]
}

/** Boxes for names that the language has bound. */
export function boxItems(rewriter: Rewriter, frame: Frame, pattern: Node): readonly Item[] {
  return [...declaredNames(pattern)].flatMap((identifier) => {
    const isBoxed = rewriter.bindings.resolved.get(identifier)?.isBoxed === true
    return isBoxed ? [declareName(rewriter, frame, identifier, transient(identifier.name))] : []
  })
}
