/**
 * Rounds keep their time. The clock is the work that is done: handlers, states that are looked up, sets of messages, each of which
 * takes about so long on a computer; nothing here depends on how fast this one is.
 */
// @module-tag long
import { afterEach, expect, test } from 'vitest'
import { loadPrograms } from '../../src/check/load.ts'
import { race } from '../../src/check/online/race.ts'
import { KeyIndex } from '../../src/collections/key-index.ts'
import { orThrow } from '../../src/core/diagnostic.ts'
import type { Host } from '../../src/distribute/driver.ts'
import { AlternativeSets } from '../../src/engines/local/alternative-sets.ts'
import { local } from '../../src/engines/local/local.ts'
import { invariant, machine, system } from '../../src/index.ts'
import type { Machines } from '../../src/program/machines.ts'
import type { Program } from '../../src/program/program.ts'
import { machinesFor } from '../corpus/machine-search.ts'
import { paxos } from '../unit/engines/local/paxos.ts'

const handlerMilliseconds = 0.05
const setMilliseconds = 0.005
const keyMilliseconds = 0.004
const noLimit = { one: Number.POSITIVE_INFINITY, both: Number.POSITIVE_INFINITY }

interface WorkClock extends Host {
  milliseconds: number
}

const { add } = AlternativeSets.prototype
const { find } = KeyIndex.prototype

function workClock(): WorkClock {
  const clock = { milliseconds: 0, now: () => clock.milliseconds, memory: () => 0, pause: () => Promise.resolve() }
  AlternativeSets.prototype.add = function (alternative) {
    clock.milliseconds += setMilliseconds
    return add.call(this, alternative)
  }
  KeyIndex.prototype.find = function (key) {
    clock.milliseconds += keyMilliseconds
    return find.call(this, key)
  }
  return clock
}

afterEach(() => {
  AlternativeSets.prototype.add = add
  KeyIndex.prototype.find = find
})

/** The same machines, whose handlers take time. */
function timed(machines: Machines, clock: WorkClock): Machines {
  const handle: Machines['handle'] = (...given) => {
    clock.milliseconds += handlerMilliseconds
    return machines.handle(...given)
  }
  return new Proxy(machines, {
    get(target, key) {
      if (key === 'handle') return handle
      const member: unknown = Reflect.get(target, key)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
}

function twoProposals(general: boolean): Machines {
  return paxos({ machines: 3, proposals: ['v1', 'v2'], general })
}

test.each([20, 50, 100, 200])('a round of %i ms takes at most a fifth longer', async (milliseconds) => {
  for (const general of [false, true]) {
    const clock = workClock()
    const raced = await race(timed(twoProposals(general), clock), { milliseconds, memory: noLimit }, clock)
    expect(raced.because).toBe('time')
    expect(raced.milliseconds).toBeLessThanOrEqual(milliseconds * 1.2)
  }
})

test('a round on a system whose states have no end takes at most a fifth longer', async () => {
  const [campaigns] = orThrow(await loadPrograms('test/online/fixtures/campaigns.check.ts')).programs
  for (const milliseconds of [20, 50, 100]) {
    const clock = workClock()
    const machines = timed(machinesFor(campaigns?.program as Program), clock)
    const raced = await race(machines, { milliseconds, memory: noLimit }, clock)
    expect(raced.because).toBe('time')
    expect(raced.milliseconds).toBeLessThanOrEqual(milliseconds * 1.2)
  }
})

test('the global search has about half of the round', async () => {
  const clock = workClock()
  const alone = await race(
    timed(twoProposals(false), clock),
    { milliseconds: 100, memory: noLimit, engine: 'stateful' },
    clock,
  )
  const both = await race(timed(twoProposals(false), clock), { milliseconds: 200, memory: noLimit }, clock)
  expect(both.stateful.transitions).toBeGreaterThan(alone.stateful.transitions * 0.7)
  expect(both.local.transitions).toBeGreaterThan(0)
})

/** A ledger that only grows, and four machines that add to it. */
function ledger(length: number, asked: () => void): Machines {
  const book = machine<{ entries: readonly number[] }, { readonly kind: 'add'; readonly entry: number }>('book', {
    state: () => ({ entries: Array.from({ length }, (_, at) => at) }),
    on: { add: ({ entries }, { entry }) => ({ entries: [...entries, entry] }) },
  })
  const writer = machine<{ entries: readonly number[] }, { readonly kind: 'add'; readonly entry: number }, number>(
    'writer',
    {
      state: () => ({ entries: [] }),
      start: (_, { args, send }) => send('book', { kind: 'add', entry: args }),
    },
  )
  const writers = [0, 1, 2, 3].map((at) => [`writer ${at}`, writer.as(length + at)])
  const made = system('ledger', { faults: {} }, () => ({
    machines: { book: book.as(), ...Object.fromEntries(writers) },
    invariants: [
      invariant<{ entries: readonly number[] }>('each once', ({ book: one }) => {
        asked()
        return one?.entries.every((entry, at, all) => all.indexOf(entry) === at) === true
      }),
    ],
  }))
  return machinesFor(made)
}

test('an invariant that reads a long list is asked at most about one combination between two looks at the clock', () => {
  let [asked, most] = [0, 0]
  for (const { kind } of local.explore(
    ledger(60, () => asked++),
    {},
  )) {
    if (kind !== 'progress') continue
    most = Math.max(most, asked)
    asked = 0
  }
  // Once with views of the states that tell what is read, once with the states as they are.
  expect(most).toBe(2)
})
