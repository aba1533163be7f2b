/** Expressions, by precedence climbing: an operator takes as its right operand what binds more tightly than itself. */
import { type BinaryOperator, binaryOperators, type Expression } from './ast.ts'
import type { Cursor } from './cursor.ts'
import type { Token } from './lexer.ts'
import { parsePrimary, type ReadExpression } from './parse-primary.ts'
import { parseType } from './parse-type.ts'

/** From the loosest; `as` and `to` stand between addition and comparison. All of them associate to the left. */
const levels: readonly (readonly string[])[] = [
  ['<==>'],
  ['==>'],
  ['||'],
  ['&&'],
  ['==', '!='],
  ['<', '>', '<=', '>=', 'in'],
  ['as', 'to'],
  ['+', '-'],
  ['*', '/', '%'],
]

const levelOf: ReadonlyMap<string, number> = new Map(
  levels.flatMap((operators, level) => operators.map((operator) => [operator, level] as const)),
)

export const parseExpression: ReadExpression = (cursor) => cursor.nested(() => operators(cursor, 0))

/** Arguments with commas between them, and the closing parenthesis; the opening one is read already. */
export function parseArguments(cursor: Cursor): readonly Expression[] {
  if (cursor.accept(')')) return []
  const args = cursor.list(() => parseExpression(cursor))
  cursor.expect(')', 'after the arguments')
  return args
}

function operators(cursor: Cursor, lowest: number): Expression {
  const start = cursor.token
  let left = unary(cursor)
  for (;;) {
    const { kind, text } = cursor.token
    const level = kind === 'symbol' || kind === 'keyword' ? levelOf.get(text) : undefined
    if (level === undefined || level < lowest) return left
    cursor.advance()
    if (text === 'as' || text === 'to') {
      const type = parseType(cursor)
      left = { kind: text, of: left, type, at: cursor.since(start) }
    } else if (isBinary(text)) {
      const right = operators(cursor, level + 1)
      left = { kind: 'binary', operator: text, left, right, at: cursor.since(start) }
    }
  }
}

function isBinary(text: string): text is BinaryOperator {
  return binaryOperators.some((operator) => operator === text)
}

function unary(cursor: Cursor): Expression {
  const start = cursor.token
  if (!cursor.is('-') && !cursor.is('!')) return postfix(cursor)
  const operator = cursor.is('-') ? '-' : '!'
  cursor.advance()
  const of = cursor.nested(() => unary(cursor))
  return { kind: 'unary', operator, of, at: cursor.since(start) }
}

function postfix(cursor: Cursor): Expression {
  const start = cursor.token
  return parseParts(cursor, start, parsePrimary(cursor, parseExpression))
}

/** Fields, items and elements of what stands before. */
export function parseParts(cursor: Cursor, start: Token, whole: Expression): Expression {
  let of = whole
  for (;;) {
    if (cursor.accept('.')) {
      const { kind, text } = cursor.token
      if (kind === 'int') {
        cursor.advance()
        of = { kind: 'item', of, index: Number(text), at: cursor.since(start) }
      } else {
        const name = cursor.name('the name of a field')
        of = { kind: 'field', of, name, at: cursor.since(start) }
      }
    } else if (cursor.accept('[')) {
      const index = parseExpression(cursor)
      cursor.expect(']', 'after the index')
      of = { kind: 'element', of, index, at: cursor.since(start) }
    } else return of
  }
}
