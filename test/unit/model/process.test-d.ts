/** What the types of operations promise: addresses accept what their process receives, receives narrow. */
import { expectTypeOf, test } from 'vitest'
import {
  type Address,
  assert,
  choose,
  join,
  type Operation,
  type Process,
  poll,
  program,
  receive,
  self,
  send,
  spawn,
} from '../../../src/index.ts'

interface Request {
  readonly kind: 'request'
  readonly from: Address<Reply>
}
interface Reply {
  readonly kind: 'reply'
  readonly value: number
}
interface Stop {
  readonly kind: 'stop'
}
type Message = Request | Stop

declare const server: Address<Message>

test('an address accepts what its process receives, learnt from the body', () => {
  function* body() {
    const spawned = yield* spawn('server', function* () {
      yield* receive<Request>()
      yield* poll<Stop>()
    })
    expectTypeOf(spawned).toEqualTypeOf<Address<Request | Stop>>()
    yield* send(spawned, { kind: 'stop' })
    // @ts-expect-error a reply is not what the server receives
    yield* send(spawned, { kind: 'reply', value: 1 })
  }
  expectTypeOf(body).toBeFunction()
})

test('a process that receives untyped messages has an address that accepts anything', () => {
  function* body() {
    const spawned = yield* spawn('sink', function* () {
      yield* receive()
    })
    expectTypeOf(spawned).toEqualTypeOf<Address<unknown>>()
  }
  expectTypeOf(body).toBeFunction()
})

test('spawn checks the arguments of the body', () => {
  function* client(to: Address<Message>, times: number): Process<Reply> {
    for (let i = 0; i < times; i++) yield* send(to, { kind: 'stop' })
  }
  function* body() {
    const spawned = yield* spawn('client', client, server, 2)
    expectTypeOf(spawned).toEqualTypeOf<Address<Reply>>()
    const tagged = yield* spawn('client', { daemon: true, replica: 'client' }, client, server, 2)
    expectTypeOf(tagged).toEqualTypeOf<Address<Reply>>()
    // @ts-expect-error the second argument is a number
    yield* spawn('client', client, server, 'two')
  }
  expectTypeOf(body).toBeFunction()
})

test('receive narrows by kind, by predicate and by type', () => {
  function* body() {
    expectTypeOf(yield* receive<Message>()).toEqualTypeOf<Message>()
    expectTypeOf(yield* receive<Message, 'stop'>('stop')).toEqualTypeOf<Stop>()
    expectTypeOf(yield* receive<Reply>('reply')).toEqualTypeOf<Reply>()
    expectTypeOf(yield* receive((message: Message) => message.kind === 'stop')).toEqualTypeOf<Stop>()
    expectTypeOf(yield* receive((message: Reply) => message.value > 1)).toEqualTypeOf<Reply>()
    // @ts-expect-error no such kind
    yield* receive<Message, 'request'>('reply')
  }
  expectTypeOf(body).toBeFunction()
})

test('a kind without a type is enough to send to the process', () => {
  function* body() {
    const spawned = yield* spawn('waiter', function* () {
      const ack = yield* receive('ack')
      expectTypeOf(ack.kind).toEqualTypeOf<'ack'>()
    })
    yield* send(spawned, { kind: 'ack' })
    // @ts-expect-error another kind
    yield* send(spawned, { kind: 'nack' })
  }
  expectTypeOf(body).toBeFunction()
})

test('a receive by sender has the type it has from anyone', () => {
  function* body() {
    const from = yield* self<Reply>()
    expectTypeOf(yield* receive<Message>({ from })).toEqualTypeOf<Message>()
    expectTypeOf(yield* receive<Message, 'stop'>('stop', { from })).toEqualTypeOf<Stop>()
    expectTypeOf((yield* receive('ack', { from })).kind).toEqualTypeOf<'ack'>()
    expectTypeOf(yield* receive((message: Message) => message.kind === 'stop', { from: server })).toEqualTypeOf<Stop>()
    expectTypeOf(yield* poll<Reply>({ from })).toEqualTypeOf<Reply | undefined>()
    expectTypeOf(yield* poll<Message, 'stop'>('stop', { from })).toEqualTypeOf<Stop | undefined>()
    // @ts-expect-error no address
    yield* receive('ack', { from: 'client 1' })
    // @ts-expect-error an address is not an option
    yield* receive('ack', from)
  }
  expectTypeOf(body).toBeFunction()
})

test('a receive by sender tells what the process accepts', () => {
  function* body() {
    const spawned = yield* spawn('waiter', function* () {
      yield* receive<Reply>('reply', { from: server })
      yield* poll<Stop>({ from: server })
    })
    expectTypeOf(spawned).toEqualTypeOf<Address<Reply | Stop>>()
  }
  expectTypeOf(body).toBeFunction()
})

test('poll may find nothing', () => {
  function* body() {
    expectTypeOf(yield* poll<Reply>()).toEqualTypeOf<Reply | undefined>()
    expectTypeOf(yield* poll<Message, 'stop'>('stop')).toEqualTypeOf<Stop | undefined>()
  }
  expectTypeOf(body).toBeFunction()
})

test('choose keeps the literal options', () => {
  function* body() {
    expectTypeOf(yield* choose(['commit', 'abort'])).toEqualTypeOf<'commit' | 'abort'>()
  }
  expectTypeOf(body).toBeFunction()
})

test('operations can be awaited with the same types', () => {
  async function body() {
    expectTypeOf(await receive<Reply>()).toEqualTypeOf<Reply>()
    expectTypeOf(await send(server, { kind: 'stop' })).toEqualTypeOf<void>()
    expectTypeOf(await self<Reply>()).toEqualTypeOf<Address<Reply>>()
    const spawned = await spawn<Reply>('client', async () => {
      await receive<Reply>()
    })
    expectTypeOf(spawned).toEqualTypeOf<Address<Reply>>()
    const client = async (to: Address<Message>) => {
      await send(to, { kind: 'stop' })
    }
    expectTypeOf(await spawn<Reply>('client', client, server)).toEqualTypeOf<Address<Reply>>()
    // @ts-expect-error the argument is missing
    await spawn('client', client)
    await join(spawned)
    await assert(true, 'fine')
  }
  expectTypeOf(body).toBeFunction()
})

test('an address that accepts more can stand for one that accepts less, not the other way round', () => {
  expectTypeOf<Address<Message>>().toExtend<Address<Stop>>()
  expectTypeOf<Address<Stop>>().not.toExtend<Address<Message>>()
})

test('parameters are typed by their defaults, widened', () => {
  program('typed', { params: { clients: 3, mode: 'fast' } }, function* ({ clients, mode }) {
    expectTypeOf(clients).toEqualTypeOf<number>()
    expectTypeOf(mode).toEqualTypeOf<string>()
    yield* assert(true)
  })
  expectTypeOf(send(server, { kind: 'stop' })).toEqualTypeOf<Operation<void>>()
})
