/** Refinement: what the steps of a program mean for a small object, and whether that object allows them. */
import { DiagnosticError } from '../core/diagnostic.ts'
import { placeCapture } from '../core/operation.ts'
import { isForeignProxy } from '../core/plain-value.ts'
import { encodeValue, type Value } from '../core/value.ts'

/** A call of an abstract object, as it is announced: `kind` names the object and its operation. */
export interface AbstractCall {
  readonly kind: string
  readonly [field: string]: Value
}

/** Why an object does not allow a call. */
export interface Refusal {
  readonly reason: string
  /** What is wrong in one word or two, if the object has names for it. */
  readonly rule?: string | undefined
  /** What may come of it if it happens all the same. */
  readonly consequence?: string | undefined
}

/** The state that a call leaves, or why it is refused; and the call that it comes to with others, as votes come to one. */
export type Applied = ({ readonly state: Value } | { readonly refused: Refusal }) & {
  readonly comesTo?: AbstractCall | undefined
}

/** A field that was read and is not there; and one that is there and was not read, if its name is like that. */
export interface LackedOfCall {
  readonly field: string
  readonly instead?: string | undefined
  /** Its own name, if it would be a field of the call itself, and not of a part of it. */
  readonly name?: string | undefined
}

/** What code of the user's reads of a call and of a state; `read` and `unread` are fields of the call itself. */
export interface FieldsAsked {
  readonly lacked: readonly LackedOfCall[]
  readonly read: readonly string[]
  readonly unread: readonly string[]
}

export interface AbstractObject {
  readonly name: string
  /** As it is before the first call. Plain data, never changed, only replaced. */
  readonly first: Value
  /** Names of its operations: calls are of the kinds `name.operation`. */
  readonly operations: readonly string[]
  /** Those of them without which little is shown. */
  readonly expected: readonly string[]
  /** Deterministic. What is wrong with a call itself, and with the code of the object, is thrown as a diagnostic. */
  after(state: Value, call: AbstractCall): Applied
  /** What is wrong with a call that was written by hand, and that its operation has not looked at. */
  problemOf?(call: AbstractCall): { readonly message: string; readonly hint: string } | undefined
  /**
   * Fields of the call and of the state that code of the user's reads and that are not there, and fields of the call that it does not read, for which it is
   * asked once more; and all that are there. In words that are the same for all calls of an operation, and for all states of the object.
   */
  fieldsAsked?(state: Value, call: AbstractCall): FieldsAsked
  fieldsThere?(state: Value, call: AbstractCall): Iterable<string>
  /** Whether a call of this operation that was made before, with the same fields, changes nothing and is never refused. */
  isRepeatable?(operation: string): boolean
  /** A call in the reader's words. */
  described(call: AbstractCall): string
  /** The object as lines of text, with what was refused in it. */
  drawn?(state: Value, refused: AbstractCall): readonly string[]
  /**
   * For orders of calls that nobody chose: why two calls, of which neither comes before the other for sure, cannot both be, in whatever order; and what a
   * call lacks among those that come before it for sure. With both, orders need not be tried.
   */
  conflicts?(one: AbstractCall, other: AbstractCall): string | undefined
  needs?(call: AbstractCall, past: readonly AbstractCall[]): string | undefined
  /** Why these two do not decide where there is such a call, if they do not. */
  undecided?(call: AbstractCall): string | undefined
  /** By operation, how many calls with different effects led to a state, if the state tells. */
  callsIn?(state: Value): { readonly [operation: string]: number }
  /** Whether two calls have the same effect in either order. */
  commutes?(one: AbstractCall, other: AbstractCall): boolean
  /** Which of these three a user has written: they can only be tried. */
  readonly declared?: readonly ('conflicts' | 'needs' | 'commutes')[]
}

/** By the names of events: what a payload, as TypeScript has it, means as a call. */
export type EventCalls = { readonly [event: string]: (payload: never) => AbstractCall }

/** An object whose calls are what machines send or announce. */
export interface CalledByEvents {
  readonly object: AbstractObject
  readonly calls: EventCalls
}

/** Where objects that users are given keep what they are, out of the way of their operations. */
export const abstractObject = Symbol('abstract object')

