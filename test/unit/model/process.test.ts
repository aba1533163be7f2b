import { describe, expect, test } from 'vitest'
import { DiagnosticError } from '../../../src/core/diagnostic.ts'
import { Address } from '../../../src/core/value.ts'
import { mutex, poll, program, receive, self, send, spawn } from '../../../src/index.ts'
import { counts, violations } from './shared/explored.ts'

describe('a receive by sender', () => {
  test('takes messages of that process alone, in the order it sent them, under every network but bag', () => {
    const bySender = program('by sender', function* () {
      const me = yield* self<string>()
      const [a, b] = [yield* spawn('a', twice, me), yield* spawn('b', twice, me)]
      const order = [yield* receive<string>({ from: b }), yield* receive<string>({ from: a })]
      return order.join()
    })
    // Under bag each of the two receives has two messages to choose from.
    expect(counts(bySender)).toBe('4/0 1/0 1/0 1/0 1/0')
  })

  test('goes by who sent, not by what the message says', () => {
    const forged = program('forged', function* () {
      const me = yield* self<{ readonly from: Address }>()
      const honest = yield* spawn('honest', function* () {})
      yield* spawn('liar', function* () {
        yield* send(me, { from: honest })
      })
      yield* receive({ from: honest })
    })
    expect(violations(forged)).toEqual(['deadlock: main waits for a message from honest'])
  })

  test('with a kind or a predicate takes what satisfies both, and asks the predicate about that sender only', () => {
    const asked: string[] = []
    const both = program('both', function* () {
      const me = yield* self<{ readonly kind: string; readonly n: number }>()
      const one = yield* spawn('one', function* () {
        yield* send(me, { kind: 'x', n: 1 })
        yield* send(me, { kind: 'y', n: 2 })
      })
      yield* spawn('other', function* () {
        yield* send(me, { kind: 'y', n: 3 })
      })
      const byKind = yield* receive<{ readonly kind: string; readonly n: number }>('y', { from: one })
      const byPredicate = yield* receive(
        (message: { readonly n: number }) => {
          asked.push(String(message.n))
          return message.n < 3
        },
        { from: one },
      )
      return [byKind.n, byPredicate.n]
    })
    // Under sender-queue the first message of `one` has to be received before its second one can be.
    expect([counts(both), violations(both)]).toEqual(['1/0 1/0 1/0 1/0 0/1', []])
    expect(new Set(asked)).toEqual(new Set(['1']))
  })

  test('by a poll may also find nothing', () => {
    const polling = program('polling', function* () {
      const me = yield* self<string>()
      const a = yield* spawn('a', twice, me)
      yield* spawn('b', twice, me)
      return yield* poll<string>({ from: a })
    })
    expect(counts(polling)).toBe('3/0 2/0 2/0 2/0 2/0')
  })

  test('may name a process that never sends, a process that has not begun, and itself', () => {
    const early = program('early', function* () {
      const me = yield* self<string>()
      yield* spawn('parent', function* () {
        yield* spawn('child', twice, me)
      })
      yield* receive({ from: Address.of('parent/child') })
      yield* send(me, 'note')
      yield* receive({ from: me })
    })
    expect(violations(early)).toEqual([])
    const silent = program('silent', function* () {
      yield* receive('ack', { from: yield* spawn('silent', function* () {}) })
    })
    expect(violations(silent)).toEqual(['deadlock: main waits for a message of kind "ack" from silent'])
  })

  test.each([
    [
      () => receive({ from: undefined as never }),
      'E204: receive() needs the address of a process as "from" and got undefined',
    ],
    [
      () => receive('ack', { from: 'client 1' as never }),
      'E204: receive() needs the address of a process as "from" and got a string (client 1)',
    ],
    [
      () => poll('ack', { from: spawn('a', function* () {}) as never }),
      'E204: poll() needs the address of a process as "from" and got the operation spawn(…) itself',
    ],
    [
      () => poll('ack', { from: mutex('a') as never }),
      'E204: poll() needs the address of a process as "from" and got the operation Mutex(…) itself',
    ],
    [
      () => receive('ack', Address.of<never>('a') as never),
      'E208: receive() takes a kind or a predicate, and { from: address }, and got the address of a',
    ],
    [
      () => receive(['ack'] as never),
      'E208: receive() takes a kind or a predicate, and { from: address }, and got an array',
    ],
    [() => receive(null as never), 'E208: receive() takes a kind or a predicate, and { from: address }, and got null'],
  ])('a mistake: $1', (call, message) => {
    const wrong = program('wrong', function* () {
      yield* call()
    })
    expect(violations(wrong)).toEqual([`${message}, in process "main"`])
  })
})

test('an operation of a shared object that is left without yield* is a mistake', () => {
  const forgotten = program('forgotten', function* () {
    const lock = yield* mutex('lock')
    lock.acquire()
    yield* lock.release()
  })
  expect(violations(forgotten)).toEqual(['E207: process "main" made an operation and did not perform it'])
})

function* twice(to: Address<string>) {
  const { id } = yield* self()
  yield* send(to, `${id}1`)
  yield* send(to, `${id}2`)
}

test('an operation that stands where its answer is meant is told as a yield* that is missing', () => {
  const hintOf = (make: () => unknown): string => {
    try {
      make()
    } catch (error) {
      if (error instanceof DiagnosticError) return error.diagnostic.hint
    }
    throw new Error('the mistake was not noticed')
  }
  expect(hintOf(() => send(self() as never, 1 as never))).toMatch(/^write yield\* in front of self\(…\)/)
  expect(hintOf(() => send(Address.of('a') as never, { from: self() } as never))).toMatch(/^write yield\* in front of/)
  expect(hintOf(() => send(Address.of('a') as never, { from: () => 1 } as never))).toMatch(/^values are plain data/)
})
