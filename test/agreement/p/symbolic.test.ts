/** P programs, all executions at once and state by state: the same states, ends and violations. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Violation } from '../../../src/core/property.ts'
import type { Engine } from '../../../src/engines/engine.ts'
import { statefulIr } from '../../../src/engines/stateful/ir/ir-search.ts'
import { symbolic } from '../../../src/engines/symbolic/symbolic.ts'
import { lower } from '../../../src/frontends/p/lower.ts'
import type { Ir } from '../../../src/ir/ir.ts'
import { amount, atLeast, byRow, cut, seedsOf, shareOf } from '../../amount.ts'
import { generated } from '../../unit/semantics/ir/generate.ts'
import { expectRetaken, settingOf } from './explored.ts'
import { generatedProgram } from './generate.ts'
import { readProgram } from './read.ts'

const lines = ['sender-queue', 'fifo'] as const
const networks = [...lines, 'bag'] as const
type Network = (typeof networks)[number]

/** Networks with lines share what there is to compare; a bag has what the first of them has. */
function shareLike(network: Network): (typeof lines)[number] {
  return network === 'bag' ? 'sender-queue' : network
}

const mostStates = amount({ quick: 120, rest: 300, all: 5_000 })

interface Found {
  readonly states: number
  readonly terminals: number
  readonly violations: readonly string[]
}

/** Undefined: there are too many states. */
function found(
  engine: Engine<'ir'>,
  ir: Ir,
  network: Network,
  options: { readonly [name: string]: string },
): Found | undefined {
  const violations = new Set<string>()
  let counts: { readonly [name: string]: number } = {}
  for (const event of engine.explore({ program: ir, setting: settingOf(network) }, options)) {
    if (event.kind === 'diagnostic') throw new Error(event.diagnostic.message)
    if (event.kind === 'progress') counts = event.counts
    if ((counts.states ?? 0) > mostStates) return undefined
    if (event.kind !== 'violation') continue
    violations.add(siteOf(event.violation))
    expectRetaken(ir, network, event)
  }
  const { terminals = 0, states = 0 } = counts
  return { terminals, states, violations: [...violations].sort() }
}

/** All executions that go wrong at one place are one to the symbolic search. */
function siteOf({ kind, place }: Violation): string {
  return kind === 'deadlock' ? kind : `${kind} ${place?.line}:${place?.column}`
}

/** Whether it was small enough. */
function compare(ir: Ir, network: Network, name: string): boolean {
  const explicit = found(statefulIr, ir, network, { reduction: 'none', search: 'depth' })
  if (explicit === undefined) return false
  for (const order of ['above', 'below'])
    expect(found(symbolic, ir, network, { mode: 'states', order, filter: 'none' }), name).toEqual(explicit)
  return true
}

describe.each(networks)(
  'under %s all executions at once have the states of a search',
  { timeout: 3_600_000, ...cut },
  (network) => {
    const row = networks.indexOf(network)

    test('of programs of P', byRow(row), () => {
      let compared = 0
      const seeds = seedsOf(shareLike(network), lines, { quick: 5, rest: 30, thorough: 60, all: 2_100 })
      for (const seed of seeds) {
        const read = readProgram(generatedProgram(seed))
        if ('problems' in read) throw new Error(read.problems.join('; '))
        for (const one of read.checked.tests) {
          if (compare(lower(read.checked, one), network, `seed ${seed}`)) compared++
        }
      }
      expect(compared).toBeGreaterThan(atLeast(seeds.length * 0.8))
    })

    test('of the corpus', byRow(row, 1), () => {
      let compared = 0
      const folder = new URL('../../../corpus/', import.meta.url)
      const models = readdirSync(folder).filter((name) => name.startsWith('p-'))
      for (const model of shareOf(shareLike(network), lines, models)) {
        const read = readProgram(readFileSync(new URL(`${model}/model.p`, folder), 'utf8'))
        if ('problems' in read) throw new Error(read.problems.join('; '))
        for (const one of read.checked.tests) {
          if (compare(lower(read.checked, one), network, `${model} ${one.name}`)) compared++
        }
      }
      expect(compared).toBeGreaterThan(atLeast(amount({ quick: 5, rest: 10, all: 10 })))
    })

    test('of machines that know each other', byRow(row), () => {
      let compared = 0
      const seeds = amount({ quick: 6, rest: 14, thorough: 25, all: 1_000 })
      for (let seed = 0; seed < seeds; seed++) {
        if (compare(generated(seed), network, `seed ${seed}`)) compared++
      }
      expect(compared).toBeGreaterThan(atLeast(seeds * 0.5))
    })
  },
)
