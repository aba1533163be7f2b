/** Programs of P and machines that know each other: executions and states of all executions at once, counted depth by depth. */
// @module-tag cut
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Diagram } from '../../../src/bdd/diagrams.ts'
import type { SymbolicSearch } from '../../../src/engines/symbolic/search.ts'
import { symbolic } from '../../../src/engines/symbolic/symbolic.ts'
import { lower } from '../../../src/frontends/p/lower.ts'
import type { Ir } from '../../../src/ir/ir.ts'
import { amount, atLeast, byRow, isSlow, oneIn, seedsOf } from '../../amount.ts'
import { generated } from '../../unit/semantics/ir/generate.ts'
import { settingOf } from './explored.ts'
import { generatedProgram } from './generate.ts'
import { maskLitmus } from './mask-litmus.ts'
import { orderLitmus } from './order-litmus.ts'
import { readProgram } from './read.ts'
import { roundLitmus } from './round-litmus.ts'
import { shrunk } from './shrink.ts'
import { type ExactTally, exactDisagreement, type Limits, newExactTally } from './symbolic-exact.ts'

/** At some depth these have more than 2,000 states, or more than 150,000 nodes where guards carry what was chosen: they are compared up to that depth. */
const tooLarge: readonly string[] = [
  'p-ben-or hasty',
  'p-ben-or oneRound',
  'p-bounded-asynchrony impatient',
  'p-client-server alwaysOneWaiting',
  'p-counter counter10',
  'p-counter counter12',
  'p-counter counter15',
  'p-espresso childAtHastyPanel',
  'p-failure-detector complete',
  'p-hybrid-clock hybrid',
  'p-hybrid-clock simple',
  'p-last-zero hasty',
  'p-last-zero lastZero3',
  'p-last-zero lastZero5',
  'p-last-zero lastZero7',
  'p-liveness orderly',
  'p-liveness starved',
  'p-lookaside-cache cached___tokens_2',
  'p-lookaside-cache cached___tokens_3',
  'p-lookaside-cache cached___tokens_4',
  'p-paxos careless',
  'p-paxos paxos',
  'p-paxos-tree careless',
  'p-paxos-tree paxos',
  'p-store-commit eager___size_2',
  'p-store-commit eager___size_4',
  'p-store-commit store___size_2',
  'p-store-commit store___size_4',
  'p-store-commit store___size_6',
  'p-store-paxos careless___size_3',
  'p-store-paxos store___size_3',
  'p-store-paxos store___size_5',
  'p-two-phase-commit careless',
  'p-two-phase-commit sameKey',
  'p-two-phase-commit twoClients',
]

/** The same under fifo, where a machine has a line for each target and more can come next. */
const tooLargeUnderFifo: readonly string[] = [
  'p-bounded-asynchrony eleven',
  'p-bounded-asynchrony three',
  'p-cache-coherence threeCaches',
  'p-cache-coherence trusting',
  'p-cache-coherence twoCaches',
  'p-failure-detector healthy',
  'p-liveness waiting',
  'p-raft forgetful',
  'p-raft twoCandidates',
  'p-ring-election four',
  'p-token-ring four',
  'p-token-ring rude',
]

const networks = ['sender-queue', 'fifo'] as const
const orders = ['above', 'below', 'sift'] as const

const limits: Limits = {
  steps: amount({ quick: 12, all: 20 }),
  states: amount({ quick: 100, all: 400 }),
  executions: amount({ quick: 40, all: 200 }),
  decisions: amount({ quick: 400, all: 4_000 }),
}

const many: Limits = { steps: 60, states: 2_000, executions: 2_000, decisions: 100_000 }

/** What is too large for it is compared as far as it goes. */
const corpusLimits: Limits = isSlow ? { ...many, steps: 200, cuts: true } : { ...limits, cuts: true }

function loweredFrom(text: string): readonly Ir[] {
  return testsIn(text).map(({ ir }) => ir)
}

function testsIn(text: string): readonly { readonly name: string; readonly ir: Ir }[] {
  const read = readProgram(text)
  if ('problems' in read) throw new Error(read.problems.join('; '))
  return read.checked.tests.map((one) => ({ name: one.name, ir: lower(read.checked, one) }))
}

