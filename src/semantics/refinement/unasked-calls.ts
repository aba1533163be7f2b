/**
 * Calls that no property asks about. An announcement of a specification that nobody refines means nothing to a check, so that a misspelt name, or a second
 * specification of the same name, would make a protocol correct that is not.
 */
import type { Diagnostic } from '../../core/diagnostic.ts'
import { nearestName } from '../../core/did-you-mean.ts'
import type { Value } from '../../core/value.ts'
import type { Witness } from '../../core/witness.ts'
import { type AbstractObject, callOf, makerOf } from '../../program/refinement.ts'
import { placeOfEvent } from './announced-at.ts'
import { undecidedCall } from './by-pairs.ts'

/** Those that a program refines, and who is told of calls of others. */
interface Asking {
  readonly refines?: readonly AbstractObject[] | undefined
  readonly witness?: Witness | undefined
  /** Where it is announced, while places are captured. */
  readonly stack?: string | undefined
}

/** What is wrong with an announcement, for which there is nothing right; what may be meant so is told to the witness. */
export function unaskedCall(
  event: Value,
  { refines = [], witness, stack = placeOfEvent(event) }: Asking,
): Diagnostic | undefined {
  const undecided = undecidedCall(event, refines)
  if (undecided !== undefined) return undecided
  if (isListOfCalls(event, refines)) return listOfCalls
  const maker = makerOf(event)
  const problem = maker === undefined ? problemOf(event, refines) : undefined
  if (problem !== undefined) return { code: 'E107', ...problem }
  const isUnasked = maker === undefined ? isNearly(event, refines) : !refines.includes(maker)
  if (!isUnasked) {
    tellCalled(event, { refines, witness })
    return undefined
  }
  if (maker !== undefined && refines.some(({ name }) => name === maker.name)) return sameName(maker)
  const { kind } = event as { readonly kind: string }
  if (maker !== undefined && refines.length > 0) return { ...unknown(maker, kind, refines), stack }
  witness?.ask('call-not-asked-about', kind, 0, stack)
  return undefined
}

/** What a program refines is told in one place, and this is not there: a check that passes would say nothing of it. */
function unknown({ name }: AbstractObject, kind: string, refines: readonly AbstractObject[]): Diagnostic {
  const names = refines.map((object) => object.name)
  const near = nearestName(name, names)
  const asked = names.map((one) => `"${one}"`).join(', ')
  return {
    code: 'E107',
    message: `${kind} is announced, and no property asks about specification "${name}": refines(…) names ${asked}`,
    hint: `${near === undefined ? '' : `did you mean "${near}"? Otherwise `}add refines(…) of "${name}" to the properties`,
  }
}

function isListOfCalls(event: Value, refines: readonly AbstractObject[]): boolean {
  if (!Array.isArray(event)) return false
  return event.some(
    (one: Value) => makerOf(one) !== undefined || refines.some((object) => callOf(object, one) !== undefined),
  )
}

const listOfCalls: Diagnostic = {
  code: 'E107',
  message: 'a list of calls is announced, and a list is no call',
  hint: 'announce each of them, as in for (const call of calls) context.announce(call)',
}

/** Engines that keep no object beside the state hear of calls here alone. */
function tellCalled(event: Value, { refines = [], witness }: Asking): void {
  if (witness === undefined) return
  for (const object of refines) {
    const call = callOf(object, event)
    if (call !== undefined) witness.answer('operation-never-called', call.kind)
  }
}

function problemOf(event: Value, refines: readonly AbstractObject[]): Pick<Diagnostic, 'message' | 'hint'> | undefined {
  for (const object of refines) {
    const call = callOf(object, event)
    const problem = call && object.problemOf?.(call)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** A call that was written by hand, with a slip in it. */
function isNearly(event: Value, refines: readonly AbstractObject[]): boolean {
  if (refines.length === 0 || typeof event !== 'object' || event === null) return false
  const { kind } = event as { readonly kind?: unknown }
  const at = typeof kind === 'string' ? kind.lastIndexOf('.') : -1
  if (typeof kind !== 'string' || at < 0) return false
  const [name, operation] = [kind.slice(0, at), kind.slice(at + 1)]
  const named = refines.find((object) => object.name === name)
  if (named !== undefined) return !named.operations.includes(operation)
  const names = refines.map((object) => object.name)
  return nearestName(name, names) !== undefined
}

function sameName({ name }: AbstractObject): Diagnostic {
  return {
    code: 'E107',
    message: `two specifications are named "${name}", and a call is announced of the one that no property names`,
    hint: 'give each a name of its own, or announce calls of the one in refines(…); make it once, outside of functions',
  }
}
