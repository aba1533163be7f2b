/**
 * A distributed file store. Clients call a master; the master calls all data servers for what concerns blobs, and all tag servers
 * for what concerns tags, one after the other. What the servers have stored is left open.
 */
import { type Address, choose, every, type Process, program, receive, self, send, spawn, spawnAll } from 'allways'

type Call = 'alloc blob' | 'put blob' | 'get blob' | 'add tag' | 'get tag'
type MasterCall = { readonly kind: 'master call'; readonly call: Call; readonly from: Address<MasterReply> }
type MasterReply = { readonly kind: 'master reply'; readonly reply: 'ok' | 'servers' | 'data' | 'references' }
type DataCall = { readonly kind: 'data call'; readonly call: 'add' | 'get'; readonly from: Address<DataReply> }
type DataReply = { readonly kind: 'data reply'; readonly reply: 'ok' | 'exists' | 'data' | 'not found' }
type TagCall = { readonly kind: 'tag call'; readonly call: 'get' | 'set' | 'info'; readonly from: Address<TagReply> }
type TagReply = { readonly kind: 'tag reply'; readonly reply: 'ok' | 'found' | 'not found' | 'info' }
type ToMaster = MasterCall | DataReply | TagReply

function* dataServer(): Process<DataCall> {
  while (true) {
    const { call, from } = yield* receive<DataCall>('data call')
    const reply = call === 'add' ? yield* choose(['ok', 'exists']) : yield* choose(['data', 'not found'])
    yield* send(from, { kind: 'data reply', reply })
  }
}

function* tagServer(): Process<TagCall> {
  while (true) {
    const { call, from } = yield* receive<TagCall>('tag call')
    if (call === 'get') {
      const reply = yield* choose(['found', 'not found'])
      yield* send(from, { kind: 'tag reply', reply })
    } else if (call === 'info') {
      yield* send(from, { kind: 'tag reply', reply: 'info' })
    } else {
      yield* send(from, { kind: 'tag reply', reply: 'ok' })
    }
  }
}

function* callData(one: Address<DataCall>, call: 'add' | 'get'): Process<DataReply> {
  const me = yield* self<DataReply>()
  yield* send(one, { kind: 'data call', call, from: me })
  yield* receive<DataReply>('data reply', { from: one })
}

function* callTag(one: Address<TagCall>, call: 'get' | 'set'): Process<TagReply> {
  const me = yield* self<TagReply>()
  yield* send(one, { kind: 'tag call', call, from: me })
  yield* receive<TagReply>('tag reply', { from: one })
}

function* client(master: Address<MasterCall>): Process<MasterReply> {
  const me = yield* self<MasterReply>()
  const call = yield* choose(['alloc blob', 'put blob', 'get blob', 'add tag', 'get tag'])
  yield* send(master, { kind: 'master call', call, from: me })
  yield* receive<MasterReply>('master reply')
}

function* master(data: readonly Address<DataCall>[], tags: readonly Address<TagCall>[]): Process<ToMaster> {
  while (true) {
    const { call, from } = yield* receive<MasterCall>('master call')
    switch (call) {
      case 'alloc blob':
        yield* send(from, { kind: 'master reply', reply: 'servers' })
        break
      case 'put blob':
        for (const one of data) yield* callData(one, 'add')
        yield* send(from, { kind: 'master reply', reply: 'ok' })
        break
      case 'get blob':
        for (const one of data) yield* callData(one, 'get')
        yield* send(from, { kind: 'master reply', reply: 'data' })
        break
      case 'add tag':
        for (const one of tags) yield* callTag(one, 'get')
        for (const one of tags) yield* callTag(one, 'set')
        yield* send(from, { kind: 'master reply', reply: 'ok' })
        break
      case 'get tag':
        for (const one of tags) yield* callTag(one, 'get')
        yield* send(from, { kind: 'master reply', reply: 'references' })
        break
    }
  }
}

