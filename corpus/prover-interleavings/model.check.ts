/**
 * Programs that are right when the members of a set act one after the other, or when the set is small, and wrong otherwise, among
 * some that are right.
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

type Request = { readonly kind: 'request'; readonly from: Address<Reply> }
type Reply = { readonly kind: 'reply' }
type Use = { readonly kind: 'begin' } | { readonly kind: 'end' }
type Step = { readonly kind: 'step'; readonly number: number }

/** Two clients may both have begun. */
export const overlap = program('begin and end', { params: { clients: every(2) } }, function* ({ clients }) {
  const at = yield* spawn('resource', { daemon: true }, resource)
  yield* spawnAll(clients, 'client', user, at)
})

function* user(at: Address<Use>): Process {
  yield* send(at, { kind: 'begin' })
  yield* send(at, { kind: 'end' })
}

function* resource(): Process<Use> {
  let busy = false
  while (true) {
    const use = yield* receive<Use>()
    if (use.kind === 'begin') {
      yield* assert(!busy, 'two use it')
      busy = true
    } else {
      busy = false
    }
  }
}

/** One line sends both steps, so nothing seems to race. But the server may take the first steps of two clients. */
export const twoSteps = program('two steps', { params: { clients: every(2) } }, function* ({ clients }) {
  const at = yield* spawn('server', { daemon: true }, pairing)
  yield* spawnAll(clients, 'client', stepping, at)
})

function* stepping(at: Address<Step>): Process {
  for (let i = 0; i < 2; i++) yield* send(at, { kind: 'step', number: i })
}

function* pairing(): Process<Step> {
  while (true) {
    yield* receive<Step>('step')
    const second = yield* receive<Step>('step')
    yield* assert(second.number === 1, 'a first step came second')
  }
}

function* client(at: Address<Request>): Process<Reply> {
  const me = yield* self<Reply>()
  yield* send(at, { kind: 'request', from: me })
  yield* receive<Reply>('reply')
}

/** Clients are served two at a time: right for even numbers of them. */
export const pairs = program('served in pairs', { params: { clients: every(2) } }, function* ({ clients }) {
  const at = yield* spawn('server', { daemon: true }, matching)
  yield* spawnAll(clients, 'client', client, at)
})

function* matching(): Process<Request> {
  while (true) {
    const one = yield* receive<Request>('request')
    const other = yield* receive<Request>('request')
    yield* send(one.from, { kind: 'reply' })
    yield* send(other.from, { kind: 'reply' })
  }
}

export const onlyLast = program(
  'only the last is answered',
  { params: { clients: every(2, { from: 1 }) } },
  function* ({ clients }) {
    const me = yield* self<Request>()
    yield* spawnAll(clients, 'client', client, me)
    let last = yield* receive<Request>('request')
    for (let i = 0; i < clients; i++) {
      if (i > 0) last = yield* receive<Request>('request')
    }
    yield* send(last.from, { kind: 'reply' })
  },
)

type Ping = { readonly kind: 'ping' }

function* pinged(): Process<Ping> {
  yield* receive<Ping>('ping')
}

export const onePicked = program('one is picked', { params: { n: every(2, { from: 1 }) } }, function* ({ n }) {
  const all = yield* spawnAll(n, 'member', pinged)
  const one = yield* choose(all)
  yield* send(one, { kind: 'ping' })
})

/** So many are picked, but perhaps not all. */
export const picked = program('as many are picked', { params: { n: every(2, { from: 1 }) } }, function* ({ n }) {
  const all = yield* spawnAll(n, 'member', pinged)
  for (let i = 0; i < n; i++) {
    const one = yield* choose(all)
    yield* send(one, { kind: 'ping' })
  }
})

type TagCall = { readonly kind: 'tag call'; readonly from: Address<TagReply> }
type TagReply = { readonly kind: 'tag reply' }

/** Tag servers answer one call each: right for one client. */
export const tagsOnce = program(
  'tags answer once',
  { params: { clients: every(2), tags: every(2) } },
  function* ({ clients, tags }) {
    const all = yield* spawnAll(tags, 'tag', { daemon: true }, tagOnce)
    const at = yield* spawn('server', { daemon: true }, asking, all)
    yield* spawnAll(clients, 'client', client, at)
  },
)

function* tagOnce(): Process<TagCall> {
  const { from } = yield* receive<TagCall>('tag call')
  yield* send(from, { kind: 'tag reply' })
}

function* asking(tags: readonly Address<TagCall>[]): Process<Request | TagReply> {
  const me = yield* self<TagReply>()
  while (true) {
    const { from } = yield* receive<Request>('request')
    for (const one of tags) {
      yield* send(one, { kind: 'tag call', from: me })
      yield* receive<TagReply>('tag reply', { from: one })
    }
    yield* send(from, { kind: 'reply' })
  }
}

