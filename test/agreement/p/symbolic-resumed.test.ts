/** A symbolic search by states that is stopped anywhere and goes on from what it saved has the totals of one run; what was tampered with is refused. */
// @module-tag cut
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { violationKey } from '../../../src/core/property.ts'
import { Random } from '../../../src/core/random.ts'
import { addCounts, type Counts, noCounts, type WorkUnit } from '../../../src/core/verdict.ts'
import type { EngineEvent } from '../../../src/engines/engine.ts'
import { symbolic } from '../../../src/engines/symbolic/symbolic.ts'
import { lower } from '../../../src/frontends/p/lower.ts'
import type { Ir } from '../../../src/ir/ir.ts'
import { amount, byRow, isQuick, isSlow } from '../../amount.ts'
import { generated } from '../../unit/semantics/ir/generate.ts'
import { expectRetaken, settingOf } from './explored.ts'
import { generatedProgram } from './generate.ts'
import { readProgram } from './read.ts'

type Network = 'sender-queue' | 'fifo' | 'bag'

interface Run {
  readonly counts: Counts
  readonly violations: readonly string[]
  readonly units: readonly WorkUnit[]
  readonly isUnsaved: boolean
  readonly diagnostic?: string | undefined
}

const byStates = { mode: 'states', order: 'auto', filter: 'none' }

/** A step of a small program is two or three events. */
const eventsOfSomeSteps = 4

/** One run, which is stopped after so many events. */
function run(ir: Ir, network: Network, unit: WorkUnit | undefined, most = Number.POSITIVE_INFINITY): Run {
  const violations: string[] = []
  const units: WorkUnit[] = []
  let [counts, isUnsaved, diagnostic]: [Counts, boolean, string | undefined] = [noCounts, false, undefined]
  const note = (event: EngineEvent): void => {
    if (event.kind === 'progress') counts = event.counts
    if (event.kind === 'surplus') units.push(JSON.parse(JSON.stringify(event.unit)) as WorkUnit)
    if (event.kind === 'unsaved') isUnsaved = true
    if (event.kind === 'diagnostic') diagnostic = event.diagnostic.code
    if (event.kind !== 'violation') return
    violations.push(violationKey(event.violation))
    expectRetaken(ir, network, event)
  }
  const exploration = symbolic.explore({ program: ir, setting: settingOf(network) }, byStates, unit)
  let left = most
  for (let next = exploration.next(); next.done !== true; ) {
    note(next.value)
    next = exploration.next(left-- > 0 ? undefined : 'surrender')
  }
  return { counts, violations, units, isUnsaved, diagnostic }
}

/** The most nodes at a time depend on where it was stopped. */
function totalOf({ bddNodes: _, bddBytes: _bytes, ...counts }: Counts): Counts {
  return counts
}

/**
 * How often it went on from what was saved. What is saved are whole steps, so that a run may have been stopped for nothing; a later step
 * takes more events than an earlier one. So the next run may be longer by half, and after one that was of use it is shorter again.
 */
function compare(ir: Ir, network: Network, whole: Run, random: Random): number {
  let counts = noCounts
  const violations = new Set<string>()
  let unit: WorkUnit | undefined
  let longest: number = eventsOfSomeSteps
  for (let resumes = 0; ; resumes++) {
    const one = run(ir, network, unit, random.below(Math.ceil(longest)))
    longest = (one.counts.steps ?? 0) === 0 ? longest * 1.5 : Math.max(eventsOfSomeSteps, longest / 2)
    expect(one.diagnostic).toBeUndefined()
    for (const key of one.violations) violations.add(key)
    // Before any states are known, nothing is saved and nothing counts.
    if (one.isUnsaved) continue
    counts = addCounts(counts, one.counts)
    ;[unit] = one.units
    if (unit !== undefined) {
      expect(symbolic.addsUp?.({ units: one.units, counts, explored: 0 }, byStates)).toBe(true)
      continue
    }
    expect(totalOf(counts)).toEqual(totalOf(whole.counts))
    expect([...violations].sort()).toEqual([...new Set(whole.violations)].sort())
    return resumes
  }
}

function programsOf(model: string): readonly { readonly name: string; readonly ir: Ir }[] {
  const text = readFileSync(new URL(`../../../corpus/${model}/model.p`, import.meta.url), 'utf8')
  const read = readProgram(text)
  if ('problems' in read) throw new Error(read.problems.join('; '))
  return read.checked.tests.map((one) => ({ name: one.name, ir: lower(read.checked, one) }))
}

