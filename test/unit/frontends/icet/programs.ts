/** Programs of the literature on canonical sequentialization, as users would write them. */

const head = `import { assert, assume, choose, every, program, receive, repeat, self, send, spawn, spawnAll } from 'allways'
import type { Address, Process } from 'allways'
`

export const programs = {
  'lock server': `${head}
export default program('lock server', { params: { clients: every(3) } }, function* ({ clients }) {
  const server = yield* self<ToServer>()
  const all = yield* spawnAll(clients, 'client', client, server)
  for (const _ of all) {
    const { from } = yield* receive<ToServer, 'lock'>('lock')
    yield* send(from, { kind: 'ack' })
    yield* receive('unlock', { from })
  }
})

function* client(server: Address<ToServer>): Process<Ack> {
  yield* send(server, { kind: 'lock', from: yield* self<Ack>() })
  yield* receive('ack')
  yield* send(server, { kind: 'unlock' })
}
`,

  'two-phase commit': `${head}
export default program('two-phase commit', { params: { acceptors: every(3, { from: 1 }) } }, function* ({ acceptors }) {
  const all = yield* spawnAll(acceptors, 'acceptor', acceptor)
  const me = yield* self()
  for (const one of all) yield* send(one, { kind: 'query', who: me })
  let yes = 0
  for (const _ of all) {
    const response = yield* receive('response')
    if (response.vote === 'accept') yes++
  }
  const decision = yes === all.length ? 'commit' : 'rollback'
  for (const one of all) yield* send(one, { kind: 'decision', decision, who: me })
  for (const _ of all) yield* receive('ack')
})

function* acceptor() {
  const { who } = yield* receive('query')
  const vote = yield* choose(['accept', 'reject'])
  yield* send(who, { kind: 'response', vote })
  const { who: coordinator } = yield* receive('decision')
  yield* send(coordinator, { kind: 'ack' })
}
`,

  'map-reduce': `${head}
type Task = { kind: 'work'; item: number } | { kind: 'term' }

export default program('map-reduce', { params: { mappers: every(3), work: every(2) } }, function* ({ mappers, work }) {
  const master = yield* self()
  yield* spawn('queue', queue, mappers, work, master)
  yield* repeat(work, function* () {
    yield* receive('result')
  })
})

function* queue(size: number, work: number, master: Address<Result>) {
  const me = yield* self()
  const all = yield* spawnAll(size, 'mapper', mapper, me, master)
  for (let item = 0; item < work; item++) {
    const { from } = yield* receive('request')
    yield* send(from, { kind: 'work', item })
  }
  for (const _ of all) {
    const { from } = yield* receive('request')
    yield* send(from, { kind: 'term' })
  }
}

function* mapper(work: Address<Request>, master: Address<Result>) {
  yield* loop()

  function* loop(): Process<Task> {
    yield* send(work, { kind: 'request', from: yield* self() })
    const task = yield* receive<Task>((message) => message.kind === 'work' || message.kind === 'term')
    switch (task.kind) {
      case 'work':
        yield* send(master, { kind: 'result', value: square(task.item) })
        return yield* loop()
      case 'term':
        return
    }
  }
}

function square(value: number): number {
  const result = value * value
  return result
}
`,

  firewall: `${head}
export default program('firewall', { params: { clients: every(2) } }, async ({ clients }) => {
  const server = await spawn('server', { daemon: true }, async () => {
    while (true) {
      const { request, from } = await receive('forward')
      if (request === 'bad') throw new Error('the firewall let it through')
      await send(from, { kind: 'served' })
    }
  })
  const firewall = await spawn('firewall', { daemon: true }, guard, server)
  await spawnAll(clients, 'client', client, firewall)
})

async function guard(server: Address<Forward>) {
  for (;;) {
    const message = await receive('request')
    if (message.request !== 'good') continue
    await send(server, { kind: 'forward', request: message.request, from: await self() })
    await receive('served')
    await send(message.from, { kind: 'response' })
  }
}

async function client(firewall: Address<Request>) {
  await send(firewall, { kind: 'request', request: 'good', from: await self() })
  await receive('response')
}
`,

  'two buyers': `${head}
export default program('two buyers', { params: { rounds: every(1) } }, function* ({ rounds }) {
  const seller = yield* spawn('seller', sell, rounds)
  const second = yield* spawn('second', buy, rounds, seller)
  const me = yield* self()
  for (let round = 1; round <= rounds; round++) {
    yield* send(seller, { kind: 'title', buyers: { first: me, second }, round })
    const quote = yield* receive('quote')
    yield* send(second, { kind: 'share', amount: quote.price / 2 })
  }
})

function* sell(rounds: number) {
  yield* repeat(rounds, function* () {
    const { buyers: { first, second } } = yield* receive('title')
    const price = 10
    yield* send(first, { kind: 'quote', price })
    yield* send(second, { kind: 'quote', price })
    const offer = yield* receive('offer')
    if (offer.answer === 'quit') return
    yield* receive('details')
    yield* send(offer.from, { kind: 'shipping' })
  })
}

function* buy(rounds: number, seller: Address<Offer>) {
  yield* repeat(rounds, function* () {
    const quote = yield* receive('quote')
    const share = yield* receive('share')
    const from = yield* self()
    if ((yield* choose([true, false])) && share.amount <= quote.price) {
      yield* send(seller, { kind: 'offer', answer: 'ok', from })
      yield* send(seller, { kind: 'details' })
      yield* receive('shipping')
    } else yield* send(seller, { kind: 'offer', answer: 'quit', from })
  })
}
`,

  registry: `${head}
export default program('registry', { params: { clients: every(3) } }, function* ({ clients }) {
  const registry = yield* spawn('registry', register, clients)
  const all = yield* spawnAll(clients, 'client', function* () {
    const { registry } = yield* receive('registry')
    yield* send(registry, { kind: 'client', from: yield* self() })
  })
  const me = yield* self()
  yield* send(registry, { kind: 'master', master: me })
  for (const client of all) yield* send(client, { kind: 'registry', registry })
  yield* receive('ok')
})

function* register(clients: number) {
  const { master } = yield* receive('master')
  for (let i = 0; i <= clients - 1; i += 1) yield* receive('client')
  yield* send(master, { kind: 'ok' })
}
`,

  'concurrent database': `${head}
export default program('concurrent database', { params: { clients: every(2) } }, function* ({ clients }) {
  const database = yield* spawn('database', { daemon: true }, serve)
  yield* spawnAll(clients, 'client', client, database)
})

function* serve() {
  while (true) {
    const request = yield* receive('request')
    switch (request.what) {
      case 'allocate': {
        const answer = yield* choose(['allocated', 'free'])
        yield* send(request.from, { kind: 'allocation', answer })
        if (answer === 'free') yield* receive('set', { from: request.from })
        break
      }
      case 'lookup':
        yield* send(request.from, { kind: 'value' })
        break
      default:
        throw new Error('no such request')
    }
  }
}

function* client(database: Address<Request>) {
  const what = yield* choose(['allocate', 'lookup'])
  const reply = yield* call(database, what)
  if (reply.kind === 'allocation' && reply.answer === 'free') yield* send(database, { kind: 'set' })
}

function* call(database: Address<Request>, what: string) {
  yield* send(database, { kind: 'request', what, from: yield* self() })
  return yield* receive(({ kind }) => ['allocation', 'value'].includes(kind))
}
`,

  parikh: `${head}
export default program('parikh', { params: { sets: every(1) } }, function* ({ sets }) {
  const server = yield* spawn('server', serve)
  yield* send(server, { kind: 'init', from: yield* self(), value: 0 })
  yield* receive('ok')
  yield* repeat(sets, function* (index) {
    yield* send(server, { kind: 'set', value: index })
  })
  yield* send(server, { kind: 'bye' })
})

function* serve() {
  const { from, value } = yield* receive('init')
  yield* send(from, { kind: 'ok' })
  yield* serving(value)
}

function* serving(value: number) {
  const message = yield* receive()
  if (message.kind === 'init') throw new Error('init twice')
  if (message.kind === 'set') return yield* serving(message.value)
  if (message.kind === 'get') {
    yield* send(message.from, { kind: 'value', value })
    return yield* serving(value)
  }
}
`,

  'distributed database': `${head}
export default program('distributed database', { params: { clients: every(2), workers: every(2, { from: 1 }) } },
  function* ({ clients, workers }) {
    const pool = yield* spawnAll(workers, 'worker', { daemon: true }, work)
    const database = yield* spawn('database', { daemon: true }, dispatch, pool)
    yield* spawnAll(clients, 'client', client, database)
  })

function* dispatch(pool: readonly Address<Request>[]) {
  for (;;) {
    const request = yield* receive()
    const worker = yield* choose(pool)
    yield* send(worker, request)
  }
}

function* work() {
  for (;;) {
    const request = yield* receive()
    if (request.kind === 'lookup') yield* send(request.from, { kind: 'found' })
  }
}

function* client(database: Address<Request>) {
  const kind = yield* choose(['allocate', 'lookup'])
  yield* send(database, { kind, from: yield* self() })
  if (kind === 'lookup') yield* receive('found')
}
`,

  theque: `${head}
export default program('theque', { params: { clients: every(2), tags: every(2), blobs: every(2) } },
  function* ({ clients, tags, blobs }) {
    const tagServers = yield* spawnAll(tags, 'tag server', { daemon: true }, store, 'tag')
    const dataServers = yield* spawnAll(blobs, 'data server', { daemon: true }, store, 'blob')
    const master = yield* spawn('master', { daemon: true }, serve, tagServers, dataServers)
    yield* spawnAll(clients, 'client', client, master)
  })

function* serve(tagServers: Servers, dataServers: Servers) {
  const me = yield* self()
  while (true) {
    const request = yield* receive('call')
    if (request.rpc === 'push') {
      for (const server of dataServers) yield* call(server, 'add')
    } else {
      for (const server of tagServers) yield* call(server, 'get')
    }
    yield* send(request.from, { kind: 'reply' })
  }

  function* call(server: Address<Call>, rpc: string) {
    yield* send(server, { kind: 'call', rpc, from: me })
    return yield* receive('reply', { from: server })
  }
}

function* store(what: string) {
  while (true) {
    const { from, rpc } = yield* receive('call')
    yield* send(from, { kind: 'reply', text: \`\${what} \${rpc}\` })
  }
}

function* client(master: Address<Call>) {
  yield* send(master, { kind: 'call', rpc: yield* choose(['push', 'get']), from: yield* self() })
  yield* receive('reply')
}
`,

  'ping with a helper': `${head}
export default program('ping', { params: { peers: every(2) } }, function* ({ peers }) {
  const me = yield* self()
  const all = yield* spawnAll(peers, 'peer', function* () {
    const ping = yield* receive('ping')
    yield* send(ping.from, { kind: 'pong' })
  })
  for (const peer of all) yield* send(peer, message('ping', me))
  for (const _ of all) yield* receive('pong')
})

const message = (kind: string, from: Address) => ({ kind, from })
`,
}
