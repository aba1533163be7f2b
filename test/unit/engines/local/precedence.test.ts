/** Systems whose machines, given every message at any time, would have states without end: they need their own future for it. */

import { invariant, machine, type Program, system } from 'allways'
import { describe, expect, test } from 'vitest'
import { settingFrom } from '../../../../src/core/setting.ts'
import type { Machines } from '../../../../src/program/machines.ts'
import { searchGlobally } from '../../../agreement/machine-oracle.ts'
import { exploredLocally } from './explored.ts'

type Requests = { readonly [machine: string]: readonly (readonly [string, null])[] }

function machinesOf(program: Program): Machines {
  const view = program.views.machines
  if (view === undefined) throw new Error(`${program.name} has no machines`)
  return view(settingFrom({ params: program.params, network: program.network, faults: program.faults ?? {} }))
}

/** Exactly the states of machines that the search of global states meets. */
function expectExact(subject: Machines): void {
  const { search, ended, violations } = exploredLocally(subject)
  expect({ ended, violations }).toEqual({ ended: true, violations: [] })
  const met = search.exploration.spaces.map(({ states }) => new Set(states.map((state) => subject.key(state))))
  expect(met).toEqual(searchGlobally(subject, {}).localStates)
}

function repeated(name: string, times: number): readonly (readonly [string, null])[] {
  return Array.from({ length: times }, () => [name, null] as const)
}

type Counting = { kind: 'read' } | { kind: 'value'; n: number } | { kind: 'write'; n: number }

const store = machine<{ n: number }, Counting>('store', {
  state: () => ({ n: 0 }),
  on: {
    read: ({ n }, _, { from, send }) => send(from, { kind: 'value', n }),
    write(state, { n }) {
      state.n = n
    },
  },
})

const client = machine<{ answers: number }, Counting>('client', {
  state: () => ({ answers: 0 }),
  requests: { add: (_state, _argument, { send }) => send('store', { kind: 'read' }) },
  on: {
    value(state, { n }, { send }) {
      state.answers++
      send('store', { kind: 'write', n: n + 1 })
    },
  },
})

/** Clients that write one more than what they have read. */
function counting(clients: number, adds: number): Machines {
  const names = Array.from({ length: clients }, (_, at) => `client ${at}`)
  const requests: Requests = Object.fromEntries(names.map((name) => [name, repeated('add', adds)]))
  return machinesOf(
    system('counting', { network: 'bag', faults: {} }, () => ({
      machines: { store: store.as(), ...Object.fromEntries(names.map((name) => [name, client.as()])) },
      requests,
      invariants: [invariant<{ n?: number }>('counted once', (states) => (states.store?.n ?? 0) <= clients * adds)],
    })),
  )
}

type Bidding = { kind: 'bid'; n: number } | { kind: 'yes'; n: number } | { kind: 'no'; n: number }

const bidder = machine<{ seen: number; own: number }, Bidding>('bidder', {
  state: () => ({ seen: 0, own: 0 }),
  requests: {
    bid(state, _, { peers, self, send }) {
      state.own = state.seen + 1
      state.seen = state.own
      for (const to of [self, ...peers]) send(to, { kind: 'bid', n: state.own })
    },
  },
  on: {
    bid(state, { n }, { from, send }) {
      const isHigher = n > state.seen
      state.seen = Math.max(state.seen, n)
      send(from, isHigher ? { kind: 'yes', n } : { kind: 'no', n: state.seen })
    },
    yes() {},
    no(state, { n }) {
      state.seen = Math.max(state.seen, n)
    },
  },
})

/** Each bids more than all that it has seen. */
function bidding(...bids: readonly number[]): Machines {
  const names = bids.map((_, at) => `bidder ${at}`)
  const total = bids.reduce((sum, count) => sum + count, 0)
  return machinesOf(
    system('bidding', { network: 'bag', faults: { losses: 'any' } }, () => ({
      machines: Object.fromEntries(names.map((name) => [name, bidder.as()])),
      requests: Object.fromEntries(names.map((name, at) => [name, repeated('bid', bids[at] as number)])) as Requests,
      invariants: [
        invariant<{ seen: number }>('no more than bids', (states) =>
          Object.values(states).every(({ seen }) => seen <= total),
        ),
      ],
    })),
  )
}

describe('answers do not come before their questions', () => {
  test('one client that counts once has the states that executions lead to', () => {
    expectExact(counting(1, 1))
  })

  test.each([
    [1, 2],
    [2, 1],
    [2, 2],
    [3, 1],
    [4, 1],
  ])('clients: %i, each counts: %i; the search comes to an end', (clients, adds) => {
    const { ended, violations } = exploredLocally(counting(clients, adds))
    expect({ ended, violations }).toEqual({ ended: true, violations: [] })
  })
})

describe('numbers above all that was seen do not see their own successors', () => {
  test.each([[[1, 0, 0]], [[1, 1, 0]]])('bids %j have the states that executions lead to', (bids) => {
    expectExact(bidding(...bids))
  })

  test.each([[[1, 1, 1]], [[2, 1, 0]], [[2, 2, 0]]])('bids %j come to an end', (bids) => {
    const { ended, violations } = exploredLocally(bidding(...bids))
    expect({ ended, violations }).toEqual({ ended: true, violations: [] })
  })
})
