/**
 * The calls of a history as points on one line of events: positions instead of moments, so that no two events are equal and
 * `precedes` is a comparison of two positions.
 *
 * Intervals are closed: where a return and an invocation have the same moment neither call precedes the other, so
 * invocations come first.
 */
import type { Call } from '../../core/history.ts'

export interface Timeline {
  /** Number of events: invocations of all calls, returns of those that returned. */
  readonly length: number
  /** Position of each call's invocation. */
  readonly invoked: Int32Array
  /** Position of each call's return; `length` for those that did not return. */
  readonly returned: Int32Array
  /** The call of each event. */
  readonly callAt: Int32Array
}

/** Whether a call must have taken effect. */
export function hasReturned(call: Call): boolean {
  return call.returned !== Number.POSITIVE_INFINITY && call.result.kind !== 'pending'
}

export function timelineOf(calls: readonly Call[]): Timeline {
  const completed: number[] = []
  for (let call = 0; call < calls.length; call++) if (hasReturned(calls[call] as Call)) completed.push(call)
  const byInvocation = Int32Array.from(calls.keys())
  const byReturn = Int32Array.from(completed)
  const moments = Float64Array.from(calls, (call) => call.invoked)
  const ends = Float64Array.from(calls, (call) => call.returned)
  byInvocation.sort((left, right) => compare(moments, left, right))
  byReturn.sort((left, right) => compare(ends, left, right))
  return merged(byInvocation, byReturn, moments, ends)
}

function compare(moments: Float64Array, left: number, right: number): number {
  return (moments[left] as number) - (moments[right] as number) || left - right
}

function merged(byInvocation: Int32Array, byReturn: Int32Array, moments: Float64Array, ends: Float64Array): Timeline {
  const length = byInvocation.length + byReturn.length
  const callAt = new Int32Array(length)
  const invoked = new Int32Array(byInvocation.length)
  const returned = new Int32Array(byInvocation.length).fill(length)
  let [starting, ending] = [0, 0]
  for (let at = 0; at < length; at++) {
    const start = byInvocation[starting]
    const end = byReturn[ending]
    if (start !== undefined && (end === undefined || (moments[start] as number) <= (ends[end] as number))) {
      callAt[at] = start
      invoked[start] = at
      starting++
    } else if (end !== undefined) {
      callAt[at] = end
      returned[end] = at
      ending++
    }
  }
  return { length, invoked, returned, callAt }
}

/**
 * A number for every call such that calls open at the same time have different numbers, as few as possible; and how many
 * there are: the greatest number of calls open at once.
 */
export function slotsOf({ length, invoked, callAt }: Timeline): { readonly slots: Int32Array; readonly count: number } {
  const slots = new Int32Array(invoked.length)
  const free: number[] = []
  let count = 0
  for (let at = 0; at < length; at++) {
    const call = callAt[at] as number
    if (invoked[call] === at) slots[call] = free.pop() ?? count++
    else free.push(slots[call] as number)
  }
  return { slots, count }
}
