/** The calls of a path as a history. */
import type { Call } from '../../core/history.ts'
import { showValue } from '../../core/value-text.ts'
import { core } from '../../jobs/promise-core.ts'
import type { ClientProcess, ObjectCall, ReturnedCall } from './client-process.ts'
import { userSite } from './code.ts'
import type { Heap } from './heap.ts'
import type { AccessOperation } from './process.ts'
import { makingOf } from './promise-sites.ts'
import { asValue, errorText, showResult } from './results.ts'
import { type ObjectFailure, type ObjectWaiting, processName } from './subject.ts'

export function historyOf(clients: readonly ClientProcess[]): readonly Call[] {
  const calls: Call[] = []
  for (const [index, { calls: made, returned, before, isMade }] of clients.entries()) {
    const begun = returned.length + (isMade ? 1 : 0)
    for (const [at, { operation, args }] of made.slice(0, begun).entries()) {
      const values = args.map((one) => asValue(one.kind === 'value' ? one.value : returned[one.call]?.raw))
      const result = returned[at]?.result ?? { kind: 'pending' as const }
      const [invoked, ended] = momentsOf(clients, index, at, before[at])
      const isPending = result.kind === 'pending'
      const process = processName(index)
      calls.push({
        process,
        operation,
        args: values,
        result,
        invoked,
        returned: isPending ? Number.POSITIVE_INFINITY : ended,
      })
    }
  }
  return calls.sort((left, right) => left.invoked - right.invoked)
}

/**
 * A time line on which exactly those calls precede others that did: a call is made after as many rounds as the longest chain of
 * calls before it.
 */
function momentsOf(
  clients: readonly ClientProcess[],
  process: number,
  call: number,
  before: readonly number[] | undefined,
): readonly [number, number] {
  const total = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0)
  if (before === undefined) return [2 * call, 2 * call + 1]
  const ended = clients.flatMap(({ before: others }, other) =>
    others.flatMap((counts, at) =>
      (counts[process] ?? 0) > call || (other === process && at > call) ? [total(counts)] : [],
    ),
  )
  const invoked = 2 * total(before)
  return [invoked, Math.min(...ended.map((count) => 2 * count), Number.MAX_SAFE_INTEGER) - 1]
}

export function waitingOf(
  { process, status, calls, returned }: ClientProcess,
  { isKeptOut, clients }: { readonly isKeptOut: boolean; readonly clients: readonly ClientProcess[] },
): readonly ObjectWaiting[] {
  const call = calls[returned.length]?.operation ?? ''
  if (isKeptOut) return [{ process: process.name, operation: call, forWhat: 'its first lines', site: -1 }]
  if (status !== 'running' || process.pending === undefined) return []
  const { operation, site, frame } = process.pending
  const unsettled = unsettledBehind(operation, clients)
  return [{ process: process.name, operation: call, forWhat: operation.text, site: userSite(site, frame), unsettled }]
}

/** What a promise waits for that code gives which goes on by itself is what that code awaits. */
function unsettledBehind(operation: AccessOperation, clients: readonly ClientProcess[]): ObjectWaiting['unsettled'] {
  let promise = operation.operands.find(core.isPromise)
  if (promise === undefined) return undefined
  const awaits: number[] = []
  const met = new Set<object>()
  while (!met.has(promise)) {
    met.add(promise)
    const pending = clients.find((one) => one.promise === promise && one.status === 'running')?.process.pending
    const next = pending?.operation.operands.find(core.isPromise)
    if (pending === undefined || next === undefined) break
    awaits.push(userSite(pending.site, pending.frame))
    promise = next
  }
  return { awaits, made: makingOf(promise) }
}

/** The call being made, or what the last one returned. */
export function callText({ calls, returned }: ClientProcess, kind: 'call' | 'access' | 'return'): string {
  if (kind === 'access') return ''
  const at = kind === 'return' ? returned.length - 1 : returned.length
  const call = calls[at]
  if (call === undefined) return ''
  if (kind === 'call') return `${call.operation}(${argumentTexts(call, returned)})`
  const result = returned[at]?.result
  return `${call.operation} → ${result === undefined ? '' : showResult(result)}`
}

function argumentTexts(call: ObjectCall, returned: readonly ReturnedCall[]): string {
  return call.args
    .map((one) => showValue(asValue(one.kind === 'value' ? one.value : returned[one.call]?.raw)))
    .join(', ')
}

export function failuresOf({ host: { thrown, rejected } }: Heap): readonly ObjectFailure[] {
  const unhandled = rejected.map(({ promise, site }) => ({
    words: `unhandled rejection: ${core.isPromise(promise) ? errorText(core.valueOf(promise)) : ''}`,
    site,
  }))
  return [...thrown, ...unhandled]
}
