/** What reports are made of: a verdict, and what the host knows about it. Filled by whoever ran the check. */
import type { Place } from '../core/diagnostic.ts'
import type { Event } from '../core/event.ts'
import type { Counterexample } from '../core/evidence.ts'
import type { Params } from '../core/trace.ts'
import type { Scope, Verdict } from '../core/verdict.ts'
import type { ReportedHistory } from './history-result.ts'
import type { ReportedObject } from './object-result.ts'
import type { ReportedProof } from './proof-result.ts'

/** Whatever was checked: a program, for some size or for every, a class, a recorded history. */
export type Reported = ReportedResult | ReportedProof | ReportedObject | ReportedHistory

export interface ReportedResult {
  readonly kind?: 'program' | undefined
  readonly program: string
  /** As the user would type it: relative to the working directory, with forward slashes. */
  readonly file: string
  readonly engine: string
  readonly network: Scope['network']
  readonly params: Params
  readonly verdict: Verdict
  readonly seconds: number
  /** One per counterexample, in the order of `counterexamplesOf`; what is missing is not printed. */
  readonly findings: readonly ReportedFinding[]
  /** What to paste to go on with an incomplete search. */
  readonly resumeCommand?: string | undefined
}

/** What the host knows about one counterexample: stacks resolved to places, where the trace is, how to use it. */
export interface ReportedFinding {
  /** Where the property broke; for deadlocks and final conditions usually unknown. */
  readonly place?: Place | undefined
  /** Source lines around `place`, framed as in `Diagnostic.frame`. */
  readonly frame?: string | undefined
  /** Where the operation of each event was asked for. */
  readonly places: ReadonlyMap<Event, Place>
  /** Where each waiting process waits, by process id. */
  readonly waitingAt?: ReadonlyMap<string, Place> | undefined
  /** The trace file, as the user would type it. */
  readonly tracePath?: string | undefined
  readonly replayCommand?: string | undefined
  /** Prints the picture as a Mermaid diagram. */
  readonly showCommand?: string | undefined
}

export const unknownFinding: ReportedFinding = { places: new Map() }

/** The counterexamples of a verdict, the first one first; none unless it is violated. */
export function counterexamplesOf({ evidence }: Verdict): readonly Counterexample[] {
  return evidence.flatMap((one) => (one.kind === 'execution' ? [one] : []))
}
