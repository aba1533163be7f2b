/** Histories in JSON, as reports and trace files write them. */
import type { Call, CallResult, History } from '../core/history.ts'
import { type Json, valueToJson } from '../core/value-json.ts'

export interface JsonCall {
  readonly process: string
  readonly operation: string
  readonly args: readonly Json[]
  readonly result: JsonCallResult
  /** Moments on one time line, counted from 0; `returned` is null for a call that never did. */
  readonly invoked: number
  readonly returned: number | null
}

type JsonCallResult =
  | { readonly kind: 'returned'; readonly value: Json }
  | { readonly kind: 'threw'; readonly error: string }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'pending' }

/** Calls in order of invocation. Moments are renumbered without gaps: what counts is their order. */
export function historyToJson({ calls }: History): readonly JsonCall[] {
  const moments = [...new Set(calls.flatMap(({ invoked, returned }) => [invoked, returned]))].sort(
    (left, right) => left - right,
  )
  const numbers = new Map(moments.map((moment, at) => [moment, at]))
  return calls.map((call) => callToJson(call, numbers))
}

function callToJson(call: Call, numbers: ReadonlyMap<number, number>): JsonCall {
  const { process, operation, args, result, invoked, returned } = call
  return {
    process,
    operation,
    args: args.map(valueToJson),
    result: resultToJson(result),
    invoked: numbers.get(invoked) ?? 0,
    returned: result.kind === 'pending' ? null : (numbers.get(returned) ?? 0),
  }
}

function resultToJson(result: CallResult): JsonCallResult {
  return result.kind === 'returned' ? { kind: 'returned', value: valueToJson(result.value) } : result
}
