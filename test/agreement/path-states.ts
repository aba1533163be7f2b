/** How processes end and what they violate: by every interleaving, and by states that are remembered. */
import { expect } from 'vitest'
import { interleavings } from '../../src/engines/exhaustive/exhaustive.ts'
import { statefulPaths } from '../../src/engines/stateful/path-search.ts'
import type { Path } from '../../src/program/path.ts'
import { replay, reproduced } from '../../src/semantics/replay.ts'
import { pathsOf } from '../../src/semantics/world-path.ts'
import { violationKey } from './explored.ts'

const mostInterleavings = 300

function endOf(path: Path): string {
  const processes = path.ending().processes.map(({ id, status, value }) => `${id} ${status} ${JSON.stringify(value)}`)
  return processes.sort().join(', ')
}

export interface Found {
  readonly violations: Set<string>
  readonly ends: Set<string>
}

/** Undefined: there are too many. */
export function byInterleavings(subject: Parameters<typeof pathsOf>[0]): Found | undefined {
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

/** Each end is told once, and each violation is that of its decisions. */
export function byStates(subject: Parameters<typeof pathsOf>[0]): Found {
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