/** Somebody is taken for granted. */
export const countedSome = program('somebody came', { params: { clients: every(2) } }, function* ({ clients }) {
  const me = yield* self<Request>()
  const all = yield* spawnAll(clients, 'client', client, me)
  let served = 0
  for (const _ of all) {
    const { from } = yield* receive<Request>('request')
    yield* send(from, { kind: 'reply' })
    served++
  }
  yield* assert(served > 0, 'nobody came')
})

/** Right for all sizes but the large ones. */
export const largeOnly = program('right while few', { params: { n: every(3) } }, function* ({ n }) {
  const all = yield* spawnAll(n, 'member', pinged)
  if (n < 3) for (const one of all) yield* send(one, { kind: 'ping' })
})

type Question = { readonly kind: 'question'; readonly from: Address<Answer> }
type Answer = { readonly kind: 'answer'; readonly yes: boolean }

/** Nobody is asked after the first yes. */
export const leavesEarly = program('the first yes', { params: { n: every(2) } }, function* ({ n }) {
  const me = yield* self<Answer>()
  const all = yield* spawnAll(n, 'member', asked)
  for (const one of all) {
    yield* send(one, { kind: 'question', from: me })
    const { yes } = yield* receive<Answer>('answer', { from: one })
    if (yes) return
  }
})

function* asked(): Process<Question> {
  const { from } = yield* receive<Question>('question')
  const yes = yield* choose([true, false])
  yield* send(from, { kind: 'answer', yes })
}

type Hello = { readonly kind: 'hello' }

function* greeting(to: Address<Hello>): Process {
  yield* send(to, { kind: 'hello' })
}

/** Correct: hellos of two sets, but each is taken from a member that is named. */
export const byName = program('by name', { params: { left: every(2), right: every(2) } }, function* ({ left, right }) {
  const me = yield* self<Hello>()
  const lefts = yield* spawnAll(left, 'left', greeting, me)
  const rights = yield* spawnAll(right, 'right', greeting, me)
  for (const one of lefts) yield* receive<Hello>('hello', { from: one })
  for (const one of rights) yield* receive<Hello>('hello', { from: one })
})

/** Correct: whoever comes first, all are counted. But two sets race. */
export const anyName = program(
  'by any name',
  { params: { left: every(2), right: every(2) } },
  function* ({ left, right }) {
    const me = yield* self<Hello>()
    yield* spawnAll(left, 'left', greeting, me)
    yield* spawnAll(right, 'right', greeting, me)
    for (let i = 0; i < left; i++) yield* receive<Hello>('hello')
    for (let i = 0; i < right; i++) yield* receive<Hello>('hello')
  },
)

/** Correct: what the members say is passed on one by one. */
export const pipeline = program('pipeline', { params: { n: every(3) } }, function* ({ n }) {
  const me = yield* self<Ping>()
  const relay = yield* spawn('relay', relaying, me, n)
  yield* spawnAll(n, 'member', greeting, relay)
  for (let i = 0; i < n; i++) yield* receive<Ping>('ping')
})

function* relaying(to: Address<Ping>, n: number): Process<Hello> {
  for (let i = 0; i < n; i++) {
    yield* receive<Hello>('hello')
    yield* send(to, { kind: 'ping' })
  }
}

export const firstPassedOn = program(
  'pipeline, the first is passed on',
  { params: { n: every(3) } },
  function* ({ n }) {
    const me = yield* self<Ping>()
    const relay = yield* spawn('relay', clogged, me, n)
    yield* spawnAll(n, 'member', greeting, relay)
    for (let i = 0; i < n; i++) yield* receive<Ping>('ping')
  },
)

function* clogged(to: Address<Ping>, n: number): Process<Hello> {
  for (let i = 0; i < n; i++) {
    yield* receive<Hello>('hello')
    if (i === 0) yield* send(to, { kind: 'ping' })
  }
}

/** Two different processes race, and nothing depends on it. */
export const logger = program('logger', function* () {
  const me = yield* self<Hello>()
  yield* spawn('left', greeting, me)
  yield* spawn('right', greeting, me)
  yield* receive<Hello>('hello')
  yield* receive<Hello>('hello')
})

export const racingLogger = program('logger that waits for one of them', function* () {
  const me = yield* self<Hello>()
  const left = yield* spawn('left', greeting, me)
  yield* spawn('right', greeting, me)
  yield* receive<Hello>('hello')
  yield* receive<Hello>('hello', { from: left })
})

type Where = { readonly kind: 'where'; readonly to: Address<Hello> }

