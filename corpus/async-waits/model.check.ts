import { type Address, join, program, receive, self, send, spawn } from 'allways'

type Message = { kind: 'a' } | { kind: 'b' }
type ToServer = { kind: 'request'; client: Address<'reply'>; name: string } | { kind: 'confirm'; name: string }
type Pay = { kind: 'pay'; from: Address<Ack> }
type Ack = { kind: 'ack' }

function timeout(milliseconds: number): Promise<'late'> {
  return new Promise((resolve) => setTimeout(() => resolve('late'), milliseconds))
}

export const race = program('race', async () => {
  const me = await self<Ack>()
  await spawn('sender', async () => {
    await send(me, { kind: 'ack' })
  })
  await Promise.race([receive('ack'), timeout(100)])
})

/** An activity for each request. */
async function server() {
  async function serve({ client, name }: ToServer & { kind: 'request' }) {
    await send(client, 'reply')
    await receive((message: ToServer) => message.kind === 'confirm' && message.name === name)
  }
  const served: Promise<void>[] = []
  for (let clients = 0; clients < 2; clients++) served.push(serve(await receive<ToServer, 'request'>('request')))
  await Promise.all(served)
}

async function client(to: Address<ToServer>, name: string) {
  await send(to, { kind: 'request', client: await self<'reply'>(), name })
  await receive()
  await send(to, { kind: 'confirm', name })
}

export const activities = program('activities', async () => {
  const to = await spawn<ToServer>('server', server)
  await spawn('a', client, to, 'a')
  await spawn('b', client, to, 'b')
})

/** Two receives at once, made one after the other. */
function both(first: () => PromiseLike<unknown>, second: () => PromiseLike<unknown>) {
  return async () => {
    const to = await spawn<Message>('receiver', async () => {
      const pending = [first(), second()]
      await Promise.all(pending)
    })
    await spawn('a', async () => {
      await send(to, { kind: 'a' })
    })
    await spawn('b', async () => {
      await send(to, { kind: 'b' })
    })
  }
}

export const anyThenB = program(
  'any, then b',
  both(
    () => receive(),
    () => receive('b'),
  ),
)

export const bThenAny = program(
  'b, then any',
  both(
    () => receive('b'),
    () => receive(),
  ),
)

/** The same by sender: one waits for the second sender, the older one for anybody. */
export const anyThenSecond = program('any, then of the second', async () => {
  const to = await spawn<Message | Address<Message>>('receiver', async () => {
    const second = (await receive((message) => !('kind' in (message as object)))) as Address<Message>
    await Promise.all([receive(), receive({ from: second })])
  })
  await spawn('a', async () => {
    await send(to, { kind: 'a' })
  })
  const second = await spawn<Message>('b', async () => {
    await send(to, { kind: 'a' })
  })
  await send(to, second)
})

async function bank() {
  for (;;) {
    const { from } = await receive<Pay>()
    await send(from, { kind: 'ack' })
  }
}

/** The receive that lost takes what comes. */
export const lostRace = program('lost race', async () => {
  const me = await self<Ack>()
  const to = await spawn<Pay>('bank', { daemon: true }, bank)
  await send(to, { kind: 'pay', from: me })
  if ((await Promise.race([receive('ack'), timeout(100)])) !== 'late') return
  await receive('ack')
})

/** It is withdrawn. */
export const withSignal = program('with a signal', async () => {
  const me = await self<Ack>()
  const to = await spawn<Pay>('bank', { daemon: true }, bank)
  await send(to, { kind: 'pay', from: me })
  const controller = new AbortController()
  const reply = receive('ack', { signal: controller.signal }).catch(() => 'withdrawn')
  if ((await Promise.race([reply, timeout(100)])) !== 'late') return
  controller.abort()
  await receive('ack')
})

export const within = program('within', async () => {
  const me = await self<Ack>()
  const to = await spawn<Pay>('bank', { daemon: true }, bank)
  await send(to, { kind: 'pay', from: me })
  if ((await receive<Ack, 'ack'>('ack', { within: 100 })) !== undefined) return
  await receive('ack')
})

/** The order in which two timers fire is certain if the first was set no later and for no longer. */
export const certain = program('certain', async () => {
  setTimeout(() => {}, 1)
  setTimeout(() => {}, 2)
})
export const uncertain = program('uncertain', async () => {
  setTimeout(() => {}, 2)
  setTimeout(() => {}, 1)
})

/** Two joins at once. */
export const joins = program('joins', async () => {
  const one = await spawn('one', async () => {})
  const two = await spawn('two', async () => {})
  await Promise.all([join(one), join(two)])
})

/** A join that has a time limit. */
export const joinInTime = program('join in time', async () => {
  const worker = await spawn('worker', async () => {})
  await Promise.race([join(worker), timeout(100)])
})

/** A join beside a receive: what the worker says may come after its end. */
export const joinBeside = program('join beside a receive', async () => {
  const me = await self<Ack>()
  const worker = await spawn('worker', async () => {
    await send(me, { kind: 'ack' })
  })
  await Promise.all([join(worker), receive('ack')])
})
