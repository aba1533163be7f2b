/**
 * Several members explore one search, with units handed over at moments drawn from a seed, some of them die, and the search is stopped and
 * gone on with by crews of other sizes: what is counted and found, and which violation is the first, is what one thread says. Of programs
 * with few interleavings it is what all of them come to.
 */
// @module-tag cut
import { expect, test } from 'vitest'
import { type NetworkName, networkNames } from '../../src/core/operation.ts'
import { violationKey } from '../../src/core/property.ts'
import { Random } from '../../src/core/random.ts'
import { addCounts, countedExecutions, exploredIn, noCounts, type WorkUnit } from '../../src/core/verdict.ts'
import { driveWithCrew } from '../../src/distribute/crew-drive.ts'
import { type Driven, isBudget, type Search } from '../../src/distribute/driver.ts'
import { driveInline } from '../../src/distribute/inline.ts'
import { dpor, dporWith } from '../../src/engines/dpor/dpor.ts'
import { usualMemory } from '../../src/engines/dpor/histories.ts'
import type { Engine } from '../../src/engines/engine.ts'
import { exhaustive } from '../../src/engines/exhaustive/exhaustive.ts'
import { pct } from '../../src/engines/random/pct.ts'
import { random } from '../../src/engines/random/random.ts'
import { pathsOf } from '../../src/semantics/world-path.ts'
import { amount, atLeast, isLittle } from '../amount.ts'
import { PretendedCrew } from '../pretended-crew.ts'
import { tickingHost } from '../ticking-host.ts'
import { truthOf } from './agreement.ts'
import { type Explored, usualSetting } from './explored.ts'
import { generate } from './generate.ts'
import { runnableOf } from './interpret.ts'

const kinds = [
  { name: 'with monitors', mixed: false, monitors: true },
  { name: 'with networks of their own', mixed: true, monitors: false },
  { name: 'with faults', mixed: false, monitors: false, faults: true },
] as const

/** Pauses after every event, so that work is asked for in the middle of executions. */
const pausing = dporWith(usualMemory, 1)

const engines = [dpor, pausing, exhaustive, random, pct]

/** What takes too long to explore several times is left out. */
const mostExecutions = 3_000

interface Asked {
  readonly search: () => Search
  readonly seed: number
  readonly size: number
  readonly keepGoing: boolean
  readonly deaths: number
}

/** The last one is stopped when somebody has found a violation behind another one. */
function seedsOf(): readonly number[] {
  return [...Array(seeds).keys(), 280]
}

/** In a thousand chances to die; few programs have few chances. */
const often = isLittle ? 200 : 60

/** Programs of all kinds; what is left out of them is less than a fourth. */
const seeds = amount({ quick: 18, rest: 90, thorough: 900, all: 20_000 })

test.each(kinds)('generated programs $name are explored by crews as by one thread', async (kind) => {
  const draws = new Random(kinds.indexOf(kind))
  const programs = new Set<string>()
  let [given, died, violated, judged] = [0, 0, 0, 0]
  for (const seed of seedsOf()) {
    const network = networkNames[seed % networkNames.length] as NetworkName
    const engine = engines[seed % engines.length] as Engine
    const text = generate(seed, kind)
    const truth = 'faults' in kind ? undefined : truthOf(text, network)
    const size = 1 + draws.below(4)
    const subject = () => {
      const runnable = runnableOf(text, network)
      return engine.needs === 'path' ? pathsOf(runnable) : runnable
    }
    const search = (): Search => ({ engine, subject: subject(), options: usualSetting })
    for (const keepGoing of [true, false]) {
      const alone = await driveInline(search(), { budget: { executions: mostExecutions }, keepGoing }, tickingHost())
      if (isBudget(alone.because)) continue
      const told = `seed ${seed}, ${network}, ${engine.name}, ${keepGoing ? 'all' : 'first'}, ${size} threads and more`
      programs.add(JSON.stringify({ ...text, name: undefined }))
      if (alone.found.length > 0) violated++
      for (const deaths of [0, often]) {
        const asked = { search, seed, size, keepGoing, deaths }
        const together = await atOnce(asked)
        given += together.given
        died += together.died
        expect(answer(together.driven), `${told}, ${deaths} deaths`).toEqual(answer(alone))
        expect(together.driven.explored).toBeCloseTo(alone.explored, 9)
        if (keepGoing && truth !== undefined) judged += expectTruth(together.driven, truth, engine, told)
        expectAnswerOf(await stoppedAndResumed(asked), alone, `${told}, ${deaths} deaths, stopped`)
      }
    }
  }
  // Three kinds: 2,000 of 2,700 programs for a release.
  expect(programs.size).toBeGreaterThan(0.75 * seeds)
  for (const some of [given, died, violated]) expect(some).toBeGreaterThan(atLeast(10))
  if (!('faults' in kind)) expect(judged).toBeGreaterThan(0.2 * seeds)
})

