/** Results as one JSON object, `allways-report/1`: the same facts as the text, for programs. */
import type { Diagnostic, Place } from '../core/diagnostic.ts'
import type { FaultBudget } from '../core/faults.ts'
import type { PropertyKind } from '../core/property.ts'
import { type Json, valueToJson } from '../core/value-json.ts'
import { areOfMachines, type Counterexample, type Counts, type VerdictKind } from '../core/verdict.ts'
import { type JsonHistoryResult, jsonHistory } from './history-json.ts'
import { type JsonObjectResult, jsonObject } from './object-json.ts'
import { type JsonProofResult, jsonProof } from './proof-json.ts'
import {
  counterexamplesOf,
  type Reported,
  type ReportedFinding,
  type ReportedResult,
  unknownFinding,
} from './result.ts'
import { scopeSentence } from './scope.ts'

const reportFormat = 'allways-report/1'

export interface JsonReport {
  readonly format: typeof reportFormat
  readonly results: readonly (JsonResult | JsonProofResult | JsonObjectResult | JsonHistoryResult)[]
  /** Mistakes of the user; only present when there are some. */
  readonly diagnostics?: readonly JsonDiagnostic[]
}

export interface JsonResult {
  readonly program: string
  readonly file: string
  readonly engine: string
  readonly network: string
  readonly params: Json
  /** How often what may go wrong; only present when something may. */
  readonly faults?: FaultBudget
  readonly verdict: VerdictKind
  readonly scope: string
  readonly counts: Counts
  readonly seconds: number
  readonly violation: JsonViolation | null
  /** Path of the trace file. */
  readonly trace: string | null
  /** Further violations, found by going on after the first; only present when there are some. */
  readonly others?: readonly { readonly violation: JsonViolation; readonly trace: string | null }[]
}

export interface JsonViolation {
  readonly kind: PropertyKind
  readonly property: string
  readonly message: string
  readonly process: string | null
  readonly place: Place | null
  /** Who waits for what; only present for deadlocks. */
  readonly waiting?: readonly {
    readonly process: string
    readonly forWhat: string
    readonly inbox: readonly string[]
  }[]
  /** Decisions in the counterexample. */
  readonly steps: number
}

interface JsonDiagnostic {
  readonly code: string
  readonly message: string
  readonly hint: string | null
  readonly place: Place | null
}

export function jsonReport(results: readonly Reported[], diagnostics: readonly Diagnostic[] = []): JsonReport {
  const reported = { format: reportFormat, results: results.map(jsonReported) } as const
  return diagnostics.length === 0 ? reported : { ...reported, diagnostics: diagnostics.map(jsonDiagnostic) }
}

/** The report as text: one object, indented, ending without a line break. */
export function jsonText(results: readonly Reported[], diagnostics: readonly Diagnostic[] = []): string {
  return JSON.stringify(jsonReport(results, diagnostics), undefined, 2)
}

function jsonReported(result: Reported): JsonReport['results'][number] {
  if (result.kind === 'object') return jsonObject(result)
  if (result.kind === 'proof') return jsonProof(result)
  return result.kind === 'history' ? jsonHistory(result) : jsonResult(result)
}

function jsonResult(result: ReportedResult): JsonResult {
  const { program, file, engine, network, verdict } = result
  const { faults } = verdict.scope
  const found = counterexamplesOf(verdict).map((counterexample, at) => {
    const finding = result.findings[at] ?? unknownFinding
    return { violation: jsonViolation(counterexample, finding), trace: finding.tracePath ?? null }
  })
  const [first, ...others] = found
  return {
    program,
    file,
    engine,
    network,
    params: valueToJson(result.params),
    ...(faults === undefined || areOfMachines(faults) ? {} : { faults }),
    verdict: verdict.kind,
    scope: scopeSentence(verdict),
    counts: verdict.counts,
    // Clocks are not exact to more than this.
    seconds: Math.round(result.seconds * 1000) / 1000,
    violation: first?.violation ?? null,
    trace: first?.trace ?? null,
    ...(others.length === 0 ? {} : { others }),
  }
}

function jsonViolation({ violation, decisions }: Counterexample, finding: ReportedFinding): JsonViolation {
  const { kind, property, message, process, waiting } = violation
  return {
    kind,
    property,
    message,
    process: process ?? null,
    place: jsonPlace(finding.place),
    ...(waiting === undefined
      ? {}
      : { waiting: waiting.map(({ process: who, forWhat, inbox }) => ({ process: who, forWhat, inbox })) }),
    steps: decisions.length,
  }
}

function jsonDiagnostic({ code, message, hint, place }: Diagnostic): JsonDiagnostic {
  return { code, message, hint: hint ?? null, place: jsonPlace(place) }
}

function jsonPlace(place: Place | undefined): Place | null {
  return place === undefined ? null : { file: place.file, line: place.line, column: place.column }
}
