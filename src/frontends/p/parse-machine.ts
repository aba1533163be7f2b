/** Machines and monitors, their states, and functions. */
import type {
  EventName,
  FunctionDeclaration,
  HandlerFunction,
  MachineDeclaration,
  MachineItem,
  Name,
  StateDeclaration,
  StateItem,
  TypeNode,
} from './ast.ts'
import type { Cursor } from './cursor.ts'
import { parseEventNames, parseVariables } from './parse-names.ts'
import { refuseFormerWord } from './parse-simple-statement.ts'
import { parseBody, parseHandler } from './parse-statement.ts'
import { parseType, parseTypedNames } from './parse-type.ts'

export function parseMachine(cursor: Cursor): MachineDeclaration {
  const start = cursor.advance()
  const name = cursor.name('the name of the machine')
  let receives: readonly EventName[] | undefined
  let sends: readonly EventName[] | undefined
  while (cursor.is('receives') || cursor.is('sends')) {
    const { text } = cursor.advance()
    const events = cursor.is(';') ? [] : parseEventNames(cursor, 'not null')
    cursor.expectSemicolon('after the events')
    if (text === 'receives') receives = [...(receives ?? []), ...events]
    else sends = [...(sends ?? []), ...events]
  }
  if (cursor.is('observes')) {
    cursor.unexpected('"{"', 'after the name of the machine', 'a machine that observes is a spec: spec Name observes …')
  }
  const items = machineBody(cursor)
  return { kind: 'machine', name, receives, sends, observes: [], items, at: cursor.since(start) }
}

export function parseMonitor(cursor: Cursor, kind: 'spec' | 'scenario'): MachineDeclaration {
  const start = cursor.advance()
  const name = cursor.name(`the name of the ${kind}`)
  if (!cursor.is('observes')) {
    cursor.unexpected(
      '"observes"',
      `after the name of the ${kind}`,
      `${kind} ${name.text} observes event1, event2 { … }`,
    )
  }
  cursor.advance()
  const observes = parseEventNames(cursor, 'not null')
  const items = machineBody(cursor)
  return { kind, name, receives: undefined, sends: undefined, observes, items, at: cursor.since(start) }
}

function machineBody(cursor: Cursor): readonly MachineItem[] {
  const open = cursor.expect('{', 'before the body of the machine')
  return cursor.block(
    open,
    () => cursor.isTopDeclaration() && !cursor.is('fun'),
    () => machineItem(cursor),
  )
}

function machineItem(cursor: Cursor): MachineItem {
  const start = cursor.token
  if (cursor.is('var')) {
    const { names, type } = parseVariables(cursor, 'a variable')
    return { kind: 'variables', names, type, at: cursor.since(start) }
  }
  if (cursor.is('fun')) return parseFunction(cursor)
  if (cursor.isOneOf(['start', 'hot', 'cold', 'state'])) return parseState(cursor)
  if (start.kind === 'name') refuseFormerWord(cursor)
  if (cursor.isStateItem()) {
    cursor.unexpected(
      '"var", "fun" or "state"',
      'in a machine',
      `"${start.text}" stands in a state; is a "}" too many before it?`,
    )
  }
  return cursor.unexpected('"var", "fun", "start", "hot", "cold" or "state"', 'in a machine')
}

function parseState(cursor: Cursor): StateDeclaration {
  const start = cursor.token
  const isStart = cursor.accept('start')
  const temperature = cursor.is('hot') ? 'hot' : cursor.is('cold') ? 'cold' : undefined
  if (temperature !== undefined) cursor.advance()
  if (cursor.is('start')) {
    cursor.unexpected('"state"', '', `write "start" first: start ${temperature ?? ''} state Name { … }`)
  }
  cursor.expect('state', 'after what is said about it')
  const name = cursor.name('the name of the state')
  const open = cursor.expect('{', `after "${name.text}"`)
  const items = cursor.block(
    open,
    () => cursor.isTopDeclaration() || cursor.isMachineItem(),
    () => stateItem(cursor),
  )
  return { kind: 'state', name, isStart, temperature, items, at: cursor.since(start) }
}

