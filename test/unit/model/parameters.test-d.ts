/** What the types of `every`, `spawnAll` and `repeat` promise: sizes are numbers, sets accept what their members receive. */
import { expectTypeOf, test } from 'vitest'
import {
  type Address,
  assert,
  choose,
  type Every,
  every,
  type Process,
  program,
  receive,
  repeat,
  send,
  spawn,
  spawnAll,
} from '../../../src/index.ts'

interface Work {
  readonly kind: 'work'
  readonly item: number
}
interface Stop {
  readonly kind: 'stop'
}

declare const server: Address<Stop>

test('a parameter for every size is a number in the program', () => {
  expectTypeOf(every(3)).toEqualTypeOf<Every>()
  program('sizes', { params: { clients: every(3, { from: 1 }), mode: 'fast' } }, function* ({ clients, mode }) {
    expectTypeOf(clients).toEqualTypeOf<number>()
    expectTypeOf(mode).toEqualTypeOf<string>()
    yield* assert(true)
  })
  // @ts-expect-error a size is a number
  every('3')
})

test('a set of processes accepts what its members receive, learnt from the body', () => {
  function* worker(to: Address<Stop>, times: number): Process<Work> {
    for (let i = 0; i < times; i++) yield* send(to, { kind: 'stop' })
  }
  function* body() {
    const all = yield* spawnAll(3, 'worker', worker, server, 2)
    expectTypeOf(all).toEqualTypeOf<readonly Address<Work>[]>()
    expectTypeOf(yield* choose(all)).toEqualTypeOf<Address<Work>>()
    for (const one of all) yield* send(one, { kind: 'work', item: 1 })
    const daemons = yield* spawnAll(3, 'worker', { daemon: true }, function* () {
      yield* receive<Work>()
      yield* receive<Stop>()
    })
    expectTypeOf(daemons).toEqualTypeOf<readonly Address<Work | Stop>[]>()
    // @ts-expect-error the second argument is a number
    yield* spawnAll(3, 'worker', worker, server, 'two')
    // @ts-expect-error a parameter is declared in params
    yield* spawnAll(every(3), 'worker', worker, server, 2)
    // @ts-expect-error the set does not change
    all.push(server)
  }
  expectTypeOf(body).toBeFunction()
})

test('what a body receives again and again counts as received by its process', () => {
  function* body() {
    const spawned = yield* spawn('worker', function* () {
      expectTypeOf(
        yield* repeat(3, function* (index) {
          expectTypeOf(index).toEqualTypeOf<number>()
          yield* receive<Work>()
        }),
      ).toEqualTypeOf<void>()
      yield* receive<Stop>()
    })
    expectTypeOf(spawned).toEqualTypeOf<Address<Work | Stop>>()
    // @ts-expect-error no generator and no async function
    yield* repeat(3, (index) => index)
  }
  expectTypeOf(body).toBeFunction()
})

test('both can be awaited with the same types', () => {
  async function body() {
    const all = await spawnAll<Work>(3, 'worker', async () => {
      await receive<Work>()
    })
    expectTypeOf(all).toEqualTypeOf<readonly Address<Work>[]>()
    const daemons = await spawnAll<Work>(
      3,
      'worker',
      { daemon: true },
      async (to: Address<Stop>) => {
        await send(to, { kind: 'stop' })
      },
      server,
    )
    expectTypeOf(daemons).toEqualTypeOf<readonly Address<Work>[]>()
    expectTypeOf(
      await repeat(3, async (index) => {
        expectTypeOf(index).toEqualTypeOf<number>()
        await send(server, { kind: 'stop' })
      }),
    ).toEqualTypeOf<void>()
  }
  expectTypeOf(body).toBeFunction()
})