describe.each(networks)('under %s the numbers are exact', { timeout: 3_600_000 }, (network) => {
  const row = networks.indexOf(network)
  // Each network has the other order for the same seed.
  const orderOf = (seed: number) =>
    orders[(seed + networks.indexOf(network)) % orders.length] as (typeof orders)[number]

  /** With programs of P, the smallest one that disagrees is told. */
  function compare(seed: number, text: string, tally: ExactTally): void {
    const order = orderOf(seed)
    const disagreementOf = (one: string, into: ExactTally): string | undefined =>
      loweredFrom(one)
        .map((ir) => exactDisagreement(ir, { network, order, limits, tally: into }))
        .find((problem) => problem !== undefined)
    const disagrees = (smaller: string): boolean => {
      try {
        return disagreementOf(smaller, newExactTally()) !== undefined
      } catch {
        return false
      }
    }
    const problem = disagreementOf(text, tally)
    expect({ seed, problem: problem && `${problem}\n${shrunk(text, disagrees)}` }).toEqual({ seed, problem: undefined })
  }

  test('of programs of P', byRow(row), () => {
    const tally = newExactTally()
    const seeds = seedsOf(network, networks, { quick: 12, all: 2_200 })
    for (const seed of seeds) compare(seed, generatedProgram(seed), tally)
    expectEnough(tally, seeds.length)
    if (isSlow) expect(tally.compared).toBeGreaterThanOrEqual(2_000)
  })

  test('of machines that know each other', byRow(row, 1), () => {
    const tally = newExactTally()
    const seeds = seedsOf(network, networks, { quick: 16, all: 600 })
    for (const seed of seeds) {
      const problem = exactDisagreement(generated(seed), { network, order: orderOf(seed), limits, tally })
      expect({ seed, problem }).toEqual({ seed, problem: undefined })
    }
    expectEnough(tally, seeds.length)
  })

  test('of the corpus', byRow(row), () => {
    const folder = new URL('../../../corpus/', import.meta.url)
    const models = oneIn(
      5,
      readdirSync(folder).filter((name) => name.startsWith('p-')),
    )
    const ofAll = newExactTally()
    const cut: string[] = []
    for (const [at, model] of models.entries())
      for (const { name, ir } of testsIn(readFileSync(new URL(`${model}/model.p`, folder), 'utf8'))) {
        const tally = newExactTally()
        const problem = exactDisagreement(ir, { network, order: orderOf(at), limits: corpusLimits, tally })
        expect({ model, name, problem }).toEqual({ model, name, problem: undefined })
        expect({ model, name, compared: tally.compared }).toEqual({ model, name, compared: 1 })
        if (tally.cut > 0) cut.push(`${model} ${name}`)
        ofAll.rounds += tally.rounds
      }
    expect(ofAll.rounds).toBeGreaterThan(0)
    const known = network === 'fifo' ? [...tooLarge, ...tooLargeUnderFifo] : tooLarge
    if (isSlow) expect(cut.filter((one) => !known.includes(one))).toEqual([])
  })

  test.each([...orderLitmus, ...roundLitmus, ...maskLitmus])(
    'of small programs in which order decides: $name',
    (litmus) => {
      for (const order of orders) {
        const tally = newExactTally()
        for (const ir of loweredFrom(litmus.text))
          expect(exactDisagreement(ir, { network, order, limits: many, tally })).toBeUndefined()
        expect(tally).toMatchObject({ compared: 1, dropped: 0, large: 0, rounds: 1, counted: 1 })
        const traces = 'traces' in litmus ? litmus.traces[network] : undefined
        if (traces !== undefined) expect(tally.traces).toBe(BigInt(traces))
      }
    },
  )
})

