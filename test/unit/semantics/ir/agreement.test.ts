/**
 * Generated programs: states with equal keys have the same future, so the search that enters each state once finds what the one that
 * goes through every interleaving finds; and stronger networks have no outcomes that weaker ones do not have. Handlers send events of
 * higher number only, so that every execution ends.
 */
import { describe, expect, test } from 'vitest'
import type { NetworkName } from '../../../../src/core/operation.ts'
import { violationKey } from '../../../../src/core/property.ts'
import { Random } from '../../../../src/core/random.ts'
import { showValue } from '../../../../src/core/value-text.ts'
import { interleavings } from '../../../../src/engines/exhaustive/exhaustive.ts'
import { statefulPaths } from '../../../../src/engines/stateful/path-search.ts'
import type { Ir } from '../../../../src/ir/ir.ts'
import type { Paths } from '../../../../src/program/path.ts'
import { irPaths } from '../../../../src/semantics/ir/paths.ts'
import { amount, cut } from '../../../amount.ts'
import { pathsIn } from './explore.ts'
import { generated } from './generate.ts'

const networks = ['sender-queue', 'causal', 'fifo', 'bag', 'mailbox'] as const satisfies readonly NetworkName[]
const mostExecutions = 800

/** Violations and the states in which executions end; nothing if there are too many executions. */
function byInterleavings(paths: Paths): readonly string[] | undefined {
  const outcomes = new Set<string>()
  let executions = 0
  for (const event of interleavings(paths)) {
    if (event.kind === 'violation') outcomes.add(violationKey(event.violation))
    if (event.kind !== 'execution') continue
    outcomes.add(event.path.key() ?? '')
    if (++executions > mostExecutions) return undefined
  }
  return [...outcomes].sort()
}

function byStates(paths: Paths): readonly string[] {
  const outcomes = new Set<string>()
  for (const event of statefulPaths.explore(paths, {})) {
    if (event.kind === 'violation') outcomes.add(violationKey(event.violation))
    if (event.kind === 'ending') outcomes.add(event.key ?? '')
  }
  return [...outcomes].sort()
}

const seeds = Array.from({ length: 80 }, (_, seed) => seed)

describe.each(networks)('under %s', (network) => {
  test('states with equal keys have the same future', cut, () => {
    let compared = 0
    let violating = 0
    const first = seeds.slice(0, amount({ quick: 40, thorough: 80, all: 80 }))
    for (const seed of first) {
      const paths = pathsIn(generated(seed), { network })
      const expected = byInterleavings(paths)
      if (expected === undefined) continue
      compared++
      if (expected.some((outcome) => outcome.startsWith('['))) violating++
      expect([seed, byStates(paths)]).toEqual([seed, expected])
    }
    expect(compared).toBeGreaterThan(first.length / 8)
    expect(violating).toBeGreaterThan(first.length / 16)
  })
})

/** Violations, and machines as they are where executions end by themselves. */
function outcomesOf(ir: Ir, network: NetworkName): ReadonlySet<string> {
  const path = pathsIn(ir, { network }).begin()
  const [met, outcomes] = [new Set<string | undefined>(), new Set<string>()]
  const visit = (): void => {
    if (met.has(path.key())) return
    met.add(path.key())
    const enabled = path.enabled()
    for (const violation of path.violations()) outcomes.add(violationKey(violation))
    if (enabled.length === 0 && path.violations().length === 0)
      outcomes.add(
        path
          .shown()
          .map(({ process, state }) => `${process} ${showValue(state)}`)
          .join(),
      )
    for (const decision of enabled) {
      path.take(decision)
      visit()
      path.back()
    }
  }
  visit()
  return outcomes
}

test('weaker networks have all outcomes of stronger ones', () => {
  const pairs = [
    ['sender-queue', 'causal'],
    ['causal', 'fifo'],
    ['fifo', 'bag'],
    ['sender-queue', 'mailbox'],
  ] as const
  const differing = new Set<string>()
  for (const seed of seeds) {
    const ir = generated(seed)
    const outcomes = new Map(networks.map((network) => [network, outcomesOf(ir, network)]))
    for (const [stronger, weaker] of pairs) {
      const [fewer, more] = [[...(outcomes.get(stronger) ?? [])], outcomes.get(weaker) ?? new Set()]
      expect([seed, weaker, fewer.filter((one) => !more.has(one))]).toEqual([seed, weaker, []])
      if (more.size > fewer.length) differing.add(`${stronger} ${weaker}`)
    }
  }
  // The programs tell at least these apart; small ones by hand tell apart all.
  expect([...differing]).toContain('fifo bag')
})

test('a path that goes back is where it was', () => {
  const random = new Random(5)
  for (const seed of seeds.slice(0, 20)) {
    const path = pathsIn(generated(seed), { network: random.pick([...networks]) }).begin()
    const seen: string[] = []
    const look = () => JSON.stringify([path.key(), path.enabled(), path.events().length, path.violations()])
    for (let step = 0; step < 40; step++) {
      const enabled = path.enabled()
      if (seen.length > 0 && (enabled.length === 0 || random.below(4) === 0)) {
        path.back()
        expect(look()).toBe(seen.pop())
      } else if (enabled.length > 0) {
        seen.push(look())
        path.take(random.pick(enabled))
      }
    }
  }
})

test('what is generated computes what going through it step by step does', () => {
  for (const seed of seeds) {
    const setting = { network: 'sender-queue', bounds: {} } as const
    const [generatedText, stepByStep] = [true, false].map((generates) =>
      irPaths(generated(seed), setting, { generates }),
    )
    expect(byStates(generatedText as Paths), `seed ${seed}`).toEqual(byStates(stepByStep as Paths))
  }
})
