/**
 * dpor stopped wherever the driver can stop it, which with pauses after every event is everywhere, and gone on with from what it left,
 * through JSON: what is explored and found is that of one run. `test/waist/resume.test.ts` asks the same of every engine, by checks.
 */
// @module-tag cut
import { expect, test } from 'vitest'
import { type NetworkName, networkNames } from '../../src/core/operation.ts'
import { violationKey } from '../../src/core/property.ts'
import type { Decision } from '../../src/core/trace.ts'
import { addCounts, type Counts, noCounts, type WorkUnit } from '../../src/core/verdict.ts'
import { isBudget } from '../../src/distribute/driver.ts'
import { driveInline } from '../../src/distribute/inline.ts'
import { dpor, dporWith } from '../../src/engines/dpor/dpor.ts'
import { usualMemory } from '../../src/engines/dpor/histories.ts'
import type { DporOptions } from '../../src/engines/dpor/options.ts'
import type { Runnable } from '../../src/program/program.ts'
import { amount, isLittle } from '../amount.ts'
import { tick, tickingHost } from '../ticking-host.ts'
import { usualSetting } from './explored.ts'
import { generate } from './generate.ts'
import { runnableOf } from './interpret.ts'

const pausing = dporWith(usualMemory, 1)
/** Begins processes anew all the time, and can be stopped where it has done so without adding an event. */
const forgetful = dporWith({ ...usualMemory, states: 0, statesPerProcess: 0 }, 1)

interface Total {
  readonly counts: Counts
  /** In the order in which they were met, with what led there. */
  readonly violations: readonly (readonly [sort: string, decisions: readonly Decision[]])[]
  readonly runs: number
}

interface Stopped {
  readonly engine: typeof dpor
  readonly subject: Runnable
  readonly schedule: DporOptions['schedule']
}

/** The first run is stopped at this question, and each later one at that one. */
async function total({ engine, subject, schedule }: Stopped, first: number, later: number): Promise<Total> {
  const violations = new Map<string, readonly Decision[]>()
  let counts = noCounts
  let units: readonly WorkUnit[] | undefined
  for (let runs = 1; ; runs++) {
    const milliseconds = tick * (runs === 1 ? first : later)
    const search = { engine, subject, options: { ...usualSetting, schedule }, units }
    const driven = await driveInline(search, { budget: { milliseconds }, keepGoing: true }, tickingHost())
    if (driven.diagnostic !== undefined) expect.fail(driven.diagnostic.message)
    counts = addCounts(counts, driven.counts)
    for (const { violation, decisions } of driven.found) {
      const sort = violationKey(violation)
      if (!violations.has(sort)) violations.set(sort, decisions)
    }
    if (!isBudget(driven.because)) return { counts, violations: [...violations], runs }
    units = JSON.parse(JSON.stringify(driven.remaining)) as readonly WorkUnit[]
    expect(units.length, 'units that are left').toBeGreaterThan(0)
  }
}

const never = Number.POSITIVE_INFINITY

/** How often it can be stopped. */
async function stopped(search: Stopped, name: string): Promise<number> {
  const { counts: all, violations } = await total({ ...search, engine: dpor }, never, never)
  const { executions = 0, blocked = 0, events = 0 } = all
  const expected = { counts: { executions, blocked, events }, violations }
  for (let first = 1; ; first++) {
    const once = await total(search, first, never)
    expect(once, `${name}, stopped at question ${first}`).toMatchObject(expected)
    if (once.runs === 1) return first
    if (first > 12) continue
    const often = await total(search, first, first)
    expect(often, `${name}, stopped every ${first} questions`).toMatchObject(expected)
  }
}

/** Those in which who moves next is a matter of the graph alone. */
const schedules = ['sends-first', 'left-to-right', 'sends-first', 'right-to-left'] as const

const kinds = [
  { name: 'with monitors', mixed: false, monitors: true },
  { name: 'with networks of their own', mixed: true, monitors: false },
  { name: 'with faults', mixed: false, monitors: false, faults: true },
] as const

test.each(kinds)('generated programs $name have the totals of one run, wherever dpor is stopped', async (kind) => {
  let [moments, more] = [0, 0]
  for (let seed = 0; seed < amount({ quick: 1, thorough: 12, all: 300 }); seed++) {
    const network = networkNames[seed % networkNames.length] as NetworkName
    const schedule = schedules[seed % schedules.length] as DporOptions['schedule']
    const subject = runnableOf(generate(seed, kind), network)
    const name = `seed ${seed}, ${network}, ${schedule}`
    const remembering = await stopped({ engine: pausing, subject, schedule }, name)
    const forgetting = await stopped({ engine: forgetful, subject, schedule }, `${name}, forgetful`)
    moments += remembering
    more += forgetting - remembering
  }
  expect(moments).toBeGreaterThan(amount({ quick: 2, thorough: 100, all: 100 }))
  if (!isLittle) expect(more).toBeGreaterThan(0)
})