/** Whether the engine goes over all executions, which are then those of the oracle. */
function expectTruth({ counts, found }: Driven, truth: Explored, engine: Engine, told: string): number {
  const { executions = 0, blocked = 0 } = counts
  const whole = engine === exhaustive ? truth.executions : truth.classes.size
  if (engine.claims !== 'verified') return 0
  expect(executions + blocked, told).toBe(whole)
  expect(found.length > 0, told).toBe(truth.violations.size > 0)
  if (engine !== exhaustive) expect(blocked, told).toBe(truth.blocked.size)
  return 1
}

interface Resumed {
  readonly runs: readonly Driven[]
  /** Whether somebody had asked the last run to stop when it ended. */
  readonly isHurried: boolean
}

/**
 * Members that are interrupted have explored, and may have found, what comes behind the rest that they leave. So the first of each sort
 * that one thread meets is the first of one of the runs; and what a violation ends is the same, and beside it what was explored behind.
 */
function expectAnswerOf({ runs, isHurried }: Resumed, alone: Driven, told: string): void {
  const last = runs.at(-1) as Driven
  const counts = runs.reduce((sum, run) => addCounts(sum, run.counts), noCounts)
  const found = runs.flatMap((run) => answer(run).found)
  const firsts = answer(alone).found
  expect([last.because, last.diagnostic], told).toEqual([alone.because, alone.diagnostic])
  // Somebody had found it behind what the others then left.
  if (isHurried && alone.because === 'violation') return
  const executions = exploredIn(counts, countedExecutions)
  if (alone.because === 'exhausted') expect(answer({ ...last, counts }).counts, told).toEqual(answer(alone).counts)
  else expect(executions, told).toBeGreaterThanOrEqual(exploredIn(alone.counts, countedExecutions))
  expect(new Set(found.map(([sort]) => sort)), told).toEqual(new Set(firsts.map(([sort]) => sort)))
  for (const first of firsts) expect(found, told).toContainEqual(first)
}

function answer({ because, counts, found, diagnostic }: Driven) {
  const { executions = 0, blocked = 0, events = 0, longest = 0 } = counts
  return {
    because,
    counts: { executions, blocked, events, longest },
    found: found.map(({ violation, decisions }) => [violationKey(violation), decisions]),
    diagnostic,
  }
}

async function atOnce({ search, seed, size, keepGoing, deaths }: Asked) {
  const crew = new PretendedCrew({ size, seed, search, keepGoing, deaths, whims: 100 })
  const driven = await driveWithCrew(search(), { budget: {}, keepGoing }, crew.host, crew)
  return { driven, given: crew.given, died: crew.died }
}

/** Each run is interrupted at some moment, until one is not. */
async function stoppedAndResumed({ search, seed, keepGoing, deaths }: Asked): Promise<Resumed> {
  const draws = new Random(seed)
  const all: Driven[] = []
  let units: readonly WorkUnit[] | undefined
  for (;;) {
    const size = 1 + draws.below(4)
    const crew = new PretendedCrew({ size, seed: seed + all.length + 1, search, keepGoing, deaths, whims: 100 })
    let left = draws.below(20) + (all.length + 1) * 10
    const signal = {
      get aborted() {
        return left <= 0
      },
    }
    crew.onStep = () => left--
    const watch = { budget: {}, keepGoing, signal }
    const driven = await driveWithCrew({ ...search(), units }, watch, crew.host, crew)
    all.push(driven)
    if (!isBudget(driven.because)) return { runs: all, isHurried: signal.aborted }
    expect(driven.remaining.length).toBeGreaterThan(0)
    units = JSON.parse(JSON.stringify(driven.remaining)) as readonly WorkUnit[]
  }
}
