/**
 * Small programs on which a proof for all sizes easily goes wrong: what one branch of a server owes to others, values that change
 * from one round to the next, sizes that are not equal, empty sets, messages to oneself. The wrong ones stand next to right ones.
 */
import {
  type Address,
  assert,
  choose,
  every,
  type Process,
  program,
  receive,
  self,
  send,
  spawn,
  spawnAll,
} from 'allways'

type Request = { readonly kind: 'request'; readonly call: 'get' | 'add'; readonly from: Address<Reply> }
type Reply = { readonly kind: 'reply' }
type TagCall = { readonly kind: 'tag call'; readonly from: Address<TagReply> }
type TagReply = { readonly kind: 'tag reply' }
type Tags = readonly Address<TagCall>[]

function* client(server: Address<Request>): Process<Reply> {
  const me = yield* self<Reply>()
  const call = yield* choose(['get', 'add'])
  yield* send(server, { kind: 'request', call, from: me })
  yield* receive<Reply>('reply')
}

function* tag(): Process<TagCall> {
  while (true) {
    const { from } = yield* receive<TagCall>('tag call')
    yield* send(from, { kind: 'tag reply' })
  }
}

function* server(tags: Tags): Process<Request | TagReply> {
  const me = yield* self<TagReply>()
  while (true) {
    const { call, from } = yield* receive<Request>('request')
    if (call === 'get') {
      for (const one of tags) {
        yield* send(one, { kind: 'tag call', from: me })
        yield* receive<TagReply>('tag reply', { from: one })
      }
    } else {
      for (const one of tags) {
        yield* send(one, { kind: 'tag call', from: me })
        yield* receive<TagReply>('tag reply', { from: one })
      }
    }
    yield* send(from, { kind: 'reply' })
  }
}

/** Each branch of the server owes something to the tag servers. */
export const owes = program('owes', { params: { clients: every(2), tags: every(2) } }, function* ({ clients, tags }) {
  const all = yield* spawnAll(tags, 'tag', { daemon: true }, tag)
  const at = yield* spawn('server', { daemon: true }, server, all)
  yield* spawnAll(clients, 'client', client, at)
})

export const owedNothing = program(
  'owes, tags never answer',
  { params: { clients: every(2), tags: every(2) } },
  function* ({ clients, tags }) {
    const all = yield* spawnAll(tags, 'tag', { daemon: true }, silentTag)
    const at = yield* spawn('server', { daemon: true }, server, all)
    yield* spawnAll(clients, 'client', client, at)
  },
)

function* silentTag(): Process<TagCall> {
  while (true) yield* receive<TagCall>('tag call')
}

export const addReceives = program(
  'owes, add only receives',
  { params: { clients: every(2), tags: every(2) } },
  function* ({ clients, tags }) {
    const all = yield* spawnAll(tags, 'tag', { daemon: true }, tag)
    const at = yield* spawn('server', { daemon: true }, waiting, all)
    yield* spawnAll(clients, 'client', client, at)
  },
)

function* waiting(tags: Tags): Process<Request | TagReply> {
  const me = yield* self<TagReply>()
  while (true) {
    const { call, from } = yield* receive<Request>('request')
    if (call === 'get') {
      for (const one of tags) {
        yield* send(one, { kind: 'tag call', from: me })
        yield* receive<TagReply>('tag reply', { from: one })
      }
    } else {
      for (const one of tags) yield* receive<TagReply>('tag reply', { from: one })
    }
    yield* send(from, { kind: 'reply' })
  }
}

export const addSends = program(
  'owes, add only sends',
  { params: { clients: every(2), tags: every(2) } },
  function* ({ clients, tags }) {
    const all = yield* spawnAll(tags, 'tag', { daemon: true }, tag)
    const at = yield* spawn('server', { daemon: true }, hasty, all)
    yield* spawnAll(clients, 'client', client, at)
  },
)

function* hasty(tags: Tags): Process<Request | TagReply> {
  const me = yield* self<TagReply>()
  while (true) {
    const { call, from } = yield* receive<Request>('request')
    if (call === 'get') {
      for (const one of tags) {
        yield* send(one, { kind: 'tag call', from: me })
        yield* receive<TagReply>('tag reply', { from: one })
      }
    } else {
      for (const one of tags) yield* send(one, { kind: 'tag call', from: me })
    }
    yield* send(from, { kind: 'reply' })
  }
}

type Letter = { readonly kind: 'a' } | { readonly kind: 'b' }

