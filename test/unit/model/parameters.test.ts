import { describe, expect, test } from 'vitest'
import {
  type Address,
  assert,
  choose,
  every,
  final,
  join,
  program,
  receive,
  repeat,
  self,
  send,
  spawn,
  spawnAll,
} from '../../../src/index.ts'
import { awaited, wrapped } from '../../../src/model/coroutine.ts'
import { worldOf } from '../semantics/worlds.ts'
import { counts, violations } from './shared/explored.ts'

type Rewritten = Generator<unknown, unknown, unknown>
/** As the front end rewrites async functions: `await x` is `yield* awaited(x)`. */
const wait = (value: unknown) => awaited(value) as Iterable<unknown> & Iterator<unknown, unknown>
const asyncFunction = (body: (...args: never[]) => Rewritten) => wrapped(body) as () => Promise<unknown>

function* nothing() {}

describe('every', () => {
  test('is its size under check, and the program knows from where on all sizes are meant', () => {
    const params = { clients: every(3), servers: every(2, { from: 1 }), rounds: 4 }
    const subject = program('sizes', { params }, nothing)
    expect(subject.params).toEqual({ clients: 3, servers: 2, rounds: 4 })
    expect(subject.every).toEqual({ clients: { least: 0 }, servers: { least: 1 } })
  })

  test('a program without it has no parameter for every size', () => {
    expect(program('plain', nothing).every).toEqual({})
  })

  test.each([
    [() => every(-1), 'E107: every() needs a whole number, 0 or more, and got a number (-1)'],
    [() => every(1.5), 'E107: every() needs a whole number, 0 or more, and got a number (1.5)'],
    [() => every('3' as never), 'E107: every() needs a whole number, 0 or more, and got a string (3)'],
    [() => every(3, { from: -1 }), 'E107: every() needs a whole number, 0 or more, as "from" and got a number (-1)'],
    [() => every(2, { from: 3 }), 'E107: every(2, { from: 3 }) starts at a size that it excludes'],
  ])('refused: $1', (call, message) => {
    expect(call).toThrow(message)
  })
})

describe('spawnAll', () => {
  function* client(to: Address<string>) {
    yield* send(to, (yield* self()).id)
  }

  test('starts processes named by their index and gives their addresses in that order', () => {
    const world = worldOf(function* () {
      const all = yield* spawnAll(3, 'client', { daemon: true }, client, yield* self<string>())
      return all.map(({ id }) => id)
    })
    for (let index = 0; index < 3; index++) world.take({ kind: 'step', process: 'main' })
    expect(world.ending().processes.map(({ id, daemon }) => [id, daemon])).toEqual([
      ['main', false],
      ['client 0', true],
      ['client 1', true],
      ['client 2', true],
    ])
    expect(world.ending().processes[0]?.value).toEqual(['client 0', 'client 1', 'client 2'])
  })

  test('tags them as replicas of each other', () => {
    const details: unknown[] = []
    const spawning = spawnAll(2, 'client', client, undefined as never)[Symbol.iterator]()
    for (let result = spawning.next(); !result.done; result = spawning.next(undefined)) {
      const { name, replica } = (result as unknown as { readonly detail: { name: string; replica: string } }).detail
      details.push([name, replica])
    }
    expect(details).toEqual([
      ['client 0', 'client'],
      ['client 1', 'client'],
    ])
  })

  test('nobody is started when the count is 0, and the set is empty', () => {
    const empty = program('empty', function* () {
      const all = yield* spawnAll(0, 'client', client, yield* self<string>())
      yield* assert(all.length === 0)
    })
    expect([counts(empty), violations(empty)]).toEqual(['1/0', []])
  })

  test('the set can be iterated, passed on and chosen from, but not changed', () => {
    const properties = [
      final('chosen', ({ returned }) => [...returned.values()].filter((value) => value === 'chosen').length === 1),
    ]
    const sets = program('sets', { properties }, function* () {
      const all = yield* spawnAll(3, 'member', function* () {
        return (yield* receive<boolean>()) ? 'chosen' : 'not chosen'
      })
      const teller = yield* spawn(
        'teller',
        function* (members: readonly Address<boolean>[]) {
          const one = yield* choose(members)
          for (const member of members) yield* send(member, member === one)
        },
        all,
      )
      yield* join(teller)
      yield* assert(Object.isFrozen(all))
    })
    expect([counts(sets), violations(sets)]).toEqual(['3/0', []])
  })

  test.each([
    [-1, 'a number (-1)'],
    [1.5, 'a number (1.5)'],
    [Number.NaN, 'a number (NaN)'],
    ['2', 'a string (2)'],
    [undefined, 'undefined'],
    [every(2), 'an object (Every)'],
  ])('the count %s is a mistake', (count, described) => {
    const wrong = program('wrong', function* () {
      yield* spawnAll(count as number, 'client', nothing)
    })
    expect(violations(wrong)).toEqual([
      `E216: spawnAll() needs a whole number, 0 or more, and got ${described}, in process "main"`,
    ])
  })

  test('a body that is none and a name that is none are mistakes also when nobody would be started', () => {
    const noBody = program('no body', function* () {
      yield* spawnAll(0, 'client', 5 as never)
    })
    expect(violations(noBody)).toEqual(['E212: the body of process "client" is a number (5), in process "main"'])
    const noName = program('no name', function* () {
      yield* spawnAll(0, 'a/b', nothing)
    })
    expect(violations(noName)).toEqual(['E213: a process cannot be named "a/b", in process "main"'])
  })

  test('left without yield* it is a mistake, not nothing', () => {
    const forgotten = program('forgotten', function* () {
      spawnAll(2, 'client', nothing)
      yield* self()
    })
    expect(violations(forgotten)).toEqual(['E207: process "main" made an operation and did not perform it'])
  })
})

