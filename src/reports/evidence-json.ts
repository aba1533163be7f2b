/** Evidence in the JSON report: the same for everything that was checked, and null for what is not there. */
import type { Place } from '../core/diagnostic.ts'
import type { Event } from '../core/event.ts'
import {
  type AssertionAnswer,
  type BoundedSearch,
  type Causes,
  type ClientExecution,
  type Confirmation,
  type Evidence,
  type ExecutionEvidence,
  type ExplainedHistory,
  type NotCanonical,
  type ProofEvidence,
  type SequentialLine,
  stepNumber,
  stepsIn,
} from '../core/evidence.ts'
import type { CallInTrace, PropertyKind, Violation } from '../core/property.ts'
import { historyToJson, type JsonCall } from './call-json.ts'
import type { ReportedFinding } from './result.ts'

export interface JsonEvidence {
  readonly kind: Evidence['kind']
  readonly violation?: JsonViolation | null
  readonly trace?: string | null
  readonly [field: string]: unknown
}

export interface JsonViolation {
  readonly kind: PropertyKind
  readonly property: string
  readonly message: string
  readonly process: string | null
  readonly place: Place | null
  /** Who waits for what; only present for deadlocks of processes. */
  readonly waiting?: readonly {
    readonly process: string
    readonly forWhat: string
    readonly inbox: readonly string[]
    readonly heldBack?: readonly string[] | undefined
    readonly taken?: readonly string[] | undefined
    readonly inState?: string | undefined
  }[]
  /** Of a refinement: which rule the call breaks, and the object when it refused it. */
  readonly rule?: string | undefined
  readonly picture?: readonly string[] | undefined
  /** What may come of it, and the calls that cannot both be, the refused one last, by the number of their steps. */
  readonly consequence?: string | undefined
  readonly calls?: readonly JsonViolatingCall[] | undefined
  /** Steps of the counterexample, as pictures number them; of a recorded history, its calls. */
  readonly steps: number
}

interface JsonViolatingCall {
  /** Nothing of a call that was made before the execution begins. */
  readonly step: number | null
  readonly process: string | null
  readonly words: string
  /** The line of the log; only present for calls of one. */
  readonly place?: Place | undefined
}

export interface JsonExplanation {
  /** Calls of the history, by position, in the longest order that explains their results. */
  readonly order: readonly number[]
  /** The call that cannot come next. */
  readonly stuck: number | null
  readonly words: string
}

type JsonCauses = Omit<Causes, 'applied'> & { readonly applied: NonNullable<Causes['applied']> | null }

interface JsonLine {
  readonly depth: number
  readonly text: string
  readonly place: Place | null
  readonly sentAt: Place | null
}

export function evidenceToJson(one: Evidence, finding: ReportedFinding): JsonEvidence {
  switch (one.kind) {
    case 'execution':
      return executionToJson(one, finding)
    case 'suspected': {
      const { kind, tried, isExhausted } = one
      const suspicion = violationToJson(one.violation, {
        place: one.violation.place,
        steps: stepsIn(one),
        events: one.events,
      })
      return { kind, suspicion, tried, isExhausted }
    }
    case 'undecided': {
      const { kind, violation, events } = one
      return { kind, suspicion: violationToJson(violation, { place: violation.place, steps: stepsIn(one), events }) }
    }
    case 'history': {
      const { kind, violation, place, history } = one
      const steps = history.calls.length
      return {
        kind,
        violation: violation === undefined ? null : violationToJson(violation, { place, steps }),
        ...explainedToJson(one),
      }
    }
    case 'sections':
      return { kind: one.kind, ...causesToJson(one) }
    case 'sequentialProgram':
      return { kind: one.kind, lines: one.lines.map(lineToJson) }
    case 'proof':
      return proofToJson(one)
  }
}