function stateItem(cursor: Cursor): StateItem {
  const start = cursor.token
  const word = start.kind === 'keyword' ? start.text : ''
  switch (word) {
    case 'entry':
    case 'exit': {
      cursor.advance()
      const handler = handlerFunction(cursor)
      if (word === 'exit') noParameter(cursor, handler)
      return { kind: word, function: handler, at: cursor.since(start) }
    }
    case 'defer':
    case 'ignore': {
      cursor.advance()
      const events = parseEventNames(cursor, 'not null')
      cursor.expectSemicolon('after the events')
      return { kind: word, events, at: cursor.since(start) }
    }
    case 'on':
      return onItem(cursor)
    default:
      if (start.kind === 'name') refuseFormerWord(cursor)
      return cursor.unexpected('"entry", "exit", "on", "defer" or "ignore"', 'in a state')
  }
}

function noParameter(cursor: Cursor, handler: HandlerFunction): void {
  const param = handler.kind === 'written' ? handler.body.params[0] : undefined
  if (param === undefined) return
  cursor.report({ code: 'E702', message: 'an exit function has no parameter', hint: 'remove it', at: param.at })
}

function onItem(cursor: Cursor): StateItem {
  const start = cursor.advance()
  const events = parseEventNames(cursor, 'or null')
  if (cursor.accept('do')) {
    const handler = handlerFunction(cursor)
    return { kind: 'do', events, function: handler, at: cursor.since(start) }
  }
  if (cursor.token.kind === 'name') refuseFormerWord(cursor)
  if (!cursor.is('goto')) cursor.unexpected('"do" or "goto"', 'after the events')
  cursor.advance()
  const state = cursor.name('the name of a state')
  if (cursor.accept('with')) {
    const handler = handlerFunction(cursor)
    return { kind: 'goto', events, state, with: handler, at: cursor.since(start) }
  }
  cursor.expectSemicolon('after the name of the state')
  return { kind: 'goto', events, state, with: undefined, at: cursor.since(start) }
}

/** The name of a function, or its parameter and its body. */
function handlerFunction(cursor: Cursor): HandlerFunction {
  if (cursor.is('{') || cursor.is('(')) return { kind: 'written', body: parseHandler(cursor) }
  const name = cursor.name('the name of a function or "{"')
  cursor.expectSemicolon('after the name of the function')
  return { kind: 'named', name }
}

export function parseFunction(cursor: Cursor): FunctionDeclaration {
  const start = cursor.advance()
  const name = cursor.name('the name of the function')
  const open = cursor.expect('(', `after "${name.text}"`)
  const params = cursor.is(')') ? [] : parseTypedNames(cursor, 'the name of a parameter')
  cursor.expect(')', 'after the parameters')
  const returns = cursor.accept(':') ? parseType(cursor) : undefined
  if (cursor.is('{')) {
    const body = parseBody(cursor, params, open)
    return { kind: 'function', name, params, returns, body, creates: [], at: cursor.since(start) }
  }
  const foreign = foreignEnd(cursor, returns)
  return { kind: 'function', name, params, body: undefined, ...foreign, at: cursor.since(start) }
}

/** What stands behind the parameters of a function that is written elsewhere. */
function foreignEnd(
  cursor: Cursor,
  declared: TypeNode | undefined,
): { readonly returns: TypeNode | undefined; readonly creates: readonly Name[] } {
  if (declared === undefined && cursor.accept('return')) {
    cursor.expect('(', 'after "return"')
    const [result] = parseTypedNames(cursor, 'the name of the result')
    cursor.expect(')', 'after the type of the result')
    cursor.expectSemicolon('after the function')
    if (cursor.token.kind === 'verifier') cursor.unexpected('a declaration', '')
    return { returns: result?.type, creates: [] }
  }
  const creates = cursor.accept('creates') ? [cursor.name('the name of an interface')] : []
  if (!cursor.is(';') && !cursor.token.isFirstOfLine) {
    cursor.unexpected('"{" or ";"', 'after the head of the function', 'a type that is returned stands behind ":"')
  }
  cursor.expectSemicolon('after a function without body')
  return { returns: declared, creates }
}
