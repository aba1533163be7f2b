/**
 * Makes lines of methods atomic by a `Mutex` of the instance: the source after the change. What the lines declare and later lines
 * use is declared before the lock, since a `try` is a scope of its own.
 */
import MagicString from 'magic-string'
import type { Class, MethodDefinition, Node, Statement, VariableDeclaration } from 'oxc-parser'
import type { AtomicSection } from '../../core/code.ts'
import { type Diagnostic, failure, type Result, success } from '../../core/diagnostic.ts'
import { type ParsedSource, parse, placeAt } from './parse.ts'
import { isClass, walk } from './syntax.ts'

/** The sections are all of this file. */
export function lockSections(source: string, file: string, sections: readonly AtomicSection[]): Result<string> {
  const parsed = parse(source, file)
  if (!parsed.ok) return parsed
  const text = new MagicString(source)
  const found = sections.map((section) => methodOf(parsed.value, section))
  const missing = found.flatMap((one) => ('code' in one ? [one] : []))
  const methods = found.flatMap((one) => ('code' in one ? [] : [one]))
  if (missing.length > 0) return failure(...missing)
  const owner = commonOwner(methods.map(({ owner: each }) => each))
  if (owner === undefined) return failure(severalClasses(sections))
  const isPrivate = methods.every(({ owner: each }) => each === owner)
  const name = unusedField(source, isPrivate)
  for (const [index, method] of methods.entries()) {
    const section = sections[index]
    if (section !== undefined) lock(parsed.value, text, method, section, name)
  }
  addField(parsed.value, text, owner, name)
  addImport(parsed.value, text)
  return success(text.toString())
}

interface Method {
  readonly owner: Class
  readonly method: MethodDefinition
}

function methodOf(source: ParsedSource, section: AtomicSection): Method | Diagnostic {
  const [className = '', methodName = ''] = section.function.split(' > ')[0]?.split('.') ?? []
  let found: Method | undefined
  walk(source.program, {
    enter: (node) => {
      if (!isClass(node) || node.id?.name !== className) return
      const method = node.body.body.find(
        (member): member is MethodDefinition =>
          member.type === 'MethodDefinition' && keyText(source, member) === methodName,
      )
      if (method !== undefined) found = { owner: node, method }
    },
  })
  return found ?? byHand(section, 'they do not stand in a method of a class')
}

function keyText({ text }: ParsedSource, { key }: MethodDefinition): string {
  return text.slice(key.start, key.end)
}

/** The class whose field all the methods can see: the only one, or the one the others extend. */
function commonOwner(owners: readonly Class[]): Class | undefined {
  const extendsOne = (each: Class, base: Class): boolean => {
    if (each === base) return true
    const { superClass } = each
    if (superClass?.type !== 'Identifier') return false
    const parent = owners.find((one) => one.id?.name === superClass.name)
    return parent !== undefined && extendsOne(parent, base)
  }
  return owners.find((base) => owners.every((each) => extendsOne(each, base)))
}

function lock(
  source: ParsedSource,
  text: MagicString,
  { method }: Method,
  section: AtomicSection,
  field: string,
): void {
  const run = statementsIn(source, method, section)
  const [first] = run
  const last = run.at(-1)
  if (first === undefined || last === undefined) return
  const indent = /[ \t]*$/.exec(source.text.slice(0, first.start))?.[0] ?? ''
  const isAsync = method.value.async
  const declared = hoisted(source, text, method, run)
  const take = `${isAsync ? 'await ' : ''}this.${field}.${isAsync ? 'acquire' : 'acquireSync'}()`
  const before = [...declared, take, 'try {'].join(`\n${indent}`)
  text.appendLeft(first.start, `${before}\n${indent}  `)
  for (
    let at = source.text.indexOf('\n', first.start);
    at >= 0 && at < last.end;
    at = source.text.indexOf('\n', at + 1)
  ) {
    if (!/^[ \t]*\r?\n/.test(source.text.slice(at + 1))) text.appendLeft(at + 1, '  ')
  }
  text.appendLeft(last.end, `\n${indent}} finally {\n${indent}  this.${field}.release()\n${indent}}`)
}

/** The shortest run of statements of one block that holds all the lines. */
function statementsIn(source: ParsedSource, method: MethodDefinition, { lines }: AtomicSection): readonly Statement[] {
  let best: readonly Statement[] = []
  let size = Number.POSITIVE_INFINITY
  walk(method.value, {
    enter: (node) => {
      const body = blockBody(node)
      const run = body.filter(
        ({ start, end }) => lineOf(source, end) >= lines.first && lineOf(source, start) <= lines.last,
      )
      const [first] = run
      const last = run.at(-1)
      if (first === undefined || last === undefined) return
      const covers = lineOf(source, first.start) <= lines.first && lineOf(source, last.end) >= lines.last
      if (covers && last.end - first.start <= size) {
        best = run
        size = last.end - first.start
      }
    },
  })
  return best
}

