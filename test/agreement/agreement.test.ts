/**
 * Agreement is the specification: on generated programs, dpor explores every class of the exhaustive engine's interleavings
 * exactly once, whatever the network, the mix of networks, the schedule and the way the search is split.
 */
// @module-tag cut
import { describe, expect, test } from 'vitest'
import { type NetworkName, networkNames } from '../../src/core/operation.ts'
import { Random } from '../../src/core/random.ts'
import type { DporOptions } from '../../src/engines/dpor/options.ts'
import type { EngineRequest } from '../../src/engines/engine.ts'
import { amount, atLeast, atMost, byRow, seedsOf } from '../amount.ts'
import { declaredProblem, dporProblem, smallest, truthOf } from './agreement.ts'
import { declaredClasses } from './declarative.ts'
import { type Explored, type ExploreOptions, usualSetting } from './explored.ts'
import { generate } from './generate.ts'
import type { ProgramText } from './text.ts'

const programs = { quick: 20, rest: 60, thorough: 120, all: 2000 }
const mixedPrograms = amount({ quick: 6, rest: 30, thorough: 60, all: 1000 })
/** For what is about the search rather than the program. */
const scheduledPrograms = amount({ quick: 4, rest: 30, thorough: 60, all: 2000 })
const splitPrograms = amount({ quick: 4, rest: 15, thorough: 30, all: 400 })
const largePrograms = amount({ quick: 4, thorough: 12, all: 150 })
/** Truths by program and network: several tests compare with the same one. */
const truths = new Map<string, Explored | undefined>()

function knownTruth(text: ProgramText, network: NetworkName): Explored | undefined {
  const key = `${network} ${text.name}`
  if (!truths.has(key)) truths.set(key, truthOf(text, network))
  return truths.get(key)
}

const plain = (seed: number): ProgramText => generate(seed, { mixed: false, monitors: true })
const mixed = (seed: number): ProgramText => generate(seed, { mixed: true, monitors: true })

interface Tally {
  compared: number
  dropped: number
  /** Programs with more than one execution: the others say little. */
  branching: number
}

/** Compares the programs of these seeds; fails with the smallest program that disagrees. */
function compareAll(
  seeds: readonly number[],
  generated: (seed: number) => ProgramText,
  network: NetworkName,
  options: (seed: number) => ExploreOptions,
): Tally {
  const tally = { compared: 0, dropped: 0, branching: 0 }
  for (const seed of seeds) {
    const text = generated(seed)
    const truth = knownTruth(text, network)
    if (truth === undefined) {
      tally.dropped++
      continue
    }
    tally.compared++
    if (truth.classes.size > 1) tally.branching++
    const problem = dporProblem(text, network, truth, options(seed))
    if (problem !== undefined) {
      const problemOf = (smaller: ProgramText) => {
        const smallTruth = truthOf(smaller, network)
        return smallTruth && dporProblem(smaller, network, smallTruth, options(seed))
      }
      expect.fail(smallest(text, network, problemOf))
    }
  }
  return tally
}

function expectWorthwhile({ compared, dropped, branching }: Tally, most = amount({ quick: 0.1, all: 0.06 })): void {
  expect(dropped / (compared + dropped), 'share of programs left out as too large').toBeLessThan(atMost(most))
  expect(branching / compared, 'share of programs with more than one execution').toBeGreaterThan(atLeast(0.4))
}

describe.each(networkNames)('under %s', (network) => {
  const row = networkNames.indexOf(network)
  const seeds = seedsOf(network, networkNames, programs)
  const scheduled = seeds.slice(0, scheduledPrograms)
  const split = seeds.slice(0, splitPrograms)

  test(`dpor explores each execution of ${seeds.length} generated programs exactly once`, byRow(row), () => {
    expectWorthwhile(compareAll(seeds, plain, network, () => ({})))
  })

  test.each<DporOptions['schedule']>(['left-to-right', 'right-to-left', 'random'])(
    'the schedule %s changes nothing',
    byRow(row, 1),
    (schedule) => {
      compareAll(scheduled, plain, network, (seed) => ({ setting: { ...usualSetting, schedule, seed } }))
    },
  )

  test('how much is remembered of what processes did changes nothing', byRow(row), () => {
    compareAll(scheduled, plain, network, (seed) => ({
      setting: { ...usualSetting, schedule: 'random', seed },
      memory: { states: seed % 5, statesPerProcess: seed % 3, messagesPerProcess: seed % 2 },
    }))
  })

  test(
    'a search that shares its work at random points explores the same executions, none of them twice',
    byRow(row, 1),
    () => {
      compareAll(split, plain, network, (seed) => ({ request: now('share', new Random(seed), 2) }))
    },
  )

  test('a search that is given up after some executions and resumed explores the same executions', byRow(row), () => {
    compareAll(split, plain, network, (seed) => ({
      request: (execution) => (execution > seed % 3 ? 'surrender' : undefined),
    }))
  })
})

describe('with a network for each message', () => {
  test(`dpor explores each execution of ${mixedPrograms} generated programs exactly once`, {}, () => {
    expectWorthwhile(compareAll(firstSeeds(mixedPrograms), mixed, 'fifo', () => ({})))
  })

  test('neither schedule nor splits change anything', () => {
    compareAll(firstSeeds(splitPrograms), mixed, 'fifo', (seed) => ({
      setting: { ...usualSetting, schedule: 'random', seed },
      request: now(seed % 2 === 0 ? 'share' : 'surrender', new Random(seed), 3),
    }))
  })
})

for (const [row, network] of networkNames.entries())
  test(`messages sent before their process begins wait for it under ${network}`, byRow(row, 1), () => {
    const anywhere = (seed: number): ProgramText => ({
      ...generate(seed, { mixed: false, monitors: false, anywhere: true }),
      name: `anywhere ${seed}`,
    })
    compareAll(firstSeeds(splitPrograms), anywhere, network, () => ({}))
  })

for (const [row, network] of networkNames.entries())
  test(
    `what a process did before another joined it came before what that did then, under ${network}`,
    byRow(row),
    () => {
      const joining = (seed: number): ProgramText => ({
        ...generate(seed, { mixed: seed % 4 === 0, monitors: true, joins: true }),
        name: `joining ${seed}`,
      })
      expectWorthwhile(
        compareAll(
          seedsOf(network, networkNames, { quick: 8, rest: 50, thorough: 100, all: 2000 }),
          joining,
          network,
          () => ({}),
        ),
        0.2,
      )
    },
  )

describe('on larger programs, judged by the declarative oracle', () => {
  for (const [row, network] of networkNames.entries())
    test(`dpor explores exactly the consistent graphs under ${network}`, byRow(row, 1), () => {
      let compared = 0
      const problemOf = (text: ProgramText): string | undefined => {
        const declared = declaredClasses(text, network)
        if (declared === undefined) return undefined
        compared++
        return declaredProblem(text, network, declared)
      }
      for (let seed = 0; seed < largePrograms; seed++) {
        const text = generate(seed, { mixed: seed % 3 === 0, monitors: false, operations: 10 })
        if (problemOf(text) !== undefined) expect.fail(smallest(text, network, problemOf))
      }
      expect(compared / largePrograms, 'share of programs small enough to enumerate').toBeGreaterThan(atLeast(0.9))
    })
})

function firstSeeds(count: number): readonly number[] {
  return Array.from({ length: count }, (_, seed) => seed)
}

/** A request at one in so many executions. */
function now(request: EngineRequest, random: Random, oneIn: number): () => EngineRequest {
  return () => (random.below(oneIn) === 0 ? request : undefined)
}
