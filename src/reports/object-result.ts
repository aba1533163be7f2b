/** What reports about classes are made of: a verdict, and what the host knows about it. */
import type { Place } from '../core/diagnostic.ts'
import type { ObjectCounterexample, ObjectCounts, ObjectScope, ObjectVerdict } from '../core/object-verdict.ts'
import type { SourceLines } from './sections.ts'

export interface ReportedObject {
  readonly kind: 'object'
  /** The name of the check, usually that of the class. */
  readonly program: string
  /** As the user would type it. */
  readonly file: string
  /** Where the check is declared. */
  readonly place?: Place | undefined
  readonly verdict: ObjectVerdict | ReplayedVerdict
  readonly seconds: number
  /** One per counterexample, in the order of `objectCounterexamples`. */
  readonly findings: readonly ObjectFinding[]
  /** The source of the class, for pictures. */
  readonly sources: SourceLines
  /** Prints the repair as a patch. */
  readonly repairCommand?: string | undefined
  /** Further violations, each like one of those told. */
  readonly alike?: number | undefined
  /** Goes on with a search that a budget ended. */
  readonly resumeCommand?: string | undefined
}

/** A recorded execution was repeated and violates nothing any more. */
interface ReplayedVerdict {
  readonly kind: 'passed'
  readonly scope: ObjectScope
  readonly counts: ObjectCounts
}

export interface ObjectFinding {
  /** The trace file, as the user would type it. */
  readonly tracePath?: string | undefined
  readonly replayCommand?: string | undefined
}

export function objectCounterexamples(verdict: ReportedObject['verdict']): readonly ObjectCounterexample[] {
  return verdict.kind === 'violated' ? [verdict.counterexample, ...verdict.others] : []
}
