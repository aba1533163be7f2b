/**
 * Whether an object refuses what it says that it refuses, no less: where its declarations decide, and no order of calls is tried, a refusal that they do not
 * tell would be missed. Short sequences of the calls that were met are tried. And whether it refuses no less than it says.
 */
import { type Diagnostic, DiagnosticError } from '../../core/diagnostic.ts'
import { Random } from '../../core/random.ts'
import type { Value } from '../../core/value.ts'
import { type AbstractCall, type AbstractObject, callOf } from '../../program/refinement.ts'
import type { FieldsOfCalls } from './fields-of-calls.ts'

/** All sequences of so many calls or fewer, if there are so many different ones at most; some, if there are more. */
const longest = 3
const fewEnough = 12
const someOfMany = 2_000

/** Throws a diagnostic, if a sequence of these calls is refused for no reason that is declared. */
export function compareDeclared(object: AbstractObject, calls: readonly AbstractCall[], fields: FieldsOfCalls): void {
  for (const call of calls) fields.met(object, object.first, call)
  const trying: Trying = { object, fields }
  if (calls.length <= fewEnough) return extend(trying, calls, { made: [], state: object.first })
  const random = new Random(0)
  for (let tried = 0; tried < someOfMany; tried++) {
    const some = Array.from({ length: longest + 1 }, () => calls[random.below(calls.length)] as AbstractCall)
    some.reduce<Tried | undefined>((before, call) => before && after(trying, before, call), {
      made: [],
      state: object.first,
    })
  }
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
