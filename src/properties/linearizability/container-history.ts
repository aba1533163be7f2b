/**
 * Histories of objects into which values are put and from which they are taken, all values different: for every value where
 * it was put in and where it was taken out. What the shortcuts for queues, stacks and priority queues start from.
 *
 * Of calls without a return (see `Specification.decide`)
 * - one that put a value in returns later than everything. If no call took the value it makes no difference: the value is
 *   surely inside at no moment, and precedes none;
 * - one that takes a known value is kept if that value was put in and no other call took it: the value is surely inside for
 *   a shorter time then, and being the last to return it comes too early for no call. Another call may take its place;
 * - one that takes a value that is not known is listed in `openTakes`, and the caller decides what to do with it.
 */
import type { Call } from '../../core/history.ts'
import { encodeValue, type Value } from '../../core/value.ts'
import type { ShowCall } from './operation-table.ts'
import { isNothing, type Ruling } from './specification.ts'
import { hasReturned, type Timeline, timelineOf } from './timeline.ts'

/** What became of one value. */
export interface Stay {
  readonly value: Value
  /** Position of the call that put it in, among the calls; -1 for initial contents. */
  readonly put: number
  readonly putInvoked: number
  readonly putReturned: number
  /** The call that took it out, -1 if none did; then it is taken at `length`, after everything. */
  take: number
  takeInvoked: number
  takeReturned: number
}

export interface ContainerHistory {
  readonly calls: readonly Call[]
  readonly show: ShowCall
  readonly stays: readonly Stay[]
  /** Number of events, initial contents included; calls without a return return there. */
  readonly length: number
  /** Calls that returned and found nothing. */
  readonly empty: number[]
  /** Calls without a return that may have taken any value, found nothing, or not taken effect. */
  readonly openTakes: readonly number[]
  /** Calls that returned, but what is not known: they took some value or found nothing. */
  readonly unknownTakes: readonly number[]
  /** Events of calls, in the positions of `stays`. */
  readonly invoked: (call: number) => number
  readonly returned: (call: number) => number
}

export interface ContainerWords {
  /** Names of the two operations. */
  readonly put: string
  readonly take: string
  readonly show: ShowCall
}

/**
 * Undefined if there are other operations or equal values. A decision if a value was taken twice, or before it was put in, or
 * without having been put in.
 */
export function containerHistory(
  calls: readonly Call[],
  initial: readonly Value[],
  words: ContainerWords,
): ContainerHistory | Ruling | undefined {
  const timeline = timelineOf(calls)
  const stays = putValues(calls, initial, words, timeline)
  if (stays === undefined) return undefined
  const empty: number[] = []
  const [openTakes, unknownTakes]: [number[], number[]] = [[], []]
  // Those that returned go first: a call without a return gives way to them.
  const takes = [...calls.keys()].filter((call) => (calls[call] as Call).operation === words.take)
  for (const call of takes.filter((one) => hasReturned(calls[one] as Call))) {
    const { result } = calls[call] as Call
    if (result.kind === 'threw') return undefined
    if (result.kind !== 'returned') unknownTakes.push(call)
    else if (isNothing(result.value)) empty.push(call)
    else {
      const wrong = take(stays.get(encodeValue(result.value)), call, {
        initial: initial.length,
        timeline,
        show: words.show,
      })
      if (wrong !== undefined) return wrong
    }
  }
  for (const call of takes.filter((one) => !hasReturned(calls[one] as Call))) {
    const { result } = calls[call] as Call
    if (result.kind === 'threw') return undefined
    if (result.kind !== 'returned') openTakes.push(call)
    else if (!isNothing(result.value)) takeIfFree(stays.get(encodeValue(result.value)), call, initial.length, timeline)
  }
  const shift = 2 * initial.length
  return {
    calls,
    show: words.show,
    stays: [...stays.values()],
    length: timeline.length + shift,
    empty,
    openTakes,
    unknownTakes,
    invoked: (call) => (timeline.invoked[call] as number) + shift,
    returned: (call) => (timeline.returned[call] as number) + shift,
  }
}

/** Whether the value need not have been taken: no call took it, or a call without a return, which need not have happened. */
export function isUntaken(stay: Stay, { length }: ContainerHistory): boolean {
  return stay.takeReturned > length
}

export function isDecision(found: ContainerHistory | Ruling): found is Ruling {
  return 'linearizable' in found
}

export function violation(reason: string, calls: readonly number[]): Ruling {
  return { linearizable: false, reason, culprits: [...new Set(calls)].filter((call) => call >= 0) }
}

/** Initial contents were put in one after another, before the first event: two events each. */
function putValues(
  calls: readonly Call[],
  initial: readonly Value[],
  words: ContainerWords,
  { invoked, returned, length }: Timeline,
): Map<string, Stay> | undefined {
  const shift = 2 * initial.length
  const never = { take: -1, takeInvoked: length + shift, takeReturned: length + shift + 1 }
  const stays = new Map<string, Stay>()
  for (let at = 0; at < initial.length; at++) {
    const value = initial[at]
    stays.set(encodeValue(value), { value, put: -1, putInvoked: 2 * at, putReturned: 2 * at + 1, ...never })
  }
  if (stays.size < initial.length) return undefined
  for (let call = 0; call < calls.length; call++) {
    const { operation, args, result } = calls[call] as Call
    if (operation === words.take) continue
    const [value] = args
    const name = encodeValue(value)
    const canBe = operation === words.put && (result.kind === 'unknown' || result.kind === 'pending')
    if (!canBe || stays.has(name)) return undefined
    const putInvoked = (invoked[call] as number) + shift
    stays.set(name, { value, put: call, putInvoked, putReturned: (returned[call] as number) + shift, ...never })
  }
  return stays
}

function take(stay: Stay | undefined, call: number, { initial, timeline, show }: Taking) {
  const words = show(call)
  if (stay === undefined) return violation(`${words} returned a value that was never put in`, [call])
  if (stay.take >= 0)
    return violation(`${words} returned a value that was put in once and taken out before`, [stay.take, call])
  setTake(stay, call, initial, timeline)
  if (stay.takeReturned > stay.putInvoked) return undefined
  return violation(`${words} returned before ${show(stay.put)} was called`, [stay.put, call])
}

interface Taking {
  /** How many values there were at first. */
  readonly initial: number
  readonly timeline: Timeline
  readonly show: ShowCall
}

function takeIfFree(stay: Stay | undefined, call: number, initial: number, timeline: Timeline): void {
  if (stay !== undefined && stay.take < 0) setTake(stay, call, initial, timeline)
}

function setTake(stay: Stay, call: number, initial: number, { invoked, returned, length }: Timeline): void {
  const end = returned[call] as number
  stay.take = call
  stay.takeInvoked = (invoked[call] as number) + 2 * initial
  stay.takeReturned = end + 2 * initial + (end === length ? 1 : 0)
}
