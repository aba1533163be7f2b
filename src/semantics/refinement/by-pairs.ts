/**
 * Calls that a search meets which decides by pairs of calls and by what a call lacks. There are some of which an object says that this does not decide them: they
 * are refused where they are announced, so that the line is known.
 */
import type { Diagnostic } from '../../core/diagnostic.ts'
import type { Value } from '../../core/value.ts'
import { type AbstractObject, callOf } from '../../program/refinement.ts'

/** Whether code of the user's runs for such a search: it stands between the search and what is announced. */
let isByPairs = false

export function decidingByPairs<Answer>(code: () => Answer): Answer {
  const before = isByPairs
  isByPairs = true
  try {
    return code()
  } finally {
    isByPairs = before
  }
}

export function undecidedCall(event: Value, refines: readonly AbstractObject[]): Diagnostic | undefined {
  if (!isByPairs) return undefined
  for (const object of refines) {
    const call = callOf(object, event)
    const why = call && object.undecided?.(call)
    if (call !== undefined && why !== undefined)
      return {
        code: 'E302',
        message: `engine "local" decides refinement by pairs of calls, which says nothing of ${object.described(call)}: ${why}`,
        hint: `use --engine stateful, which keeps "${object.name}" beside the state, or dpor, which tries orders`,
      }
  }
  return undefined
}
