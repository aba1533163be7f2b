/** Statements that have no statements inside of them. */
import { nearestName } from '../../core/did-you-mean.ts'
import type { Expression, Statement, Target } from './ast.ts'
import { assigning, type Cursor } from './cursor.ts'
import type { Token } from './lexer.ts'
import { parseArguments, parseExpression, parseParts } from './parse-expression.ts'
import { formerWords, statementWords } from './words.ts'

export function parseSimpleStatement(cursor: Cursor): Statement {
  const start = cursor.token
  if (start.kind === 'name') return assignmentOrCall(cursor)
  const word = start.kind === 'keyword' || start.kind === 'symbol' ? start.text : ''
  const read = Object.hasOwn(readers, word) ? readers[word] : undefined
  if (read === undefined) return notAStatement(cursor)
  cursor.advance()
  return read(cursor, start)
}

type Reader = (cursor: Cursor, start: Token) => Statement

/** Each reads what follows on its word. */
const readers: Readonly<Record<string, Reader>> = {
  ';': (_, start) => ({ kind: 'empty', at: start.at }),
  assert: (cursor, start) => claim(cursor, start, 'assert'),
  assume: (cursor, start) => claim(cursor, start, 'assume'),
  print: (cursor, start) => {
    const message = parseExpression(cursor)
    cursor.expectSemicolon('after "print"')
    return { kind: 'print', message, at: cursor.since(start) }
  },
  return: (cursor, start) => {
    const value = cursor.is(';') || cursor.is('}') ? undefined : parseExpression(cursor)
    cursor.expectSemicolon('after "return"')
    return { kind: 'return', value, at: cursor.since(start) }
  },
  break: (cursor, start) => jump(cursor, start, 'break'),
  continue: (cursor, start) => jump(cursor, start, 'continue'),
  new: (cursor, start) => {
    const creates = cursor.name('the name of a machine')
    cursor.expect('(', 'before the arguments')
    const args = parseArguments(cursor)
    cursor.expectSemicolon('after "new"')
    return { kind: 'new', creates, args, at: cursor.since(start) }
  },
  send: (cursor, start) => {
    const to = parseExpression(cursor)
    cursor.expect(',', 'between the machine and the event')
    const event = parseExpression(cursor)
    const args = payload(cursor, 'send')
    return { kind: 'send', to, event, args, at: cursor.since(start) }
  },
  raise: (cursor, start) => eventStatement(cursor, start, 'raise'),
  announce: (cursor, start) => eventStatement(cursor, start, 'announce'),
  goto: (cursor, start) => {
    const state = cursor.name('the name of a state')
    const args = payload(cursor, 'goto')
    return { kind: 'goto', state, args, at: cursor.since(start) }
  },
}

function claim(cursor: Cursor, start: Token, kind: 'assert' | 'assume'): Statement {
  const condition = parseExpression(cursor)
  if (cursor.is('=')) {
    const { at } = cursor.token
    cursor.fail({ code: 'E709', message: 'values are compared with "==", and "=" assigns', hint: 'write "=="', at })
  }
  const message = cursor.accept(',') ? parseExpression(cursor) : undefined
  cursor.expectSemicolon(`after "${kind}"`)
  return { kind, condition, message, at: cursor.since(start) }
}

function jump(cursor: Cursor, start: Token, kind: 'break' | 'continue'): Statement {
  cursor.expectSemicolon(`after "${kind}"`)
  return { kind, at: cursor.since(start) }
}

function eventStatement(cursor: Cursor, start: Token, kind: 'raise' | 'announce'): Statement {
  const event = parseExpression(cursor)
  const args = payload(cursor, kind)
  return { kind, event, args, at: cursor.since(start) }
}

function payload(cursor: Cursor, word: string): readonly Expression[] {
  const args = cursor.accept(',') ? cursor.list(() => parseExpression(cursor)) : []
  cursor.expectSemicolon(`after "${word}"`)
  return args
}

