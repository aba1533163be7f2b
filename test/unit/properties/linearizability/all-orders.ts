/** The plainest check there is: every order of the calls, with every choice of those that did not return. */
import { type Call, precedes } from '../../../../src/core/history.ts'
import { fits, type Specification } from '../../../../src/properties/linearizability/specification.ts'

/** Whether any order of the calls, with or without each that did not return, explains all results. */
export function hasLinearization(calls: readonly Call[], object: Specification): boolean {
  return tryAll(calls, object, object.initial())
}

function tryAll(left: readonly Call[], object: Specification, state: unknown): boolean {
  if (left.every(({ returned }) => returned === Number.POSITIVE_INFINITY)) return true
  return left.some((call) => {
    if (left.some((other) => precedes(other, call))) return false
    const rest = left.filter((other) => other !== call)
    const observed = object.observation(call.operation, call.args, call.result)
    const effects = object.apply(state, call.operation, call.args, observed)
    return effects.some((effect) => fits(observed, effect) && tryAll(rest, object, effect.state))
  })
}
