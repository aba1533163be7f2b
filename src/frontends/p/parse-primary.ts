/** Expressions without operators: literals, names, calls, tuples and records. */
import type { Expression } from './ast.ts'
import type { Cursor } from './cursor.ts'
import type { Token } from './lexer.ts'
import { parseType } from './parse-type.ts'

/** Expressions stand in each other: who reads a whole one is handed in. */
export type ReadExpression = (cursor: Cursor) => Expression

export function parsePrimary(cursor: Cursor, read: ReadExpression): Expression {
  const start = cursor.token
  switch (start.kind) {
    case 'name':
      return nameOrCall(cursor, read)
    case 'int':
      return number(cursor)
    case 'string':
      cursor.advance()
      return { kind: 'string', text: start.text, at: start.at }
    case 'keyword':
      return word(cursor, read)
    case 'symbol':
      return symbol(cursor, read)
    default:
      return cursor.unexpected('an expression', '')
  }
}

function nameOrCall(cursor: Cursor, read: ReadExpression): Expression {
  const start = cursor.token
  const name = cursor.name('a name')
  // `assume safeValue (2 wise) Test` is no call.
  const isCall = cursor.is('(') && !(cursor.peek(1).kind === 'int' && cursor.is('wise', 2))
  if (!isCall) return { kind: 'name', name, at: name.at }
  const args = callArguments(cursor, read)
  return { kind: 'call', callee: name, args, at: cursor.since(start) }
}

function callArguments(cursor: Cursor, read: ReadExpression): readonly Expression[] {
  cursor.expect('(', 'before the arguments')
  if (cursor.accept(')')) return []
  const args = cursor.list(() => read(cursor))
  cursor.expect(')', 'after the arguments')
  return args
}

/** `1.05` is three tokens, because `t.0.1` is five: two accesses. */
function number(cursor: Cursor): Expression {
  const start = cursor.advance()
  if (!cursor.is('.') || cursor.peek(1).kind !== 'int') return { kind: 'int', digits: start.text, at: start.at }
  cursor.advance()
  const digits = `${start.text}.${cursor.advance().text}`
  return { kind: 'float', digits, at: cursor.since(start) }
}

function symbol(cursor: Cursor, read: ReadExpression): Expression {
  const start = cursor.token
  switch (start.text) {
    case '$':
    case '$$':
      cursor.advance()
      return { kind: 'nondet', isFair: start.text === '$$', at: start.at }
    case '(':
      return cursor.nested(() => parenthesised(cursor, read))
    case '.':
      if (cursor.peek(1).kind === 'int') {
        cursor.advance()
        return { kind: 'float', digits: `0.${cursor.advance().text}`, at: cursor.since(start) }
      }
      return cursor.unexpected('an expression', '')
    case '=':
      return cursor.unexpected('an expression', '', 'values are compared with "=="')
    case '[':
      return cursor.unexpected('an expression', '', 'a list has no literal: it begins empty and grows by s += (0, x)')
    default:
      return cursor.unexpected('an expression', '')
  }
}

function word(cursor: Cursor, read: ReadExpression): Expression {
  const start = cursor.token
  const { text, at } = start
  switch (text) {
    case 'true':
    case 'false':
      cursor.advance()
      return { kind: 'bool', value: text === 'true', at }
    case 'null':
    case 'halt':
    case 'this':
      cursor.advance()
      return { kind: text, at }
    case 'sizeof':
    case 'keys':
    case 'values':
      return { kind: text, of: operand(cursor, read), at: cursor.since(start) }
    case 'default': {
      cursor.advance()
      cursor.expect('(', 'after "default"')
      const type = parseType(cursor)
      cursor.expect(')', 'after the type')
      return { kind: 'default', type, at: cursor.since(start) }
    }
    case 'choose':
      return choose(cursor, read)
    case 'format':
      return format(cursor, read)
    case 'new': {
      cursor.advance()
      const creates = cursor.name('the name of a machine')
      const args = callArguments(cursor, read)
      return { kind: 'new', creates, args, at: cursor.since(start) }
    }
    case 'float':
      return floatOfTwo(cursor)
    default:
      return notAnExpression(cursor)
  }
}

