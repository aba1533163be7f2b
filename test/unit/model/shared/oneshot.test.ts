import { expect, test } from 'vitest'
import { assert, oneshot, program, spawn } from '../../../../src/index.ts'
import { counts, violations } from './explored.ts'

test('one sender and one receiver have 1 execution', () => {
  const once = program('once', function* () {
    const result = yield* oneshot<number>('result')
    yield* spawn('sender', function* () {
      yield* result.send(42)
    })
    yield* assert((yield* result.receive()) === 42)
  })
  expect(counts(once)).toBe('1/0')
  expect(violations(once)).toEqual([])
})

test('everybody who asks gets the value: n receivers, n! orders of their requests', () => {
  const many = program('many', function* () {
    const result = yield* oneshot<string>('result')
    for (let i = 1; i <= 3; i++) {
      yield* spawn(`receiver ${i}`, function* () {
        yield* assert((yield* result.receive()) === 'done')
      })
    }
    yield* result.send('done')
  })
  expect(counts(many)).toBe('6/0')
  expect(violations(many)).toEqual([])
})

test('a second send is a violation of whoever comes second', () => {
  const twice = program('twice', function* () {
    const result = yield* oneshot<number>('result')
    for (const name of ['a', 'b']) {
      yield* spawn(name, function* () {
        yield* result.send(1)
      })
    }
  })
  expect(violations(twice)).toEqual([
    'assertion: a sends to oneshot "result", which has been sent to before',
    'assertion: b sends to oneshot "result", which has been sent to before',
  ])
})

test('whoever waits for a value that is never sent is named', () => {
  const never = program('never', function* () {
    const result = yield* oneshot<number>('result')
    yield* result.receive()
  })
  expect(violations(never)).toEqual(['deadlock: main waits for the value of oneshot "result"'])
})