describe('on a bag, where there are no rounds, the numbers are exact', { timeout: 3_600_000 }, () => {
  const network = 'bag'

  test('of programs of P', () => {
    const tally = newExactTally()
    const programs = amount({ quick: 4, rest: 8, thorough: 40, all: 700 })
    for (let seed = 0; seed < programs; seed++)
      // The tests of a program differ in constants, and some programs have many.
      for (const ir of loweredFrom(generatedProgram(seed)).slice(0, 1)) {
        const problem = exactDisagreement(ir, {
          network,
          order: orders[seed % orders.length] ?? 'above',
          limits,
          tally,
        })
        expect({ seed, problem }).toEqual({ seed, problem: undefined })
      }
    expect(tally.compared).toBeGreaterThan(programs / 2)
    expect(tally.layers).toBeGreaterThan(atLeast(tally.compared * 4))
  })

  test('of machines that know each other', () => {
    const tally = newExactTally()
    const programs = amount({ quick: 6, rest: 12, thorough: 60, all: 600 })
    for (let seed = 0; seed < programs; seed++) {
      const problem = exactDisagreement(generated(seed), {
        network,
        order: orders[seed % orders.length] ?? 'above',
        limits,
        tally,
      })
      expect({ seed, problem }).toEqual({ seed, problem: undefined })
    }
    expect(tally.compared).toBeGreaterThan(programs / 3)
    expect(tally.violated).toBeGreaterThan(0)
  })

  test.each([...orderLitmus, ...roundLitmus, ...maskLitmus])(
    'of small programs in which order decides: $name',
    (litmus) => {
      for (const ir of loweredFrom(litmus.text)) {
        const tally = newExactTally()
        expect(exactDisagreement(ir, { network, order: 'above', limits: many, tally })).toBeUndefined()
        expect(tally).toMatchObject({ compared: 1, dropped: 0, large: 0 })
      }
    },
  )

  test('of messages that are alike: two of them are one way to go on', () => {
    const twins = `
      event told: int;
      machine Main { start state S { entry { var r: machine; r = new Reader(); send r, told, 1; send r, told, 1; send r, told, 2; } } }
      machine Reader { var n: int; start state S { on told do (one: int) { n = n * 3 + one; } } }
      test tc [main=Main]: { Main, Reader };
    `
    const tally = newExactTally()
    for (const ir of loweredFrom(twins))
      expect(exactDisagreement(ir, { network, order: 'above', limits: many, tally })).toBeUndefined()
    // Three orders of 1, 1, 2.
    expect(tally.mostExecutions).toBe(3n)
  })
})

describe('what is wrong with the search is seen in the numbers', () => {
  const planted = {
    'a mask that is forgotten: what is not there is compared as well': ({
      exploration: { lifting },
    }: SymbolicSearch) => {
      Object.assign(lifting, { masked: (_gone: Diagram, same: Diagram) => same })
    },
    'a guard that is forgotten: who went wrong goes on': ({ exploration }: SymbolicSearch) => {
      const fails = exploration.fails.bind(exploration)
      const goesOn: typeof fails = (where, failure, place) => {
        const { alive } = exploration.state
        fails(where, failure, place)
        exploration.state.alive = alive
      }
      Object.assign(exploration, { fails: goesOn })
    },
    'a guard that is lost: of two options, one is for nobody': ({ exploration }: SymbolicSearch) => {
      const { diagrams } = exploration
      const chosen = exploration.chosen.bind(exploration)
      const first: typeof chosen = (guard, possible, by) =>
        chosen(guard, by === undefined ? possible : possible.map((one, at) => (at > 0 ? diagrams.never : one)), by)
      Object.assign(exploration, { chosen: first })
    },
  } as const

  /** In words, or as the search says it; undefined: nothing. */
  function seenOf(text: string, plant: ((search: SymbolicSearch) => void) | undefined): string | undefined {
    const asked = { network: 'sender-queue', order: 'above', limits: many, tally: newExactTally() } as const
    try {
      return loweredFrom(text)
        .map((ir) => exactDisagreement(ir, { ...asked, planted: plant }))
        .find((problem) => problem !== undefined)
    } catch (error) {
      return String(error)
    }
  }

  test.each(Object.entries(planted))('%s', (what, plant) => {
    const texts = what.includes('mask')
      ? maskLitmus.map(({ text }) => text)
      : Array.from({ length: 8 }, (_, seed) => generatedProgram(seed))
    const seen = texts.filter((text) => seenOf(text, plant) !== undefined)
    expect(texts.filter((text) => seenOf(text, undefined) !== undefined)).toEqual([])
    expect(seen.length).toBeGreaterThan(what.includes('mask') ? texts.length - 1 : 1)
  })
})

test('monitors see the order of turns, and so a program that has some is not explored in rounds', () => {
  const [litmus] = orderLitmus
  const [program] = loweredFrom(litmus?.text ?? '')
  const view = { program: program as Ir, setting: settingOf('fifo') }
  const events = [...symbolic.explore(view, { mode: 'rounds' })]
  expect(events).toMatchObject([{ kind: 'diagnostic', diagnostic: { code: 'E107' } }])
  expect([...symbolic.explore(view, { mode: 'steps' })].some(({ kind }) => kind === 'diagnostic')).toBe(false)
})

function expectEnough(tally: ExactTally, programs: number): void {
  expect(tally.compared).toBeGreaterThan(programs * 0.6)
  expect(tally.large).toBeLessThan(programs * 0.2)
  expect(tally.layers).toBeGreaterThan(tally.compared * 4)
  expect(tally.mostExecutions).toBeGreaterThan(10n)
  expect(tally.violated).toBeGreaterThan(tally.compared / 10)
  expect(tally.counted).toBeGreaterThan(tally.compared / 3)
  expect(tally.reduced).toBeGreaterThan(tally.compared / 6)
}