describe('repeat', () => {
  test('performs its body for 0, 1, … one after the other', () => {
    const counting = program('counting', function* () {
      const me = yield* self<number>()
      yield* repeat(3, function* (index) {
        yield* send(me, index)
      })
      const received: number[] = []
      yield* repeat(3, function* () {
        received.push(yield* receive<number>())
      })
      yield* assert(received.join() === '0,1,2', received.join())
    })
    expect(violations(counting)).toEqual([])
  })

  test('0 times is not at all', () => {
    const never = program('never', function* () {
      yield* repeat(0, function* () {
        yield* assert(false)
      })
    })
    expect([counts(never), violations(never)]).toEqual(['1/0', []])
  })

  test('the body may be an async function, also one that performs nothing', () => {
    const bodies = program(
      'async',
      asyncFunction(function* () {
        const me = (yield* wait(self<number>())) as Address<number>
        const seen: number[] = []
        yield* wait(
          repeat(
            2,
            asyncFunction(function* (index: number) {
              yield* wait(send(me, index))
              seen.push((yield* wait(receive<number>())) as number)
            }),
          ),
        )
        yield* wait(
          repeat(
            2,
            asyncFunction(function* (index: number) {
              if (index < 0) yield* wait(send(me, index))
              seen.push(index + 10)
            }),
          ),
        )
        yield* wait(assert(seen.join() === '0,1,10,11', seen.join()))
      }),
    )
    expect([counts(bodies), violations(bodies)]).toEqual(['1/0', []])
  })

  test('what the body throws is thrown where it is repeated', () => {
    const caught = program('caught', function* () {
      try {
        yield* repeat(2, function* (index) {
          yield* self()
          if (index === 1) throw new Error(`at ${index}`)
        })
      } catch (error) {
        yield* assert((error as Error).message === 'at 1')
        return
      }
      yield* assert(false, 'nothing was thrown')
    })
    expect(violations(caught)).toEqual([])
  })

  test.each([
    [() => repeat(-1, nothing), 'E216: repeat() needs a whole number, 0 or more, and got a number (-1)'],
    [() => repeat(0.5, nothing), 'E216: repeat() needs a whole number, 0 or more, and got a number (0.5)'],
    [() => repeat(2, 5 as never), 'E212: the body of repeat() is a number (5)'],
    [
      () => repeat(2, (() => 5) as never),
      'E212: the body of repeat() returned a number (5) instead of performing operations',
    ],
    [
      () => repeat(2, (() => self()) as never),
      'E212: the body of repeat() returned the operation self(…) itself instead of performing operations',
    ],
    [() => repeat(2, async () => undefined), 'E212: the body of repeat() returned a promise'],
  ])('a mistake: $1', (call, message) => {
    const wrong = program('wrong', function* () {
      yield* call() as Iterable<unknown>
    })
    expect(violations(wrong)).toEqual([`${message}, in process "main"`])
  })
})
