import type { Program } from 'allways'
import { describe, expect, test } from 'vitest'
import { settingFrom } from '../../../../src/core/setting.ts'
import type { Counts } from '../../../../src/core/verdict.ts'
import type { EngineEvent } from '../../../../src/engines/engine.ts'
import { GlobalSearch } from '../../../../src/engines/stateful/global-search.ts'
import type { Machines } from '../../../../src/program/machines.ts'
import type { Runnable } from '../../../../src/program/program.ts'
import { replay, reproduced } from '../../../../src/semantics/replay.ts'
import { pathsOf } from '../../../../src/semantics/world-path.ts'
import { generatedPlan, generatedSystem } from '../../../agreement/machine-generate.ts'
import { amount, cut } from '../../../amount.ts'
import { counterSystem, election, forwardingTree } from '../../semantics/machines/systems.ts'

function viewsOf(program: Program): { readonly machines: Machines; readonly runnable: Runnable } {
  const setting = settingFrom({ params: program.params, network: program.network, faults: program.faults ?? {} })
  const { machines, runnable } = program.views
  if (machines === undefined || runnable === undefined) throw new Error('a system has both')
  return { machines: machines(setting), runnable: runnable(setting) }
}

interface Searched {
  readonly counts: Counts
  readonly events: readonly EngineEvent[]
  readonly search: GlobalSearch
}

function searched(machines: Machines, order: 'depth' | 'breadth' = 'breadth'): Searched {
  const search = new GlobalSearch({ machines }, { search: order })
  const events = [...search.events()]
  const last = events.findLast((event) => event.kind === 'progress')
  if (last?.kind !== 'progress') throw new Error('a search ends with its counts')
  return { counts: last.counts, events, search }
}

describe('the forwarding tree of LMC §2', () => {
  // 0 has children 1 and 2, and 2 → 3 → 4. Messages to 1 and along the chain are independent: one state before 0 sends, then
  // 2 (to 1: under way or not) × 4 (to 2, to 3, to 4, received) = 8. The paper counts 12 in a figure that draws duplicates:
  // one for each of the 11 transitions, and the initial one. (From the initial state 1; to 1: 4; along the chain: 3 × 2.)
  const tree = [[1, 2], [], [3], [4], []]

  test.each(['depth', 'breadth'] as const)('has 9 global states and 11 transitions, %s first', (order) => {
    const { counts } = searched(viewsOf(forwardingTree(tree)).machines, order)
    expect(counts).toMatchObject({ states: 9, transitions: 11, finals: 1 })
  })

  test('has 3 system states and 7 local states', () => {
    // '-----', 's----', 's---r'; each machine begins with one, and 0 and 4 come to another.
    const { search } = searched(viewsOf(forwardingTree(tree)).machines)
    expect(search.systemStates).toBe(3)
    expect(search.localStates).toBe(7)
  })

  test('has 10 global states if both children of 0 pass on to one', () => {
    // 1 + 3 × 3: two independent chains of two.
    expect(searched(viewsOf(forwardingTree([[1, 2], [3], [4], [], []])).machines).counts.states).toBe(10)
  })
})

describe('networks', () => {
  const counts = (options: Parameters<typeof counterSystem>[0]) => {
    const { events, counts: found } = searched(viewsOf(counterSystem(options)).machines)
    return { violations: events.filter(({ kind }) => kind === 'violation').length, states: found.states }
  }

  test('fifo keeps the order of two messages, bag does not', () => {
    expect(counts({ network: 'fifo', faults: {} })).toEqual({ violations: 0, states: 4 })
    // Beside those: the stop delivered first, which then leaves an add that fails.
    expect(counts({ network: 'bag', faults: {} })).toEqual({ violations: 1, states: 5 })
  })

  test('loss adds no state on a bag, and on fifo those in which a message was passed over', () => {
    expect(counts({ network: 'bag', faults: { losses: 'any' } }).states).toBe(
      counts({ network: 'bag', faults: {} }).states,
    )
    expect(counts({ network: 'fifo', faults: { losses: 'any' } })).toEqual({ violations: 0, states: 5 })
  })

  test('a duplicate on fifo comes before what was sent later', () => {
    expect(counts({ network: 'fifo', faults: { duplicates: 1 } }).violations).toBe(0)
  })

  test('a budget of losses is spent once', () => {
    // As with any number of losses, but for the order: add passed over, and then nothing more.
    expect(counts({ network: 'fifo', faults: { losses: 1 } })).toEqual({ violations: 0, states: 5 })
  })
})

describe('counterexamples', () => {
  const systems = amount({ quick: 40, thorough: 120, all: 120 })
  const claims = (program: Program, order: 'depth' | 'breadth') => {
    const { machines, runnable } = viewsOf(program)
    const found = searched(machines, order).events.filter((event) => event.kind === 'violation')
    return found.map((event) => {
      const replayed = replay(pathsOf(runnable), event.decisions, { places: false })
      return { event, replayed, reproduced: reproduced(replayed, event.violation) }
    })
  }

  test.each(['depth', 'breadth'] as const)('replay on the runnable view, %s first', cut, (order) => {
    let count = 0
    for (let seed = 0; seed < systems; seed++) {
      for (const { event, replayed, reproduced: again } of claims(generatedSystem(generatedPlan(seed)), order)) {
        expect({ seed, drift: replayed.drift }).toEqual({ seed, drift: undefined })
        expect({ seed, violation: again?.message }).toEqual({ seed, violation: event.violation.message })
        count++
      }
    }
    expect(count).toBeGreaterThan(systems / 2)
  })

  test('end where the violation is', () => {
    const [only, ...others] = claims(election(3), 'breadth')
    expect(others).toEqual([])
    // Three spawns; a request and two sends; the other request, whose sends are left out.
    expect(only?.event.decisions).toHaveLength(7)
  })

  test('are the shortest there are, breadth first', () => {
    const [found] = claims(forwardingTree([[1, 2], [], [3], [4], []], true), 'breadth')
    // Five spawns; request, two sends; and 2, 3 and 4 receive, of which two send.
    expect(found?.event.decisions).toHaveLength(5 + 3 + 2 + 2 + 1)
  })
})

test('both orders explore the same states', () => {
  for (let seed = 0; seed < 60; seed++) {
    const program = generatedSystem(generatedPlan(seed))
    const [depth, breadth] = (['depth', 'breadth'] as const).map((order) => searched(viewsOf(program).machines, order))
    expect({ seed, ...depth?.counts }).toEqual({ seed, ...breadth?.counts })
  }
})

test('a search goes on from a snapshot, with what was under way', () => {
  const { machines } = viewsOf(forwardingTree([[1, 2], [3], [4], [], []]))
  const underWay = [{ from: 'n2', to: 'n4', message: { kind: 'hop' } }]
  // As if n0 had sent, and all but the last hop had arrived: request counters included.
  const states = machines.start.states.map((state, at) => (at === 0 ? { ...state, requests: 1 } : state))
  expect(searched(machines.from(states, underWay)).counts).toMatchObject({ states: 2, transitions: 1 })
})
