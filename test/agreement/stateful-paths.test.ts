/**
 * States of processes, remembered, against every interleaving: the same violations, and the same ends of executions, each once. An
 * end is what each process came to; states that are told apart by more are more states and never fewer.
 */
// @module-tag cut
import { describe, expect, test } from 'vitest'
import { networkNames } from '../../src/core/operation.ts'
import { interleavings } from '../../src/engines/exhaustive/exhaustive.ts'
import { statefulPaths } from '../../src/engines/stateful/path-search.ts'
import type { Path } from '../../src/program/path.ts'
import { replay, reproduced } from '../../src/semantics/replay.ts'
import { pathsOf } from '../../src/semantics/world-path.ts'
import { amount, atLeast } from '../amount.ts'
import { violationKey } from './explored.ts'
import { generate } from './generate.ts'
import { runnableOf } from './interpret.ts'

const programs = amount({ quick: 15, thorough: 60, all: 400 })
const mostInterleavings = 300

function endOf(path: Path): string {
  const processes = path.ending().processes.map(({ id, status, value }) => `${id} ${status} ${JSON.stringify(value)}`)
  return processes.sort().join(', ')
}

interface Found {
  readonly violations: Set<string>
  readonly ends: Set<string>
}

function byInterleavings(subject: Parameters<typeof pathsOf>[0]): Found | undefined {
  const found: Found = { violations: new Set(), ends: new Set() }
  let executions = 0
  for (const event of interleavings(pathsOf(subject))) {
    if (event.kind === 'violation') found.violations.add(violationKey(event.violation))
    if (event.kind !== 'execution') continue
    if (++executions > mostInterleavings) return undefined
    found.ends.add(endOf(event.path))
  }
  return found
}

function byStates(subject: Parameters<typeof pathsOf>[0]): Found {
  const found: Found = { violations: new Set(), ends: new Set() }
  const keys = new Set<string>()
  for (const event of statefulPaths.explore(pathsOf(subject), {})) {
    if (event.kind === 'diagnostic') throw new Error(event.diagnostic.message)
    if (event.kind === 'violation') {
      found.violations.add(violationKey(event.violation))
      const again = replay(pathsOf(subject), event.decisions, { places: false })
      expect(reproduced(again, event.violation)).toBeDefined()
    }
    if (event.kind !== 'ending') continue
    expect(keys.has(event.key), 'an end is told once').toBe(false)
    keys.add(event.key)
    const path = pathsOf(subject).begin()
    for (const decision of event.decisions()) path.take(decision)
    found.ends.add(endOf(path))
  }
  return found
}

describe.each(networkNames)('under %s', (network) => {
  test(`${programs} generated programs have the same ends and violations`, () => {
    let compared = 0
    for (let seed = 1; seed <= programs; seed++) {
      const text = generate(seed, { mixed: seed % 4 === 0, monitors: true, changing: true })
      const subject = runnableOf(text, network)
      const truth = byInterleavings(subject)
      if (truth === undefined) continue
      compared++
      expect(byStates(subject), `seed ${seed}`).toEqual(truth)
    }
    expect(compared).toBeGreaterThan(atLeast(programs / 2))
  })
})
