/** Invariants of a system, over the local states of all its machines. */
import { type Diagnostic, DiagnosticError } from '../../core/diagnostic.ts'
import type { Violation } from '../../core/property.ts'
import { loopLimit, running } from '../../core/running.ts'
import { thrownIn } from '../../core/thrown.ts'
import type { Value } from '../../core/value.ts'
import type { SystemInvariant } from '../../program/machines.ts'
import type { InvariantDefinition } from '../../program/system-definition.ts'
import { isAboutFrozen, mistakenViolation } from './mistakes.ts'
import { changesState } from './state-views.ts'
import { byName } from './states-by-name.ts'

/** Which code of the user's is asked. */
interface Asked {
  readonly what: 'invariant' | 'liveness'
  readonly name: string
}

export function systemInvariant(definition: InvariantDefinition, machines: readonly string[]): SystemInvariant {
  const { name, decomposed } = definition
  const asked: Asked = { what: 'invariant', name }
  return {
    name,
    violation: (states, created) => violationOf(definition, asked, byName(machines, states, created)),
    decomposed: decomposed && {
      fact: (machine, state) => answered(asked, () => decomposed.fact(state.data, machines[machine] as string)),
      conflict: (left, right) => answered(asked, () => decomposed.conflict(left, right)),
    },
  }
}

function violationOf(
  { name, holds }: InvariantDefinition,
  asked: Asked,
  named: { readonly [machine: string]: Value },
): Violation | undefined {
  const { process, fuel } = running
  Object.assign(running, { process: `${asked.what} ${name}`, fuel: loopLimit })
  try {
    const held: unknown = holds(named)
    if (running.mistake !== undefined) throw new DiagnosticError(running.mistake)
    if (held === true) return undefined
    if (held === false || typeof held === 'string') {
      return { kind: 'invariant', property: name, message: held === false ? 'the invariant is false' : held }
    }
    return wrongAnswer(name, held)
  } catch (error) {
    const isMistake = running.mistake !== undefined || error instanceof DiagnosticError || isAboutFrozen(error)
    if (isMistake) return mistakenViolation('invariant', whatWasThrown(asked, error), undefined)
    return { kind: 'invariant', property: name, ...thrownIn('invariant', name, error) }
  } finally {
    Object.assign(running, { process, fuel })
  }
}

/** What user code says, which is told apart from processes by what it is. There is no outcome that could carry a mistake. */
export function answered<Answer>(asked: Asked, ask: () => Answer): Answer {
  const { process, fuel } = running
  Object.assign(running, { process: `${asked.what} ${asked.name}`, fuel: loopLimit })
  try {
    const answer = ask()
    if (running.mistake !== undefined) throw new DiagnosticError(running.mistake)
    return answer
  } catch (error) {
    throw new DiagnosticError(whatWasThrown(asked, error))
  } finally {
    Object.assign(running, { process, fuel })
  }
}

function wrongAnswer(name: string, held: unknown): Violation {
  const message = `invariant "${name}" returned ${typeof held === 'object' ? 'an object' : String(held)}`
  const hint = 'return true if it holds, and false or a text that says what is wrong otherwise'
  return mistakenViolation('invariant', { code: 'E227', message, hint }, undefined)
}

function whatWasThrown({ what, name }: Asked, error: unknown): Diagnostic {
  const mistake = running.mistake ?? (error instanceof DiagnosticError ? error.diagnostic : undefined)
  running.mistake = undefined
  if (mistake?.code === 'E227') return mistake
  if (mistake !== undefined) {
    const hint =
      mistake.code === 'E209' ? 'an invariant may depend on the states it is given, and on nothing else' : undefined
    return { ...mistake, message: `${mistake.message}, in ${what} "${name}"`, hint: hint ?? mistake.hint }
  }
  const stack = error instanceof Error ? error.stack : undefined
  if (isAboutFrozen(error)) return { ...changesState, message: `${changesState.message}, in ${what} "${name}"`, stack }
  return {
    code: 'E227',
    hint: 'states of machines may lack what you expect: test before you read',
    ...thrownIn(what, name, error),
  }
}
