/** Code of a specification may be the user's and may throw: a diagnostic with the call at which it did. */
import { DiagnosticError } from '../../core/diagnostic.ts'
import type { Call } from '../../core/history.ts'
import { thrownBy } from '../../core/thrown.ts'
import { showCall } from './call-text.ts'
import type { Invocation, Specification } from './specification.ts'

/** Runs code of the specification on account of a call, if there is one. */
export function asking<T>({ name }: Specification, invocation: Invocation | undefined, ask: () => T): T {
  try {
    return ask()
  } catch (error) {
    if (error instanceof DiagnosticError) throw error
    const { message: words, stack } = thrownBy(error)
    const where = invocation === undefined ? '' : ` at ${showCall(invocation)}`
    throw new DiagnosticError({
      code: 'E504',
      message: `the specification ${name} threw${where}: ${words}`,
      hint: 'a specification returns effects and never changes a state in place; an operation that cannot happen has none',
      place: (invocation as Call | undefined)?.place,
      stack,
    })
  }
}
