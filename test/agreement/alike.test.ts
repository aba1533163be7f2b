/**
 * Machines that play the same part: states up to names, as the search counts them, are the orbits that an enumeration in plain JavaScript has; what is
 * violated is the same with and without, on every network and with faults; and machines that are told apart are found out.
 */
import { describe, expect, test } from 'vitest'
import { DiagnosticError } from '../../src/core/diagnostic.ts'
import { Random } from '../../src/core/random.ts'
import { settingFrom } from '../../src/core/setting.ts'
import { globalEvents } from '../../src/engines/stateful/up-to-names.ts'
import { checkResult } from '../../src/index.ts'
import type { Machines } from '../../src/program/machines.ts'
import type { GlobalStates } from '../../src/program/stateful.ts'
import { amount, cut } from '../amount.ts'
import { countedUpToNames } from './alike-oracle.ts'
import { type AlikePlan, cheating, cheats, drawnPlan, systemOf } from './alike-plan.ts'

/** Larger systems are left out. */
const most = 300

function viewOf(plan: AlikePlan): GlobalStates & { readonly machines: Machines } {
  const view = systemOf(plan).views.stateful?.(settingFrom({ params: {}, network: plan.network, faults: plan.faults }))
  if (view === undefined || !('machines' in view)) throw new Error('a system has states')
  return view
}

interface Searched {
  readonly states: number
  /** Kinds of what went wrong. */
  readonly violated: ReadonlySet<string>
  /** Machines were told apart. */
  readonly refused: boolean
}

/** As far as there are no more than `largest` states. */
function searched(plan: AlikePlan, symmetry: boolean, largest = Number.POSITIVE_INFINITY): Searched {
  const violated = new Set<string>()
  let states = 0
  try {
    for (const event of globalEvents(viewOf(plan), { search: 'breadth', symmetry })) {
      if ('counts' in event && event.counts !== undefined) states = event.counts.states ?? 0
      if (states > largest) break
      if (event.kind !== 'violation') continue
      const { kind, property } = event.violation
      violated.add(kind === 'invariant' ? `invariant ${property}` : kind)
    }
  } catch (error) {
    if (!(error instanceof DiagnosticError) || error.diagnostic.code !== 'E235') throw error
    return { states, violated, refused: true }
  }
  return { states, violated, refused: false }
}

function plansOf(network: AlikePlan['network'], quick: number): readonly (readonly [seed: number, plan: AlikePlan])[] {
  const count = amount({ quick, rest: quick * 10, all: quick * 200 })
  return Array.from({ length: count }, (_, seed) => [seed, drawnPlan(new Random(seed), network)] as const)
}

describe.each(['bag', 'fifo'] as const)('%s', (network) => {
  test('states up to names are the orbits of all states', cut, () => {
    let [all, upToNames] = [0, 0]
    for (const [seed, plan] of plansOf(network, 10)) {
      const counted = countedUpToNames(viewOf(plan).machines, plan, most)
      if (counted === undefined) continue
      const { states, orbits, violated } = counted
      expect([seed, searched(plan, false)]).toEqual([seed, { states, violated, refused: false }])
      expect([seed, searched(plan, true)]).toEqual([seed, { states: orbits, violated, refused: false }])
      all += states
      upToNames += orbits
    }
    expect(upToNames).toBeLessThan(all * 0.8)
  })

  test('what is found up to names is an execution of the system', cut, async () => {
    let found = 0
    for (const [seed, drawn] of plansOf(network, 8)) {
      const plan: AlikePlan = { ...drawn, invariant: { kind: 'sum', limit: -1 } }
      const counted = countedUpToNames(viewOf(plan).machines, plan, most)
      if (counted === undefined || counted.violated.size === 0) continue
      // The judge repeats it.
      const result = await checkResult(systemOf(plan), { engine: 'stateful', options: { symmetry: true }, time: 5_000 })
      expect([seed, result.ok && result.value.kind]).toEqual([seed, 'violated'])
      found++
    }
    expect(found).toBeGreaterThan(0)
  })
})

describe.each([
  ['causal', undefined],
  ['mailbox', undefined],
  ['sender-queue', undefined],
  ['bag', { losses: 1, duplicates: 1 }],
  ['fifo', { losses: 1, duplicates: 1 }],
] as const)('%s, faults %j', (network, faults) => {
  // It shows on the first three in which order a handler sends to several machines: most of these systems are refused.
  test('what is violated is the same up to names', cut, () => {
    let [all, upToNames] = [0, 0]
    for (const [seed, drawn] of plansOf(network, 10)) {
      const plan = { ...drawn, faults: faults ?? drawn.faults }
      if (countedUpToNames(viewOf({ ...plan, network: 'bag' }).machines, plan, most / 2) === undefined) continue
      const reduced = searched(plan, true)
      if (reduced.refused) continue
      const plain = searched(plan, false)
      expect([seed, reduced.violated]).toEqual([seed, plain.violated])
      all += plain.states
      upToNames += reduced.states
    }
    expect(upToNames).toBeLessThan(all)
  })
})

describe.each([...cheats, 'names'] as const)('machines are told apart: %s', (cheat) => {
  test('it is found out, or makes no difference', cut, () => {
    let caught = 0
    for (const [seed, plan] of plansOf('bag', 8)) {
      const bad = cheating(plan, cheat)
      const reduced = searched(bad, true, most)
      if (reduced.refused) caught++
      if (reduced.refused || reduced.states > most) continue
      const counted = countedUpToNames(viewOf(bad).machines, bad, most)
      if (counted === undefined) continue
      const { orbits, violated } = counted
      expect([seed, reduced]).toEqual([seed, { states: orbits, violated, refused: false }])
    }
    expect(caught).toBeGreaterThan(0)
  })
})
