/**
 * Which calls of an execution cannot both be: the one that its object refuses, and the one that makes it so. An object that tells which calls cannot both be
 * is asked that: its answer to the refused call may change for other reasons, as `commit 1` after `add 2` and then `add 1` is refused at first because round 1
 * was not added, and `add 1` is not what makes round 1 a ghost. Other objects are asked after each call whether they would allow the refused one; the last
 * change of the answer is the cause. An object that refuses it for the same reason from the beginning lacks a call.
 */
import { type Event, isStep } from '../../core/event.ts'
import type { CallInTrace, Violation } from '../../core/property.ts'
import type { Value } from '../../core/value.ts'
import { type AbstractCall, type AbstractObject, callOf } from '../../program/refinement.ts'
import { pastOf } from '../partial-order.ts'

interface Made {
  readonly call: AbstractCall
  /** Position among the events; nothing of a call from before the execution. */
  readonly event?: number
}

interface Placed extends Made {
  /** What it comes to with those before it, which is the call itself unless it is a vote. */
  readonly means: AbstractCall
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
  const made: Placed[] = []
  for (const [at, { call, ...where }] of calls.entries()) {
    const applied = object.after(states[at] as Value, call)
    made.push({ call, means: applied.comesTo ?? call, ...where })
    if ('refused' in applied) {
      const pair = [...causeOf(object, states, made), made[at] as Placed]
      const unrelated = unrelatedTo(object, { pair, made, events, reason: applied.refused.reason })
      return { calls: pair.map(told), ...(unrelated.length === 0 ? {} : { unrelated }) }
    }
    states.push(applied.state)
  }
  return undefined

  function told({ call, event }: Made): CallInTrace {
    const place = event === undefined ? undefined : events[event]?.place
    const where = { ...(event === undefined ? {} : { event }), ...(place === undefined ? {} : { place }) }
    return { ...where, words: object.described(call) }
  }
}

function placed(object: AbstractObject, value: Value, event?: number): readonly Made[] {
  const call = callOf(object, value)
  return call === undefined ? [] : [{ call, ...(event === undefined ? {} : { event }) }]
}

/** Of several calls that cannot be together with the last one, the first that it is refused for. */
function causeOf(object: AbstractObject, states: readonly Value[], made: readonly Placed[]): readonly Placed[] {
  const last = made.at(-1) as Placed
  const reasonIn = (state: Value, { call, means }: Placed) =>
    refusedFor(object, state, means) ?? refusedFor(object, state, call)
  const answers = states.map((state) => reasonIn(state, last))
  const conflicting = [...made.keys()].filter(
    (at) => at < made.length - 1 && areConflicting(object, made[at] as Placed, last),
  )
  const first = conflicting.find((at) => answers[at + 1] === answers.at(-1)) ?? conflicting[0]
  const cause = first ?? answers.findLastIndex((answer) => answer !== answers.at(-1))
  return cause < 0 ? [] : [made[cause] as Placed]
}

function areConflicting(object: AbstractObject, { means: one }: Placed, { means: other }: Placed): boolean {
  const isDecided = [one, other].every((call) => object.undecided?.(call) === undefined)
  return isDecided && object.conflicts?.(one, other) !== undefined
}

function refusedFor(object: AbstractObject, state: Value, call: AbstractCall): string | undefined {
  const applied = object.after(state, call)
  return 'refused' in applied ? applied.refused.reason : undefined
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
