/** What reports are made of: a verdict, and what the host knows about it. Filled by whoever ran the check. */
import type { Place } from '../core/diagnostic.ts'
import type { Event } from '../core/event.ts'
import type { Verdict } from '../core/verdict.ts'
import type { SourceLines } from './sections.ts'

/**
 * As many violations of one program are told whole, with places and a trace. A search that keeps going finds hundreds of them
 * as soon as their messages hold values; nobody reads those, and whoever interrupts the search would wait for them.
 */
export const mostTold = 10

export interface Reported {
  /** The name of the program, of the class, or of the specification of a history. */
  readonly program: string
  /** As the user would type it: relative to the working directory, with forward slashes. */
  readonly file: string
  /** Where the check is declared, if pages are to say it. */
  readonly place?: Place | undefined
  readonly verdict: Verdict
  /** Of a trace: what was said of the search that found it. */
  readonly recordedScope?: string | undefined
  readonly seconds: number
  /** The most bytes of memory that the process ever took. */
  readonly peakBytes?: number | undefined
  /** One per finding, in the order of `findingsIn` and at most `mostTold`; what is missing is not printed. */
  readonly findings: readonly ReportedFinding[]
  /** One per suspected execution, or per order that logs leave open. */
  readonly suspicions?: readonly ReportedFinding[] | undefined
  /** Source lines around the first place of what is not canonical, framed as in `Diagnostic.frame`. */
  readonly frame?: string | undefined
  /** The source of a class, for pictures. */
  readonly sources?: SourceLines | undefined
  readonly commands?: ReportedCommands | undefined
  /** Of a shard: which search it is one of. */
  readonly search?: SearchIdentity | undefined
  /** Where the rest of a search that a budget ended was saved, as the user would type it. */
  readonly checkpoint?: string | undefined
}

/** Equal for shards of one search. */
export interface SearchIdentity {
  /** Of allways. */
  readonly version: string
  /** Of the sources of the program. */
  readonly program: string
  /** Of everything else that decides what is explored. */
  readonly settings: string
}

/** What to paste to go on. */
interface ReportedCommands {
  /** Goes on with a search that a budget ended. */
  readonly resume?: string | undefined
  /** Prints the repair as a patch. */
  readonly repair?: string | undefined
  /** Draws the whole history. */
  readonly page?: string | undefined
  /** Explores chosen sizes. */
  readonly check?: string | undefined
}

/** What the host knows about one counterexample: stacks resolved to places, where the trace is, how to use it. */
export interface ReportedFinding {
  /** Where the property broke; for deadlocks and final conditions usually unknown. */
  readonly place?: Place | undefined
  /** Source lines around `place`, framed as in `Diagnostic.frame`. */
  readonly frame?: string | undefined
  /** Where the operation of each event was asked for. */
  readonly places?: ReadonlyMap<Event, Place> | undefined
  /** Where each waiting process waits, by process id. */
  /** By `takenKey`. */
  readonly waitingAt?: ReadonlyMap<string, Place> | undefined
  /** The trace file, as the user would type it. */
  readonly tracePath?: string | undefined
  readonly replayCommand?: string | undefined
  /** Prints the picture as a Mermaid diagram. */
  readonly showCommand?: string | undefined
}

/** There the promise was made that a process waits for. */
export function madeKey(process: string): string {
  return `${process} made`
}

/** A process waits there; or, for the others, a receive of its own took a message in vain. */
export function takenKey(process: string, at: number): string {
  return at === 0 ? process : `${process} took ${at}`
}
