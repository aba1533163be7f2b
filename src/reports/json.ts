/** Results as one JSON object, `allways-report/1`: the same facts as the text, whatever was checked. */
import type { Diagnostic, Place } from '../core/diagnostic.ts'
import { type Finding, findingsIn } from '../core/evidence.ts'
import type { FaultBudget } from '../core/faults.ts'
import { type Json, valueToJson } from '../core/value-json.ts'
import type { Counts, Scope, VerdictKind } from '../core/verdict.ts'
import { evidenceToJson, type JsonEvidence, type JsonViolation } from './evidence-json.ts'
import type { Reported } from './result.ts'
import { scopeSentence } from './scope.ts'

const reportFormat = 'allways-report/1'

export interface JsonReport {
  readonly format: typeof reportFormat
  readonly results: readonly JsonResult[]
  /** Mistakes of the user; only present when there are some. */
  readonly diagnostics?: readonly JsonDiagnostic[]
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
  /** The first of those in `evidence`. */
  readonly violation: JsonViolation | null
  /** Path of its trace file. */
  readonly trace: string | null
  readonly evidence: readonly JsonEvidence[]
  /** Further violations, each like one of those told; only present when there are some. */
  readonly alike?: number
}

interface JsonDiagnostic {
  readonly code: string
  readonly message: string
  readonly hint: string | null
  readonly place: Place | null
}

export function jsonReport(results: readonly Reported[], diagnostics: readonly Diagnostic[] = []): JsonReport {
  const reported = { format: reportFormat, results: results.map(jsonResult) } as const
  return diagnostics.length === 0 ? reported : { ...reported, diagnostics: diagnostics.map(jsonDiagnostic) }
}

/** The report as text: one object, indented, ending without a line break. */
export function jsonText(results: readonly Reported[], diagnostics: readonly Diagnostic[] = []): string {
  return JSON.stringify(jsonReport(results, diagnostics), undefined, 2)
}

function jsonResult({ program, file, verdict, seconds, findings }: Reported): JsonResult {
  const { engine, network, params, counted: _, faults, ...setting } = verdict.scope
  const found = findingsIn(verdict.evidence)
  const evidence = verdict.evidence.map((one) => evidenceToJson(one, findings[found.indexOf(one as Finding)] ?? {}))
  const first = evidence.find(({ violation = null }) => violation !== null)
  const alike = verdict.kind === 'violated' ? (verdict.alike ?? 0) : 0
  return {
    program,
    file,
    engine,
    network: network ?? null,
    params: valueToJson(params),
    ...(faults === undefined ? {} : { faults }),
    verdict: verdict.kind,
    scope: scopeSentence(verdict),
    setting,
    counts: verdict.counts,
    // Clocks are not exact to more than this.
    seconds: Math.round(seconds * 1000) / 1000,
    violation: first?.violation ?? null,
    trace: first?.trace ?? null,
    evidence,
    ...(alike === 0 ? {} : { alike }),
  }
}

function jsonDiagnostic({ code, message, hint, place }: Diagnostic): JsonDiagnostic {
  const { file, line, column } = place ?? {}
  const at = file === undefined || line === undefined || column === undefined ? null : { file, line, column }
  return { code, message, hint: hint ?? null, place: at }
}
