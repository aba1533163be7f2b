/**
 * Repairs of single executions (thesis §2.3.5, Table 2.2: one result per violating execution): each rules out some of the
 * violating executions, and perhaps not all. They show what else could be meant by the object's author.
 */
import type { Unhurried } from '../../core/unhurried.ts'
import type { RecordedExecution } from './execution.ts'
import { type Recording, recordingOf } from './recording.ts'
import { executionRepairs, type RootCauses } from './root-causes.ts'
import { compareRepairs, type Repair, repairKey, subsumes } from './sections.ts'
import { eliminates } from './transactions.ts'

export interface Alternative {
  readonly sections: Repair
  /** How many of the violating executions it rules out. */
  readonly ruledOut: number
  /** How many of the linearizable executions it rules out. */
  readonly disabled: number
}

export interface Samples {
  readonly violating: readonly RecordedExecution[]
  readonly linearizable: readonly RecordedExecution[]
}

/** All root causes first, in their order; then repairs of single executions that are not contained in one of them. */
export function* alternatives(
  causes: RootCauses,
  { violating, linearizable }: Samples,
  limit: number,
): Unhurried<readonly Alternative[]> {
  const samples = { bad: violating.map(recordingOf), good: linearizable.map(recordingOf) }
  const full = causes.repairs.map(({ sections }) => sections)
  const single = new Map<string, Repair>()
  for (const execution of violating) {
    for (const repair of (yield* executionRepairs(execution)).repairs) {
      if (!full.some((one) => subsumes(one, repair))) single.set(repairKey(repair), repair)
    }
    yield
  }
  const partial = (yield* measured([...single.values()], samples)).toSorted(compareAlternatives)
  return [...(yield* measured(full.slice(0, limit), samples)), ...partial.slice(0, limit)]
}

interface Recordings {
  readonly bad: readonly Recording[]
  readonly good: readonly Recording[]
}

function* measured(repairs: readonly Repair[], { bad, good }: Recordings): Unhurried<readonly Alternative[]> {
  const all: Alternative[] = []
  for (const sections of repairs) {
    const ruledOut = yield* ruledOutBy(sections, bad)
    all.push({ sections, ruledOut, disabled: yield* ruledOutBy(sections, good) })
  }
  return all
}

function* ruledOutBy(sections: Repair, recordings: readonly Recording[]): Unhurried<number> {
  let count = 0
  for (const recording of recordings) {
    if (eliminates(sections, recording)) count++
    yield
  }
  return count
}

function compareAlternatives(left: Alternative, right: Alternative): number {
  return (
    right.ruledOut - left.ruledOut || left.disabled - right.disabled || compareRepairs(left.sections, right.sections)
  )
}
