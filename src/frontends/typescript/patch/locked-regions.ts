/** Statements under a lock: which ones, what a `return` inside needs, and the text around them. */
import type MagicString from 'magic-string'
import type { Expression, Node, Statement } from 'oxc-parser'
import type { LineRange } from '../../../core/code.ts'
import type { ParsedSource } from '../parse.ts'
import { isFunction, walk } from '../syntax.ts'
import { type Callable, lineOf } from './class-members.ts'
import { indentAt, indentLines, isFirstOnLine, unitOf } from './layout.ts'

/** Some statements of one block, one after the other. */
export interface Region {
  readonly callable: Callable
  readonly statements: readonly Statement[]
}

export function wholeBody(callable: Callable): Region {
  const statements = callable.body.body.filter((one) => !('directive' in one && typeof one.directive === 'string'))
  return { callable, statements: statements as readonly Statement[] }
}

/**
 * The shortest run of statements of one block that holds all the lines; to the end of the block if what it declares is used there,
 * since a `try` is a scope of its own.
 */
export function regionOf(source: ParsedSource, callable: Callable, lines: LineRange): Region {
  let best = wholeBody(callable).statements
  walkOwn(callable.body, (node) => {
    if (node.type !== 'BlockStatement') return
    const from = node.body.findIndex(({ end }) => lineOf(source, end) >= lines.first)
    const to = node.body.findLastIndex(({ start }) => lineOf(source, start) <= lines.last)
    const [first, last] = [node.body[from], node.body[to]]
    if (first === undefined || last === undefined || from > to || 'directive' in first) return
    if (lineOf(source, first.start) > lines.first || lineOf(source, last.end) < lines.last) return
    const run = node.body.slice(from, to + 1)
    const statements = run.some(declares) && to < node.body.length - 1 ? withUses(node.body, from, to) : run
    if (spanOf(statements) <= spanOf(best)) best = statements as readonly Statement[]
  })
  return { callable, statements: best }
}

/** Why the lock would be given back too early, or something else would be done than before; nothing if it is right. */
export function problemOf({ callable, statements }: Region): string | undefined {
  if (!callable.code.async) return undefined
  const isUnsafe = returnsIn(statements).some(
    ({ isInTry, argument }) => isInTry && mayBePromise(argument, callable.body),
  )
  return isUnsafe
    ? `a promise that is returned inside a try of ${callable.name} may settle after the lock is released`
    : undefined
}

/** The lock is held until what is returned has settled. */
export function lockRegion(
  source: ParsedSource,
  text: MagicString,
  { callable, statements }: Region,
  lock: string,
): void {
  const [first] = statements
  const last = statements.at(-1)
  if (first === undefined || last === undefined) return
  const { async: isAsync } = callable.code
  const unit = unitOf(source.text)
  const isOnLine = isFirstOnLine(source.text, first.start)
  const indent = isOnLine ? indentAt(source.text, first.start) : indentAt(source.text, callable.member.start) + unit
  const take = `${isAsync ? 'await ' : ''}${lock}.${isAsync ? 'acquire' : 'acquireSync'}()`
  text.appendLeft(first.start, `${isOnLine ? '' : `\n${indent}`}${take}\n${indent}try {\n${indent}${unit}`)
  indentLines(source, text, [first.start, last.end])
  if (isAsync) {
    for (const { argument } of returnsIn(statements)) {
      if (!mayBePromise(argument, callable.body)) continue
      const needsParentheses = !/^(?:CallExpression|Identifier|MemberExpression|NewExpression)$/.test(argument.type)
      text.appendLeft(argument.start, needsParentheses ? 'await (' : 'await ')
      if (needsParentheses) text.appendLeft(argument.end, ')')
    }
  }
  text.appendLeft(last.end, `\n${indent}} finally {\n${indent}${unit}${lock}.release()\n${indent}}`)
}

/** Without functions written inside. */
function walkOwn(node: Node, enter: (node: Node, inTry: boolean) => void, inTry = false): void {
  let depth = 0
  let tries = 0
  walk(node, {
    enter: (inner) => {
      if (depth === 0) enter(inner, inTry || tries > 0)
      if (isFunction(inner)) depth++
      if (inner.type === 'TryStatement') tries++
    },
    leave: (inner) => {
      if (isFunction(inner)) depth--
      if (inner.type === 'TryStatement') tries--
    },
  })
}

export function hasAwait(node: Node): boolean {
  let found = false
  walkOwn(node, (inner) => {
    found ||= inner.type === 'AwaitExpression' || (inner.type === 'ForOfStatement' && inner.await)
  })
  return found
}

interface Returned {
  readonly argument: Expression
  readonly isInTry: boolean
}

function returnsIn(statements: readonly Statement[]): readonly Returned[] {
  const found: Returned[] = []
  for (const statement of statements) {
    walkOwn(statement, (node, isInTry) => {
      if (node.type === 'ReturnStatement' && node.argument !== null) found.push({ argument: node.argument, isInTry })
    })
  }
  return found
}

const plain: ReadonlySet<string> = new Set([
  'Literal',
  'TemplateLiteral',
  'BinaryExpression',
  'UnaryExpression',
  'UpdateExpression',
  'AwaitExpression',
  'ObjectExpression',
  'ArrayExpression',
  'ArrowFunctionExpression',
  'FunctionExpression',
  'ThisExpression',
  'MemberExpression',
])

/** Of a variable, by what it was declared with: a parameter was somebody else's to wait for. */
function mayBePromise(node: Expression, body: Node): boolean {
  if (plain.has(node.type)) return false
  if (node.type === 'Identifier') return valuesOf(node.name, body).some((value) => mayBePromise(value, body))
  if (node.type === 'ConditionalExpression')
    return [node.consequent, node.alternate].some((one) => mayBePromise(one, body))
  if (node.type === 'LogicalExpression') return [node.left, node.right].some((one) => mayBePromise(one, body))
  if (node.type === 'ParenthesizedExpression' || node.type === 'TSNonNullExpression')
    return mayBePromise(node.expression, body)
  return true
}

function valuesOf(name: string, body: Node): readonly Expression[] {
  const values: Expression[] = []
  walkOwn(body, (node) => {
    if (node.type !== 'VariableDeclarator' || node.id.type !== 'Identifier' || node.id.name !== name) return
    if (node.init !== null) values.push(node.init)
  })
  return values
}

function declares({ type, ...statement }: Node): boolean {
  if (type === 'VariableDeclaration') return (statement as { readonly kind?: string }).kind !== 'var'
  return type === 'FunctionDeclaration' || type === 'ClassDeclaration'
}

/** With all that follows, if a name that is declared is named again. */
function withUses(body: readonly Statement[] | readonly Node[], from: number, to: number): readonly Node[] {
  const declared = new Set<string>()
  for (const statement of body.slice(from, to + 1).filter(declares)) {
    const parts = statement.type === 'VariableDeclaration' ? statement.declarations.map(({ id }) => id) : [statement]
    for (const part of parts) for (const name of namesIn(part)) declared.add(name)
  }
  const isUsed = body.slice(to + 1).some((later) => namesIn(later).some((name) => declared.has(name)))
  return body.slice(from, isUsed ? undefined : to + 1)
}

function namesIn(node: Node): readonly string[] {
  const names: string[] = []
  walk(node, { enter: (inner) => (inner.type === 'Identifier' ? names.push(inner.name) : undefined) })
  return names
}

function spanOf(statements: readonly Node[]): number {
  return (statements.at(-1)?.end ?? 0) - (statements[0]?.start ?? 0)
}
