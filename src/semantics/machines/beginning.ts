/** How a machine begins, and what can be wrong with that. */
import { type Diagnostic, DiagnosticError } from '../../core/diagnostic.ts'
import type { Violation } from '../../core/property.ts'
import { stackOrGiven } from '../../core/thrown.ts'
import type { Value } from '../../core/value.ts'
import { isRecord, type Member } from './context.ts'
import { begun, type Executed } from './execute.ts'
import { mistakeBehind, mistakenViolation } from './mistakes.ts'

/** The first state, with what is sent there. Mistakes are thrown. */
export function beginning(member: Member): Executed {
  const executed = begun(member, undefined, [])
  const { violation, options } = executed
  const { self } = member.setup
  if (violation !== undefined) {
    throw new DiagnosticError(
      mistakeBehind(violation) ?? {
        code: 'E221',
        message: `machine "${self}" fails at the beginning: ${violation.message}`,
        hint: '"state" and "start" run before anything else happens, and must not fail',
        stack: stackOrGiven(violation.stack, member.definition.stack),
      },
    )
  }
  checkState(member, executed.state.data)
  checkDurable(member, executed.state.data)
  if (options.length > 0) throw new DiagnosticError(mistakeBehind(choosesAtBeginning(member)) as Diagnostic)
  return executed
}

export function choosesAtBeginning({ definition, setup }: Member): Violation {
  const diagnostic: Diagnostic = {
    code: 'E221',
    message: `machine "${setup.self}" chooses at the beginning, where there is one state to begin with`,
    hint: 'choose in a handler of a message, a timer or a request',
    stack: definition.stack,
  }
  return mistakenViolation('exception', diagnostic, setup.self)
}

/** A `return` that got lost, or parentheses around an object: handlers would change nothing, for ever. */
export function checkState({ definition, setup }: Member, data: Value): void {
  if (data !== undefined) return
  throw new DiagnosticError({
    code: 'E221',
    message: `"state" of machine "${setup.self}" returns undefined`,
    hint: 'return what the machine knows at the beginning: state: () => ({ … }); {} if it knows nothing',
    stack: definition.stack,
  })
}

/** A misspelt field would be forgotten in every crash, and the check would be one of another system. */
export function checkDurable({ definition, setup }: Member, data: Value): void {
  const fields = isRecord(data) ? Object.keys(data as object) : []
  const missing = definition.durable.find((field) => !fields.includes(field))
  if (missing === undefined) return
  const known = fields.length === 0 ? 'it has no fields' : `its fields are ${fields.join(', ')}`
  throw new DiagnosticError({
    code: 'E221',
    message: `"durable" of machine "${setup.self}" names "${missing}", which its state does not have at the beginning`,
    hint: `${known}; one that has no value yet can be undefined`,
    stack: definition.stack,
  })
}

export function otherBeginning({ definition, setup }: Member): Diagnostic {
  return {
    code: 'E201',
    message: `machine "${setup.self}" is not deterministic: "state" and "start", called again, made another beginning`,
    hint: 'they may depend on the name of the machine, its peers and its arguments: no clock, no randomness, no variable outside',
    stack: definition.stack,
  }
}
