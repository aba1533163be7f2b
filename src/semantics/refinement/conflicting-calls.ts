/**
 * Which calls of an execution cannot both be: the one that its object refuses, and the one since which it does. The object is asked after each call whether
 * it would allow the refused one; the last change of its answer is the cause. An object that refuses it for the same reason from the beginning lacks a call.
 */
import { type Event, isStep } from '../../core/event.ts'
import type { CallInTrace, Violation } from '../../core/property.ts'
import type { Value } from '../../core/value.ts'
import { type AbstractCall, type AbstractObject, callOf } from '../../program/refinement.ts'
import { pastOf } from '../partial-order.ts'

interface Placed {
  readonly call: AbstractCall
  /** Position among the events; nothing of a call from before the execution. */
  readonly event?: number
}

/** The one that is refused last; before it the one that makes it so, if there is one. Nothing, if none is refused. */
export function conflictingCalls(
  object: AbstractObject,
  events: readonly Event[],
  called: readonly Value[] = [],
): Pick<Violation, 'calls' | 'unrelated'> | undefined {
  const calls = [
    ...called.flatMap((event) => placed(object, event)),
    ...events.flatMap((event, at) => {
      const isCall = (event.kind === 'choose' || event.kind === 'announce') && event.isCall === true
      return isCall ? placed(object, event.value, at) : []
    }),
  ]
  const states: Value[] = [object.first]
  for (const [at, { call }] of calls.entries()) {
    const applied = object.after(states[at] as Value, call)
    if ('refused' in applied) {
      const made = calls.slice(0, at + 1)
      const pair = [...causeOf(object, states, made), calls[at] as Placed]
      const unrelated = unrelatedTo(object, { pair, made, events, reason: applied.refused.reason })
      return { calls: pair.map(told), ...(unrelated.length === 0 ? {} : { unrelated }) }
    }
    states.push(applied.state)
  }
  return undefined

  function told({ call, event }: Placed): CallInTrace {
    const place = event === undefined ? undefined : events[event]?.place
    const where = { ...(event === undefined ? {} : { event }), ...(place === undefined ? {} : { place }) }
    return { ...where, words: object.described(call) }
  }
}

function placed(object: AbstractObject, value: Value, event?: number): readonly Placed[] {
  const call = callOf(object, value)
  return call === undefined ? [] : [{ call, ...(event === undefined ? {} : { event }) }]
}

/** The call after which the answer became the last one. */
function causeOf(object: AbstractObject, states: readonly Value[], calls: readonly Placed[]): readonly Placed[] {
  const { call } = calls.at(-1) as Placed
  const answers = states.map((state) => {
    const applied = object.after(state, call)
    return 'refused' in applied ? applied.refused.reason : undefined
  })
  const since = answers.findLastIndex((answer) => answer !== answers.at(-1))
  return since < 0 ? [] : [calls[since] as Placed]
}

interface Refused {
  readonly pair: readonly Placed[]
  /** All up to the refused one. */
  readonly made: readonly Placed[]
  readonly events: readonly Event[]
  readonly reason: string
}

/**
 * What does not come before one of the two calls. Other calls may be among the reasons all the same, as of three clients that share two places: unless the
 * object refuses the call for the same reason without those that are left out, whatever comes before any call is kept.
 */
function unrelatedTo(object: AbstractObject, { pair, made, events, reason }: Refused): readonly number[] {
  const past = pastOf(events, positionsOf(pair))
  const left = made.filter(({ event }) => event === undefined || past.has(event))
  const kept = refusalOf(object, left) === reason ? past : pastOf(events, positionsOf(made))
  const unrelated = [...events.keys()].filter((at) => !kept.has(at))
  return unrelated.some((at) => isStep(events[at] as Event)) ? unrelated : []
}

function positionsOf(calls: readonly Placed[]): readonly number[] {
  return calls.flatMap(({ event }) => event ?? [])
}

/** Why the last of these calls is refused, if it is and no other one is. */
function refusalOf(object: AbstractObject, calls: readonly Placed[]): string | undefined {
  let state = object.first
  for (const [at, { call }] of calls.entries()) {
    const applied = object.after(state, call)
    if ('refused' in applied) return at === calls.length - 1 ? applied.refused.reason : undefined
    state = applied.state
  }
  return undefined
}
