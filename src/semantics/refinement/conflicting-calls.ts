/**
 * Which calls of an execution cannot both be: the one that its object refuses, and the one since which it does. The object is asked after each call whether
 * it would allow the refused one; the last change of its answer is the cause. An object that refuses it for the same reason from the beginning lacks a call.
 */
import type { Event } from '../../core/event.ts'
import type { CallInTrace } from '../../core/property.ts'
import type { Value } from '../../core/value.ts'
import { type AbstractCall, type AbstractObject, callOf } from '../../program/refinement.ts'

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
): readonly CallInTrace[] | undefined {
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
    if ('refused' in applied) return [...causeOf(object, states, calls.slice(0, at + 1)), calls[at] as Placed].map(told)
    states.push(applied.state)
  }
  return undefined

  function told({ call, event }: Placed): CallInTrace {
    return { ...(event === undefined ? {} : { event }), words: object.described(call) }
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