/** All but the first are sent something else: it takes two. */
export const firstDiffers = program('the first is sent something else', { params: { n: every(3) } }, function* ({ n }) {
  const all = yield* spawnAll(n, 'member', function* (): Process<Letter> {
    yield* receive<Letter, 'a'>('a')
  })
  let sent = 0
  for (const one of all) {
    if (sent === 0) yield* send(one, { kind: 'a' })
    else yield* send(one, { kind: 'b' })
    sent = 1
  }
})

export const firstDiffersRead = program(
  'the first is sent something else, all take both',
  { params: { n: every(3) } },
  function* ({ n }) {
    const all = yield* spawnAll(n, 'member', function* (): Process<Letter> {
      yield* receive<Letter>()
    })
    let sent = 0
    for (const one of all) {
      if (sent === 0) yield* send(one, { kind: 'a' })
      else yield* send(one, { kind: 'b' })
      sent = 1
    }
  },
)

/** The server remembers whom it served first, and serves nobody else: it takes two. */
export const firstClientOnly = program(
  'only the first is answered',
  { params: { clients: every(3) } },
  function* ({ clients }) {
    const at = yield* spawn('server', { daemon: true }, loyal)
    yield* spawnAll(clients, 'client', client, at)
  },
)

function* loyal(): Process<Request> {
  const { from } = yield* receive<Request>('request')
  yield* send(from, { kind: 'reply' })
  while (true) {
    yield* receive<Request>('request')
    yield* send(from, { kind: 'reply' })
  }
}

/** Members are answered one round late, and the last one never is. */
export const answersPrevious = program('the previous one is answered', { params: { n: every(2) } }, function* ({ n }) {
  const me = yield* self<Request>()
  const all = yield* spawnAll(n, 'client', client, me)
  let served = 0
  let previous: Address<Reply> | undefined
  for (const _ of all) {
    const { from } = yield* receive<Request>('request')
    if (served > 0 && previous !== undefined) yield* send(previous, { kind: 'reply' })
    previous = from
    served++
  }
})

type Marked = { readonly kind: 'marked'; readonly mark: 'good' | 'bad'; readonly number: number }

function* judge(): Process<Marked> {
  const { mark } = yield* receive<Marked>('marked')
  yield* assert(mark !== 'bad', 'a bad one')
}

/** What is sent comes from a variable: that it is not visibly bad does not make it good. */
export const badByVariable = program('bad by way of a variable', function* () {
  const at = yield* spawn('judge', judge)
  const mark = 'bad'
  yield* send(at, { kind: 'marked', mark, number: 0 })
})

export const goodByVariable = program('good by way of a variable', function* () {
  const at = yield* spawn('judge', judge)
  const mark = 'good'
  yield* send(at, { kind: 'marked', mark, number: 0 })
})

export const badByChoice = program('bad by choice', function* () {
  const at = yield* spawn('judge', judge)
  const mark = yield* choose(['good', 'bad'])
  yield* send(at, { kind: 'marked', mark, number: 0 })
})

/** Order is kept among the messages that one receive takes, and only among these. */
export const byKind = program('out of order by kind', function* () {
  const at = yield* spawn('reader', function* (): Process<Letter> {
    yield* receive<Letter, 'b'>('b')
    yield* receive<Letter, 'a'>('a')
  })
  yield* send(at, { kind: 'a' })
  yield* send(at, { kind: 'b' })
})

export const inOrder = program('in order', function* () {
  const at = yield* spawn('reader', function* (): Process<Letter> {
    const first = yield* receive<Letter>()
    yield* assert(first.kind === 'a', 'b comes first')
    yield* receive<Letter>()
  })
  yield* send(at, { kind: 'a' })
  yield* send(at, { kind: 'b' })
})

export const wrongOrder = program('in the wrong order', function* () {
  const at = yield* spawn('reader', function* (): Process<Letter> {
    const first = yield* receive<Letter>()
    yield* assert(first.kind === 'b', 'a comes first')
    yield* receive<Letter>()
  })
  yield* send(at, { kind: 'a' })
  yield* send(at, { kind: 'b' })
})

type Hello = { readonly kind: 'hello' }

function* greeting(to: Address<Hello>): Process {
  yield* send(to, { kind: 'hello' })
}

/** Waits for somebody even if there is nobody. */
export const emptySet = program('one of any number', { params: { n: every(2) } }, function* ({ n }) {
  const me = yield* self<Hello>()
  yield* spawnAll(n, 'member', greeting, me)
  yield* receive<Hello>('hello')
})

export const oneOfMany = program('one of at least one', { params: { n: every(2, { from: 1 }) } }, function* ({ n }) {
  const me = yield* self<Hello>()
  yield* spawnAll(n, 'member', greeting, me)
  yield* receive<Hello>('hello')
})

