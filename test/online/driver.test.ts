/** `requestsFrom`: the requests of a search that starts from a live state. */

import { describe, expect, test } from 'vitest'
import { guardDeterminism } from '../../src/check/guard.ts'
import { liveState } from '../../src/check/online/live-state.ts'
import { settingFrom } from '../../src/core/setting.ts'
import type { Snapshot } from '../../src/core/snapshot.ts'
import { machine, type SystemParts, system } from '../../src/index.ts'
import type { LocalState, Machines } from '../../src/program/machines.ts'

const worker = machine<{ done: number[] }, never>('worker', {
  state: () => ({ done: [] }),
  requests: {
    work(state, item: number) {
      state.done.push(item)
    },
  },
})

const shop = (requestsFrom?: SystemParts['requestsFrom']) =>
  system('shop', () => ({
    machines: { ann: worker.as(), bob: worker.as() },
    requests: {
      ann: [
        ['work', 1],
        ['work', 2],
        ['work', 3],
      ],
      bob: [['work', 4]],
    },
    ...(requestsFrom === undefined ? {} : { requestsFrom }),
  }))

const state = (done: readonly number[], requests: number): LocalState => ({
  data: { done },
  timers: [],
  requests,
  crashes: 0,
})
const states = [state([1, 2], 2), state([], 0)]
const snapshot: Snapshot = {
  format: 'allways-snapshot/1',
  system: 'shop',
  params: {},
  machines: ['ann', 'bob'],
  states,
  underWay: [],
  missing: 0,
  takenAt: '',
}

const origin = { shown: 'a test', isLive: true }

function searched(requestsFrom?: SystemParts['requestsFrom']): Machines {
  const live = liveState(shop(requestsFrom), snapshot, origin)
  if (!live.ok) throw new Error(JSON.stringify(live.diagnostics))
  return live.value.machines
}

/** What one machine is asked, one after the other. */
function asked(machines: Machines, at: number): readonly unknown[] {
  const events = machines.internal(at, machines.start.states[at] as LocalState)
  const [event] = events
  if (event?.kind !== 'request') return []
  const [outcome] = machines.handle(at, machines.start.states[at] as LocalState, event)
  const next = machines.start.states.with(at, outcome?.state as LocalState)
  const rest: Machines = Object.create(machines, { start: { value: { states: next, underWay: [] } } })
  return [event.argument, ...asked({ ...bound(machines), start: rest.start }, at)]
}

/** Methods of a class are lost when it is spread. */
function bound(machines: Machines): Machines {
  return {
    ...machines,
    internal: (at, one) => machines.internal(at, one),
    handle: (at, one, event) => machines.handle(at, one, event),
    key: (one) => machines.key(one),
    from: (all, underWay) => machines.from(all, underWay),
  }
}

test('without it, a search goes on with the requests that are left', () => {
  const machines = searched()
  expect([asked(machines, 0), asked(machines, 1)]).toEqual([[3], [4]])
})

test('it is given the states of all machines, and replaces all requests', () => {
  const machines = searched((live) => {
    const { ann, bob } = live as { readonly [name: string]: { readonly done: readonly number[] } }
    return {
      bob: [
        ['work', ann?.done.length ?? -1],
        ['work', bob?.done.length ?? -1],
      ],
    }
  })
  expect([asked(machines, 0), asked(machines, 1)]).toEqual([[], [2, 0]])
})

test('from the beginning, the declared requests are made', () => {
  const machines = shop(() => ({})).views.machines?.(settingFrom({ params: {}, network: 'bag' })) as Machines
  expect([asked(machines, 0), asked(machines, 1)]).toEqual([[1, 2, 3], [4]])
})

describe('mistakes', () => {
  test.each([
    ['an unknown machine', () => ({ eve: [] }), 'requests are for "eve", which is not a machine of the system'],
    ['an unknown request', () => ({ bob: [['rest'] as const] }), 'machine "bob" has no request "rest"'],
    ['nothing', () => undefined as never, '"requestsFrom" of system "shop" returned no requests'],
    [
      'an exception',
      () => {
        throw new Error('no idea')
      },
      '"requestsFrom" of system "shop" threw Error: no idea',
    ],
  ])('%s is a diagnostic', (_, requestsFrom, message) => {
    expect(liveState(shop(requestsFrom), snapshot, origin)).toMatchObject({
      ok: false,
      diagnostics: [{ code: 'E222', message }],
    })
  })

  test.each([
    ['a clock', () => Date.now()],
    ['randomness', () => Math.random()],
  ])('%s is a trap, also if what it throws is caught', (_, read) => {
    const release = guardDeterminism()
    try {
      const driver = () => {
        try {
          read()
        } catch {}
        return {}
      }
      expect(liveState(shop(driver), snapshot, origin)).toMatchObject({ ok: false, diagnostics: [{ code: 'E209' }] })
      expect(
        liveState(
          shop(() => ({})),
          snapshot,
          origin,
        ),
      ).toMatchObject({ ok: true })
    } finally {
      release()
    }
  })

  test('what is no function is refused where it is declared', () => {
    const wrong = shop({} as never)
    expect(liveState(wrong, snapshot, origin)).toMatchObject({ ok: false, diagnostics: [{ code: 'E222' }] })
  })
})