function blockBody(node: Node): readonly Statement[] {
  if (node.type === 'BlockStatement') return node.body
  return node.type === 'SwitchCase' ? node.consequent : []
}

function lineOf({ text, file }: ParsedSource, offset: number): number {
  return placeAt(text, file, offset).line
}

/** Declarations of the run that later statements use become assignments; what declares them is given back. */
function hoisted(
  source: ParsedSource,
  text: MagicString,
  method: MethodDefinition,
  run: readonly Statement[],
): readonly string[] {
  const end = run.at(-1)?.end ?? 0
  const rest = source.text.slice(end, method.end)
  const declarations: string[] = []
  for (const statement of run) {
    if (statement.type !== 'VariableDeclaration' || statement.kind === 'var') continue
    const names = declaredNames(statement)
    if (!names.some((name) => new RegExp(`(?<![\\w$.])${name.replaceAll('$', '\\$')}(?![\\w$])`).test(rest))) continue
    declarations.push(...statement.declarations.map((one) => `let ${declaration(source, one.id)}`))
    assign(source, text, statement)
  }
  return declarations
}

function declaredNames(statement: VariableDeclaration): readonly string[] {
  const names: string[] = []
  for (const { id } of statement.declarations) {
    walk(id, { enter: (node) => (node.type === 'Identifier' ? names.push(node.name) : undefined) })
  }
  return names
}

function declaration({ text }: ParsedSource, id: Node): string {
  if (id.type === 'Identifier') return text.slice(id.start, id.end)
  const names: string[] = []
  walk(id, { enter: (node) => (node.type === 'Identifier' ? names.push(node.name) : undefined) })
  return names.join(', ')
}

function assign({ text: source }: ParsedSource, text: MagicString, statement: VariableDeclaration): void {
  const assignments = statement.declarations.flatMap(({ id, init }) => {
    if (init === null) return []
    const value = source.slice(init.start, init.end)
    if (id.type === 'Identifier') return [`${id.name} = ${value}`]
    return [`(${source.slice(id.start, id.end)} = ${value})`]
  })
  // A parenthesis at the beginning of a line would continue the line before.
  const code = assignments.map((one) => (one.startsWith('(') ? `;${one}` : one)).join('; ')
  text.update(statement.start, source.charAt(statement.end - 1) === ';' ? statement.end - 1 : statement.end, code)
}

function addField(source: ParsedSource, text: MagicString, owner: Class, field: string): void {
  const open = owner.body.start + 1
  const [first] = owner.body.body
  const indent = first === undefined ? '  ' : (/[ \t]*$/.exec(source.text.slice(0, first.start))?.[0] ?? '  ')
  const modifier = field.startsWith('#') ? '' : 'protected '
  text.appendLeft(open, `\n${indent}${modifier}readonly ${field} = new Mutex()`)
}

function addImport({ program, text: source }: ParsedSource, text: MagicString): void {
  for (const statement of program.body) {
    if (statement.type !== 'ImportDeclaration' || statement.source.value !== 'allways/sync') continue
    const names = statement.specifiers.map((one) => source.slice(one.start, one.end))
    const [first] = statement.specifiers
    if (names.includes('Mutex') || first === undefined) return
    text.appendLeft(first.start, 'Mutex, ')
    return
  }
  text.prepend("import { Mutex } from 'allways/sync'\n")
}

function unusedField(source: string, isPrivate: boolean): string {
  const mark = isPrivate ? '#' : ''
  let name = `${mark}mutex`
  for (let number = 2; source.includes(name); number++) name = `${mark}mutex${number}`
  return name
}

function byHand(section: AtomicSection, why: string): Diagnostic {
  const { first, last } = section.lines
  return {
    code: 'E305',
    message: `lines ${first}–${last} of ${section.function} cannot be wrapped automatically: ${why}`,
    hint: 'make these lines atomic by hand, with a Mutex of allways/sync',
    place: { file: section.file, line: first, column: 1 },
  }
}

function severalClasses(sections: readonly AtomicSection[]): Diagnostic {
  const [section] = sections
  const names = [...new Set(sections.map((one) => one.function.split('.')[0]))].join(' and ')
  return section === undefined
    ? { code: 'E305', message: 'there are no lines to make atomic' }
    : byHand(section, `${names} need one lock in common`)
}
