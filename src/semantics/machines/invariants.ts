/** Invariants of a system, over the local states of all its machines. */
import { answerText } from '../../core/answer.ts'
import { type Diagnostic, DiagnosticError } from '../../core/diagnostic.ts'
import type { Violation } from '../../core/property.ts'
import { runAs } from '../../core/running.ts'
import { stackOf, stackOrGiven, thrownIn } from '../../core/thrown.ts'
import { unheeded } from '../../core/unheeded.ts'
import type { Value } from '../../core/value.ts'
import type { Witness } from '../../core/witness.ts'
import type { SystemInvariant } from '../../program/machines.ts'
import type { InvariantDefinition } from '../../program/system-definition.ts'
import type { FieldsRead } from './fields-read.ts'
import { isAboutFrozen, mistakenViolation } from './mistakes.ts'
import { changesState } from './state-views.ts'
import { byName } from './states-by-name.ts'

/** Which code of the user's is asked. */
interface Asked {
  readonly what: 'invariant' | 'liveness' | 'eventually' | 'leadsTo'
  readonly name: string
  /** Where it was declared, for what has no line of its own. */
  readonly stack: string | undefined
}

/** Machines whose states there are, and those that have none. */
interface Named {
  readonly machines: readonly string[]
  readonly liars: readonly string[]
  readonly fields?: FieldsRead | undefined
}

export function systemInvariant(
  definition: InvariantDefinition,
  { machines, liars, fields }: Named,
  witness?: Witness,
): SystemInvariant {
  const { name, stack, decomposed } = definition
  const asked: Asked = { what: 'invariant', name, stack }
  const subject = `conflict "${name}"`
  const words = decomposed === undefined ? `invariant "${name}"` : subject
  let found =
    witness === undefined
      ? undefined
      : () => {
          found = undefined
          witness.answer('property-never-evaluated', subject)
        }
  if (decomposed !== undefined) witness?.ask('property-never-evaluated', subject, 0)
  return {
    name,
    stack,
    violation: (states, created) => {
      const named = byName(machines, states, created, liars)
      const violation = violationOf(
        asked,
        () => definition.holds(named, found),
        (held) => judged(name, held),
      )
      if (violation === undefined) fields?.look(named, words, (views) => askOnly(asked, () => definition.holds(views)))
      return violation
    },
    decomposed: decomposed && {
      fact: (machine, state) => {
        const self = machines[machine] as string
        const fact = answered(asked, () => decomposed.fact(state.data, self))
        fields?.look({ [self]: state.data }, words, (views) =>
          askOnly(asked, () => decomposed.fact(views[self] as Value, self)),
        )
        if (fact !== undefined) found?.()
        return fact
      },
      conflict: (left, right) => answered(asked, () => decomposed.conflict(left, right)),
    },
  }
}

function judged(name: string, held: unknown): Violation | undefined {
  if (held === true) return undefined
  if (held !== false && typeof held !== 'string') return wrongAnswer(name, held)
  return { kind: 'invariant', property: name, message: held || 'the invariant is false' }
}

/** What user code says of states, or what it throws: then something is wrong with them, too. */
export function violationOf(
  asked: Asked,
  ask: () => unknown,
  judge: (held: unknown) => Violation | undefined,
): Violation | undefined {
  const { what, name } = asked
  try {
    return judge(unheeded(runAs(`${what} ${name}`, ask)))
  } catch (error) {
    const isMistake = error instanceof DiagnosticError || isAboutFrozen(error)
    if (isMistake) return mistakenViolation('invariant', whatWasThrown(asked, error), undefined)
    return { kind: what === 'invariant' ? what : 'liveness', property: name, ...thrownIn(what, name, error) }
  }
}

/** Whatever user code says. */
export function askOnly(asked: Asked, ask: () => unknown): void {
  violationOf(asked, ask, () => undefined)
}

/** What user code says, which is told apart from processes by what it is. There is no outcome that could carry a mistake. */
function answered<Answer>(asked: Asked, ask: () => Answer): Answer {
  try {
    return unheeded(runAs(`${asked.what} ${asked.name}`, ask))
  } catch (error) {
    throw new DiagnosticError(whatWasThrown(asked, error))
  }
}

function wrongAnswer(name: string, held: unknown): Violation {
  const message = `invariant "${name}" returned ${answerText(held)}`
  const hint = 'return true if it holds, and false or a text that says what is wrong otherwise'
  return mistakenViolation('invariant', { code: 'E227', message, hint }, undefined)
}

/** Without those who asked: whoever began the check is not where the mistake is. */
function insideOf(stack: string | undefined): string | undefined {
  return stack?.split(/\n\s+at runAs\b/)[0]
}

function whatWasThrown({ what, name, stack: declared }: Asked, error: unknown): Diagnostic {
  const mistake = error instanceof DiagnosticError ? error.diagnostic : undefined
  if (mistake?.code === 'E227') return mistake
  if (mistake !== undefined) {
    const hint =
      mistake.code === 'E209' ? 'an invariant may depend on the states it is given, and on nothing else' : undefined
    const message = `${mistake.message}, in ${what} "${name}"`
    return { ...mistake, message, hint: hint ?? mistake.hint, stack: stackOrGiven(insideOf(mistake.stack), declared) }
  }
  const stack = stackOf(error)
  if (isAboutFrozen(error)) return { ...changesState, message: `${changesState.message}, in ${what} "${name}"`, stack }
  return {
    code: 'E227',
    hint: 'states of machines may lack what you expect: test before you read',
    ...thrownIn(what, name, error),
  }
}
