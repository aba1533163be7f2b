/** Programs that do not repeat themselves are refused, whatever else the search is told to do. */
import { describe, expect, test } from 'vitest'
import {
  assert,
  checkResult,
  final,
  join,
  type Program,
  program,
  receive,
  self,
  send,
  spawn,
} from '../../../src/index.ts'

/** A program whose first execution finds nothing, and every repetition of it something. */
function changing(): Program {
  let judged = 0
  return program('changing', { properties: [final('the first time', () => ++judged === 1)] }, function* () {
    yield* spawn('idle', function* () {})
  })
}

/** A variable of the parent's that one child writes and the other reads, after operations that are independent. */
function shared(): Program {
  return program('shared', function* () {
    const main = yield* self<number>()
    let seen = 0
    yield* spawn('a', function* () {
      yield* send(main, 1)
      seen = 1
    })
    yield* spawn('b', function* () {
      yield* send(main, 2)
      yield* assert(seen === 0, 'b noticed a')
    })
    yield* receive<number>()
    yield* receive<number>()
  })
}

/** Two children that set a variable of the parent's before, or without, any operation. */
const settled: readonly (readonly [name: string, made: Program])[] = [
  [
    'the last of two writers',
    program('writers', function* () {
      let winner = ''
      const a = yield* spawn('a', function* () {
        winner = 'a'
      })
      const b = yield* spawn('b', function* () {
        winner = 'b'
      })
      yield* join(a)
      yield* join(b)
      yield* assert(winner !== 'a', 'a was last')
    }),
  ],
  [
    'a flag that one sets and the other looks at',
    program('flag', function* () {
      let [ready, missed] = [false, false]
      const a = yield* spawn('a', function* () {
        ready = true
      })
      const b = yield* spawn('b', function* () {
        if (!ready) missed = true
      })
      yield* join(a)
      yield* join(b)
      yield* assert(!missed, 'missed')
    }),
  ],
  [
    'a variable that the parent sets once its child has begun',
    program('later', function* () {
      let price = 0
      const child = yield* spawn('child', function* () {
        yield* assert(price === 0, 'the price was there')
      })
      price = 100
      yield* join(child)
    }),
  ],
]

test.each(['dpor', 'exhaustive', 'random', 'stateful'])(
  'what a module counts is not deterministic, with %s',
  async (engine) => {
    let taken = 0
    const ids = program('ids', function* () {
      const main = yield* self<number>()
      for (const name of ['a', 'b']) {
        yield* spawn(name, function* () {
          yield* send(main, ++taken)
        })
      }
      const first = yield* receive<number>()
      yield* assert(first !== (yield* receive<number>()), 'one number twice')
    })
    expect(await checkResult(ids, { engine })).toMatchObject({ ok: false, diagnostics: [{ code: 'E201' }] })
  },
)

describe.each([false, true])('with keepGoing: %s', (keepGoing) => {
  test('a condition that holds only the first time is not deterministic', async () => {
    expect(await checkResult(changing(), { keepGoing })).toMatchObject({ ok: false, diagnostics: [{ code: 'E201' }] })
  })

  test.each(settled)('%s is not deterministic', async (_, made) => {
    for (const engine of ['dpor', 'exhaustive'])
      expect(await checkResult(made, { keepGoing, engine })).toMatchObject({
        ok: false,
        diagnostics: [{ code: 'E201' }],
      })
  })

  test('two processes that share a variable are not deterministic', async () => {
    expect(await checkResult(shared(), { keepGoing })).toMatchObject({ ok: false, diagnostics: [{ code: 'E201' }] })
  })

  test.each([
    ['a field that is not enumerable', Object.defineProperty({}, 'inner', { value: { n: 1 } })],
    ['a field with a getter or a setter', Object.defineProperty({}, 'inner', { get: () => 1, enumerable: true })],
    ['an object with a field that is named by a symbol', { [Symbol('inner')]: 1 }],
  ])('a message with %s is refused', async (what, message) => {
    const hidden = program('hidden', function* () {
      yield* send(yield* self<object>(), message)
      yield* receive<object>()
    })
    expect(await checkResult(hidden, { keepGoing })).toMatchObject({
      ok: false,
      diagnostics: [{ code: 'E205', message: expect.stringContaining(what) }],
    })
  })

  test.each(['dpor', 'exhaustive'])('%s refuses to tell messages apart by identity', async (engine) => {
    const twice = program('twice', function* () {
      const [me, message] = [yield* self<object>(), { n: 1 }]
      yield* send(me, message)
      yield* send(me, message)
      const first = yield* receive<object>()
      yield* assert(first === (yield* receive<object>()), 'two objects')
    })
    const filtered = program('filtered', function* () {
      const [me, message] = [yield* self<object>(), { n: 1 }]
      yield* send(me, message)
      yield* receive<object>((received) => received === message)
    })
    for (const compares of [twice, filtered]) {
      expect(await checkResult(compares, { keepGoing, engine })).toMatchObject({
        ok: false,
        diagnostics: [{ code: 'E201' }],
      })
    }
  })
})
