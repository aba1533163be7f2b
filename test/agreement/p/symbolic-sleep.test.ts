/** P programs step by step with sleep sets: the states and violations of all executions, and of executions that differ in the order of independent turns one. */
// @module-tag cut
import { describe, expect, test } from 'vitest'
import { SleepSets } from '../../../src/engines/symbolic/filters/sleep-sets.ts'
import type { SymbolicSearch } from '../../../src/engines/symbolic/search.ts'
import type { Ir } from '../../../src/ir/ir.ts'
import { irPaths } from '../../../src/semantics/ir/paths.ts'
import { amount, atLeast, byRow, seedsOf } from '../../amount.ts'
import { generated } from '../../unit/semantics/ir/generate.ts'
import { settingOf } from './explored.ts'
import { generatedProgram } from './generate.ts'
import { referenceProgram } from './generate-references.ts'
import { orderLitmus } from './order-litmus.ts'
import { classesOf } from './orders.ts'
import { roundLitmus } from './round-litmus.ts'
import { filteredBy, type Network, networks, programsIn } from './symbolic-filters.ts'
import { type SymbolicLayers, symbolicLayersOf } from './symbolic-layers.ts'

/** Two machines that have nothing in common but a monitor. */
const late = [
  'event go; event early; event late;',
  'machine Main { start state S { entry { new First(); new Second(); } } }',
  'machine First { start state S { entry { send this, go; } on go do { announce early; } } }',
  'machine Second { start state S { entry { send this, go; } on go do { announce late; } } }',
  'spec InTime observes early, late { var isLate: bool; start state W {',
  '  on late do { isLate = true; } on early do { assert !isLate, "late"; } } }',
  'test tc [main=Main]: assert InTime in { Main, First, Second };',
].join('\n')

const steps = amount({ quick: 14, all: 20 })
const mostDecisions = amount({ quick: 1_000, all: 8_000 })

interface Sums {
  compared: number
  counted: number
  violated: number
  all: bigint
  kept: bigint
}

function newSums(): Sums {
  return { compared: 0, counted: 0, violated: 0, all: 0n, kept: 0n }
}

function executionsOf({ layers }: SymbolicLayers): bigint {
  return layers.reduce((all, { ended }) => all + ended, 0n)
}

/** What differs, in words; undefined: nothing, or there are too many executions. */
function difference(ir: Ir, network: Network, sums: Sums): string | undefined {
  const whole = symbolicLayersOf(ir, network, { mode: 'steps', order: 'above', filter: 'none' }, { steps })
  if (whole === undefined) return undefined
  const kept = symbolicLayersOf(ir, network, { mode: 'steps', order: 'above', filter: 'sleep' }, { steps })
  if (kept === undefined) return 'diagrams are larger'
  sums.compared++
  if (whole.sites.size > 0) sums.violated++
  const toldOf = ({ layers, sites, ends }: SymbolicLayers): string =>
    [...layers.map(({ states }) => `${states} states`), `${ends} ends`, ...[...sites].sort()].join('\n')
  if (toldOf(whole) !== toldOf(kept)) return `expected\n${toldOf(whole)}\nfound\n${toldOf(kept)}`
  const [all, executions] = [executionsOf(whole), executionsOf(kept)]
  sums.all += all
  sums.kept += executions
  if (executions > all) return `${executions} executions of ${all}`
  const classes = kept.isWhole && ir.monitors.length === 0 ? classesIn(ir, network) : undefined
  if (classes !== undefined) sums.counted++
  return classes === undefined || BigInt(classes) === executions
    ? undefined
    : `${executions} executions, ${classes} orders`
}

/** Executions without those that differ in the order of independent turns, gone through one by one. */
function classesIn(ir: Ir, network: Network): number | undefined {
  const paths = irPaths(ir, settingOf(network))
  const counts = (path: { violations(): readonly { readonly kind: string }[] }): boolean =>
    path.violations().every(({ kind }) => kind === 'deadlock' || kind === 'liveness')
  return classesOf({ paths, test: { monitors: [] }, delivery: network, counts }, mostDecisions)?.size
}

describe.each(networks)('under %s one of equivalent orders is enough', { timeout: 3_600_000 }, (network) => {
  const row = networks.indexOf(network)

  test('in programs about who knows whom', byRow(row), () => {
    const sums = newSums()
    const seeds = seedsOf(network, networks, { quick: 5, rest: 30, thorough: 60, all: 5_000 })
    for (const seed of seeds)
      for (const ir of programsIn(referenceProgram(seed, { isEndless: false })))
        for (const one of ir.monitors.length > 0 ? [ir, { ...ir, monitors: [] }] : [ir])
          expect({ seed, problem: difference(one, network, sums) }).toEqual({ seed, problem: undefined })
    expect(sums.compared).toBeGreaterThan(atLeast(seeds.length * 0.7))
    expect(sums.counted).toBeGreaterThan(seeds.length * atLeast(0.4))
    expect(sums.violated).toBeGreaterThan(seeds.length * atLeast(0.1))
    expect(sums.kept).toBeLessThan(sums.all / 2n)
  })

  test('in programs of P, and of machines that know each other', byRow(row, 1), () => {
    const sums = newSums()
    const seeds = seedsOf(network, networks, { quick: 2, rest: 10, thorough: 20, all: 500 })
    for (const seed of seeds)
      for (const ir of [generated(seed), ...programsIn(generatedProgram(seed))])
        expect({ seed, problem: difference(ir, network, sums) }).toEqual({ seed, problem: undefined })
    expect(sums.compared).toBeGreaterThan(atLeast(seeds.length))
    expect(sums.kept).toBeLessThan(sums.all)
  })

  test.each([...orderLitmus, ...roundLitmus])('in small programs in which order decides: $name', (litmus) => {
    const sums = newSums()
    for (const ir of programsIn(litmus.text))
      for (const one of [ir, { ...ir, monitors: [] }]) expect(difference(one, network, sums)).toBeUndefined()
    expect(sums).toMatchObject({ compared: 2 })
    if ('traces' in litmus) expect(sums.kept).toBeGreaterThanOrEqual(BigInt(litmus.traces[network]))
  })

  test('but a monitor sees the order of turns that are independent otherwise', () => {
    const asked = { network, mode: 'steps', filter: 'sleep' } as const
    for (const ir of programsIn(late)) {
      expect(filteredBy(ir, { ...asked, filter: 'none' })?.sites).toHaveLength(1)
      expect(filteredBy(ir, asked)?.sites).toHaveLength(1)
      const planted = ({ exploration: { state } }: SymbolicSearch): SleepSets => new SleepSets(state, [])
      expect(filteredBy(ir, { ...asked, planted })?.sites).toEqual([])
    }
  })
})
