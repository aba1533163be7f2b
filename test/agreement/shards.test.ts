/**
 * Generated programs in shards, by every engine that has them: counts and violations, and which of them is the first, are those of one
 * run.
 */
// @module-tag cut
import { expect, test } from 'vitest'
import { auditOf } from '../../src/check/audit.ts'
import { type NetworkName, networkNames } from '../../src/core/operation.ts'
import { isBudget, type Search, type Watch } from '../../src/distribute/driver.ts'
import { driveInline } from '../../src/distribute/inline.ts'
import { driveShard } from '../../src/distribute/shard-drive.ts'
import { dpor, dporWith } from '../../src/engines/dpor/dpor.ts'
import { usualMemory } from '../../src/engines/dpor/histories.ts'
import type { Engine } from '../../src/engines/engine.ts'
import { exhaustive } from '../../src/engines/exhaustive/exhaustive.ts'
import { pct } from '../../src/engines/random/pct.ts'
import { random } from '../../src/engines/random/random.ts'
import { pathsOf } from '../../src/semantics/world-path.ts'
import { amount, atLeast } from '../amount.ts'
import { answer, type Sharded, together } from '../shards-together.ts'
import { tickingHost } from '../ticking-host.ts'
import { usualSetting } from './explored.ts'
import { generate } from './generate.ts'
import { runnableOf } from './interpret.ts'

const kinds = [
  { name: 'with monitors', mixed: false, monitors: true },
  { name: 'with networks of their own', mixed: true, monitors: false },
  { name: 'with faults', mixed: false, monitors: false, faults: true },
] as const

/** Pauses after every event, so that work is cut in the middle of executions. */
const pausing = dporWith(usualMemory, 1)

const engines = [dpor, pausing, exhaustive, random, pct]

/** What takes too long to explore several times is left out. */
const mostExecutions = 2_000

/** In shards of the last one a process has failed before the first execution that a shard explores behind the cutting. */
function seedsOf(): readonly number[] {
  return [...Array(amount({ quick: 10, rest: 40, thorough: 80, all: 5_000 })).keys(), 66]
}

test.each(kinds)('generated programs $name in shards come to what one run says', async (kind) => {
  let [programs, violated, several] = [0, 0, 0]
  for (const seed of seedsOf()) {
    const network = networkNames[seed % networkNames.length] as NetworkName
    const engine = engines[seed % engines.length] as Engine
    const search = (): Search => {
      const runnable = runnableOf(generate(seed, kind), network)
      return { engine, subject: engine.needs === 'path' ? pathsOf(runnable) : runnable, options: usualSetting }
    }
    const keepGoing = seed % 2 === 0
    // Each thread has a plan of its own, by which it audits its first execution and then few.
    const audit = (): Watch['audit'] => auditOf(pathsOf(runnableOf(generate(seed, kind), network)), {}, 'beside others')
    const alone = await driveInline(search(), { budget: { executions: mostExecutions }, keepGoing }, tickingHost())
    if (isBudget(alone.because) || alone.because === 'diagnostic') continue
    programs++
    if (alone.found.length > 0) violated++
    const of = 2 + (seed % 6)
    const shards: Sharded[] = []
    for (let number = 1; number <= of; number++)
      shards.push(
        (await driveShard(search(), { budget: {}, keepGoing, audit: audit() }, tickingHost(), {
          number,
          of,
        })) as Sharded,
      )
    const { pieces, ...whole } = together(shards)
    const told = `seed ${seed}, ${network}, ${engine.name}, ${of} shards`
    expect(shards.map(({ diagnostic }) => diagnostic).filter(Boolean), told).toEqual([])
    expect(whole, told).toEqual(answer(alone))
    expect(new Set(shards.map(({ shard }) => shard.cut)).size, told).toBe(1)
    if (alone.because === 'exhausted') expect(pieces, told).toBe(shards[0]?.shard.pieces)
    if (pieces > of) several++
  }
  expect(programs).toBeGreaterThan(amount({ quick: 5, rest: 20, thorough: 40, all: 1_000 }))
  expect(several).toBeGreaterThan(atLeast(5))
  expect(violated).toBeGreaterThan(0)
})
