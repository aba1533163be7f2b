/** Two-phase commit with any number of acceptors: the coordinator commits if all accept, and waits until all know. */
import { type Address, choose, every, type Process, program, receive, self, send, spawnAll } from 'allways'

type ToAcceptor = Query | Decision
type ToCoordinator = Vote | Known
type Query = { readonly kind: 'query'; readonly from: Address<ToCoordinator> }
type Vote = { readonly kind: 'vote'; readonly vote: 'accept' | 'reject' }
type Decision = { readonly kind: 'decision'; readonly commit: boolean; readonly from: Address<ToCoordinator> }
type Known = { readonly kind: 'known' }

function* acceptor(): Process<ToAcceptor> {
  const { from } = yield* receive<Query>('query')
  const vote = yield* choose(['accept', 'reject'])
  yield* send(from, { kind: 'vote', vote })
  const decision = yield* receive<Decision>('decision')
  yield* send(decision.from, { kind: 'known' })
}

export const commitN = program('two-phase commit', { params: { acceptors: every(3) } }, function* ({ acceptors }) {
  const me = yield* self<ToCoordinator>()
  const all = yield* spawnAll(acceptors, 'acceptor', acceptor)
  for (const one of all) yield* send(one, { kind: 'query', from: me })
  let accepted = 0
  for (const _ of all) {
    const { vote } = yield* receive<Vote>('vote')
    if (vote === 'accept') accepted++
  }
  if (accepted === acceptors) for (const one of all) yield* send(one, { kind: 'decision', commit: true, from: me })
  else for (const one of all) yield* send(one, { kind: 'decision', commit: false, from: me })
  for (const _ of all) yield* receive<Known>('known')
})

export const silentAbort = program(
  'two-phase commit, silent abort',
  { params: { acceptors: every(3) } },
  function* ({ acceptors }) {
    const me = yield* self<ToCoordinator>()
    const all = yield* spawnAll(acceptors, 'acceptor', acceptor)
    for (const one of all) yield* send(one, { kind: 'query', from: me })
    let accepted = 0
    for (const _ of all) {
      const { vote } = yield* receive<Vote>('vote')
      if (vote === 'accept') accepted++
    }
    if (accepted === acceptors) {
      for (const one of all) yield* send(one, { kind: 'decision', commit: true, from: me })
      for (const _ of all) yield* receive<Known>('known')
    }
  },
)

export const silentReject = program(
  'two-phase commit, silent reject',
  { params: { acceptors: every(3) } },
  function* ({ acceptors }) {
    const me = yield* self<ToCoordinator>()
    const all = yield* spawnAll(acceptors, 'acceptor', sulking)
    for (const one of all) yield* send(one, { kind: 'query', from: me })
    let accepted = 0
    for (const _ of all) {
      const { vote } = yield* receive<Vote>('vote')
      if (vote === 'accept') accepted++
    }
    if (accepted === acceptors) for (const one of all) yield* send(one, { kind: 'decision', commit: true, from: me })
    else for (const one of all) yield* send(one, { kind: 'decision', commit: false, from: me })
    for (const _ of all) yield* receive<Known>('known')
  },
)

function* sulking(): Process<ToAcceptor> {
  const { from } = yield* receive<Query>('query')
  const vote = yield* choose(['accept', 'reject'])
  if (vote === 'accept') yield* send(from, { kind: 'vote', vote })
  const decision = yield* receive<Decision>('decision')
  yield* send(decision.from, { kind: 'known' })
}

export const noKnown = program(
  'two-phase commit, no acknowledgement',
  { params: { acceptors: every(3) } },
  function* ({ acceptors }) {
    const me = yield* self<ToCoordinator>()
    const all = yield* spawnAll(acceptors, 'acceptor', leaving)
    for (const one of all) yield* send(one, { kind: 'query', from: me })
    let accepted = 0
    for (const _ of all) {
      const { vote } = yield* receive<Vote>('vote')
      if (vote === 'accept') accepted++
    }
    if (accepted === acceptors) for (const one of all) yield* send(one, { kind: 'decision', commit: true, from: me })
    else for (const one of all) yield* send(one, { kind: 'decision', commit: false, from: me })
    for (const _ of all) yield* receive<Known>('known')
  },
)

function* leaving(): Process<ToAcceptor> {
  const { from } = yield* receive<Query>('query')
  const vote = yield* choose(['accept', 'reject'])
  yield* send(from, { kind: 'vote', vote })
  yield* receive<Decision>('decision')
}

export const oneKnownShort = program(
  'two-phase commit, one acknowledgement not read',
  { params: { acceptors: every(3) } },
  function* ({ acceptors }) {
    const me = yield* self<ToCoordinator>()
    const all = yield* spawnAll(acceptors, 'acceptor', acceptor)
    for (const one of all) yield* send(one, { kind: 'query', from: me })
    let accepted = 0
    for (const _ of all) {
      const { vote } = yield* receive<Vote>('vote')
      if (vote === 'accept') accepted++
    }
    if (accepted === acceptors) for (const one of all) yield* send(one, { kind: 'decision', commit: true, from: me })
    else for (const one of all) yield* send(one, { kind: 'decision', commit: false, from: me })
    for (let i = 0; i < acceptors; i++) {
      if (i > 0) yield* receive<Known>('known')
    }
  },
)

/** The acceptors acknowledge to themselves. */
export const wrongAddress = program(
  'two-phase commit, wrong address',
  { params: { acceptors: every(3) } },
  function* ({ acceptors }) {
    const me = yield* self<ToCoordinator>()
    const all = yield* spawnAll(acceptors, 'acceptor', unsuspecting)
    for (const one of all) yield* send(one, { kind: 'query', from: me })
    let accepted = 0
    for (const _ of all) {
      const { vote } = yield* receive<Vote>('vote')
      if (vote === 'accept') accepted++
    }
    if (accepted === acceptors) for (const one of all) yield* send(one, { kind: 'decision', commit: true, from: one })
    else for (const one of all) yield* send(one, { kind: 'decision', commit: false, from: one })
    for (const _ of all) yield* receive<Known>('known')
  },
)

function* unsuspecting(): Process<ToAcceptor | ToCoordinator> {
  const { from } = yield* receive<Query>('query')
  const vote = yield* choose(['accept', 'reject'])
  yield* send(from, { kind: 'vote', vote })
  const decision = yield* receive<Decision>('decision')
  yield* send(decision.from, { kind: 'known' })
}

/** Correct, but votes come from two lines, which race. */
export const twoVotes = program(
  'two-phase commit, votes apart',
  { params: { acceptors: every(3) } },
  function* ({ acceptors }) {
    const me = yield* self<ToCoordinator>()
    const all = yield* spawnAll(acceptors, 'acceptor', branching)
    for (const one of all) yield* send(one, { kind: 'query', from: me })
    let accepted = 0
    for (const _ of all) {
      const { vote } = yield* receive<Vote>('vote')
      if (vote === 'accept') accepted++
    }
    if (accepted === acceptors) for (const one of all) yield* send(one, { kind: 'decision', commit: true, from: me })
    else for (const one of all) yield* send(one, { kind: 'decision', commit: false, from: me })
    for (const _ of all) yield* receive<Known>('known')
  },
)

function* branching(): Process<ToAcceptor> {
  const { from } = yield* receive<Query>('query')
  const accepts = yield* choose([true, false])
  if (accepts) yield* send(from, { kind: 'vote', vote: 'accept' })
  else yield* send(from, { kind: 'vote', vote: 'reject' })
  const decision = yield* receive<Decision>('decision')
  yield* send(decision.from, { kind: 'known' })
}
