/** A local search to its end, with what it reported; every violation is replayed by the judge. */
import type { Violation } from '../../../../src/core/property.ts'
import type { LocalCounts } from '../../../../src/engines/local/counts.ts'
import { LocalSearch } from '../../../../src/engines/local/search.ts'
import type { Machines } from '../../../../src/program/machines.ts'
import { runnableOf } from '../../../../src/semantics/machines/runnable.ts'
import { replay, reproduced } from '../../../../src/semantics/replay.ts'
import { pathsOf } from '../../../../src/semantics/world-path.ts'

export interface ExploredLocally {
  readonly violations: readonly Violation[]
  readonly counts: LocalCounts
  readonly search: LocalSearch
  readonly ended: boolean
}

export function exploredLocally(
  subject: Machines,
  options: { readonly untilViolation?: boolean; readonly mostEvents?: number } = {},
): ExploredLocally {
  const search = new LocalSearch(subject)
  const violations: Violation[] = []
  let [events, ended] = [0, true]
  for (const event of search.events()) {
    if (event.kind === 'violation') {
      const replayed = replay(pathsOf(runnableOf(subject, {})), event.decisions, { places: false })
      if (reproduced(replayed, event.violation) === undefined)
        throw new Error(`not reproduced: ${event.violation.message}`)
      violations.push(event.violation)
    }
    if (
      ++events > (options.mostEvents ?? Number.POSITIVE_INFINITY) ||
      (options.untilViolation && violations.length > 0)
    ) {
      ended = false
      break
    }
  }
  return { violations, counts: search.counts(), search, ended }
}
