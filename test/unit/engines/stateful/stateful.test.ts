/** What the engine tells its driver: counts, endings, violations, diagnostics, requests. */
import { describe, expect, test } from 'vitest'
import type { Options } from '../../../../src/engines/engine.ts'
import { findEngine } from '../../../../src/engines/registry.ts'
import { statefulPaths } from '../../../../src/engines/stateful/path-search.ts'
import { statelessDepth } from '../../../../src/engines/stateful/search.ts'
import { stateful } from '../../../../src/engines/stateful/stateful.ts'
import type { Stateful } from '../../../../src/program/stateful.ts'
import { optionsOf } from '../../../stateful-setting.ts'
import { explored, jumpIf, locking, program, reading, reductions, sourceSets, usual, writing } from './programs.ts'

const race = program(1, [reading(0), writing(0)], [reading(0), writing(0, 2)])

test('the engine is known by its name', () => {
  expect(findEngine('stateful')).toBe(stateful)
  expect(findEngine('stateful', (view) => view === 'path')).toBe(statefulPaths)
})

test('two processes that read and then write one field meet in one state only', () => {
  // Six orders, 1 + 2 + 3 + 4 + 4 states by number of steps: after both reads their order is forgotten, later ones show.
  const { counts, finals } = explored(race, { reduction: 'none' })
  expect(counts).toEqual({ states: 14, transitions: 14, irreducible: 10, traces: 5, finals: 4 })
  expect(new Set(finals).size).toBe(4)
})

describe('endings', () => {
  const failing = program(
    1,
    [reading(0), { kind: 'fail', when: { register: 0, equals: 1, negated: false } }],
    [writing(0)],
  )

  test.each(reductions)('%s tells each final state once, with an execution that leads there', (reduction) => {
    const endings = explored(failing, { reduction }).events.filter((event) => event.kind === 'ending')
    expect(endings.map(({ violation }) => violation?.message).sort()).toEqual(['p0 failed', undefined])
  })

  test('the decisions of an ending are those of the path at the time', () => {
    const found: (readonly unknown[])[] = []
    for (const event of stateful.explore(failing, setting('none'))) {
      if (event.kind === 'ending') found.push(event.decisions())
    }
    const [first, second] = ['p0', 'p1'].map((process) => ({ kind: 'step', process }))
    expect(found).toEqual([
      [first, second],
      [second, first],
    ])
  })

  test('a final state with something wrong is told as a violation too, after the ending', () => {
    const { events } = explored(failing, { reduction: 'lazy', permutation: [1, 0] })
    const told = events.filter(({ kind }) => kind !== 'progress')
    expect(told.slice(0, 2)).toMatchObject([
      { kind: 'ending', counts: { finals: 1 } },
      {
        kind: 'violation',
        violation: { kind: 'assertion', message: 'p0 failed' },
        decisions: [
          { kind: 'step', process: 'p1' },
          { kind: 'step', process: 'p0' },
        ],
        foundIn: 2,
      },
    ])
  })

  test('a state in which everybody waits is final', () => {
    const view = program(1, [locking(0), locking(0)])
    expect(explored(view).events.filter(({ kind }) => kind === 'violation')).toMatchObject([
      { violation: { kind: 'deadlock' }, decisions: [{ kind: 'step', process: 'p0' }] },
    ])
  })
})

describe('progress', () => {
  const large = program(1, ...[0, 1, 2].map((process) => [0, 1, 2].flatMap(() => [reading(0), writing(0, process)])))

  test('is told every 16 transitions and at the end, where all is explored', () => {
    const told = explored(large, { reduction: 'none' }).events.filter((event) => event.kind === 'progress')
    const transitions = told.map(({ counts }) => counts.transitions)
    expect(told.length).toBe(Math.floor((transitions.at(-1) ?? 0) / 16) + 1)
    expect(transitions.slice(0, 2)).toEqual([16, 32])
    expect(told.at(-1)?.explored).toBe(1)
  })

  test.each(reductions)('%s estimates a share that never shrinks', (reduction) => {
    const shares = explored(large, { reduction }).events.flatMap((event) =>
      event.kind === 'progress' ? [event.explored] : [],
    )
    expect(shares).toEqual([...shares].sort((left, right) => left - right))
    expect(shares[0]).toBeLessThan(1)
  })
})

describe('without memory of states', () => {
  test.each(sourceSets)('%s explores a tree and still tells each final state once', (reduction) => {
    const { counts } = explored(race, { reduction, stateless: true })
    expect(counts).toMatchObject({ finals: 4, traces: 6 })
    expect(counts.transitions).toBe(counts.states - 1)
  })

  test('a loop is a diagnostic', () => {
    const spinning = program(1, [reading(0), jumpIf(0, 0)], [writing(0)])
    const events = [...stateful.explore(spinning, setting('none', { stateless: true }))]
    expect(events.at(-1)).toMatchObject({
      kind: 'diagnostic',
      diagnostic: { code: 'E203', message: `an execution has not ended after ${statelessDepth + 1} steps` },
    })
  })
})

describe('orders', () => {
  const view = program(2, [reading(0), writing(1)], [reading(1), writing(0)], [reading(0), writing(0, 2)])

  test('a permutation says who is tried first; who is left out comes last', () => {
    expect(explored(view, { reduction: 'none', permutation: [2, 0] }).first).toEqual([2, 0, 1])
  })

  test('equal seeds give equal searches, others may differ', () => {
    const orders = Array.from(
      { length: 20 },
      (_, seed) => explored(view, { reduction: 'none', order: 'random' }, seed).first,
    )
    expect(explored(view, { reduction: 'none', order: 'random' }, 7).first).toEqual(orders[7])
    expect(new Set(orders.map(String)).size).toBe(6)
  })
})

test('an execution of 20,000 steps overflows nothing', () => {
  const long = counting(20_000)
  for (const reduction of reductions) {
    expect(explored(long, { reduction }).counts).toMatchObject({ states: 20_001, transitions: 20_000, finals: 1 })
  }
})

/** One process that takes so many visible steps. */
function counting(steps: number): Stateful {
  return {
    processes: ['p0'],
    walk: () => {
      let at = 0
      return {
        key: () => `${at}`,
        moves: () => (at < steps ? [{ process: 0, visible: true }] : []),
        waiting: () => [],
        violation: () => undefined,
        step: () => {
          at++
          return { action: { process: 0, visible: true, accesses: [{ object: 0, part: 0, mode: 1 }] }, renaming: [0] }
        },
        back: () => {
          at--
        },
      }
    },
  }
}

function setting(reduction: (typeof reductions)[number], others: { readonly stateless?: boolean } = {}): Options {
  return optionsOf({ ...usual, reduction, ...others })
}
