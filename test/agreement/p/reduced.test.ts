/** Generated P programs, searched with safe sets and in full: the same states at rest and the same violations, each on a path that can be taken. */
// @module-tag cut
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { violationKey } from '../../../src/core/property.ts'
import { statefulIr } from '../../../src/engines/stateful/ir/ir-search.ts'
import { lower } from '../../../src/frontends/p/lower.ts'
import type { Ir } from '../../../src/ir/ir.ts'
import { amount, byRow, seedsOf, shareOf } from '../../amount.ts'
import { generated } from '../../unit/semantics/ir/generate.ts'
import { expectRetaken, settingOf } from './explored.ts'
import { generatedProgram } from './generate.ts'
import { readProgram } from './read.ts'

const networks = ['sender-queue', 'fifo', 'bag', 'mailbox'] as const
type Network = (typeof networks)[number]

interface Found {
  readonly terminals: number
  readonly violations: readonly string[]
  readonly states: number
}

const mostStates = amount({ quick: 1_500, all: 40_000 })

/** Undefined: there are too many states. */
function found(ir: Ir, network: Network, options: { readonly reduction: string; readonly search: string }) {
  const violations = new Set<string>()
  let counts: { readonly [name: string]: number } = {}
  for (const event of statefulIr.explore({ program: ir, setting: settingOf(network) }, options)) {
    if (event.kind === 'progress') counts = event.counts
    if ((counts.states ?? 0) > mostStates) return undefined
    if (event.kind !== 'violation') continue
    violations.add(violationKey(event.violation))
    expectRetaken(ir, network, event)
  }
  const { terminals = 0, states = 0 } = counts
  return { terminals, states, violations: [...violations].sort() }
}

interface Sums {
  full: number
  reduced: number
  compared: number
}

/** Depth first, so that neither search looks at executions without end. */
function compare(ir: Ir, network: Network, sums: Sums): void {
  const full = found(ir, network, { reduction: 'none', search: 'depth' })
  if (full === undefined) return
  for (const search of ['breadth', 'depth']) {
    const reduced = found(ir, network, { reduction: 'safe', search }) as Found
    expect({ ...reduced, states: 0 }).toEqual({ ...full, states: 0 })
    expect(reduced.states).toBeLessThanOrEqual(full.states)
    sums.reduced += reduced.states / 2
  }
  sums.full += full.states
  sums.compared++
}

describe.each(networks)('under %s safe sets lose nothing', { timeout: 3_600_000 }, (network) => {
  const row = networks.indexOf(network)

  test('of programs of P', byRow(row), () => {
    const sums: Sums = { full: 0, reduced: 0, compared: 0 }
    const seeds = seedsOf(network, networks, { quick: 12, rest: 20, thorough: 40, all: 500 })
    for (const seed of seeds) {
      const read = readProgram(generatedProgram(seed))
      if ('problems' in read) throw new Error(read.problems.join('; '))
      for (const one of read.checked.tests) compare(lower(read.checked, one), network, sums)
    }
    expect(sums.compared).toBeGreaterThan(seeds.length * 0.9)
    expect(sums.reduced).toBeLessThan(sums.full * 0.9)
  })

  test('of the corpus', byRow(row, 1), () => {
    const sums: Sums = { full: 0, reduced: 0, compared: 0 }
    const folder = new URL('../../../corpus/', import.meta.url)
    const models = readdirSync(folder).filter((name) => name.startsWith('p-'))
    const share = shareOf(network, networks, models)
    for (const model of share) {
      const read = readProgram(readFileSync(new URL(`${model}/model.p`, folder), 'utf8'))
      if ('problems' in read) throw new Error(read.problems.join('; '))
      for (const one of read.checked.tests) compare(lower(read.checked, one), network, sums)
    }
    // Of a part of the corpus it depends on which part how many are small enough.
    const least = share.length === models.length ? 20 : (10 * share.length) / models.length
    expect(sums.compared).toBeGreaterThan(least)
    expect(sums.reduced).toBeLessThan(sums.full * 0.9)
  })

  test('of machines that know each other', byRow(row), () => {
    const sums: Sums = { full: 0, reduced: 0, compared: 0 }
    for (let seed = 0; seed < amount({ quick: 5, rest: 20, thorough: 30, all: 500 }); seed++)
      compare(generated(seed), network, sums)
    expect(sums.reduced).toBeLessThan(sums.full)
  })
})
