import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { type Draw, simulatedHistory } from '../../../corpus/histories/simulate.ts'
import {
  type HistoryFileOptions,
  historyLines,
  parseHistory,
  type RecordedHistory,
  readHistory,
} from '../../../src/check/history-file.ts'
import { type Call, precedes } from '../../../src/core/history.ts'
import { Random } from '../../../src/core/random.ts'
import { decideHistory } from '../../../src/properties/linearizability/decide-history.ts'
import { kv } from '../../../src/properties/linearizability/specifications/map.ts'
import { queue } from '../../../src/properties/linearizability/specifications/queue.ts'
import { casRegister, register } from '../../../src/properties/linearizability/specifications/register.ts'

const directory = mkdtempSync(join(tmpdir(), 'allways-histories-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

function parsed(lines: readonly (object | string)[], options: HistoryFileOptions = {}) {
  const text = lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('')
  return parseHistory([text], 'a.history.jsonl', options)
}

function recorded(lines: readonly (object | string)[], options: HistoryFileOptions = {}): RecordedHistory {
  const found = parsed(lines, options)
  if (!found.ok) throw new Error(JSON.stringify(found.diagnostics))
  return found.value
}

function mistakes(lines: readonly (object | string)[], options: HistoryFileOptions = {}) {
  const found = parsed(lines, options)
  return found.ok ? [] : found.diagnostics
}

const invoke = { process: 1, type: 'invoke', op: 'put', args: ['x', 1] }
const ok = { process: 1, type: 'ok', op: 'put' }

describe('reading', () => {
  test('an invocation and its end are a call, with the line of the invocation', () => {
    const { history } = recorded([invoke, { ...ok, value: null }])
    expect(history.calls).toEqual([
      {
        process: '1',
        operation: 'put',
        args: ['x', 1],
        result: { kind: 'returned', value: null },
        invoked: 0,
        returned: 1,
        place: { file: 'a.history.jsonl', line: 1, column: 1 },
      },
    ])
  })

  test('what the end of a call says about its result', () => {
    const ends = [
      ok,
      { ...ok, value: 5 },
      { ...ok, unknown: true },
      { ...ok, error: 'RangeError: no' },
      { ...ok, type: 'info' },
    ]
    const results = ends.map((end) => recorded([invoke, end]).history.calls[0]?.result)
    expect(results).toEqual([
      { kind: 'returned', value: undefined },
      { kind: 'returned', value: 5 },
      { kind: 'unknown' },
      { kind: 'threw', error: 'RangeError: no' },
      { kind: 'pending' },
    ])
    expect(recorded([invoke]).history.calls[0]).toMatchObject({
      result: { kind: 'pending' },
      returned: Number.POSITIVE_INFINITY,
    })
  })

  test('a call that failed did not happen, unless its failure is an observation', () => {
    const cas = [
      { ...invoke, op: 'cas', args: [1, 2] },
      { process: 1, type: 'fail' },
    ]
    expect(recorded(cas)).toMatchObject({ failed: 1, history: { calls: [] } })
    const observed = { history: { calls: [{ result: { kind: 'returned', value: false } }] } }
    expect(recorded(cas, { observedFailures: ['cas'] })).toMatchObject(observed)
    expect(recorded([{ format: 'allways-history/1', observedFailures: ['cas'] }, ...cas])).toMatchObject(observed)
  })

  test('a process whose call has no known end goes on under another name', () => {
    const info = { process: 1, type: 'info' }
    const names = recorded([invoke, info, invoke, info, invoke, ok]).history.calls.map(({ process }) => process)
    expect(names).toEqual(['1', '1~2', '1~3'])
  })

  test('the header names the specification and its initial state', () => {
    const { specification } = recorded([{ format: 'allways-history/1', specification: 'register', initial: 7 }])
    expect(specification).toMatchObject({ name: 'register' })
    expect(specification?.initial()).toBe(7)
    const counter = recorded([{ format: 'allways-history/1', specification: 'counter', returns: 'old' }]).specification
    expect(counter?.apply(0, 'inc', [], { kind: 'unknown' })).toEqual([{ state: 1, returns: 0 }])
  })

  test('values are read in their tagged form', () => {
    const { history } = recorded([{ ...invoke, args: [{ '#bigint': '5' }, { '#set': [1] }] }])
    expect(history.calls[0]?.args).toEqual([5n, new Set([1])])
  })

  test('blank lines, carriage returns and a byte order mark are no events', () => {
    const text = `\uFEFF${JSON.stringify(invoke)}\r\n\r\n\n${JSON.stringify(ok)}`
    const found = parseHistory([text], 'a', {})
    expect(found.ok && found.value.history.calls.length).toBe(1)
  })

  test('the text may come in pieces of any size', () => {
    const text = `${JSON.stringify({ ...invoke, args: ['ä€😀', 1] })}\n${JSON.stringify(ok)}\n`
    for (const size of [1, 2, 7, 1000]) {
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
        text.slice(at * size, (at + 1) * size),
      )
      const found = parseHistory(pieces, 'a', {})
      expect(found.ok && found.value.history.calls[0]?.args).toEqual(['ä€😀', 1])
    }
  })

  test('keys are arguments of objects with keys, else they tell objects apart', () => {
    const events = [
      { process: 1, type: 'invoke', f: 'get', key: 'x', value: null },
      { process: 1, type: 'ok', f: 'get', key: 'x', value: 'a' },
    ]
    const asArgument = recorded(events, { specification: kv() })
    expect(asArgument.history.calls[0]?.args).toEqual(['x'])
    expect(asArgument.objectOf).toBeUndefined()
    const asObject = recorded(events, { specification: register() })
    expect(asObject.history.calls.map((call) => asObject.objectOf?.(call))).toEqual(['x'])
    expect(asObject.history.calls[0]?.args).toEqual([])
  })
})

describe('events as Knossos writes them', () => {
  const event = (type: string, f: string, value: unknown) => ({ process: 0, type, f, value })

  test('the value is what the operation takes, and null is a result that is not known', () => {
    const lines = [
      event('invoke', 'read', 5),
      event('ok', 'read', null),
      event('invoke', 'write', 3),
      event('ok', 'write', 3),
      event('invoke', 'cas', [3, 4]),
      event('ok', 'cas', [3, 4]),
      event('invoke', 'read', null),
      event('ok', 'read', 4),
    ]
    const { history } = recorded(lines, { specification: casRegister(0) })
    expect(history.calls.map(({ args, result }) => [args, result.kind])).toEqual([
      [[], 'unknown'],
      [[3], 'returned'],
      [[[3, 4]], 'returned'],
      [[], 'returned'],
    ])
    const found = decideHistory(history, casRegister(0))
    expect(found.ok && found.value.linearizable).toBe(true)
  })
})

describe('equal times', () => {
  /** Which calls precede which, by process and number of the call: 'a1<b1'. */
  function order(
    ...events: readonly (readonly [process: string, type: 'invoke' | 'ok', time: number])[]
  ): readonly string[] {
    const { history } = recorded(events.map(([process, type, time]) => ({ process, type, op: 'f', time })))
    const count = new Map<string, number>()
    const named = history.calls.map((call) => {
      const number = (count.get(call.process) ?? 0) + 1
      count.set(call.process, number)
      return { call, name: `${call.process}${number}` }
    })
    return named
      .flatMap((left) =>
        named.filter((right) => precedes(left.call, right.call)).map((right) => `${left.name}<${right.name}`),
      )
      .sort()
  }

  test('a call that returns when another is called does not precede it, whatever the order of the lines', () => {
    expect(order(['a', 'invoke', 0], ['a', 'ok', 5], ['b', 'invoke', 5], ['b', 'ok', 6])).toEqual([])
    expect(order(['a', 'invoke', 0], ['a', 'ok', 5], ['b', 'invoke', 6], ['b', 'ok', 6])).toEqual(['a1<b1'])
  })

  test('calls of one process precede each other even so', () => {
    expect(order(['a', 'invoke', 0], ['a', 'ok', 5], ['a', 'invoke', 5], ['a', 'ok', 5])).toEqual(['a1<a2'])
  })

  test('only what a process must order is ordered', () => {
    const found = order(
      ['a', 'invoke', 0],
      ['b', 'invoke', 0],
      ['b', 'ok', 5],
      ['a', 'ok', 5],
      ['a', 'invoke', 5],
      ['c', 'invoke', 5],
      ['a', 'ok', 5],
      ['c', 'ok', 5],
    )
    expect(found).toEqual(['a1<a2'])
  })
})

describe('mistakes', () => {
  const notANumber = 'a value cannot be read: "#number" must be one of "NaN", "Infinity", "-Infinity", "-0"'
  const place = (line: number, column = 1) => ({ file: 'a.history.jsonl', line, column })

  test.each([
    ['[]', 'the line is not an object'],
    [{ ...invoke, process: undefined }, '"process" is missing'],
    [{ ...invoke, process: {} }, '"process" is {}, not a number or a text'],
    [{ ...invoke, type: 'call' }, '"type" is "call", not "invoke", "ok", "fail" or "info"'],
    [{ ...invoke, op: undefined }, '"op" is missing'],
    [{ ...invoke, op: 5 }, '"op" is 5, not a text'],
    [{ ...invoke, args: 'x' }, '"args" is "x", not a list'],
    [{ ...invoke, time: 'noon' }, '"time" is "noon", not a number'],
    [{ ...invoke, args: [{ '#bigint': 'x' }] }, 'a value cannot be read: "#bigint" must be digits in quotes'],
    [{ ...invoke, args: [{ '#number': '9007199254740993' }] }, notANumber],
    [{ ...invoke, args: [{ '#number': '1' }] }, notANumber],
    [{ ...invoke, args: [{ '#set': [1, 1] }] }, 'a value cannot be read: "#set" must be a list without the same twice'],
    [{ format: 'allways-history/2' }, 'the format is allways-history/2, and this allways reads allways-history/1'],
    [{ format: 'allways-trace/2' }, 'the format is not that of a history'],
    [{ format: 'allways-history/1', specification: 'qeue' }, 'there is no specification "qeue"'],
    [{ format: 'allways-history/1', specification: 'queue', initial: 5 }, '5 cannot be the initial state of a queue'],
  ])('E501: %o', (line, message) => {
    expect(mistakes([line])).toMatchObject([{ code: 'E501', message, place: place(1), hint: expect.any(String) }])
  })

  test.each([
    [{ ...ok, valu: 3 }, '"valu" is no field of an event', 'did you mean "value"?'],
    [{ ...ok, unkown: true }, '"unkown" is no field of an event', 'did you mean "unknown"?'],
    [{ ...ok, result: 3 }, '"result" is no field of an event', /^an event has: process, .*"note" may hold/],
    [{ ...invoke, tiem: 3 }, '"tiem" is no field of an event', 'did you mean "time"?'],
    [{ ...invoke, op: undefined, f: 'put', vlaue: 3 }, '"vlaue" is no field of an event', 'did you mean "value"?'],
    [{ format: 'allways-history/1', inital: 0 }, '"inital" is no field of a header', 'did you mean "initial"?'],
  ])('E501: a field that would not be read: %j', (line, message, hint) => {
    expect(mistakes([line])).toMatchObject([{ code: 'E501', message, hint: expect.stringMatching(hint) }])
  })

  test('E501: a field that stands twice in one object, also within a value', () => {
    const twice = '{"process": 1, "type": "ok", "op": "put", "value": "2", "value": "1"}'
    expect(mistakes([invoke, twice])).toMatchObject([{ code: 'E501', message: '"value" stands twice in one object' }])
    const within = '{"process": 1, "type": "ok", "op": "put", "value": {"a": 1, "b": {"a": 2, "a": 3}}}'
    expect(mistakes([invoke, within])).toMatchObject([{ code: 'E501', message: 'a field stands twice in one object' }])
    const fine = '{"process": 1, "type": "ok", "op": "put", "value": {"a: \\" b:": [{"a": 1}, {"a": 2}]}}'
    expect(mistakes([invoke, fine])).toEqual([])
  })

  test('E501: what is unknown is so or not', () => {
    expect(mistakes([invoke, { ...ok, unknown: 'yes' }])).toMatchObject([
      { code: 'E501', message: '"unknown" is "yes", not true or false' },
    ])
  })

  test('E502: an end with other arguments than its call', () => {
    expect(mistakes([invoke, { ...ok, args: ['y', 1] }])).toMatchObject([
      { code: 'E502', message: 'process 1 ends put with other arguments than it was called with (line 1)' },
    ])
    expect(mistakes([invoke, { ...ok, args: ['x', 1] }])).toEqual([])
  })

  test('the end of a call that could not be read is no further mistake', () => {
    expect(mistakes([{ ...invoke, agrs: [] }, ok]).map(({ code }) => code)).toEqual(['E501'])
  })

  test.each([
    [
      [...Buffer.from('{"process":1,"type":"invoke","op":"get","args":["'), 0xe4, ...Buffer.from('"]}\n')],
      'line 1 is not UTF-8',
    ],
    [[...Buffer.from('\n\n"ä"\n'), 0xf6, 0x0a], 'line 4 is not UTF-8'],
    [[...Buffer.from('\n'), 0xc3], 'line 2 is not UTF-8'],
    [[0x1f, 0x8b, 0x08], 'it is compressed with gzip'],
    [[0xff, 0xfe, 0x7b, 0x00], 'it is UTF-16'],
  ])('E101: bytes that are no UTF-8: %j', (bytes, message) => {
    const path = join(directory, 'bytes.history.jsonl')
    writeFileSync(path, Buffer.from(bytes))
    expect(readHistory(path)).toMatchObject({
      diagnostics: [{ code: 'E101', message: expect.stringContaining(message) }],
    })
  })

  test('fields that are not read: a note, and what Jepsen writes beside its own', () => {
    expect(mistakes([{ ...invoke, note: { node: 'n1' } }, ok])).toEqual([])
    const knossos = { process: 1, type: 'invoke', f: 'put', value: 1, index: 0, 'clock-time': 3, node: 'n1' }
    expect(mistakes([knossos, { ...knossos, type: 'ok', index: 1 }])).toEqual([])
  })

  test('E501: a header that is not first', () => {
    expect(mistakes([invoke, ok, { format: 'allways-history/1' }])).toMatchObject([
      { code: 'E501', message: 'the header is not the first line', place: place(3) },
    ])
  })

  test('E501: what is not JSON, with the place in the line and the line', () => {
    const [mistake] = mistakes([invoke, '{"process": 1, type: 2}', ok])
    expect(mistake).toMatchObject({ code: 'E501', message: 'the line is not JSON', place: place(2, 16) })
    expect(mistake?.frame).toBe('> 2 | {"process": 1, type: 2}\n    |                ^')
  })

  test('E501: a last line that is cut off', () => {
    const found = parseHistory([`${JSON.stringify(invoke)}\n{"process":1,"ty`], 'a', {})
    expect(found.ok ? [] : found.diagnostics).toMatchObject([
      { code: 'E501', message: 'the last line is cut off', place: { file: 'a', line: 2, column: 17 } },
    ])
  })

  test.each([
    ['9007199254740993', '9007199254740993', 50],
    ['1e999', '1e999', 50],
    ['["\\\\", {"a": -1e999}]', '-1e999', 63],
    ['1e-999', '1e-999', 50],
    ['0.10000000000000000001', '0.10000000000000000001', 50],
    [`1${'0'.repeat(60)}`, `1${'0'.repeat(39)}…`, 50],
  ])('E501: a number that would be rounded: %s', (value, shown, column) => {
    const line = `{"process": 1, "type": "ok", "op": "get", "value": ${value}}`
    const found = mistakes([{ ...invoke, op: 'get', args: [] }, line])
    const message = `the number ${shown} cannot be held exactly`
    const hint = 'write it as a text or as {"#bigint": "…"}, everywhere in the history'
    expect(found).toMatchObject([{ code: 'E501', message, hint, place: place(2, column + 2) }])
  })

  test.each(['9007199254740991', '-0.1', '1e-3', '"9007199254740993"', '{"#bigint": "9007199254740993"}', '1.2e15'])(
    'a number that is what it says is read: %s',
    (value) => {
      expect(mistakes([`{"process": 1, "type": "invoke", "op": "put", "args": ["1e999", ${value}]}`])).toEqual([])
    },
  )

  test('E501: a time that would be rounded', () => {
    const line = '{"process": 1, "type": "invoke", "op": "put", "args": [], "time": 1e999}'
    const hint = expect.stringContaining('count times from the first event')
    expect(mistakes([line])).toMatchObject([{ code: 'E501', hint, place: place(1, 67) }])
  })

  test.each([
    ['1'.repeat(3_000_000), 'the line has a number with more than 400 digits', 52],
    ['['.repeat(100_000), 'the line is nested more than 2000 levels deep', 2051],
  ])('E501: what has no end in sight: %.10s', (value, message, column) => {
    const line = `{"process": 1, "type": "ok", "op": "get", "value": ${value}}`
    expect(mistakes([line])).toMatchObject([{ code: 'E501', message, place: place(1, column) }])
  })

  test('E501: a line without end does not fill the memory', () => {
    function* endless() {
      for (;;) yield 'x'.repeat(1 << 20)
    }
    const found = parseHistory(endless(), 'a', {})
    expect(found.ok ? [] : found.diagnostics).toMatchObject([{ code: 'E501', message: 'the line is too long' }])
  })

  test.each([
    ['an end without a call', [ok], 1, 'process 1 ends a call it did not make'],
    [
      'a second call',
      [invoke, { ...invoke, op: 'get' }],
      2,
      'process 1 calls get while its put (line 1) has not returned',
    ],
    [
      'an end of another operation',
      [invoke, { ...ok, op: 'get' }],
      2,
      'process 1 ends get, but its open call is put (line 1)',
    ],
    [
      'time that goes back',
      [
        { ...invoke, time: 5 },
        { ...ok, time: 4 },
      ],
      2,
      'time goes backwards: 4 comes after 5',
    ],
    ['time in some lines only', [{ ...invoke, time: 5 }, ok], 2, 'some events have a time and others have none'],
  ])('E502: %s', (_name, lines, line, message) => {
    expect(mistakes(lines)).toMatchObject([{ code: 'E502', message, place: place(line), hint: expect.any(String) }])
  })

  test('several mistakes are reported together, but not thousands', () => {
    expect(mistakes(['{', '[]', { ...ok, type: 'call' }]).map(({ place: found }) => found?.line)).toEqual([1, 2, 3])
    expect(mistakes(Array.from({ length: 5000 }, () => '[]')).length).toBe(20)
  })

  test('E101: a file that is not there, or is a folder', () => {
    expect(readHistory(join(directory, 'none'))).toMatchObject({ ok: false, diagnostics: [{ code: 'E101' }] })
    expect(readHistory(directory)).toMatchObject({ ok: false, diagnostics: [{ code: 'E101' }] })
  })
})

describe('writing', () => {
  const draw: Draw = (random, at) => (random.below(2) === 0 ? ['enqueue', at] : ['dequeue'])

  test('what is written is read again: the same calls in the same order of time', () => {
    for (let seed = 0; seed < 50; seed++) {
      const shape = { processes: 4, calls: 20, pending: 6, unknown: 6, wrong: 0 }
      const { calls } = simulatedHistory(new Random(seed), queue(), draw, shape)
      const path = join(directory, 'written.history.jsonl')
      writeFileSync(path, `${[...historyLines({ calls }, { specification: 'queue' })].join('\n')}\n`)
      const found = readHistory(path)
      if (!found.ok) throw new Error(JSON.stringify(found))
      expect(shown(found.value.history.calls)).toEqual(shown(calls))
    }
  })

  /** Calls and which precede which, whatever the order of calls that begin at the same moment. */
  function shown(calls: readonly Call[]): readonly string[] {
    const name = ({ process, operation, args, result }: Call) => JSON.stringify([process, operation, args, result])
    const pairs = calls.flatMap((left) =>
      calls.filter((right) => precedes(left, right)).map((right) => `${name(left)}<${name(right)}`),
    )
    return [...calls.map(name), ...pairs].sort()
  }
})
