/**
 * The local engine against naive global search (`machine-oracle.ts`) on generated systems: the same verdict, every state of a
 * machine that the global search meets, and no violation that the judge does not reproduce.
 */
import { describe, expect, test } from 'vitest'
import { Random } from '../../src/core/random.ts'
import { noMessage } from '../../src/engines/local/messages.ts'
import { Soundness } from '../../src/engines/local/soundness.ts'
import type { Machines } from '../../src/program/machines.ts'
import { type ExploredLocally, exploredLocally } from '../unit/engines/local/explored.ts'
import { drawSystem, machinesOfDrawn, neverTogether } from './local-generate.ts'
import { generatedPlan, generatedSystem } from './machine-generate.ts'
import { type Oracle, searchGlobally, systemKey } from './machine-oracle.ts'

const systems = Number(process.env.ALLWAYS_LOCAL ?? 40)
const first = Number(process.env.ALLWAYS_LOCAL_FROM ?? 0)
const mostStates = 400

describe('local and global search agree', () => {
  test('on which systems of tables are violated, and on what their machines can come to', () => {
    const compared = compareAll((seed) => {
      const random = new Random(seed)
      const drawn = drawSystem(random, { endless: false })
      const values = drawn.machines.map(() => random.below(3))
      return machinesOfDrawn(drawn, [neverTogether(values, random.below(2) === 0)])
    })
    expect(compared.violated).toBeGreaterThan(systems / 10)
    expect(compared.verified).toBeGreaterThan(systems / 10)
  })

  test('on which systems of handlers are violated, and on what their machines can come to', () => {
    const compared = compareAll((seed) => {
      const program = generatedSystem(generatedPlan(seed))
      const view = program.views.machines
      if (view === undefined) throw new Error('a system has machines')
      return view({ params: program.params, network: program.network }, {})
    })
    expect(compared.violated).toBeGreaterThan(systems / 10)
    expect(compared.verified).toBeGreaterThan(systems / 10)
  })

  test('on every combination of states of small systems: together in an execution or not', () => {
    let [reachable, unreachable] = [0, 0]
    for (let seed = first; seed < first + systems / 2; seed++) {
      const subject = machinesOfDrawn(drawSystem(new Random(seed), { endless: false }), [])
      const oracle = searchGlobally(subject, { mostStates })
      if (oracle.cut) continue
      const { search, ended } = exploredLocally(subject, { mostEvents: 500 })
      if (!ended) continue
      const { spaces, messages } = search.exploration
      const soundness = new Soundness({ spaces, messages, network: subject.network })
      for (const states of combinations(spaces.map((space) => space.states.length)).slice(0, 500)) {
        const { kind } = soundness.reach(states, noMessage, 1_000)
        if (kind === 'undecided') continue
        const key = systemKey(
          subject,
          states.map((state, machine) => spaces[machine]?.states[state] ?? neverMet()),
        )
        expect({ seed, states, kind }).toEqual({
          seed,
          states,
          kind: oracle.systemStates.has(key) ? 'reachable' : 'unreachable',
        })
        if (kind === 'reachable') reachable++
        else unreachable++
      }
    }
    expect(reachable).toBeGreaterThan(systems)
    expect(unreachable).toBeGreaterThan(systems)
  })

  test('in systems that send for ever: what the global search finds before it is stopped, the local one finds', () => {
    let found = 0
    for (let seed = first; seed < first + systems / 4; seed++) {
      const random = new Random(seed)
      const drawn = drawSystem(random, { endless: true })
      const values = drawn.machines.map(() => random.below(3))
      const subject = machinesOfDrawn(drawn, [neverTogether(values, random.below(2) === 0)])
      const oracle = searchGlobally(subject, { mostStates: 150, mostUnderWay: 4 })
      const explored = exploredLocally(subject, { mostEvents: 30 })
      if (explored.ended) expectSameStates(seed, subject, oracle, explored)
      if (!explored.ended || oracle.violated.size === 0) continue
      expect({ seed, violated: explored.violations.length > 0 }).toEqual({ seed, violated: true })
      found++
    }
    expect(found).toBeGreaterThan(systems / 40)
  })
})

function compareAll(systemOf: (seed: number) => Machines): { readonly violated: number; readonly verified: number } {
  let [violated, verified] = [0, 0]
  for (let seed = first; seed < first + systems; seed++) {
    const subject = systemOf(seed)
    const oracle = searchGlobally(subject, { mostStates })
    if (oracle.cut) continue
    const explored = exploredLocally(subject, { mostEvents: 500 })
    if (!explored.ended) continue
    const isViolated = explored.violations.length > 0
    expect({ seed, isViolated }).toEqual({ seed, isViolated: oracle.violated.size > 0 })
    expectSameStates(seed, subject, oracle, explored)
    if (isViolated) violated++
    else verified++
  }
  return { violated, verified }
}

/** Local search meets more: states that need messages which do not come together. */
function expectSameStates(seed: number, subject: Machines, oracle: Oracle, { search }: ExploredLocally): void {
  for (const [machine, space] of search.exploration.spaces.entries()) {
    const met = new Set(space.states.map((state) => subject.key(state)))
    const missing = [...(oracle.localStates[machine] ?? [])].filter((key) => !met.has(key))
    expect({ seed, machine, missing }).toEqual({ seed, machine, missing: [] })
  }
}

function combinations(sizes: readonly number[]): readonly (readonly number[])[] {
  return sizes.reduce<readonly (readonly number[])[]>(
    (found, size) => found.flatMap((states) => Array.from({ length: size }, (_, state) => [...states, state])),
    [[]],
  )
}

function neverMet(): never {
  throw new Error('a combination names states that were met')
}