export const theque = program(
  'theque',
  { params: { clients: every(2), data: every(2), tags: every(2) } },
  function* ({ clients, data, tags }) {
    const dataServers = yield* spawnAll(data, 'data server', { daemon: true }, dataServer)
    const tagServers = yield* spawnAll(tags, 'tag server', { daemon: true }, tagServer)
    const at = yield* spawn('master', { daemon: true }, master, dataServers, tagServers)
    yield* spawnAll(clients, 'client', client, at)
  },
)

export const noReply = program(
  'theque, no reply to put blob',
  { params: { clients: every(2), data: every(2), tags: every(2) } },
  function* ({ clients, data, tags }) {
    const dataServers = yield* spawnAll(data, 'data server', { daemon: true }, dataServer)
    const tagServers = yield* spawnAll(tags, 'tag server', { daemon: true }, tagServer)
    const at = yield* spawn('master', { daemon: true }, curt, dataServers, tagServers)
    yield* spawnAll(clients, 'client', client, at)
  },
)

function* curt(data: readonly Address<DataCall>[], tags: readonly Address<TagCall>[]): Process<ToMaster> {
  while (true) {
    const { call, from } = yield* receive<MasterCall>('master call')
    switch (call) {
      case 'alloc blob':
        yield* send(from, { kind: 'master reply', reply: 'servers' })
        break
      case 'put blob':
        for (const one of data) yield* callData(one, 'add')
        break
      case 'get blob':
        for (const one of data) yield* callData(one, 'get')
        yield* send(from, { kind: 'master reply', reply: 'data' })
        break
      case 'add tag':
        for (const one of tags) yield* callTag(one, 'get')
        for (const one of tags) yield* callTag(one, 'set')
        yield* send(from, { kind: 'master reply', reply: 'ok' })
        break
      case 'get tag':
        for (const one of tags) yield* callTag(one, 'get')
        yield* send(from, { kind: 'master reply', reply: 'references' })
        break
    }
  }
}

export const tagToSelf = program(
  'theque, tag servers answer themselves',
  { params: { clients: every(2), data: every(2), tags: every(2) } },
  function* ({ clients, data, tags }) {
    const dataServers = yield* spawnAll(data, 'data server', { daemon: true }, dataServer)
    const tagServers = yield* spawnAll(tags, 'tag server', { daemon: true }, confused)
    const at = yield* spawn('master', { daemon: true }, master, dataServers, tagServers)
    yield* spawnAll(clients, 'client', client, at)
  },
)

function* confused(): Process<TagCall> {
  const me = yield* self<TagReply>()
  while (true) {
    const { call } = yield* receive<TagCall>('tag call')
    if (call === 'get') {
      const reply = yield* choose(['found', 'not found'])
      yield* send(me, { kind: 'tag reply', reply })
    } else if (call === 'info') {
      yield* send(me, { kind: 'tag reply', reply: 'info' })
    } else {
      yield* send(me, { kind: 'tag reply', reply: 'ok' })
    }
  }
}

/** A later call takes such a reply for its own. */
export const replyNotRead = program(
  'theque, replies to set are not read',
  { params: { clients: every(2), data: every(2), tags: every(2) } },
  function* ({ clients, data, tags }) {
    const dataServers = yield* spawnAll(data, 'data server', { daemon: true }, dataServer)
    const tagServers = yield* spawnAll(tags, 'tag server', { daemon: true }, tagServer)
    const at = yield* spawn('master', { daemon: true }, hasty, dataServers, tagServers)
    yield* spawnAll(clients, 'client', client, at)
  },
)

function* hasty(data: readonly Address<DataCall>[], tags: readonly Address<TagCall>[]): Process<ToMaster> {
  while (true) {
    const { call, from } = yield* receive<MasterCall>('master call')
    switch (call) {
      case 'alloc blob':
        yield* send(from, { kind: 'master reply', reply: 'servers' })
        break
      case 'put blob':
        for (const one of data) yield* callData(one, 'add')
        yield* send(from, { kind: 'master reply', reply: 'ok' })
        break
      case 'get blob':
        for (const one of data) yield* callData(one, 'get')
        yield* send(from, { kind: 'master reply', reply: 'data' })
        break
      case 'add tag':
        for (const one of tags) yield* callTag(one, 'get')
        for (const one of tags) yield* tellTag(one, 'set')
        yield* send(from, { kind: 'master reply', reply: 'ok' })
        break
      case 'get tag':
        for (const one of tags) yield* callTag(one, 'get')
        yield* send(from, { kind: 'master reply', reply: 'references' })
        break
    }
  }
}

