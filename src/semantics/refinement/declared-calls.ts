/**
 * Whether an object refuses what it says that it refuses, no less: where its declarations decide, and no order of calls is tried, a refusal that they do not
 * tell would be missed. Short sequences of the calls that were met are tried.
 */
import { DiagnosticError } from '../../core/diagnostic.ts'
import { Random } from '../../core/random.ts'
import type { Value } from '../../core/value.ts'
import type { AbstractCall, AbstractObject } from '../../program/refinement.ts'

/** All sequences of so many calls or fewer, if there are so many different ones at most; some, if there are more. */
const longest = 3
const fewEnough = 12
const someOfMany = 2_000

/** Throws a diagnostic, if a sequence of these calls is refused for no reason that is declared. */
export function compareDeclared(object: AbstractObject, calls: readonly AbstractCall[]): void {
  if (calls.length <= fewEnough) return extend(object, calls, [], object.first)
  const random = new Random(0)
  for (let tried = 0; tried < someOfMany; tried++) {
    const some = Array.from({ length: longest + 1 }, () => calls[random.below(calls.length)] as AbstractCall)
    some.reduce<Tried | undefined>((before, call) => before && after(object, before, call), {
      made: [],
      state: object.first,
    })
  }
}

interface Tried {
  readonly made: readonly AbstractCall[]
  readonly state: Value
}

function extend(object: AbstractObject, calls: readonly AbstractCall[], made: Tried['made'], state: Value): void {
  if (made.length === longest) return
  for (const call of calls) {
    const next = after(object, { made, state }, call)
    if (next !== undefined) extend(object, calls, next.made, next.state)
  }
}

/** Nothing, if the call is refused. */
function after(object: AbstractObject, { made, state }: Tried, call: AbstractCall): Tried | undefined {
  const applied = object.after(state, call)
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
