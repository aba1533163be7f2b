/** Results about classes in the JSON report. */
import type { AtomicSection } from '../core/code.ts'
import type { ObjectCauses, ObjectCounterexample, ObjectCounts, ObjectScope } from '../core/object-verdict.ts'
import { historyToJson, type JsonCall } from './call-json.ts'
import type { JsonViolation } from './json.ts'
import { type ObjectFinding, objectCounterexamples, type ReportedObject } from './object-result.ts'
import { objectScopeSentence } from './object-scope.ts'

export interface JsonObjectResult {
  readonly kind: 'object'
  readonly program: string
  readonly file: string
  readonly engine: 'stateful'
  readonly verdict: ReportedObject['verdict']['kind']
  readonly scope: string
  readonly setting: Omit<ObjectScope, 'engine' | 'bounds'> & { readonly bounds: ObjectScope['bounds'] | null }
  readonly counts: ObjectCounts
  readonly seconds: number
  readonly violation: JsonViolation | null
  readonly trace: string | null
  /** Of the first violation; as with `--client`. */
  readonly client: string | null
  readonly history: readonly JsonCall[] | null
  readonly explanation: JsonExplanation | null
  readonly causes: JsonCauses | null
  readonly others?: readonly JsonOther[]
  readonly alike?: number
}

export interface JsonExplanation {
  /** Calls of the history, by position, in the longest order that explains their results. */
  readonly order: readonly number[]
  /** The call that cannot come next. */
  readonly stuck: number | null
  readonly words: string
}

interface JsonCauses extends Omit<ObjectCauses, 'applied'> {
  readonly applied: {
    readonly sections: readonly AtomicSection[]
    readonly clients: number
    readonly holds: boolean
  } | null
}

interface JsonOther {
  readonly violation: JsonViolation
  readonly trace: string | null
  readonly client: string
  readonly history: readonly JsonCall[]
}

export function jsonObject(result: ReportedObject): JsonObjectResult {
  const { program, file, verdict, alike = 0 } = result
  const { engine, bounds, ...setting } = verdict.scope
  const [first, ...others] = objectCounterexamples(verdict).map((one, at) => found(one, result.findings[at] ?? {}))
  const counterexample = objectCounterexamples(verdict)[0]
  return {
    kind: 'object',
    program,
    file,
    engine,
    verdict: verdict.kind,
    scope: objectScopeSentence(verdict),
    setting: { ...setting, bounds: bounds ?? null },
    counts: verdict.counts,
    seconds: Math.round(result.seconds * 1000) / 1000,
    violation: first?.violation ?? null,
    trace: first?.trace ?? null,
    client: first?.client ?? null,
    history: first?.history ?? null,
    explanation: counterexample === undefined ? null : explanationToJson(counterexample),
    causes: verdict.kind === 'violated' && verdict.causes !== undefined ? causesToJson(verdict.causes) : null,
    ...(others.length === 0 ? {} : { others }),
    ...(alike === 0 ? {} : { alike }),
  }
}

export function explanationToJson({ explained, stuck, words }: ObjectCounterexample): JsonExplanation {
  return { order: explained, stuck: stuck ?? null, words }
}

export function causesToJson(causes: ObjectCauses): JsonCauses {
  return { ...causes, applied: causes.applied ?? null }
}

function found(counterexample: ObjectCounterexample, { tracePath }: ObjectFinding): JsonOther {
  const { violation, decisions, client, history, steps } = counterexample
  const { kind, property, message, process } = violation
  const site = steps.findLast(({ kind: step, site: at }) => step === 'access' && at !== undefined)?.site
  const place = site === undefined ? null : { file: site.function.file, line: site.line, column: site.column }
  return {
    violation: {
      kind,
      property,
      message,
      process: process ?? null,
      // Only a process that waits is at a place; a history is wrong as a whole.
      place: kind === 'deadlock' ? place : null,
      steps: decisions.length,
    },
    trace: tracePath ?? null,
    client,
    history: historyToJson(history),
  }
}