function assignmentOrCall(cursor: Cursor): Statement {
  const start = cursor.token
  refuseFormerWord(cursor)
  if (cursor.peek(1).kind === 'name' && (start.text === 'let' || start.text === 'const')) {
    const hint = `declare it at the beginning of the body, "var ${cursor.peek(1).text}: int;", and assign it here`
    cursor.fail({ code: 'E702', message: `P has no "${start.text}"`, hint, at: start.at })
  }
  const name = cursor.name('a name')
  if (cursor.accept('(')) {
    const args = parseArguments(cursor)
    if (cursor.is('{')) misspelt(cursor, start)
    cursor.expectSemicolon('after the call')
    return { kind: 'call', callee: name, args, at: cursor.since(start) }
  }
  const target = parseParts(cursor, start, { kind: 'name', name, at: name.at })
  if (cursor.accept('=')) {
    const value = parseExpression(cursor)
    cursor.expectSemicolon('after the assignment')
    return { kind: 'assign', target, value, at: cursor.since(start) }
  }
  if (cursor.accept('+=')) return insertion(cursor, start, target)
  if (cursor.accept('-=')) {
    const key = parseExpression(cursor)
    cursor.expectSemicolon('after the removal')
    return { kind: 'remove', target, key, at: cursor.since(start) }
  }
  return notAnAssignment(cursor, start)
}

/** `s += (x)` adds to a set, `s += (k, x)` inserts into a list or a map. */
function insertion(cursor: Cursor, start: Token, target: Target): Statement {
  if (!cursor.is('(')) {
    cursor.unexpected('"("', 'after "+="', 'collections grow by s += (x) or m += (k, x); a number by n = n + 1')
  }
  const open = cursor.advance()
  if (cursor.is('=', 1)) ownParentheses(cursor, open)
  const first = parseExpression(cursor)
  const second = cursor.accept(',') ? parseExpression(cursor) : undefined
  if (second !== undefined && cursor.is(',')) ownParentheses(cursor, open)
  cursor.expect(')', 'after what is inserted')
  cursor.expectSemicolon('after the insertion')
  const at = cursor.since(start)
  return second === undefined
    ? { kind: 'add', target, value: first, at }
    : { kind: 'insert', target, key: first, value: second, at }
}

function ownParentheses(cursor: Cursor, open: Token): never {
  const hint = 'write s += ((a, b)) for a set, s += (i, (a, b)) for a list or a map'
  return cursor.fail({
    code: 'E709',
    message: 'a tuple that is inserted has parentheses of its own',
    hint,
    at: open.at,
  })
}

function notAnAssignment(cursor: Cursor, start: Token): never {
  const { kind, text, at } = cursor.token
  const isWord = cursor.previous === start && (kind === 'name' || kind === 'keyword' || kind === 'int' || text === ';')
  if (isWord) misspelt(cursor, start)
  if (kind === 'symbol' && text === '==') {
    cursor.fail({ code: 'E709', message: '"==" compares, and "=" assigns', hint: 'write "="', at })
  }
  if (kind === 'symbol' && (text === '+' || text === '-')) {
    cursor.unexpected('"="', 'after the variable', `a number is counted by ${start.text} = ${start.text} ${text} 1`)
  }
  const isMethod = cursor.is('(')
  return cursor.unexpected(
    '"=", "+=" or "-="',
    'after the variable',
    isMethod
      ? 'P has no methods: a list grows by s += (sizeof(s), x), a set by s += (x), and a map by m += (k, x)'
      : 'a statement assigns, inserts, removes, calls, or begins with a word',
  )
}

/** A name where a word of the language is likely meant. */
function misspelt(cursor: Cursor, start: Token): void {
  const near = nearestName(start.text, statementWords)
  if (near === undefined) return
  const message = `"${start.text}" does not begin a statement`
  cursor.fail({ code: 'E702', message, hint: `did you mean "${near}"?`, at: start.at })
}

/** Words of older P, unless they are plainly names. */
export function refuseFormerWord(cursor: Cursor): void {
  const { text, at } = cursor.token
  const hint = formerWords.get(text)
  const next = cursor.peek(1)
  const isName = next.kind === 'symbol' && next.text !== ';'
  if (hint === undefined || isName) return
  cursor.fail({ code: 'E705', message: `"${text}" is gone from the language`, hint, at })
}

function notAStatement(cursor: Cursor): never {
  const { kind, text, at } = cursor.token
  const isVariable = kind === 'keyword' && assigning.some((symbol) => cursor.is(symbol, 1))
  const hint = `words of the language cannot be names: choose another, such as ${text}_`
  if (isVariable)
    cursor.fail({ code: 'E704', message: `"${text}" is a word of the language, and no variable`, hint, at })
  if (text === 'else') cursor.unexpected('a statement', '', 'an "else" follows directly on the branch of its "if"')
  return cursor.unexpected('a statement', '')
}
