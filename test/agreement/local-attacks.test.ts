/**
 * Systems made to break the local search where it leaves work out: each against the naive global search
 * (`machine-oracle.ts`), all kinds of violations and all states of all machines; every report is replayed.
 */
import { describe, expect, test } from 'vitest'
import { judged } from '../../src/check/judge.ts'
import { violationKey } from '../../src/core/property.ts'
import { atOnce } from '../../src/core/unhurried.ts'
import { LocalSearch } from '../../src/engines/local/search.ts'
import type { Envelope, Machines, SystemInvariant } from '../../src/program/machines.ts'
import { runnableOf } from '../../src/semantics/machines/runnable.ts'
import { pathsOf } from '../../src/semantics/world-path.ts'
import { exploredLocally } from '../unit/engines/local/explored.ts'
import { type NetworkOfTables, never, type Step, type Table, tableMachines } from '../unit/engines/local/tables.ts'
import { searchGlobally } from './machine-oracle.ts'

const networks: readonly NetworkOfTables[] = [
  { network: 'bag' },
  { network: 'bag', faults: { losses: 1 } },
  { network: 'fifo' },
  { network: 'fifo', faults: { losses: 'any' } },
]

describe('a local search misses nothing', () => {
  test('where sets of messages are merged that exclude a message for different reasons', () => {
    expect(violated(manyReasons(12))).toEqual(['never m1 R X'])
  })

  test('where a pair of messages is sent on a new way over known transitions only', () => {
    expect(violated(onceMore())).toEqual(['never s1 m A B', 'r fails', 't fails'])
  })

  test.each(networks)('of a message under way at the start that is sent again later, %o', (network) => {
    const machines = {
      p: { p0: { a: { to: 'p1', sends: [['q', 'x']] } }, p1: { a: { to: 'p2', sends: [['q', 'x']] } }, p2: {} },
      q: { q0: { x: { to: 'q1', sends: [['p', 'a']] } }, q1: { x: { to: 'q2', sends: [['p', 'a']] } }, q2: {} },
    } satisfies { readonly [name: string]: Table }
    const subject = tableMachines({ machines, ...network, invariants: [never('p0', 'q1'), never('p2', 'q2')] })
    const expected = ['never p0 q1', 'never p2 q2']
    expect(violated(startedWith(subject, ['p q x']))).toEqual(expected)
    expect(violated(startedWith(subject, ['p q x', 'p q x']))).toEqual(expected)
  })

  test.each(networks)(
    'of messages that a machine sends to itself, one of them under way at the start, %o',
    (network) => {
      const p: Table = { p0: { a: { to: 'p1', sends: [['p', 'a']] } }, p1: { a: { to: 'p2', fails: true } }, p2: {} }
      const subject = tableMachines({ machines: { p, q: { q0: {} } }, ...network, invariants: [never('p1', 'q0')] })
      expect(violated(startedWith(subject, ['p p a']))).toEqual(['never p1 q0', 'p fails'])
    },
  )

  test.each(networks)('behind messages to nobody, %o', (network) => {
    const p: Table = {
      p0: {
        do: {
          to: 'p1',
          sends: [
            ['nobody', 'x'],
            ['q', 'b'],
          ],
        },
      },
      p1: {},
    }
    const q: Table = { q0: { b: { to: 'q1' } }, q1: {} }
    const subject = tableMachines({ machines: { p, q }, ...network, invariants: [never('p1', 'q1')] })
    expect(violated(startedWith(subject, ['p nobody b', 'p q c']))).toEqual(['never p1 q1'])
  })

  test.each(networks)('in the start state, %o', (network) => {
    const subject = tableMachines({
      machines: { p: { p0: { do: { to: 'p1' } }, p1: {} }, q: { q0: {} } },
      ...network,
      invariants: [never('p0', 'q0'), never('p1')],
    })
    expect(violated(subject)).toEqual(['never p0 q0', 'never p1'])
  })

  test.each(networks)('where a machine comes back to its start state and must, %o', (network) => {
    const p: Table = { p0: { do: { to: 'p1', sends: [['q', 'x']] } }, p1: { y: { to: 'p0', sends: [['q', 'z']] } } }
    const q: Table = { q0: { x: { to: 'q1', sends: [['p', 'y']] } }, q1: { z: { to: 'q2' } }, q2: {} }
    const subject = tableMachines({
      machines: { p, q },
      ...network,
      invariants: [never('p0', 'q2'), never('p0', 'q1')],
    })
    const { violations, ended } = exploredLocally(subject, { mostEvents: 200 })
    expect(violations.map(({ property }) => property).sort()).toEqual(['never p0 q1', 'never p0 q2'])
    expect(ended).toBe(true)
  })

  test('of a conflict between two of four machines, with the others in between', () => {
    const link = (to: string, on: string): Table => ({
      idle: { [on]: { to: 'done', sends: [[to, `${on}'`]] } },
      done: {},
    })
    const subject = tableMachines({
      machines: {
        a: { a0: { do: { to: 'done', sends: [['b', 'm']] } }, done: {} },
        b: link('c', 'm'),
        c: link('d', "m'"),
        d: { d0: { "m''": { to: 'done' } }, done: {} },
      },
      invariants: [conflicting('first and last', 'a', 'd'), conflicting('third and last', 'c', 'd')],
    })
    expect(violated(subject)).toEqual(['first and last', 'third and last'])
  })
})

