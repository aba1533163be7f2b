/** Statements, and the bodies of functions, which statements have inside of them. */
import type { Expression, FunctionBody, Name, ReceiveCase, Statement, TypedName } from './ast.ts'
import type { Cursor } from './cursor.ts'
import type { Token } from './lexer.ts'
import { parseExpression } from './parse-expression.ts'
import { parseEventNames, parseVariables } from './parse-names.ts'
import { parseSimpleStatement } from './parse-simple-statement.ts'
import { parseTypedNames } from './parse-type.ts'

/** `{ var x: int; … }`; the parameters are read already. */
export function parseBody(cursor: Cursor, params: readonly TypedName[], from: Token): FunctionBody {
  return cursor.nested(() => {
    const open = cursor.expect('{', 'at the beginning of the body')
    const locals: TypedName[] = []
    while (cursor.is('var')) {
      const before = cursor.position
      const declared = cursor.attempt(() => parseLocals(cursor))
      if (declared !== undefined) locals.push(...declared)
      else cursor.skipItem()
      if (cursor.position === before) break
    }
    const body = statements(cursor, open)
    return { params, locals, body, at: cursor.since(from) }
  })
}

/** A body with an optional parameter in front, as handlers have it. */
export function parseHandler(cursor: Cursor): FunctionBody {
  const start = cursor.token
  if (!cursor.accept('(')) return parseBody(cursor, [], start)
  const isEmpty = cursor.is(')')
  const params = isEmpty ? [] : parseTypedNames(cursor, 'the name of the parameter')
  cursor.expect(')', 'after the parameter')
  const body = parseBody(cursor, params, start)
  const [, second] = params
  const hint = 'an event has one payload: take it as one parameter, a tuple if it has several parts'
  if (second !== undefined) cursor.report({ code: 'E702', message: 'a handler has one parameter', hint, at: second.at })
  if (isEmpty) {
    const at = start.at
    cursor.report({ code: 'E702', message: 'a handler without parameter has no parentheses', hint: 'remove them', at })
  }
  return body
}

function parseLocals(cursor: Cursor): readonly TypedName[] {
  const { names, type } = parseVariables(cursor, 'a local variable')
  return names.map((name) => ({ name, type, at: name.at }))
}

function statements(cursor: Cursor, open: Token): readonly Statement[] {
  return cursor.block(
    open,
    () => cursor.isStructure(),
    () => parseStatement(cursor),
  )
}

function parseStatement(cursor: Cursor): Statement {
  return cursor.nested(() => statement(cursor))
}

function statement(cursor: Cursor): Statement {
  const start = cursor.token
  if (start.kind === 'name' && start.text === 'for' && cursor.is('(', 1)) return counted(cursor)
  switch (start.kind === 'keyword' || start.kind === 'symbol' ? start.text : '') {
    case '{': {
      cursor.advance()
      const body = statements(cursor, start)
      return { kind: 'block', body, at: cursor.since(start) }
    }
    case 'while': {
      cursor.advance()
      const condition = parseCondition(cursor, 'while')
      const body = parseStatement(cursor)
      return { kind: 'while', condition, body, at: cursor.since(start) }
    }
    case 'foreach':
      return foreach(cursor)
    case 'if':
      return conditional(cursor)
    case 'receive':
      return receive(cursor)
    case 'var':
      return lateLocal(cursor)
    default:
      return parseSimpleStatement(cursor)
  }
}

/** `for (…; …; …)` of other languages: told once, and what it repeats is read. */
function counted(cursor: Cursor): Statement {
  const start = cursor.advance()
  const hint = 'count in a "while (i < n) { …; i = i + 1; }", or go through a collection: "foreach (x in xs) { … }"'
  cursor.report({ code: 'E702', message: 'P has no "for"', hint, at: start.at })
  let open = 0
  do {
    if (cursor.is('(')) open++
    if (cursor.is(')')) open--
    cursor.advance()
  } while (open > 0 && !cursor.isAtEnd)
  return { kind: 'block', body: [parseStatement(cursor)], at: cursor.since(start) }
}

function parseCondition(cursor: Cursor, word: string): Expression {
  if (!cursor.is('(')) cursor.unexpected('"("', `after "${word}"`, 'a condition stands between parentheses')
  cursor.advance()
  const condition = parseExpression(cursor)
  if (cursor.is('=')) {
    const { at } = cursor.advance()
    const hint = 'write "=="'
    cursor.report({ code: 'E709', message: 'values are compared with "==", and "=" assigns', hint, at })
    parseExpression(cursor)
  }
  cursor.expect(')', 'after the condition')
  return condition
}

function foreach(cursor: Cursor): Statement {
  const start = cursor.advance()
  cursor.expect('(', 'after "foreach"')
  const variable = cursor.name('the name of a variable')
  cursor.expect('in', 'after the variable')
  const over = parseExpression(cursor)
  cursor.expect(')', 'after the collection')
  const body = parseStatement(cursor)
  return { kind: 'foreach', variable, over, body, at: cursor.since(start) }
}

/** A chain of `else if` is read in a loop: it may be long, and it is nested only in the tree. */
function conditional(cursor: Cursor): Statement {
  const branches: { readonly start: Token; readonly condition: Expression; readonly branch: Statement }[] = []
  let otherwise: Statement | undefined
  do {
    const start = cursor.expect('if', '')
    const condition = parseCondition(cursor, 'if')
    branches.push({ start, condition, branch: parseStatement(cursor) })
    if (!cursor.accept('else')) break
    if (!cursor.is('if')) otherwise = parseStatement(cursor)
  } while (cursor.is('if') && otherwise === undefined)
  for (const { start, condition, branch: then } of branches.toReversed()) {
    otherwise = { kind: 'if', condition, then, otherwise, at: cursor.since(start) }
  }
  if (otherwise === undefined) throw new Error('an if has a branch')
  return otherwise
}

function receive(cursor: Cursor): Statement {
  const start = cursor.advance()
  const open = cursor.expect('{', 'after "receive"')
  const isEmpty = cursor.is('}')
  const cases = cursor.block(
    open,
    () => cursor.isStructure(),
    () => receiveCase(cursor),
  )
  const at = cursor.since(start)
  if (isEmpty) {
    const hint = 'receive { case event: (payload: int) { … } }'
    cursor.report({ code: 'E702', message: 'a receive has at least one case', hint, at: start.at })
  }
  return { kind: 'receive', cases, at }
}

function receiveCase(cursor: Cursor): ReceiveCase {
  const start = cursor.token
  cursor.expect('case', 'in a receive')
  const events: readonly Name[] = parseEventNames(cursor, 'or null')
  cursor.expect(':', 'after the events of the case')
  const handler = parseHandler(cursor)
  return { events, handler, at: cursor.since(start) }
}

function lateLocal(cursor: Cursor): Statement {
  const { at } = cursor.token
  const message = 'a local variable is declared after a statement'
  const hint = 'move the declaration to the beginning of the body of the function'
  cursor.report({ code: 'E707', message, hint, at })
  parseVariables(cursor, 'a local variable')
  return { kind: 'empty', at }
}
