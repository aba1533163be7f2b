/**
 * The local engine against naive global search (`machine-oracle.ts`) on systems drawn as tables, which know of no handlers: the
 * same verdict, every state of a machine that the global search meets, and of states together which can be. Tables have cycles
 * and executions without end, which systems made of deeds do not have.
 */
import { describe, expect, test } from 'vitest'
import { Random } from '../../src/core/random.ts'
import { Forward } from '../../src/engines/local/forward.ts'
import { noMessage } from '../../src/engines/local/messages.ts'
import { Requirements } from '../../src/engines/local/requirements.ts'
import { type Reachability, Soundness } from '../../src/engines/local/soundness.ts'
import type { Machines } from '../../src/program/machines.ts'
import { long } from '../amount.ts'
import { type ExploredLocally, exploredLocally } from '../unit/engines/local/explored.ts'
import { drawSystem, machinesOfDrawn, neverTogether } from './local-generate.ts'
import { type Oracle, searchGlobally, systemKey } from './machine-oracle.ts'

const systems = 40
const mostStates = 400
const mostEvents = 500

describe('local and global search agree', () => {
  test('on which systems of tables are violated, and on what their machines can come to', long, () => {
    const compared = { violated: 0, verified: 0 }
    for (let seed = 0; seed < systems; seed++) {
      const subject = drawnSystem(seed, { endless: false })
      const oracle = searchGlobally(subject, { mostStates })
      if (oracle.cut) continue
      const explored = exploredLocally(subject, { mostEvents })
      if (!explored.ended) continue
      const isViolated = explored.violations.length > 0
      expect({ seed, isViolated }).toEqual({ seed, isViolated: oracle.violated.size > 0 })
      expectStates(seed, subject, oracle, explored)
      compared[isViolated ? 'violated' : 'verified']++
    }
    expect(compared.violated).toBeGreaterThan(systems / 8)
    expect(compared.verified).toBeGreaterThan(systems / 8)
  })

  test('on every combination of states of small systems: together in an execution or not', long, () => {
    const judged = { backwards: 0, forwards: 0, reachable: 0, unreachable: 0 }
    for (let seed = 0; seed < systems; seed++) {
      const subject = machinesOfDrawn(drawSystem(new Random(seed), { endless: false }), [])
      const oracle = searchGlobally(subject, { mostStates })
      if (oracle.cut) continue
      const explored = exploredLocally(subject, { mostEvents })
      if (!explored.ended) continue
      const { spaces } = explored.search.exploration
      const answers = answersOf(subject, explored)
      for (const states of combinations(spaces.map((space) => space.states.length)).slice(0, 500)) {
        const local = states.map((state, machine) => spaces[machine]?.states[state] ?? neverMet())
        const truth = oracle.systemStates.has(systemKey(subject, local)) ? 'reachable' : 'unreachable'
        for (const [way, answer] of Object.entries(answers)) {
          const { kind } = answer(states)
          if (kind === 'undecided') continue
          expect({ seed, way, states, kind }).toEqual({ seed, way, states, kind: truth })
          judged[way as keyof typeof answers]++
        }
        judged[truth]++
      }
    }
    for (const count of Object.values(judged)) expect(count).toBeGreaterThan(4 * systems)
  })

  // The global search is cut off, so it may miss violations; the local search, where it ends at all, may not miss those it found.
  test('in systems that send for ever: what is found before the search is cut off, local finds', () => {
    let found = 0
    for (let seed = 0; seed < systems / 4; seed++) {
      const subject = drawnSystem(seed, { endless: true })
      const oracle = searchGlobally(subject, { mostStates: 150, mostUnderWay: 4 })
      const explored = exploredLocally(subject, { mostEvents: 30 })
      if (!explored.ended) continue
      expectStates(seed, subject, oracle, explored)
      if (oracle.violated.size === 0) continue
      expect({ seed, violated: explored.violations.length > 0 }).toEqual({ seed, violated: true })
      found++
    }
    expect(found).toBeGreaterThan(1)
  })
})

function drawnSystem(seed: number, options: { readonly endless: boolean }): Machines {
  const random = new Random(seed)
  const drawn = drawSystem(random, options)
  const values = drawn.machines.map(() => random.below(3))
  return machinesOfDrawn(drawn, [neverTogether(values, random.below(2) === 0)])
}

/** Local search meets more: states that need messages which do not come together. */
function expectStates(seed: number, subject: Machines, oracle: Oracle, { search }: ExploredLocally): void {
  for (const [machine, space] of search.exploration.spaces.entries()) {
    const met = new Set(space.states.map((state) => subject.key(state)))
    const missing = [...(oracle.localStates[machine] ?? [])].filter((key) => !met.has(key))
    expect({ seed, machine, missing }).toEqual({ seed, machine, missing: [] })
  }
}

/** Both ways to decide what can be together, each asked for itself. */
function answersOf(subject: Machines, { search }: ExploredLocally) {
  const { spaces, messages, precedence } = search.exploration
  const explored = { spaces, messages, precedence, machines: subject }
  const soundness = new Soundness(explored, new Requirements(explored), undefined)
  const forward = new Forward(explored)
  ended(forward.extend(1_000))
  return {
    backwards: (states: readonly number[]): Reachability => ended(soundness.reach(states, noMessage, 1_000)),
    forwards: (states: readonly number[]): Reachability => forward.find(states, noMessage, 0),
  }
}

function ended<Result>(steps: Generator<unknown, Result>): Result {
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value
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
