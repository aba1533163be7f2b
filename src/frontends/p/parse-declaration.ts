/** The declarations of a file. */
import type { Declaration } from './ast.ts'
import type { Cursor } from './cursor.ts'
import { parseFunction, parseMachine, parseMonitor } from './parse-machine.ts'
import { parseImplementation, parseModule, parseTest } from './parse-module.ts'
import { parseEventNames, parseNames } from './parse-names.ts'
import { refuseFormerWord } from './parse-simple-statement.ts'
import { parseType } from './parse-type.ts'
import { topWords } from './words.ts'

export function parseDeclaration(cursor: Cursor): Declaration {
  const { kind, text } = cursor.token
  const read = kind === 'keyword' && Object.hasOwn(readers, text) ? readers[text] : undefined
  return read === undefined ? notADeclaration(cursor) : read(cursor)
}

const readers: Readonly<Record<string, (cursor: Cursor) => Declaration>> = {
  type: typeDeclaration,
  enum: enumDeclaration,
  event: eventDeclaration,
  eventset: eventSet,
  interface: interfaceDeclaration,
  machine: parseMachine,
  spec: (cursor) => parseMonitor(cursor, 'spec'),
  scenario: (cursor) => parseMonitor(cursor, 'scenario'),
  fun: parseFunction,
  param: testParameter,
  module: moduleDeclaration,
  test: parseTest,
  implementation: parseImplementation,
}

function typeDeclaration(cursor: Cursor): Declaration {
  const start = cursor.advance()
  const name = cursor.name('the name of the type')
  const type = cursor.accept('=') ? parseType(cursor) : undefined
  cursor.expectSemicolon('after the type')
  return { kind: 'type', name, type, at: cursor.since(start) }
}

function enumDeclaration(cursor: Cursor): Declaration {
  const start = cursor.advance()
  const name = cursor.name('the name of the enum')
  cursor.expect('{', `after "${name.text}"`)
  const elements = cursor.list(() => {
    const first = cursor.token
    const element = cursor.name('the name of an element')
    const value = cursor.accept('=') ? enumValue(cursor) : undefined
    return { name: element, value, at: cursor.since(first) }
  })
  cursor.expect('}', 'after the elements')
  const at = cursor.since(start)
  const odd = elements.find(({ value }) => (value === undefined) !== (elements[0]?.value === undefined))
  if (odd !== undefined) {
    const hint = 'give each of them a number, or none'
    cursor.report({
      code: 'E702',
      message: 'some elements of the enum have numbers, others have none',
      hint,
      at: odd.at,
    })
  }
  return { kind: 'enum', name, elements, at }
}

function enumValue(cursor: Cursor): string {
  if (cursor.token.kind !== 'int')
    cursor.unexpected('a number', 'after "="', 'elements have numbers from 0 on, without sign')
  return cursor.advance().text
}

function eventDeclaration(cursor: Cursor): Declaration {
  const start = cursor.advance()
  const name = cursor.name('the name of the event')
  skipBound(cursor)
  const payload = cursor.accept(':') ? parseType(cursor) : undefined
  skipBound(cursor)
  cursor.expectSemicolon('after the event')
  return { kind: 'event', name, payload, at: cursor.since(start) }
}

/** `assert 1` and `assume 1` once bounded how many instances of an event could wait in an inbox. */
function skipBound(cursor: Cursor): void {
  if (!cursor.is('assert') && !cursor.is('assume')) return
  const { text, at } = cursor.advance()
  if (!cursor.legacy) {
    const hint = 'leave it out, or read the program as older P with --p-legacy, which ignores it'
    cursor.report({ code: 'E705', message: `bounds of events ("${text} n") are gone from the language`, hint, at })
  }
  if (cursor.token.kind !== 'int') cursor.unexpected('a number', `after "${text}"`)
  cursor.advance()
}

function eventSet(cursor: Cursor): Declaration {
  const start = cursor.advance()
  const name = cursor.name('the name of the set')
  cursor.expect('=', `after "${name.text}"`)
  cursor.expect('{', 'before the events')
  const events = parseEventNames(cursor, 'not null')
  cursor.expect('}', 'after the events')
  cursor.expectSemicolon('after the set')
  return { kind: 'eventset', name, events, at: cursor.since(start) }
}

function interfaceDeclaration(cursor: Cursor): Declaration {
  const start = cursor.advance()
  const name = cursor.name('the name of the interface')
  cursor.expect('(', `after "${name.text}"`)
  const payload = cursor.is(')') ? undefined : parseType(cursor)
  cursor.expect(')', 'after the type of the payload')
  cursor.expect('receives', 'after the payload of the interface')
  const receives = cursor.is(';') ? [] : parseEventNames(cursor, 'not null')
  cursor.expectSemicolon('after the interface')
  return { kind: 'interface', name, payload, receives, at: cursor.since(start) }
}

function testParameter(cursor: Cursor): Declaration {
  const start = cursor.advance()
  const names = parseNames(cursor, 'the name of a parameter')
  cursor.expect(':', 'after the names, and then the type')
  const type = parseType(cursor)
  cursor.expectSemicolon('after the parameter')
  return { kind: 'param', names, type, at: cursor.since(start) }
}

function moduleDeclaration(cursor: Cursor): Declaration {
  const start = cursor.advance()
  const name = cursor.name('the name of the module')
  cursor.expect('=', `after "${name.text}"`)
  const module = parseModule(cursor)
  cursor.expectSemicolon('after the module')
  return { kind: 'module', name, module, at: cursor.since(start) }
}

function notADeclaration(cursor: Cursor): never {
  const { kind, text, at } = cursor.token
  if (kind === 'symbol' && text === '}') {
    const hint = 'remove it, or look for a "{" that is missing before'
    cursor.fail({ code: 'E703', message: 'this "}" closes nothing', hint, at })
  }
  if (cursor.isMachineItem() || cursor.isStateItem() || cursor.is('var')) {
    const home = cursor.isStateItem() ? 'a state' : 'a machine'
    const hint = `it stands in ${home}; is a "}" too many before it?`
    cursor.fail({ code: 'E703', message: `"${text}" does not begin a declaration`, hint, at })
  }
  if (kind === 'name') refuseFormerWord(cursor)
  if (kind === 'keyword' && text === 'main' && cursor.is('machine', 1)) {
    const hint = 'leave the word out, and say it in a test: test Name [main=Machine]: { Machine };'
    cursor.fail({ code: 'E705', message: '"main machine" is gone from the language', hint, at })
  }
  return cursor.unexpected('a declaration', '', `declarations begin with ${topWords.join(', ')}`, topWords)
}