export interface Refined {
  readonly [abstractObject]: AbstractObject
}

export function abstractObjectOf(candidate: unknown): AbstractObject | undefined {
  const isObject = (typeof candidate === 'object' || typeof candidate === 'function') && candidate !== null
  // A trap of the user's would answer for it, or throw.
  return isObject && !isForeignProxy(candidate) ? (candidate as Partial<Refined>)[abstractObject] : undefined
}

const makers = new WeakMap<object, AbstractObject>()

/** Remembers whose call it is: two objects may have the same name. */
export function madeBy(object: AbstractObject, call: AbstractCall): AbstractCall {
  makers.set(call, object)
  return call
}

/** Whose operation made the call. Nothing, if it was written by hand, or is a copy. */
export function makerOf(event: Value): AbstractObject | undefined {
  return typeof event === 'object' && event !== null ? makers.get(event) : undefined
}

/** Where calls were made, while places are captured; some engines go on with copies of them, of which equal ones are at one place. */
const places = new WeakMap<object, string>()
const placesOfCopies = new Map<string, string>()
const mostCopies = 1_000

export function placedAt(call: object, stack: string): void {
  places.set(call, stack)
  if (placesOfCopies.size < mostCopies) placesOfCopies.set(encodeValue(call as Value), stack)
}

export function placeOfCall(call: object): string | undefined {
  return places.get(call) ?? (placeCapture.enabled ? placesOfCopies.get(encodeValue(call as Value)) : undefined)
}

/** Kinds of calls that were made, which may never be announced; and where the first was since somebody asked, while places are captured. */
const made = new Set<string>()
const firstMade = new Map<string, string>()

export function noteMade(call: AbstractCall): void {
  made.add(call.kind)
  if (!placeCapture.enabled) return
  const { stack = '' } = new Error()
  if (!firstMade.has(call.kind)) firstMade.set(call.kind, stack)
  placedAt(call, stack)
}

export function isMade(kind: string): boolean {
  return made.has(kind)
}

export function madeFirstAt(kind: string): string | undefined {
  return firstMade.get(kind)
}

export function forgetMade(): void {
  firstMade.clear()
}

const operations = new WeakMap<object, string>()

/** Remembers what a function is that makes calls. */
export function makesCalls(operation: object, { name }: AbstractObject, as: string): void {
  operations.set(operation, `${name}.${as}`)
}

/** What is announced in the place of a call: its operation, or the whole object. */
export function uncalled(event: unknown): { readonly message: string; readonly hint: string } | undefined {
  const operation = typeof event === 'function' ? operations.get(event) : undefined
  if (operation !== undefined) {
    const hint = `call it: announce(${operation}({ … }))`
    return { message: `the operation ${operation} itself is announced, and no call of it`, hint }
  }
  const object = abstractObjectOf(event)
  if (object === undefined) return undefined
  const hint = `announce a call of one of its operations: ${object.operations.join(', ')}`
  return { message: `the specification "${object.name}" itself is announced, and no call of it`, hint }
}

/** `name.operation`, if the object is the one that was called. */
export function callOf({ name, operations }: AbstractObject, event: Value): AbstractCall | undefined {
  if (typeof event !== 'object' || event === null) return undefined
  const { kind } = event as { readonly kind?: unknown }
  if (typeof kind !== 'string' || !kind.startsWith(`${name}.`)) return undefined
  return operations.includes(kind.slice(name.length + 1)) ? (event as unknown as AbstractCall) : undefined
}

/** The operation alone. */
export function operationOf({ name }: Pick<AbstractObject, 'name'>, { kind }: AbstractCall): string {
  return kind.slice(name.length + 1)
}

/** The object says one thing about a call in a state, and asked again another. */
export function answersDiffer(object: AbstractObject, call: AbstractCall, stack?: string | undefined): DiagnosticError {
  return new DiagnosticError({
    code: 'E227',
    message: `specification "${object.name}" answers ${object.described(call)} in two ways in the same state`,
    hint: 'what an operation does may depend on nothing but the state and the call: no variable outside, no clock, no randomness',
    stack,
  })
}
