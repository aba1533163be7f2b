/**
 * Whether an object refuses what it says that it refuses, no less: where its declarations decide, and no order of calls is tried, a refusal that they do not
 * tell would be missed. Short sequences of the calls that were met are tried. And whether it refuses no less than it says.
 */
import { type Diagnostic, DiagnosticError } from '../../core/diagnostic.ts'
import { Random } from '../../core/random.ts'
import { encodeValue, type Value } from '../../core/value.ts'
import type { Witness } from '../../core/witness.ts'
import { type AbstractCall, type AbstractObject, callOf } from '../../program/refinement.ts'
import type { FieldsOfCalls } from './fields-of-calls.ts'

/** Sequences in which no call comes twice, shorter ones first: so many calls are made for all of them. */
const mostMade = 8_000
/** All sequences of so many calls or fewer, with the same call again and again, if there are so many different ones at most. */
const longest = 3
const fewEnough = 12
/** So many orders of all calls, or of so many of them. */
const orders = 64
const mostInOrder = 64

/** Throws a diagnostic, if a sequence of these calls is refused for no reason that is declared. */
export function compareDeclared(object: AbstractObject, calls: readonly AbstractCall[], fields: FieldsOfCalls): void {
  for (const call of calls) fields.met(object, object.first, call)
  const trying: Trying = { object, fields }
  extendOnce(trying, calls)
  if (calls.length <= fewEnough) extend(trying, calls, { made: [], state: object.first })
  const random = new Random(0)
  for (let tried = 0; tried < orders; tried++) {
    const some = random.shuffle(calls).slice(0, mostInOrder)
    // Those that are refused as declared are left out.
    some.reduce<Tried>((before, call) => after(trying, before, call) ?? before, { made: [], state: object.first })
  }
}

/** Tells that a verdict rests on what a user has declared. */
export function assumeDeclared(
  { name, declared = [] }: AbstractObject,
  used: NonNullable<AbstractObject['declared']>,
  witness: Witness | undefined,
): void {
  const parts = used.filter((part) => declared.includes(part)).map((part) => `"${part}"`)
  if (parts.length === 0) return
  const tells = used.includes('commutes') ? 'calls commute where' : 'calls are refused where'
  const say = parts.length === 1 ? 'says' : 'say'
  witness?.ask('declaration-assumed', `${tells} ${parts.join(' and ')} of specification "${name}" ${say} so`, 0)
}

/** What is declared to be wrong with these calls, which the objects allow in this order. What the declarations throw is thrown. */
export function allowedAfterAll(objects: readonly AbstractObject[], announced: readonly Value[]): Diagnostic {
  const hint = '"conflicts" and "needs" must say what the operations refuse, no more and no less'
  for (const object of objects) {
    const calls = announced.flatMap((event) => callOf(object, event) ?? [])
    const declared = calls
      .map((call, at) => declaredOf(object, call, calls.slice(0, at)))
      .find((one) => one !== undefined)
    if (declared !== undefined)
      return { code: 'E227', message: `specification "${object.name}" says that ${declared}, and allows it`, hint }
  }
  const names = objects.map(({ name }) => `"${name}"`).join(', ')
  return { code: 'E227', message: `specification ${names} says that calls cannot be, and allows them`, hint }
}

/** In words: why a call cannot be after these. */
function declaredOf(object: AbstractObject, call: AbstractCall, before: readonly AbstractCall[]): string | undefined {
  const lacks = object.needs?.(call, before)
  const words = object.described(call)
  if (lacks !== undefined) return `${words} lacks another call (${lacks})`
  for (const one of before) {
    const why = object.conflicts?.(call, one) ?? object.conflicts?.(one, call)
    if (why !== undefined) return `${object.described(one)} and ${words} cannot both be (${why})`
  }
  return undefined
}

interface Tried {
  readonly made: readonly AbstractCall[]
  readonly state: Value
}

interface TriedOnce extends Tried {
  /** Which calls, in rising order. */
  readonly places: readonly number[]
}

interface Trying {
  readonly object: AbstractObject
  readonly fields: FieldsOfCalls
}

function extend(trying: Trying, calls: readonly AbstractCall[], tried: Tried): void {
  if (tried.made.length === longest) return
  for (const call of calls) {
    const next = after(trying, tried, call)
    if (next !== undefined) extend(trying, calls, next)
  }
}

/** Breadth first. Sequences of the same calls that led to the same state go on alike. */
function extendOnce(trying: Trying, calls: readonly AbstractCall[]): void {
  const open = new Map<string, TriedOnce>([['', { made: [], state: trying.object.first, places: [] }]])
  let count = 0
  for (const { places, ...tried } of open.values()) {
    for (const [at, call] of calls.entries()) {
      if (places.includes(at)) continue
      if (count++ === mostMade) return
      const next = after(trying, tried, call)
      if (next === undefined) continue
      const longer = [...places, at].sort((one, other) => one - other)
      const key = `${longer.join()}|${encodeValue(next.state)}`
      if (!open.has(key)) open.set(key, { ...next, places: longer })
    }
  }
}

/** Nothing, if the call is refused. */
function after({ object, fields }: Trying, { made, state }: Tried, call: AbstractCall): Tried | undefined {
  const applied = object.after(state, call)
  fields.look(object, state, call, applied)
  if (!('refused' in applied)) return { made: [...made, call], state: applied.state }
  const isDeclared =
    object.needs?.(call, made) !== undefined ||
    made.some((one) => (object.conflicts?.(call, one) ?? object.conflicts?.(one, call)) !== undefined)
  if (isDeclared) return undefined
  const before = made.length === 0 ? 'before any other' : `after ${made.map((one) => object.described(one)).join(', ')}`
  throw new DiagnosticError({
    code: 'E227',
    message: `specification "${object.name}" refuses ${object.described(call)} ${before}, and neither "conflicts" nor "needs" says so`,
    hint: 'they must say what the operations refuse, no more and no less; without them, use --engine stateful',
  })
}
