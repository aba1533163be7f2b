/** Results of `prove` in the JSON report. */
import type { AssertionAnswer, BoundedSearch, NotCanonical, SequentialLine } from '../core/proof-verdict.ts'
import type { ReportedProof } from './proof-result.ts'
import { proofSentence } from './proof-text.ts'

export interface JsonProofResult {
  readonly kind: 'proof'
  readonly program: string
  readonly file: string
  readonly engine: 'sequentialize'
  readonly verdict: ReportedProof['verdict']['kind']
  readonly scope: string
  /** The least size of each parameter. */
  readonly parameters: Readonly<Record<string, number>>
  readonly seconds: number
  /** A violation is a result of its own, as from check. */
  readonly violation: null
  readonly trace: null
  readonly sequential: readonly JsonLine[]
  readonly assertions: readonly JsonAssertion[]
  readonly notCanonical: JsonNotCanonical | null
  readonly bounded: JsonBounded | null
}

type JsonBounded = Omit<BoundedSearch, 'because'> & { readonly because: BoundedSearch['because'] | null }

interface JsonLine {
  readonly depth: number
  readonly text: string
  readonly place: SequentialLine['place'] | null
  readonly sentAt: SequentialLine['place'] | null
}

type JsonAssertion = Omit<AssertionAnswer, 'why'> & { readonly why: string | null }

interface JsonNotCanonical extends Pick<NotCanonical, 'reason' | 'message' | 'places' | 'underWay'> {
  readonly prefix: readonly JsonLine[]
  readonly rest: readonly {
    readonly process: string
    readonly isSet: boolean
    readonly isDaemon: boolean
    readonly at: NotCanonical['rest'][number]['at'] | null
  }[]
}

export function jsonProof({ program, file, verdict, seconds }: ReportedProof): JsonProofResult {
  const { scope, sequential, assertions } = verdict
  const found = verdict.kind === 'incomplete' ? verdict.notCanonical : undefined
  return {
    kind: 'proof',
    program,
    file,
    engine: scope.engine,
    verdict: verdict.kind,
    scope: proofSentence(verdict),
    parameters: Object.fromEntries(scope.parameters.map(({ name, least }) => [name, least])),
    seconds: Math.round(seconds * 1000) / 1000,
    violation: null,
    trace: null,
    sequential: sequential.map(lineToJson),
    assertions: assertions.map((one) => ({ ...one, why: one.why ?? null })),
    notCanonical: found === undefined ? null : notCanonicalToJson(found),
    bounded: verdict.kind === 'incomplete' ? { ...verdict.bounded, because: verdict.bounded.because ?? null } : null,
  }
}

function notCanonicalToJson({ reason, message, places, prefix, rest, underWay }: NotCanonical): JsonNotCanonical {
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
