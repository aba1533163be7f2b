/** Small programs with a planted mistake each, for pictures. */

import type { Address, Process } from '../../../src/index.ts'
import {
  announce,
  assert,
  choose,
  final,
  join,
  monitor,
  poll,
  program,
  receive,
  self,
  send,
  spawn,
} from '../../../src/index.ts'

type Work = { readonly kind: 'work' } | { readonly kind: 'stop' }

export const lateWork = program('late work', {}, function* () {
  const worker = yield* spawn('worker', function* () {
    let stopped = false
    for (let i = 0; i < 2; i++) {
      const message = yield* receive<Work>()
      yield* assert(!(stopped && message.kind === 'work'), 'worked after being stopped')
      stopped ||= message.kind === 'stop'
    }
  })
  yield* spawn('client', function* () {
    yield* send(worker, { kind: 'work' })
  })
  yield* spawn('supervisor', function* () {
    yield* send(worker, { kind: 'stop' })
  })
})

type Election = { readonly kind: 'Vote' | 'Grant'; readonly term: number; readonly from: Address<Election> }

function* voter(size: number): Process<Election | readonly Address<Election>[]> {
  const me = yield* self<Election>()
  const peers = yield* receive<readonly Address<Election>[]>((message) => Array.isArray(message))
  const stands = yield* choose([true, false])
  let granted = stands ? 1 : 0
  if (stands) for (const peer of peers) yield* send(peer, { kind: 'Vote', term: 1, from: me })
  for (let i = 0; i < size; i++) {
    const message = yield* poll<Election>((candidate) => !Array.isArray(candidate))
    if (message === undefined) continue
    // The mistake: a vote is granted to everybody who asks.
    if (message.kind === 'Vote') yield* send(message.from, { kind: 'Grant', term: 1, from: me })
    else granted++
    if (granted > size / 2) {
      yield* announce({ kind: 'leader', term: 1, who: me })
      return
    }
  }
}

export function election(size: number) {
  const oneLeader = monitor('one leader', { observes: ['leader'] }, function* () {
    yield* receive()
    yield* receive()
    yield* assert(false, 'two leaders in term 1')
  })
  return program('election', { params: { size }, properties: [oneLeader] }, function* ({ size: count }) {
    const all: Address<Election | readonly Address<Election>[]>[] = []
    for (let i = 1; i <= count; i++) all.push(yield* spawn(`n${i}`, voter, count))
    for (const one of all)
      yield* send(
        one,
        all.filter((other) => other !== one),
      )
  })
}

export const philosophers = program('philosophers', { params: { n: 2 } }, function* ({ n }) {
  function* fork(): Process<{ readonly kind: 'take'; readonly from: Address<'ok'> } | 'back'> {
    for (;;) {
      const request = yield* receive<{ readonly kind: 'take'; readonly from: Address<'ok'> }>('take')
      yield* send(request.from, 'ok')
      yield* receive((message) => message === 'back')
    }
  }
  const forks: Address<never>[] = []
  for (let i = 0; i < n; i++) forks.push(yield* spawn(`fork ${i}`, { daemon: true }, fork as never))
  for (let i = 0; i < n; i++) {
    yield* spawn(`philosopher ${i}`, function* () {
      const me = yield* self<'ok'>()
      for (const fork of [forks[i], forks[(i + 1) % n]] as Address<unknown>[]) {
        yield* send(fork, { kind: 'take', from: me })
        yield* receive()
      }
      for (const fork of forks as Address<unknown>[]) yield* send(fork, 'back')
    })
  }
})

export const lostUpdate = program(
  'counter',
  {
    params: { clients: 2 },
    properties: [
      final('every increment counts', ({ returned }) => {
        const value = returned.get('store')
        return value === 2 || `expected 2, got ${String(value)}`
      }),
    ],
  },
  function* ({ clients }) {
    type Request =
      | { readonly kind: 'get'; readonly from: Address<number> }
      | { readonly kind: 'put'; readonly value: number }
    const store = yield* spawn('store', function* () {
      let value = 0
      for (let i = 0; i < 2 * clients; i++) {
        const request = yield* receive<Request>()
        if (request.kind === 'get') yield* send(request.from, value)
        else value = request.value
      }
      return value
    })
    for (let i = 0; i < clients; i++) {
      yield* spawn(`client ${i}`, function* () {
        const me = yield* self<number>()
        yield* send(store, { kind: 'get', from: me })
        const value = yield* receive<number>()
        yield* send(store, { kind: 'put', value: value + 1 })
      })
    }
    yield* join(store)
  },
)

export const crash = program('crash', {}, function* () {
  const table = yield* spawn('table', function* () {
    const rows = new Map<string, { readonly size: number }>()
    const key = yield* receive<string>()
    return (rows.get(key) as { readonly size: number }).size
  })
  yield* send(table, 'the key that nobody put into the table, which has a long name so that it does not fit anywhere')
})

/** A value travels along a row of processes; the last one finds it too old. */
export function relay(size: number, cargo: string) {
  return program('relay', { params: { size } }, function* ({ size: count }) {
    let next = yield* spawn(`p${count}`, function* () {
      const { hops } = yield* receive<{ readonly kind: 'Parcel'; readonly hops: number; readonly cargo: string }>()
      yield* assert(hops < count - 1, `the parcel made ${hops} hops`)
    })
    for (let i = count - 1; i > 0; i--) {
      const to = next
      next = yield* spawn(`p${i}`, function* () {
        const parcel = yield* receive<{ readonly kind: 'Parcel'; readonly hops: number; readonly cargo: string }>()
        yield* send(to, { ...parcel, hops: parcel.hops + 1 })
      })
    }
    yield* send(next, { kind: 'Parcel', hops: 0, cargo })
  })
}

/** Decisions that lead to the mistake of each program. */
export const lateWorkScript = [
  'main steps',
  'main steps',
  'main steps',
  'client steps',
  'supervisor steps',
  'worker receives #1',
  'worker receives #0',
]

export const philosophersScript = [
  'main steps',
  'main steps',
  'main steps',
  'main steps',
  'philosopher 0 steps',
  'fork 0 receives #0',
  'philosopher 1 steps',
  'fork 1 receives #1',
]

export const lostUpdateScript = [
  'main steps',
  'main steps',
  'main steps',
  'client 0 steps',
  'client 1 steps',
  'store receives #0',
  'store steps',
  'store receives #1',
  'store steps',
]

/** Two of three processes stand, vote for each other, and both believe they won. */
export const electionScript = [
  ...['main steps', 'main steps', 'main steps'],
  ...['main steps', 'n1 receives #0', 'main steps', 'n2 receives #1', 'main steps', 'n3 receives #2'],
  ...['n1 chooses option 1', 'n2 chooses option 1', 'n3 chooses option 2'],
  ...['n1 steps', 'n1 steps', 'n2 steps', 'n2 steps'],
  ...['n1 receives #5', 'n2 receives #3', 'n1 steps', 'n2 steps'],
  ...['n1 receives nothing', 'n1 receives #8', 'n2 receives #7', 'n1 steps', 'n2 steps'],
]
