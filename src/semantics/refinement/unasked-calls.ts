/**
 * Calls that no property asks about. An announcement of a specification that nobody refines means nothing to a check, so that a misspelt name, or a second
 * specification of the same name, would make a protocol correct that is not.
 */
import type { Diagnostic } from '../../core/diagnostic.ts'
import { editDistance, nameMeant, nearestName } from '../../core/did-you-mean.ts'
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
  const slip = maker === undefined ? slipOf(event, refines) : undefined
  if (slip !== undefined) return { ...slip, stack }
  const isUnasked = maker === undefined ? isInNameOf(event, refines) : !refines.includes(maker)
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

/** A call that was written by hand, with a slip in its kind: monitors may observe events of other kinds, and none of these is meant for them. */
function slipOf(event: Value, refines: readonly AbstractObject[]): Diagnostic | undefined {
  const kind = kindOf(event)
  if (kind === undefined || refines.some((object) => callOf(object, event) !== undefined)) return undefined
  const meant = refines.flatMap((object) => kindsMeant(kind, object))
  const near = nearestName(kind, meant)
  if (near === undefined) return undefined
  return {
    code: 'E107',
    message: `${kind} is announced, and no specification that refines(…) names has such an operation`,
    hint: `did you mean "${near}"? Events for monitors need names of their own`,
  }
}

function kindOf(event: Value): string | undefined {
  if (typeof event !== 'object' || event === null) return undefined
  const { kind } = event as { readonly kind?: unknown }
  return typeof kind === 'string' ? kind : undefined
}

/** Kinds of its calls that this one is a slip of: in the name, in the operation, in both, or in what is between them. */
function kindsMeant(kind: string, { name, operations }: AbstractObject): readonly string[] {
  const at = kind.lastIndexOf('.')
  const [named, called] = [kind.slice(0, at), kind.slice(at + 1)]
  const isMeant = (operation: string): boolean =>
    at < 0
      ? editDistance(kind.toLowerCase(), `${name}.${operation}`.toLowerCase()) === 1
      : isSlip(named, name) && isSlip(called, operation)
  return operations.filter(isMeant).map((operation) => `${name}.${operation}`)
}

/** Words that have no letter in common are no slips of each other, however short they are. */
function isSlip(word: string, meant: string): boolean {
  if (word === meant) return true
  const isShared = editDistance(word.toLowerCase(), meant.toLowerCase()) < Math.min(word.length, meant.length)
  return isShared && nameMeant(word, [meant]) !== undefined
}

/** An event that has the name of a specification, or nearly, and no operation of it: perhaps it is one for monitors. */
function isInNameOf(event: Value, refines: readonly AbstractObject[]): boolean {
  const kind = kindOf(event)
  const at = kind?.lastIndexOf('.') ?? -1
  if (kind === undefined || at < 0 || refines.some((object) => callOf(object, event) !== undefined)) return false
  const names = refines.map((object) => object.name)
  return nearestName(kind.slice(0, at), names) !== undefined
}

function sameName({ name }: AbstractObject): Diagnostic {
  return {
    code: 'E107',
    message: `two specifications are named "${name}", and a call is announced of the one that no property names`,
    hint: 'give each a name of its own, or announce calls of the one in refines(…); make it once, outside of functions',
  }
}
