/** Results as one JSON object, `allways-report/1`: the same facts as the text, whatever was checked. */
import type { CoveredMachine } from '../core/coverage.ts'
import type { Diagnostic, Place } from '../core/diagnostic.ts'
import { type Evidence, findingsIn } from '../core/evidence.ts'
import type { FaultBudget } from '../core/faults.ts'
import type { ShardEvidence } from '../core/shard.ts'
import { type Json, valueToJson } from '../core/value-json.ts'
import {
  type Counts,
  calledIn,
  operationsIn,
  type Raced,
  type Scope,
  type Stumble,
  type VerdictKind,
  vacuityIn,
} from '../core/verdict.ts'
import type { OperationMost, OperationOutcomes, Vacuity } from '../core/witness.ts'
import { evidenceToJson, type JsonEvidence, type JsonViolation } from './evidence-json.ts'
import type { Reported, ReportedFinding, SearchIdentity } from './result.ts'
import { scopeSentence } from './scope.ts'

const reportFormat = 'allways-report/1'

export interface JsonReport {
  readonly format: typeof reportFormat
  readonly results: readonly JsonResult[]
  /** Mistakes of the user; only present when there are some. */
  readonly diagnostics?: readonly JsonDiagnostic[]
  /** What looks like a slip and keeps nothing from being checked; only present when there is something. */
  readonly warnings?: readonly JsonDiagnostic[]
  /** What has no result because allways itself failed; only present when there is something. */
  readonly defects?: readonly Defect[]
}

/** A search that a mistake of ours ended, or the whole command. */
export interface Defect {
  readonly message: string
  readonly program: string | null
  readonly file: string | null
  readonly engine: string | null
}

export interface JsonResult {
  readonly program: string
  readonly file: string
  readonly engine: string
  /** Where no messages are sent, null. */
  readonly network: string | null
  readonly params: Json
  /** How often what may go wrong; only present when something may. */
  readonly faults?: FaultBudget
  readonly verdict: VerdictKind
  readonly scope: string
  /** The scope as data, but for what is told already. */
  readonly setting: Omit<Scope, 'engine' | 'network' | 'params' | 'counted'>
  readonly counts: Counts
  readonly seconds: number
  /** The most bytes of memory that the process ever took; only present of searches in diagrams. */
  readonly peakBytes?: number
  /** The first of those in `evidence`. */
  readonly violation: JsonViolation | null
  /** Path of its trace file. */
  readonly trace: string | null
  readonly evidence: readonly JsonEvidence[]
  /** If several engines took turns: what became of each; `engine` is the one that answered. */
  readonly raced?: readonly Raced[]
  /** What never happened in what was explored; only present when there is something. */
  readonly vacuity?: readonly Vacuity[]
  /** Of a class that holds: what calls of its operations came to; only present for those. */
  readonly operations?: readonly OperationOutcomes[]
  /** Of specifications: how many calls of an operation there were at most in one execution; only present where that is known. */
  readonly called?: readonly OperationMost[]
  /** Of machines in a small language: what of them was met; only present for those. */
  readonly coverage?: readonly CoveredMachine[]
  /** What kept the causes of a violation from being found; only present when something did. */
  readonly stumbled?: JsonStumble
  /** Further violations, each like one of those told; only present when there are some. */
  readonly alike?: number
  /** How many more were found, and not confirmed before the search was ended; only present when there are some. */
  readonly unconfirmed?: number
  /** What `allways merge` needs to know; only present of a shard. */
  readonly shard?: JsonShard
  /** Path of the file from which `--resume` goes on; only present when one was written. */
  readonly checkpoint?: string
}

export type JsonShard = ShardEvidence & { readonly search: SearchIdentity }

interface JsonDiagnostic {
  readonly code: string
  readonly message: string
  readonly hint: string
  readonly place: Place | null
}

/** Without a code, a mistake of ours. */
type JsonStumble = Omit<JsonDiagnostic, 'code'> & { readonly during: Stumble['during']; readonly code: string | null }

export function jsonReport(
  results: readonly Reported[],
  diagnostics: readonly Diagnostic[] = [],
  defects: readonly Defect[] = [],
  warnings: readonly Diagnostic[] = [],
): JsonReport {
  return {
    format: reportFormat,
    results: results.map(jsonResult),
    ...(diagnostics.length === 0 ? {} : { diagnostics: diagnostics.map(jsonDiagnostic) }),
    ...(warnings.length === 0 ? {} : { warnings: warnings.map(jsonDiagnostic) }),
    ...(defects.length === 0 ? {} : { defects }),
  }
}

/** The report as text: one object, indented, ending without a line break. */
export function jsonText(...told: Parameters<typeof jsonReport>): string {
  return JSON.stringify(jsonReport(...told), undefined, 2)
}

function jsonResult(reported: Reported): JsonResult {
  const { program, file, verdict, seconds, peakBytes, findings, search, checkpoint } = reported
  const { engine, network, params, counted: _, faults, ...setting } = verdict.scope
  const known = new Map<Evidence, ReportedFinding>()
  for (const [at, one] of findingsIn(verdict.evidence).entries()) known.set(one, findings[at] ?? {})
  const evidence = verdict.evidence.map((one) => evidenceToJson(one, known.get(one) ?? {}))
  const first = evidence.find(({ violation = null }) => violation !== null)
  const vacuity = vacuityIn(verdict)
  const operations = operationsIn(verdict)
  const called = calledIn(verdict)
  const stumbled = verdict.kind === 'violated' ? verdict.stumbled : undefined
  const { alike = 0, unconfirmed = 0 } = verdict.kind === 'violated' ? verdict : {}
  return {
    program,
    file,
    engine,
    network: network ?? null,
    params: valueToJson(params),
    ...(faults === undefined ? {} : { faults }),
    verdict: verdict.kind,
    scope: reported.recordedScope ?? scopeSentence(verdict),
    setting,
    counts: verdict.counts,
    // Clocks are not exact to more than this.
    seconds: Math.round(seconds * 1000) / 1000,
    ...(peakBytes === undefined || verdict.counts.bddNodes === undefined ? {} : { peakBytes }),
    violation: first?.violation ?? null,
    trace: first?.trace ?? null,
    evidence,
    ...(verdict.raced === undefined ? {} : { raced: verdict.raced }),
    ...(vacuity.length === 0 ? {} : { vacuity }),
    ...(operations.length === 0 ? {} : { operations }),
    ...(called.length === 0 ? {} : { called }),
    ...(verdict.coverage === undefined ? {} : { coverage: verdict.coverage }),
    ...(stumbled === undefined ? {} : { stumbled: jsonStumble(stumbled) }),
    ...(alike === 0 ? {} : { alike }),
    ...(unconfirmed === 0 ? {} : { unconfirmed }),
    ...(verdict.shard === undefined || search === undefined ? {} : { shard: { ...verdict.shard, search } }),
    ...(checkpoint === undefined ? {} : { checkpoint }),
  }
}

function jsonDiagnostic({ code, ...told }: Diagnostic): JsonDiagnostic {
  return { code, ...jsonMistake(told) }
}

function jsonStumble({ during, code, ...told }: Stumble): JsonStumble {
  return { during, code: code ?? null, ...jsonMistake(told) }
}

function jsonMistake({ message, hint, place }: Omit<Diagnostic, 'code'>): Omit<JsonDiagnostic, 'code'> {
  const { file, line, column } = place ?? {}
  const at = file === undefined || line === undefined || column === undefined ? null : { file, line, column }
  return { message, hint, place: at }
}
