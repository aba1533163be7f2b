/** Generated P programs and programs of the corpus, searched up to names of machines and in full: the same violations up to names, each on a path that can be taken. */
// @module-tag cut
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Violation } from '../../../src/core/property.ts'
import { statefulIr } from '../../../src/engines/stateful/ir/ir-search.ts'
import { lower } from '../../../src/frontends/p/lower.ts'
import type { Ir } from '../../../src/ir/ir.ts'
import { amount, byRow, isSlow, seedsOf } from '../../amount.ts'
import { expectRetaken, settingOf } from './explored.ts'
import { generatedProgram } from './generate.ts'
import { readProgram } from './read.ts'

const networks = ['sender-queue', 'fifo', 'bag', 'mailbox'] as const
type Network = (typeof networks)[number]

const small = ['p-client-server', 'p-litmus', 'p-liveness'] as const

const mostStates = amount({ quick: 1_500, all: 40_000 })

/** Undefined: it is refused, or there are too many states. */
function found(ir: Ir, network: Network, options: { readonly [name: string]: string | boolean }) {
  const violations = new Set<string>()
  let states = 0
  for (const event of statefulIr.explore({ program: ir, setting: settingOf(network) }, options)) {
    if (event.kind === 'diagnostic') return undefined
    if (event.kind === 'progress') states = event.counts.states ?? 0
    if (states > mostStates) return undefined
    if (event.kind !== 'violation') continue
    violations.add(withoutNames(event.violation))
    expectRetaken(ir, network, event)
  }
  return { states, violations: [...violations].sort() }
}

/** Siblings differ in their numbers. */
function withoutNames({ kind, property, place, waiting = [] }: Violation): string {
  const waits = waiting.map(({ process, forWhat }) => `${process} ${forWhat}`.replaceAll(/#\d+/g, '')).sort()
  return `${kind} ${property.replaceAll(/#\d+/g, '')} ${waits.length > 0 ? waits.join() : place?.line}`
}

interface Sums {
  compared: number
}

function compare(text: string, network: Network, sums: Sums): void {
  const read = readProgram(text)
  if ('problems' in read) throw new Error(read.problems.join('; '))
  for (const one of read.checked.tests) {
    const ir = lower(read.checked, one)
    const symmetric = found(ir, network, { symmetry: true })
    const full = symmetric && found(ir, network, { search: 'depth' })
    if (symmetric === undefined || full === undefined) continue
    expect(symmetric.violations).toEqual(full.violations)
    sums.compared++
  }
}

describe.each(networks)('under %s nothing is lost by looking away from names', { timeout: 3_600_000 }, (network) => {
  test('in programs of P', byRow(networks.indexOf(network)), () => {
    const sums: Sums = { compared: 0 }
    const seeds = seedsOf(network, networks, { quick: 4, thorough: 20, all: 500 })
    for (const seed of seeds) compare(generatedProgram(seed), network, sums)
    expect(sums.compared).toBeGreaterThan(seeds.length / 2)
  })

  test('in the corpus', byRow(networks.indexOf(network), 1), () => {
    const sums: Sums = { compared: 0 }
    const folder = new URL('../../../corpus/', import.meta.url)
    const models = isSlow ? readdirSync(folder).filter((name) => name.startsWith('p-')) : small
    for (const model of models) compare(readFileSync(new URL(`${model}/model.p`, folder), 'utf8'), network, sums)
    expect(sums.compared).toBeGreaterThanOrEqual(models.length)
  })
})