function* tellTag(one: Address<TagCall>, call: 'get' | 'set'): Process<TagReply> {
  const me = yield* self<TagReply>()
  yield* send(one, { kind: 'tag call', call, from: me })
}

export const doubleReply = program(
  'theque, get tag is replied to twice',
  { params: { clients: every(2), data: every(2), tags: every(2) } },
  function* ({ clients, data, tags }) {
    const dataServers = yield* spawnAll(data, 'data server', { daemon: true }, dataServer)
    const tagServers = yield* spawnAll(tags, 'tag server', { daemon: true }, tagServer)
    const at = yield* spawn('master', { daemon: true }, talkative, dataServers, tagServers)
    yield* spawnAll(clients, 'client', client, at)
  },
)

function* talkative(data: readonly Address<DataCall>[], tags: readonly Address<TagCall>[]): Process<ToMaster> {
  while (true) {
    const { call, from } = yield* receive<MasterCall>('master call')
    switch (call) {
      case 'alloc blob':
        yield* send(from, { kind: 'master reply', reply: 'servers' })
        break
      case 'put blob':
        for (const one of data) yield* callData(one, 'add')
        yield* send(from, { kind: 'master reply', reply: 'ok' })
        break
      case 'get blob':
        for (const one of data) yield* callData(one, 'get')
        yield* send(from, { kind: 'master reply', reply: 'data' })
        break
      case 'add tag':
        for (const one of tags) yield* callTag(one, 'get')
        for (const one of tags) yield* callTag(one, 'set')
        yield* send(from, { kind: 'master reply', reply: 'ok' })
        break
      case 'get tag':
        for (const one of tags) yield* callTag(one, 'get')
        yield* send(from, { kind: 'master reply', reply: 'references' })
        yield* send(from, { kind: 'master reply', reply: 'references' })
        break
    }
  }
}

/** Correct: only the data server that was called replies. But that is not said. */
export const repliesFromAnyone = program(
  'theque, replies from anyone',
  { params: { clients: every(2), data: every(2), tags: every(2) } },
  function* ({ clients, data, tags }) {
    const dataServers = yield* spawnAll(data, 'data server', { daemon: true }, dataServer)
    const tagServers = yield* spawnAll(tags, 'tag server', { daemon: true }, tagServer)
    const at = yield* spawn('master', { daemon: true }, trusting, dataServers, tagServers)
    yield* spawnAll(clients, 'client', client, at)
  },
)

function* trusting(data: readonly Address<DataCall>[], tags: readonly Address<TagCall>[]): Process<ToMaster> {
  while (true) {
    const { call, from } = yield* receive<MasterCall>('master call')
    switch (call) {
      case 'alloc blob':
        yield* send(from, { kind: 'master reply', reply: 'servers' })
        break
      case 'put blob':
        for (const one of data) yield* callSomeData(one, 'add')
        yield* send(from, { kind: 'master reply', reply: 'ok' })
        break
      case 'get blob':
        for (const one of data) yield* callSomeData(one, 'get')
        yield* send(from, { kind: 'master reply', reply: 'data' })
        break
      case 'add tag':
        for (const one of tags) yield* callTag(one, 'get')
        for (const one of tags) yield* callTag(one, 'set')
        yield* send(from, { kind: 'master reply', reply: 'ok' })
        break
      case 'get tag':
        for (const one of tags) yield* callTag(one, 'get')
        yield* send(from, { kind: 'master reply', reply: 'references' })
        break
    }
  }
}

function* callSomeData(one: Address<DataCall>, call: 'add' | 'get'): Process<DataReply> {
  const me = yield* self<DataReply>()
  yield* send(one, { kind: 'data call', call, from: me })
  yield* receive<DataReply>('data reply')
}
