/** Module expressions, and the tests and implementations made of them. */
import type { Expression, ModuleExpression, Name, TestDeclaration, TestParameter } from './ast.ts'
import type { Cursor } from './cursor.ts'
import type { Token } from './lexer.ts'
import { parseExpression } from './parse-expression.ts'
import { parseEventNames, parseNames } from './parse-names.ts'

export function parseModule(cursor: Cursor): ModuleExpression {
  return cursor.nested(() => moduleExpression(cursor))
}

function moduleExpression(cursor: Cursor): ModuleExpression {
  const start = cursor.token
  if (start.kind === 'name') return { kind: 'name', name: cursor.name('a module'), at: start.at }
  switch (start.kind === 'keyword' || start.kind === 'symbol' ? start.text : '') {
    case '(': {
      cursor.advance()
      const module = parseModule(cursor)
      cursor.expect(')', 'after the module')
      return module
    }
    case '{':
      return bindings(cursor)
    case 'compose':
      return several(cursor, 'compose')
    case 'union':
      return several(cursor, 'union')
    case 'hidee': {
      cursor.advance()
      const names = parseEventNames(cursor, 'not null')
      return { kind: 'hideEvents', names, in: inModule(cursor), at: cursor.since(start) }
    }
    case 'hidei': {
      cursor.advance()
      const names = parseNames(cursor, 'the name of an interface')
      return { kind: 'hideInterfaces', names, in: inModule(cursor), at: cursor.since(start) }
    }
    case 'assert': {
      cursor.advance()
      const monitors = parseNames(cursor, 'the name of a spec')
      return { kind: 'assert', monitors, in: inModule(cursor), at: cursor.since(start) }
    }
    case 'rename':
      return rename(cursor)
    case 'main': {
      cursor.advance()
      const machine = cursor.name('the name of a machine')
      return { kind: 'main', machine, in: inModule(cursor), at: cursor.since(start) }
    }
    default:
      return cursor.unexpected(
        'a module',
        '',
        'modules are names, { Machine, … }, union a, b, assert Spec in m and the like',
      )
  }
}

function inModule(cursor: Cursor): ModuleExpression {
  cursor.expect('in', 'before the module')
  return parseModule(cursor)
}

function rename(cursor: Cursor): ModuleExpression {
  const start = cursor.advance()
  const from = cursor.name('the name of an interface')
  cursor.expect('to', 'between the names')
  const to = cursor.name('the name of an interface')
  return { kind: 'rename', from, to, in: inModule(cursor), at: cursor.since(start) }
}

/** Of two and more. */
function several(cursor: Cursor, kind: 'compose' | 'union'): ModuleExpression {
  const start = cursor.advance()
  const modules = [parseModule(cursor)]
  cursor.expect(',', `between the modules of "${kind}", which are two or more`)
  modules.push(...cursor.list(() => parseModule(cursor)))
  return { kind, modules, at: cursor.since(start) }
}

function bindings(cursor: Cursor): ModuleExpression {
  const start = cursor.advance()
  const all = cursor.list(() => {
    const first = cursor.token
    const machine = cursor.name('the name of a machine')
    const as = cursor.accept('->') ? cursor.name('the name of an interface') : machine
    return { machine, as, at: cursor.since(first) }
  })
  cursor.expect('}', 'after the machines of the module')
  return { kind: 'bind', bindings: all, at: cursor.since(start) }
}

export function parseTest(cursor: Cursor): TestDeclaration {
  const start = cursor.advance()
  const params = cursor.accept('param') ? testParameters(cursor) : []
  const assume = cursor.accept('assume') ? parseExpression(cursor) : undefined
  const wise = howWise(cursor)
  const name = cursor.name('the name of the test')
  if (!cursor.is('[')) {
    const hint = `say which machine is created first: test ${name.text} [main=Machine]: …`
    cursor.unexpected('"["', 'after the name of the test', hint)
  }
  const main = mainMachine(cursor)
  colon(cursor, 'test')
  const module = parseModule(cursor)
  const refines = cursor.accept('refines') ? parseModule(cursor) : undefined
  cursor.expectSemicolon('after the test')
  return { kind: 'test', name, main, module, refines, params, assume, wise, at: cursor.since(start) }
}

export function parseImplementation(cursor: Cursor): TestDeclaration {
  const start: Token = cursor.advance()
  const name = cursor.name('the name of the implementation')
  const main = cursor.is('[') ? mainMachine(cursor) : undefined
  colon(cursor, 'implementation')
  const module = parseModule(cursor)
  cursor.expectSemicolon('after the implementation')
  const nothing = { refines: undefined, params: [], assume: undefined, wise: undefined }
  return { kind: 'implementation', name, main, module, ...nothing, at: cursor.since(start) }
}

/** `[main=M]` */
function mainMachine(cursor: Cursor): Name {
  cursor.expect('[', '')
  cursor.expect('main', 'between the brackets')
  cursor.expect('=', 'after "main"')
  const name = cursor.name('the name of a machine')
  cursor.expect(']', 'after the name of the machine')
  return name
}

function colon(cursor: Cursor, what: string): void {
  if (cursor.accept(':')) return
  const beginsModule = ['{', '(', 'union', 'compose', 'assert', 'main', 'hidee', 'hidei', 'rename', '='].some((text) =>
    cursor.is(text),
  )
  if (!beginsModule && cursor.token.kind !== 'name') cursor.unexpected('":"', `in a ${what}`)
  const { at } = cursor.token
  const hint = `${what} Name [main=Machine]: { Machine };`
  cursor.report({ code: 'E709', message: `":" is missing before the module of the ${what}`, hint, at })
  cursor.accept('=')
}

/** `(a in [1, 2], b in [true])` */
function testParameters(cursor: Cursor): readonly TestParameter[] {
  cursor.expect('(', 'after "param"')
  const params = cursor.list(() => {
    const start = cursor.token
    const name = cursor.name('the name of a parameter')
    cursor.expect('in', `after "${name.text}"`)
    cursor.expect('[', 'before the values')
    const values = cursor.list(() => literal(cursor))
    cursor.expect(']', 'after the values')
    return { name, values, at: cursor.since(start) }
  })
  cursor.expect(')', 'after the parameters')
  return params
}

function literal(cursor: Cursor): Expression {
  const start = cursor.token
  const { text, at } = start
  if (cursor.accept('true') || cursor.accept('false')) return { kind: 'bool', value: text === 'true', at }
  const isNegative = cursor.accept('-')
  const number = cursor.token
  if (number.kind !== 'int') cursor.unexpected('a number or true or false', 'as value of a parameter')
  cursor.advance()
  const of: Expression = { kind: 'int', digits: number.text, at: number.at }
  return isNegative ? { kind: 'unary', operator: '-', of, at: cursor.since(start) } : of
}

/** `pairwise` is `(2 wise)`. */
function howWise(cursor: Cursor): number | undefined {
  if (cursor.accept('pairwise')) return 2
  if (!cursor.accept('(')) return undefined
  const number = cursor.token
  if (number.kind !== 'int') cursor.unexpected('a number', 'before "wise"')
  cursor.advance()
  cursor.expect('wise', 'after the number')
  cursor.expect(')', 'after "wise"')
  return Number(number.text)
}
