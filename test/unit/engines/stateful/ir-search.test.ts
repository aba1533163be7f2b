/**
 * The search that remembers handlers, against paths of the reference semantics walked without it: the same states at rest, the same transitions between
 * them, the same ends and the same violations, each of which can be taken along a path.
 */
import { describe, expect, test } from 'vitest'
import type { NetworkName } from '../../../../src/core/operation.ts'
import { violationKey } from '../../../../src/core/property.ts'
import { statefulIr } from '../../../../src/engines/stateful/ir/ir-search.ts'
import type { Ir } from '../../../../src/ir/ir.ts'
import type { Path } from '../../../../src/program/path.ts'
import { irPaths } from '../../../../src/semantics/ir/paths.ts'
import { expectRetaken, settingOf } from '../../../agreement/p/explored.ts'
import { amount, cut } from '../../../amount.ts'
import { generated } from '../../semantics/ir/generate.ts'

const networks = ['sender-queue', 'fifo', 'bag', 'mailbox'] as const satisfies readonly NetworkName[]

interface Found {
  readonly states: number
  readonly terminals: number
  readonly violations: readonly string[]
}

/** Depth first over decisions; a state in the middle of a handler is one at which only choices are possible. */
function byPaths(ir: Ir, network: NetworkName): Found {
  const path = irPaths(ir, settingOf(network)).begin()
  const met = new Set<string>()
  const violations = new Set<string>()
  let [states, terminals] = [0, 0]
  const visit = (at: Path): void => {
    const key = at.key() as string
    if (met.has(key)) return
    met.add(key)
    for (const violation of at.violations()) violations.add(violationKey(violation))
    const decisions = at.enabled()
    const isChoosing = decisions.length > 0 && decisions.every(({ kind }) => kind === 'choose')
    const hasFailed = at.events().at(-1)?.kind === 'fail'
    if (!isChoosing && !hasFailed) states++
    if (decisions.length === 0 && !hasFailed) terminals++
    for (const decision of decisions) {
      at.take(decision)
      visit(at)
      at.back()
    }
  }
  visit(path)
  return { states, terminals, violations: [...violations].sort() }
}

function bySearch(ir: Ir, network: NetworkName): Found {
  const violations = new Set<string>()
  let counts: { readonly [name: string]: number } = {}
  for (const event of statefulIr.explore({ program: ir, setting: settingOf(network) }, {})) {
    if (event.kind === 'progress') counts = event.counts
    if (event.kind !== 'violation') continue
    violations.add(violationKey(event.violation))
    expectRetaken(ir, network, event)
  }
  return { states: counts.states ?? 0, terminals: counts.terminals ?? 0, violations: [...violations].sort() }
}

const programs = amount({ quick: 40, thorough: 120, all: 120 })

describe.each(networks)('under %s', (network) => {
  test('every state at rest is met, and no other', cut, () => {
    let violating = 0
    for (let seed = 0; seed < programs; seed++) {
      const ir = generated(seed)
      const found = bySearch(ir, network)
      expect(found, `seed ${seed}`).toEqual(byPaths(ir, network))
      if (found.violations.length > 0) violating++
    }
    expect(violating).toBeGreaterThan(programs / 6)
    expect(violating).toBeLessThan(programs)
  })
})
