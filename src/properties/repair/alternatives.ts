/**
 * Repairs of single executions (thesis §2.3.5, Table 2.2: one result per violating execution): each rules out some of the
 * violating executions, and perhaps not all. They show what else could be meant by the object's author.
 */
import type { RecordedExecution } from './execution.ts'
import { recordingOf } from './recording.ts'
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
export function alternatives(
  causes: RootCauses,
  { violating, linearizable }: Samples,
  limit: number,
): readonly Alternative[] {
  const bad = violating.map(recordingOf)
  const good = linearizable.map(recordingOf)
  const measured = (sections: Repair): Alternative => ({
    sections,
    ruledOut: bad.filter((recording) => eliminates(sections, recording)).length,
    disabled: good.filter((recording) => eliminates(sections, recording)).length,
  })
  const full = causes.repairs.map(({ sections }) => sections)
  const single = new Map<string, Repair>()
  for (const execution of violating) {
    for (const repair of executionRepairs(execution).repairs) {
      if (!full.some((one) => subsumes(one, repair))) single.set(repairKey(repair), repair)
    }
  }
  const partial = [...single.values()].map(measured).sort(compareAlternatives)
  return [...full.slice(0, limit).map(measured), ...partial.slice(0, limit)]
}

function compareAlternatives(left: Alternative, right: Alternative): number {
  return (
    right.ruledOut - left.ruledOut || left.disabled - right.disabled || compareRepairs(left.sections, right.sections)
  )
}