describe('a local search ends', () => {
  test.each(networks.slice(0, 2))('where two machines answer each other for ever, %o', (network) => {
    const p: Table = { p0: { do: { to: 'p1', sends: [['q', 'x']] } }, p1: { y: { to: 'p1', sends: [['q', 'x']] } } }
    const q: Table = { q0: { x: { to: 'q0', sends: [['p', 'y']] } }, q1: {} }
    const { violations, counts, ended } = exploredLocally(
      tableMachines({ machines: { p, q }, ...network, invariants: [never('p1', 'q1')] }),
    )
    expect({ violations, ended, states: counts.states }).toEqual({ violations: [], ended: true, states: 3 })
  })
})

test('what a local search finds deeper than one execution may be long is confirmed', () => {
  const depth = 1_100
  const p: { [value: string]: { do: Step } } = {}
  for (let at = 0; at < depth; at++) p[`p${at}`] = { do: { to: `p${at + 1}` } }
  const subject = tableMachines({ machines: { p }, invariants: [never(`p${depth}`)] })
  for (const event of new LocalSearch(subject).events()) {
    if (event.kind !== 'violation') continue
    const { violation, decisions, foundIn } = event
    const court = { engine: 'local', subject: pathsOf(runnableOf(subject, {})) }
    const verdict = atOnce(judged(court, { violation, decisions, foundIn }))
    expect(verdict).toMatchObject({ ok: true, value: { violation: { property: `never p${depth}` } } })
    return
  }
  expect.unreachable('there is a violation')
})

/** Kinds that both searches find; states of machines are compared on the way. */
function violated(subject: Machines): readonly string[] {
  const oracle = searchGlobally(subject)
  const { violations, search, ended } = exploredLocally(subject)
  expect(ended).toBe(true)
  expect(violations.map(violationKey).sort()).toEqual([...oracle.violated.keys()].sort())
  for (const [machine, { states }] of search.exploration.spaces.entries()) {
    const met = new Set(states.map((state) => subject.key(state)))
    expect([...(oracle.localStates[machine] ?? [])].filter((key) => !met.has(key))).toEqual([])
  }
  return violations.map(({ property }) => property).sort()
}

/** `from to kind` of each message. */
function startedWith(subject: Machines, messages: readonly string[]): Machines {
  const underWay = messages.map((text): Envelope => {
    const [from = '', to = '', kind = ''] = text.split(' ')
    return { from, to, message: { kind } }
  })
  return subject.from(subject.start.states, underWay)
}

/** One of so many messages leads `r` to R, each sent without x; and one more that is sent with x. */
function manyReasons(count: number): Machines {
  const alone = Array.from({ length: count }, (_, at): Step => ({ to: 'm1', sends: [['r', `a${at}`]] }))
  const withX: Step = {
    to: 'm1',
    sends: [
      ['r', 'd'],
      ['x', 'x'],
    ],
  }
  const kinds = [...alone.keys()].map((at) => `a${at}`)
  return tableMachines({
    machines: {
      m: { m0: { do: [...alone, withX] }, m1: {} },
      r: { r0: Object.fromEntries([...kinds, 'd'].map((kind) => [kind, { to: 'R' }])), R: {} },
      x: { x0: { x: { to: 'X' } }, X: {} },
    },
    invariants: [never('m1', 'R', 'X')],
  })
}

/** `m` sends a or b for each copy of one message: both only when it comes again, which shows no new transition. */
function onceMore(): Machines {
  return tableMachines({
    machines: {
      s: {
        s0: {
          do: {
            to: 's1',
            sends: [
              ['m', 'm'],
              ['m', 'm'],
            ],
          },
        },
        s1: {},
      },
      m: {
        m: {
          m: [
            { to: 'm', sends: [['r', 'a']] },
            { to: 'm', sends: [['t', 'b']] },
          ],
        },
      },
      r: { r0: { a: { to: 'A' } }, A: { a: { to: 'A', fails: true } } },
      t: { t0: { b: { to: 'B' } }, B: { b: { to: 'B', fails: true } } },
    },
    invariants: [never('s1', 'm', 'A', 'B')],
  })
}

/** Two of the machines a, b, c, d are done. */
function conflicting(name: string, left: string, right: string): SystemInvariant {
  const places = [left, right].map((machine) => ['a', 'b', 'c', 'd'].indexOf(machine))
  return {
    name,
    violation: (states) =>
      places.every((place) => states[place]?.data === 'done')
        ? { kind: 'invariant', property: name, message: name }
        : undefined,
    decomposed: {
      fact: (machine, { data }) => (data === 'done' && places.includes(machine) ? 'done' : undefined),
      conflict: () => true,
    },
  }
}