/** Built-in functions have one argument. */
function operand(cursor: Cursor, read: ReadExpression): Expression {
  const { text } = cursor.advance()
  if (!cursor.is('('))
    cursor.unexpected('"("', `after "${text}"`, `"${text}" is a word of the language and cannot be a name`)
  cursor.advance()
  const of = read(cursor)
  cursor.expect(')', `after the argument of "${text}"`)
  return of
}

function choose(cursor: Cursor, read: ReadExpression): Expression {
  const start = cursor.advance()
  cursor.expect('(', 'after "choose"')
  if (cursor.accept(')')) return { kind: 'nondet', isFair: false, at: cursor.since(start) }
  const from = read(cursor)
  cursor.expect(')', 'after the argument of "choose"')
  return { kind: 'choose', from, at: cursor.since(start) }
}

function format(cursor: Cursor, read: ReadExpression): Expression {
  const start = cursor.advance()
  cursor.expect('(', 'after "format"')
  const template = cursor.token
  if (template.kind !== 'string') cursor.unexpected('a string between quotes', 'first in "format"')
  cursor.advance()
  const args = cursor.accept(',') ? cursor.list(() => read(cursor)) : []
  cursor.expect(')', 'after the arguments of "format"')
  return { kind: 'format', template: { text: template.text, at: template.at }, args, at: cursor.since(start) }
}

function floatOfTwo(cursor: Cursor): never {
  const { at } = cursor.token
  if (!cursor.is('(', 1)) return notAnExpression(cursor)
  const hint = 'write the number with a dot: 1.05; an int is made a float by "to float"'
  return cursor.fail({ code: 'E709', message: 'float(…) is not a way to write a number', hint, at })
}

function notAnExpression(cursor: Cursor): never {
  const { text } = cursor.token
  return cursor.unexpected('an expression', '', `"${text}" is a word of the language and cannot be a name`)
}

/** `(e)`, `(e,)`, `(e, e)`, `(a = e,)`, `(a = e, b = e)` */
function parenthesised(cursor: Cursor, read: ReadExpression): Expression {
  const start = cursor.advance()
  if (cursor.is('=', 1) && (cursor.token.kind === 'name' || cursor.token.kind === 'keyword'))
    return record(cursor, read, start)
  if (cursor.is(')')) cursor.unexpected('an expression', 'between the parentheses', 'there is no empty tuple')
  const first = read(cursor)
  if (cursor.accept(')')) return first
  if (!cursor.is(','))
    cursor.unexpected('")" or ","', '', 'close the parenthesis, or go on with "," if this is a tuple')
  const items = [first]
  while (cursor.accept(',')) {
    if (cursor.is(')')) endsInComma(cursor, items.length)
    else items.push(read(cursor))
  }
  cursor.expect(')', 'after the tuple')
  return { kind: 'tuple', items, at: cursor.since(start) }
}

function record(cursor: Cursor, read: ReadExpression, start: Token): Expression {
  const fields: { name: ReturnType<Cursor['name']>; value: Expression }[] = []
  let commas = 0
  do {
    if (cursor.is(')')) {
      endsInComma(cursor, fields.length)
      break
    }
    const name = cursor.name('the name of a field')
    cursor.expect('=', `after "${name.text}", and then its value`)
    fields.push({ name, value: read(cursor) })
    if (!cursor.is(',')) break
    commas++
  } while (cursor.accept(','))
  cursor.expect(')', 'after the fields')
  const at = cursor.since(start)
  if (commas === 0) {
    const hint = 'write a comma behind the value: (name = value,); to compare two values write "=="'
    cursor.report({ code: 'E709', message: 'a record with one field is written with a comma', hint, at })
  }
  return { kind: 'record', fields, at }
}

/** Only what has one part ends in a comma, so that it is not taken for an expression in parentheses. */
function endsInComma(cursor: Cursor, parts: number): void {
  if (parts === 1) return
  const { at } = cursor.previous
  cursor.report({ code: 'E709', message: 'only a tuple with one part ends in a comma', hint: 'remove the comma', at })
}
