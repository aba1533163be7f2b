/**
 * A repair without a lock, for classes whose other methods are synchronous and cannot wait for one: what was asked before an
 * `await` is asked again behind it. The lines that ask may only ask: nothing else uses what they declare.
 */
import type MagicString from 'magic-string'
import type { Node, Statement } from 'oxc-parser'
import type { LineRange } from '../../../core/code.ts'
import type { ParsedSource } from '../parse.ts'
import { walk } from '../syntax.ts'
import type { Callable } from './class-members.ts'
import { indentAt, isFirstOnLine, unitOf } from './layout.ts'
import { hasAwait, regionOf } from './locked-regions.ts'

/** False if there is nothing to ask again. */
export function repeatGuard(source: ParsedSource, text: MagicString, callable: Callable, lines: LineRange): boolean {
  const { statements } = regionOf(source, callable, lines)
  const guard = guardOf(statements)
  const awaits = statements.flatMap((one, at) => (at >= guard.length && hasAwait(one) ? [one] : []))
  const [last] = awaits.slice(-1)
  const [first] = guard
  const end = guard.at(-1)?.end
  if (first === undefined || end === undefined || last === undefined) return false
  if (!isFirstOnLine(source.text, first.start) || !isFirstOnLine(source.text, last.start)) return false
  const declared = guard.flatMap((one) =>
    one.type === 'VariableDeclaration' ? namesOf(one.declarations.map(({ id }) => id)) : [],
  )
  const others = namesOf(statements.slice(guard.length))
  if (declared.some((name) => others.includes(name))) return false
  const indent = indentAt(source.text, last.start)
  const unit = declared.length === 0 ? '' : unitOf(source.text)
  const copy = source.text
    .slice(first.start, end)
    .split('\n')
    .map((line, at) => (at === 0 ? line : unit + line))
    .join('\n')
  const comment = `${indent}${unit}// While this waited, others may have come first: ask again.`
  const asked = `${comment}\n${indent}${unit}${copy}`
  text.appendLeft(last.end, unit === '' ? `\n${asked}` : `\n${indent}{\n${asked}\n${indent}}`)
  return true
}

/** Reads, and returns that depend on them, at the beginning. */
function guardOf(statements: readonly Statement[]): readonly Statement[] {
  const end = statements.findIndex((one) => hasAwait(one) || !(isRead(one) || isEarlyReturn(one)))
  const first = statements.slice(0, Math.max(end, 0))
  return first.slice(0, first.findLastIndex(isEarlyReturn) + 1)
}

function isRead(statement: Statement): boolean {
  return statement.type === 'VariableDeclaration' && statement.kind === 'const'
}

function isEarlyReturn(statement: Statement): boolean {
  if (statement.type !== 'IfStatement' || statement.alternate !== null) return false
  const { consequent } = statement
  const only = consequent.type === 'BlockStatement' && consequent.body.length === 1 ? consequent.body[0] : consequent
  return only?.type === 'ReturnStatement' || only?.type === 'ThrowStatement'
}

function namesOf(nodes: readonly Node[]): readonly string[] {
  const names: string[] = []
  for (const node of nodes) {
    walk(node, { enter: (inner) => (inner.type === 'Identifier' ? names.push(inner.name) : undefined) })
  }
  return names
}