function executionToJson(one: ExecutionEvidence, { place, tracePath }: ReportedFinding): JsonEvidence {
  const { kind, violation, repeatsFrom, client, values, jobOrder } = one
  // Only a process that waits is at a place; a history is wrong as a whole.
  const waitsAt = client !== undefined && violation.kind === 'deadlock' ? lastPlace(client) : undefined
  return {
    kind,
    violation: violationToJson(violation, { place: place ?? waitsAt, steps: stepsIn(one), events: one.events }),
    trace: tracePath ?? null,
    ...(repeatsFrom === undefined ? {} : { repeatsFrom }),
    ...(client === undefined ? {} : { client: client.text, ...explainedToJson(client) }),
    ...(jobOrder === undefined ? {} : { jobOrder }),
    ...(values === undefined ? {} : { values }),
  }
}

function lastPlace({ steps }: ClientExecution): Place | undefined {
  const site = steps.findLast(({ kind, site: at }) => kind === 'access' && at !== undefined)?.site
  return site === undefined ? undefined : { file: site.function.file, line: site.line, column: site.column }
}

function violationToJson(
  { kind, property, message, process, waiting, rule, picture, consequence, calls }: Violation,
  { place, steps, events = [] }: Told,
): JsonViolation {
  return {
    kind,
    property,
    message,
    process: process ?? null,
    place: place === undefined ? null : { file: place.file, line: place.line, column: place.column },
    ...(waiting === undefined ? {} : { waiting: waiting.map(({ stack: _, ...told }) => told) }),
    ...(rule === undefined ? {} : { rule }),
    ...(picture === undefined ? {} : { picture }),
    ...(consequence === undefined ? {} : { consequence }),
    ...(calls === undefined ? {} : { calls: calls.map((call) => callToJson(call, events)) }),
    steps,
  }
}

interface Told {
  readonly place: Place | undefined
  readonly steps: number
  readonly events?: readonly Event[]
}

function callToJson({ event, words, place }: CallInTrace, events: readonly Event[]): JsonViolatingCall {
  if (event === undefined) return { step: null, process: null, words }
  const told = { step: stepNumber(events, event), process: (events[event] as Event).process, words }
  return place === undefined ? told : { ...told, place }
}

function explainedToJson(one: ExplainedHistory): JsonExplanation & { readonly history: readonly JsonCall[] } {
  return { history: historyToJson(one.history), ...explanationToJson(one) }
}

export function explanationToJson({ order = [], stuck, words }: ExplainedHistory): JsonExplanation {
  return { order, stuck: stuck ?? null, words }
}

export function causesToJson({ repairs, violating, linearizable, capped, applied }: Causes): JsonCauses {
  return { repairs, violating, linearizable, capped, applied: applied ?? null }
}

function proofToJson({ kind, assertions, refused, notCanonical, bounded, confirmed }: ProofEvidence): JsonEvidence {
  return {
    kind,
    assertions: assertions.map(assertionToJson),
    refused: refused ?? [],
    notCanonical: notCanonical === undefined ? null : notCanonicalToJson(notCanonical),
    bounded: bounded === undefined ? null : boundedToJson(bounded),
    confirmed: confirmed === undefined ? null : confirmationToJson(confirmed),
  }
}

function assertionToJson({ place, message, answer, why }: AssertionAnswer): object {
  return { place, message, answer, why: why ?? null }
}

function confirmationToJson(confirmed: Confirmation): object {
  return { ...boundedToJson(confirmed), violated: confirmed.violated ?? null, partly: confirmed.partly ?? null }
}

function boundedToJson(bounded: BoundedSearch): object {
  return { ...bounded, because: bounded.because ?? null }
}

function notCanonicalToJson({ reason, message, places, prefix, rest, underWay }: NotCanonical): object {
  return {
    reason,
    message,
    places,
    prefix: prefix.map(lineToJson),
    rest: rest.map((one) => ({ ...one, at: one.at ?? null })),
    underWay,
  }
}

function lineToJson({ depth, text, place, sentAt }: SequentialLine): JsonLine {
  return { depth, text, place: place ?? null, sentAt: sentAt ?? null }
}
