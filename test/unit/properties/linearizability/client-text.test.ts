import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Diagnostic } from '../../../../src/core/diagnostic.ts'
import { suggestion } from '../../../../src/core/did-you-mean.ts'
import { sameToTheEye, type Value } from '../../../../src/core/value.ts'
import { type Client, callCount, valueArgument } from '../../../../src/properties/linearizability/client.ts'
import {
  type ParseClientOptions,
  parseClient,
  printClient,
} from '../../../../src/properties/linearizability/client-text.ts'

function parsed(text: string): Client {
  const result = parseClient(text)
  if (!result.ok) throw new Error(result.diagnostics.map(({ message, frame }) => `${message}\n${frame}`).join('\n'))
  return result.value
}

function mistakes(text: string, options?: ParseClientOptions): readonly Diagnostic[] {
  const result = parseClient(text, options)
  return result.ok ? [] : result.diagnostics
}

const call = (operation: string, ...values: readonly Value[]) => ({ operation, args: values.map(valueArgument) })

describe('reading', () => {
  test('processes stand in braces with || between them, their calls with ; between them', () => {
    const client = parsed('{ push(1) } || { push(2); pop() } || { pop() }')
    expect(client).toEqual({ processes: [[call('push', 1)], [call('push', 2), call('pop')], [call('pop')]] })
    expect(callCount(client)).toBe(4)
  })

  test('white space, line breaks and a last semicolon do not matter', () => {
    expect(parsed('\n{push(1);pop();}||\n\t{ pop( ) ; }\n')).toEqual({
      processes: [[call('push', 1), call('pop')], [call('pop')]],
    })
  })

  test('calls in brackets before the processes are the setup', () => {
    expect(parsed('[ put(0, 1); put(1, 2) ] { remove(0) } || { get(0) }')).toEqual({
      setup: [call('put', 0, 1), call('put', 1, 2)],
      processes: [[call('remove', 0)], [call('get', 0)]],
    })
  })

  test('$1 is the result of the first call of the same process, numbered 0', () => {
    const [calls] = parsed('{ acquire(); acquire(); release($2, $1) } || { acquire() }').processes
    expect(calls?.[2]?.args).toEqual([
      { kind: 'result', call: 1 },
      { kind: 'result', call: 0 },
    ])
  })

  test.each<[string, Value]>([
    ['-1', -1],
    ['+1.5e-3', 0.0015],
    ['.5', 0.5],
    ['5.', 5],
    ['-0', -0],
    ['-0x1F', -31],
    ['1n', 1n],
    ['-12345678901234567890n', -12345678901234567890n],
    ['NaN', Number.NaN],
    ['-Infinity', Number.NEGATIVE_INFINITY],
    ['true', true],
    ['null', null],
    ['undefined', undefined],
    [`'it"s'`, 'it"s'],
    [`"it's"`, "it's"],
    [`'a\\n\\t\\\\\\'\\x41\\u0042\\u{1F600}\\q\\0'`, "a\n\t\\'AB😀q\0"],
    ['"} || { pop() }"', '} || { pop() }'],
    ['[1, [2, ], ]', [1, [2]]],
    [`{ a: 1, 'b c': [2], 3: { __proto__: 4 }, }`, { a: 1, 'b c': [2], 3: JSON.parse('{ "__proto__": 4 }') }],
    ['new Map([["a", 1]])', new Map([['a', 1]])],
    ['new Set([1, 2])', new Set([1, 2])],
    ['new Set()', new Set()],
  ])('%s is a value', (text, value) => {
    const argument = parsed(`{ f(${text}) }`).processes[0]?.[0]?.args[0]
    expect(argument?.kind === 'value' && sameToTheEye(argument.value, value)).toBe(true)
  })

  test('names that are no identifiers stand in quotes', () => {
    expect(parsed('{ "get-all"() }').processes[0]?.[0]?.operation).toBe('get-all')
    expect(printClient(parsed(`{ 'get-all'() }`))).toBe('{ "get-all"() }')
  })
})

describe('printing', () => {
  test('puts every value into text that a shell takes in single quotes', () => {
    const values = [1, -0, 'a"b', 2n, [null, undefined], { a: 1, 'b c': true }, new Map([[1, 2]]), new Set(['x'])]
    expect(printClient({ setup: [call('init')], processes: [[call('f', ...values)], [call('g')]] })).toBe(
      '[ init() ] { f(1, -0, "a\\"b", 2n, [null, undefined], {a: 1, "b c": true}, new Map([[1, 2]]), new Set(["x"])) } || { g() }',
    )
  })

  const value = fc.letrec<{ value: Value }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom<Value>(undefined, null, true, false, Number.NaN, -0),
      fc.double(),
      fc.integer(),
      fc.bigInt(),
      fc.string({ unit: 'binary' }),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.string(), tie('value'), { maxKeys: 3, noNullPrototype: true }),
      fc.array(tie('value'), { maxLength: 3 }).map((items) => new Set(items)),
      fc.array(fc.tuple(tie('value'), tie('value')), { maxLength: 3 }).map((items) => new Map(items)),
    ),
  })).value
  const name = fc.oneof(fc.constantFrom('push', 'pop', '$f', '_', 'größe'), fc.string())
  const calls = fc
    .array(fc.tuple(name, fc.array(fc.oneof(value.map(valueArgument), fc.nat({ max: 9 })), { maxLength: 3 })), {
      minLength: 1,
      maxLength: 4,
    })
    .map((list) =>
      list.map(([operation, args], at) => ({
        operation,
        args: args.map((argument) =>
          typeof argument !== 'number'
            ? argument
            : at === 0
              ? valueArgument(argument)
              : { kind: 'result' as const, call: argument % at },
        ),
      })),
    )
  const clients: fc.Arbitrary<Client> = fc
    .tuple(fc.option(calls, { nil: undefined }), fc.array(calls, { minLength: 1, maxLength: 3 }))
    .map(([setup, processes]) => (setup === undefined ? { processes } : { setup, processes }))

  test('is undone by reading', () => {
    fc.assert(
      fc.property(clients, (client) => sameToTheEye(parsed(printClient(client)), client)),
      { numRuns: 2000, seed: 7 },
    )
  })
})