/** Two processes are told where to send: which of the two is first is open. */
export const racingByAddress = program('told where to send', function* () {
  const me = yield* self<Hello>()
  const left = yield* spawn('left', told)
  const right = yield* spawn('right', told)
  yield* send(left, { kind: 'where', to: me })
  yield* send(right, { kind: 'where', to: me })
  yield* receive<Hello>('hello')
  yield* receive<Hello>('hello', { from: right })
})

function* told(): Process<Where> {
  const { to } = yield* receive<Where>('where')
  yield* send(to, { kind: 'hello' })
}

/** The branches agree on where to go on, not on what is known there. */
export const joinedValues = program('different after a branch', function* () {
  const at = yield* spawn('reader', function* (): Process<Step> {
    const { number } = yield* receive<Step>('step')
    yield* assert(number !== 2, 'it is two')
  })
  const more = yield* choose([true, false])
  let number = 1
  if (more) number = 2
  yield* send(at, { kind: 'step', number })
})

/** The branches agree on where to go on, not on what is under way. */
export const joinedMessages = program('different messages after a branch', function* () {
  const at = yield* spawn('reader', function* (): Process<Use> {
    yield* receive<Use, 'begin'>('begin')
  })
  const begins = yield* choose([true, false])
  if (begins) yield* send(at, { kind: 'begin' })
  else yield* send(at, { kind: 'end' })
})

/** Correct: nobody goes on before all have come. */
export const barrier = program('barrier', { params: { n: every(3) } }, function* ({ n }) {
  const me = yield* self<Hello>()
  const all = yield* spawnAll(n, 'member', arriving, me)
  for (const _ of all) yield* receive<Hello>('hello')
  for (const one of all) yield* send(one, { kind: 'ping' })
})

function* arriving(at: Address<Hello>): Process<Ping> {
  yield* send(at, { kind: 'hello' })
  yield* receive<Ping>('ping')
}

type Mark = { readonly kind: 'mark'; readonly mark: 'good' | 'bad' }

/** What members tell a third process on the side stays what it was. */
export const sideGood = program('told on the side', { params: { n: every(2) } }, function* ({ n }) {
  const me = yield* self<Request>()
  const judge = yield* spawn('judge', judging, n)
  const all = yield* spawnAll(n, 'member', telling, me, judge)
  for (const _ of all) {
    const { from } = yield* receive<Request>('request')
    yield* send(from, { kind: 'reply' })
  }
})

function* telling(at: Address<Request>, judge: Address<Mark>): Process<Reply> {
  const me = yield* self<Reply>()
  yield* send(judge, { kind: 'mark', mark: 'good' })
  yield* send(at, { kind: 'request', from: me })
  yield* receive<Reply>('reply')
}

function* judging(n: number): Process<Mark> {
  for (let i = 0; i < n; i++) {
    const { mark } = yield* receive<Mark>('mark')
    yield* assert(mark === 'good', 'a bad one')
  }
}

export const sideBad = program('told on the side, sometimes bad', { params: { n: every(2) } }, function* ({ n }) {
  const me = yield* self<Request>()
  const judge = yield* spawn('judge', judging, n)
  const all = yield* spawnAll(n, 'member', lying, me, judge)
  for (const _ of all) {
    const { from } = yield* receive<Request>('request')
    yield* send(from, { kind: 'reply' })
  }
})

function* lying(at: Address<Request>, judge: Address<Mark>): Process<Reply> {
  const me = yield* self<Reply>()
  const mark = yield* choose(['good', 'bad'])
  yield* send(judge, { kind: 'mark', mark })
  yield* send(at, { kind: 'request', from: me })
  yield* receive<Reply>('reply')
}

type Order = { readonly kind: 'order'; readonly task: 'go' | 'stop'; readonly from: Address<Reply> }

function* obeying(): Process<Order> {
  const { task, from } = yield* receive<Order>('order')
  if (task === 'go') yield* send(from, { kind: 'reply' })
}

export const sameBranch = program('both know which branch', { params: { n: every(2) } }, function* ({ n }) {
  const me = yield* self<Reply>()
  const all = yield* spawnAll(n, 'member', obeying)
  for (const one of all) {
    const task = yield* choose(['go', 'stop'])
    yield* send(one, { kind: 'order', task, from: me })
    if (task === 'go') yield* receive<Reply>('reply', { from: one })
  }
})

/** What was ordered and what is waited for are different choices. */
export const reassigned = program('chosen again', { params: { n: every(2) } }, function* ({ n }) {
  const me = yield* self<Reply>()
  const all = yield* spawnAll(n, 'member', obeying)
  for (const one of all) {
    let task = yield* choose(['go', 'stop'])
    yield* send(one, { kind: 'order', task, from: me })
    task = yield* choose(['go', 'stop'])
    if (task === 'go') yield* receive<Reply>('reply', { from: one })
  }
})