const asked: readonly (readonly [model: string, name: string])[] = [
  ['p-counter', 'counter5'],
  ['p-token-ring', 'rude'],
  ['p-litmus', 'L3'],
  ['p-raft', 'oneCandidate'],
  ['p-liveness', 'neverQuite'],
  ['p-failure-detector', 'healthy'],
  ['p-two-phase-commit', 'careless'],
  ['p-espresso', 'child'],
]

const networks = ['sender-queue', 'fifo', 'bag'] as const

describe.each(networks)('under %s', { timeout: 3_600_000 }, (network) => {
  // Each model under one of them, and quickly not the large one; all of them in a soak.
  const mine = asked.filter((_, at) => isSlow || at % 3 === networks.indexOf(network))
  const models = mine.filter(([model]) => !isQuick || model !== 'p-two-phase-commit')
  test.each(models)('%s %s, stopped anywhere, goes on', byRow(networks.indexOf(network), 1), (model, name) => {
    const ir = programsOf(model).find((one) => one.name === name)?.ir
    if (ir === undefined) throw new Error(`${model} has no test ${name}`)
    const whole = run(ir, network, undefined)
    let resumes = 0
    for (let seed = 1; seed <= amount({ quick: 1, rest: 3, all: 40 }); seed++)
      resumes += compare(ir, network, whole, new Random(seed))
    expect(resumes).toBeGreaterThan(0)
  })

  test('generated programs, stopped anywhere, go on', byRow(networks.indexOf(network)), () => {
    let resumes = 0
    for (let seed = 0; seed < amount({ quick: 3, rest: 8, thorough: 15, all: 1_000 }); seed++) {
      const read = readProgram(generatedProgram(seed))
      if ('problems' in read) throw new Error(read.problems.join('; '))
      for (const ir of [generated(seed), ...read.checked.tests.map((one) => lower(read.checked, one))])
        if ((run(ir, network, undefined, 100).counts.states ?? 0) < 200)
          resumes += compare(ir, network, run(ir, network, undefined), new Random(seed))
    }
    expect(resumes).toBeGreaterThan(10)
  })
})

/** Some number, text or list of it is another one. */
function tampered(unit: WorkUnit, random: Random): WorkUnit {
  const copy = JSON.parse(JSON.stringify(unit)) as WorkUnit
  let at = copy.state as { [key: string]: unknown }
  for (;;) {
    const keys = Object.keys(at)
    const key = keys[random.below(keys.length)]
    if (key === undefined) return copy
    const value = at[key]
    if (typeof value === 'object' && value !== null && Object.keys(value).length > 0 && random.below(12) > 0) {
      at = value as { [key: string]: unknown }
      continue
    }
    const others = [null, -1, 0, 1, 2, 7, 1e9, 0.5, 'seq', 'machine 0', [], {}, ['event', 1], true, undefined]
    at[key] = others[random.below(others.length)]
    return copy
  }
}

test('what was tampered with is refused or explored, and nothing breaks', { timeout: 3_600_000 }, () => {
  let [refused, explored] = [0, 0]
  for (const [model, name] of asked.slice(0, amount({ quick: 5, rest: 8, all: 8 }))) {
    const ir = programsOf(model).find((one) => one.name === name)?.ir as Ir
    const random = new Random(17)
    const units = [6, 12, 24].flatMap((most) => run(ir, 'sender-queue', undefined, most).units)
    for (const unit of units)
      for (let time = 0; time < amount({ quick: 5, rest: 30, thorough: 60, all: 3_000 }); time++) {
        const one = run(ir, 'sender-queue', tampered(unit, random), 40)
        if (one.diagnostic === undefined) explored++
        else {
          expect(one.diagnostic).toBe('E405')
          refused++
        }
      }
  }
  expect(refused).toBeGreaterThan(explored)
})

test('a unit of another program is refused', () => {
  const models = readdirSync(new URL('../../../corpus/', import.meta.url)).filter((name) => name.startsWith('p-'))
  expect(models.length).toBeGreaterThan(10)
  const [counter] = programsOf('p-counter')
  const [ring] = programsOf('p-token-ring')
  const [unit] = run(counter?.ir as Ir, 'sender-queue', undefined, eventsOfSomeSteps).units
  expect(run(ring?.ir as Ir, 'sender-queue', unit).diagnostic).toBe('E405')
})