const looksLike = 'a client looks like { push(1) } || { push(2); pop() }'

/** Message, frame and hint on lines of their own. */
function shown(text: string, options?: ParseClientOptions): string {
  return mistakes(text, options)
    .map(({ message, frame, hint }) => [message, frame, ...(hint === undefined ? [] : [`hint: ${hint}`])].join('\n'))
    .join('\n')
}

describe('mistakes', () => {
  test('are E306 with the place, if the text has a name', () => {
    expect(mistakes('{ push(1) } ||\n{ pop( }', { file: '--client' })).toEqual([
      {
        code: 'E306',
        message: 'the client cannot be read: expected a value, found }',
        place: { file: '--client', line: 2, column: 8 },
        frame: '2 | { pop( }\n           ^',
        hint: looksLike,
      },
    ])
  })

  test('unknown operations are all named, each with what it may have meant', () => {
    const options = { operations: ['push', 'pop', 'peek'], suggest: suggestion }
    expect(shown('{ pusch(1); pop() } || { clear() }', options)).toBe(
      [
        'there is no operation pusch',
        '{ pusch(1); pop() } || { clear() }',
        '  ^',
        'hint: did you mean "push"?',
        'there is no operation clear',
        '{ pusch(1); pop() } || { clear() }',
        '                         ^',
        'hint: operations: push, pop, peek',
      ].join('\n'),
    )
  })

  test('a result can only be used by later calls of its process', () => {
    expect(shown('{ release($1); acquire(); acquire(); release($4) } || { release($0) }')).toBe(
      [
        '$1 is not the result of an earlier call of this process',
        '{ release($1); acquire(); acquire(); release($4) } || { release($0) }',
        '          ^',
        'hint: the first call has no earlier ones',
        '$4 is not the result of an earlier call of this process',
        '{ release($1); acquire(); acquire(); release($4) } || { release($0) }',
        '                                             ^',
        'hint: earlier results are $1 to $3',
        '$0 is not the result of an earlier call of this process',
        '{ release($1); acquire(); acquire(); release($4) } || { release($0) }',
        '                                                                ^',
        'hint: the first call has no earlier ones',
      ].join('\n'),
    )
  })

  test.each([
    ['', 'it is empty', '^', looksLike],
    ['push(1)', 'expected { at the beginning of a process, found push', '^', looksLike],
    ['{ }', 'a process makes at least one call', '  ^', looksLike],
    ['[ ] { f() }', 'the setup makes at least one call', '  ^', looksLike],
    [
      '{ f() } { g() }',
      'expected || or the end after a process, found {',
      '        ^',
      'processes are written { … } || { … }',
    ],
    [
      '{ f() } || g()',
      'expected { at the beginning of a process, found g',
      '           ^',
      'processes are written { … } || { … }',
    ],
    ['{ f(), g() }', 'expected ; or } after a call, found ,', '     ^', 'calls are separated by ;'],
    ['{ f; g() }', 'expected ( after f, found ;', '   ^', 'a call without arguments is written f()'],
    ['{ f(1 2) }', 'expected , or ) in the arguments of f, found 2', '      ^', looksLike],
    ['{ f(1', 'expected , or ) in the arguments of f, found the end', '     ^', looksLike],
    ['{ f(', 'expected ) at the end of the arguments of f, found the end', '    ^', looksLike],
    ['{ f(x) }', 'x is not a value', '    ^', 'a text stands in quotes: "x"'],
    ['{ f(012) }', '012 is not a number', '    ^', looksLike],
    ['{ f(1.5n) }', '1.5n is not a number', '    ^', looksLike],
    ['{ f(1x) }', '1x is not a number', '    ^', looksLike],
    ['{ f("a) }', 'the string has no end', '    ^', 'it begins with "'],
    ['{ f("\\u{110000}") }', '\\u{110000} is not an escape', '    ^', looksLike],
    ['{ f("\\xg") }', '\\x is not an escape', '    ^', looksLike],
    ['{ f(new Date()) }', 'only Map and Set can follow new', '        ^', looksLike],
    ['{ f(new Map([1])) }', 'a Map is made from pairs', '        ^', 'as in new Map([["key", 1]])'],
    ['{ f({a 1}) }', 'expected : after the key a, found 1', '       ^', looksLike],
    ['{ f($1x) }', '$1x is not a value', '    ^', 'a text stands in quotes: "$1x"'],
  ])('%s', (text, message, caret, hint) => {
    const lines = [`the client cannot be read: ${message}`, text, caret, `hint: ${hint}`]
    expect(shown(text)).toBe(lines.join('\n'))
  })

  test('deep nesting is refused instead of overflowing the stack', () => {
    expect(mistakes(`{ f(${'['.repeat(50_000)}) }`)[0]?.message).toBe(
      'the client cannot be read: the value is nested more than 100 levels deep',
    )
  })

  test('of a long client only the part around the place is shown', () => {
    const text = `{ ${'push(1); '.repeat(40)}push(x) }`
    const [line, caret] = (mistakes(text)[0]?.frame ?? '').split('\n')
    expect(line?.length).toBeLessThanOrEqual(90)
    expect(line?.charAt((caret as string).length - 1)).toBe('x')
  })
})