export const threeOfThree = program('three of three', function* () {
  const me = yield* self<Hello>()
  yield* spawnAll(3, 'member', greeting, me)
  for (let i = 0; i < 3; i++) yield* receive<Hello>('hello')
})

export const twoOfThree = program('two of three', function* () {
  const me = yield* self<Hello>()
  yield* spawnAll(3, 'member', greeting, me)
  for (let i = 0; i < 2; i++) yield* receive<Hello>('hello')
})

export const fourOfThree = program('four of three', function* () {
  const me = yield* self<Hello>()
  yield* spawnAll(3, 'member', greeting, me)
  for (let i = 0; i < 4; i++) yield* receive<Hello>('hello')
})

/** As many receives as there are members of another set. */
export const otherSet = program(
  'counted by another set',
  { params: { left: every(2), right: every(2) } },
  function* ({ left, right }) {
    const me = yield* self<Hello>()
    yield* spawnAll(left, 'left', greeting, me)
    const others = yield* spawnAll(right, 'right', function* (): Process<Letter> {
      yield* receive<Letter, 'a'>('a')
    })
    for (const one of others) {
      yield* send(one, { kind: 'a' })
      yield* receive<Hello>('hello')
    }
  },
)

/** Every sender greets every reader, and a reader waits for one greeting. */
export const nested = program(
  'every one to every one',
  { params: { senders: every(2), readers: every(2) } },
  function* ({ senders, readers }) {
    const all = yield* spawnAll(readers, 'reader', function* (): Process<Hello> {
      yield* receive<Hello>('hello')
    })
    yield* spawnAll(senders, 'sender', greetingAll, all)
  },
)

function* greetingAll(readers: readonly Address<Hello>[]): Process {
  for (const one of readers) yield* send(one, { kind: 'hello' })
}

type Token = { readonly kind: 'token' }

export const relay = program('relay', function* () {
  const me = yield* self<Token>()
  const second = yield* spawn('second', passing, me)
  const first = yield* spawn('first', passing, second)
  yield* send(first, { kind: 'token' })
  yield* receive<Token>('token')
})

export const circularWait = program('relay, nobody starts', function* () {
  const me = yield* self<Token>()
  const second = yield* spawn('second', passing, me)
  const first = yield* spawn('first', passing, second)
  yield* receive<Token>('token')
  yield* send(first, { kind: 'token' })
})

function* passing(next: Address<Token>): Process<Token> {
  yield* receive<Token>('token')
  yield* send(next, { kind: 'token' })
}

/** Correct. How often a client asks is counted from round to round. */
export const countsRounds = program('counts its rounds', { params: { clients: every(2) } }, function* ({ clients }) {
  const at = yield* spawn('server', { daemon: true }, endless)
  yield* spawnAll(clients, 'client', twice, at)
})

function* twice(at: Address<Request>): Process<Reply> {
  const me = yield* self<Reply>()
  let round = 0
  while (true) {
    yield* send(at, { kind: 'request', call: 'get', from: me })
    yield* receive<Reply>('reply')
    round++
    if (round === 2) break
  }
}

function* endless(): Process<Request> {
  while (true) {
    const { from } = yield* receive<Request>('request')
    yield* send(from, { kind: 'reply' })
  }
}

/** Nothing says that the server may wait for ever. */
export const notDaemon = program(
  'a server that nobody ends',
  { params: { clients: every(2) } },
  function* ({ clients }) {
    const at = yield* spawn('server', endless)
    yield* spawnAll(clients, 'client', client, at)
  },
)

/** The server may wait for ever, but it serves one client only: it takes two. */
export const servesOne = program('serves one', { params: { clients: every(2) } }, function* ({ clients }) {
  const at = yield* spawn('server', { daemon: true }, function* (): Process<Request> {
    const { from } = yield* receive<Request>('request')
    yield* send(from, { kind: 'reply' })
  })
  yield* spawnAll(clients, 'client', client, at)
})

/** The first receive may take either message; after its own, a member waits for another of its own. */
export const ownMessage = program('messages to oneself', { params: { n: every(2) } }, function* ({ n }) {
  const all = yield* spawnAll(n, 'member', function* (): Process<Hello> {
    const me = yield* self<Hello>()
    yield* send(me, { kind: 'hello' })
    yield* receive<Hello>('hello')
    yield* receive<Hello>('hello', { from: me })
  })
  for (const one of all) yield* send(one, { kind: 'hello' })
})
