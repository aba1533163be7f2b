/** `final`: conditions on completed executions. */
import { isPromiseLike } from '../core/answer.ts'
import { DiagnosticError } from '../core/diagnostic.ts'
import { checkNoMore, isFunction, shown } from '../core/option-shape.ts'
import type { Ending, EndProperty } from '../core/property.ts'
import { mistake, runAs } from '../core/running.ts'
import { thrownIn } from '../core/thrown.ts'
import { unheeded } from '../core/unheeded.ts'
import type { Value } from '../core/value.ts'
import type { Witness } from '../core/witness.ts'
import { describe } from './describe.ts'
import { AskedProcesses, type Returned } from './returned.ts'

/** What a final condition sees of a completed execution. */
export interface Outcome {
  /** What each process returned, by process id. */
  readonly returned: ReadonlyMap<string, Value>
}

export interface FinalDeclaration {
  readonly kind: 'final'
  /** With a witness, which is told of what is never asked, and of processes that never are. */
  check(witness?: Witness): EndProperty
}

type Condition = (outcome: Outcome) => unknown

interface Declared {
  readonly name: string
  readonly condition: Condition
  readonly stack: string | undefined
}

/** A condition on completed executions; returning false, or a text that says what is wrong, is a violation. */
export function final(name: string, condition: (outcome: Outcome) => boolean | string): FinalDeclaration
export function final(name: string, condition: Condition, ...extra: readonly unknown[]): FinalDeclaration {
  checkNoMore(extra, `final(${shown(name)}, condition)`)
  if (typeof name !== 'string' || name === '') wrong('a final condition needs a name')
  if (!isFunction(condition)) wrong(`final condition "${name}" is ${describe(condition)}, and not a function`)
  const declared = { name, condition, stack: new Error().stack }
  return { kind: 'final', check: (witness) => endProperty(declared, witness) }
}

function wrong(message: string): never {
  const hint = "final('nothing lost', ({ returned }) => returned.get('main') === 3)"
  return mistake({ code: 'E107', message, hint })
}

function endProperty(declared: Declared, witness: Witness | undefined): EndProperty {
  const { name } = declared
  const subject = `final "${name}"`
  witness?.ask('property-never-evaluated', subject, 0)
  let isAsked = witness === undefined
  const processes = new AskedProcesses(name, witness)
  const violation = (ending: Ending) => {
    if (!isOver(ending)) return undefined
    if (!isAsked) witness?.answer('property-never-evaluated', subject)
    isAsked = true
    const told = judged(declared, processes.returnedBy(ending.processes))
    processes.look((returned) => runAs(subject, () => unheeded(declared.condition({ returned }))))
    return told && { kind: 'final' as const, property: name, ...told }
  }
  return { kind: 'final', name, sees: 'ending', violation }
}

/** Also of a daemon, `assume` says that the execution does not count; and one that failed ended the execution there. */
function isOver({ processes }: Ending): boolean {
  return processes.every(
    ({ status, daemon }) => status === 'returned' || status === 'crashed' || (daemon && status === 'waiting'),
  )
}

/** What it says, or what it threw: then something is wrong with the execution, too. */
function judged({ name, condition, stack }: Declared, returned: Returned) {
  let held: unknown
  try {
    held = runAs(`final "${name}"`, () => condition({ returned }))
  } catch (error) {
    if (error instanceof DiagnosticError) throw error
    return thrownIn('final', name, error)
  }
  if (held === true) return undefined
  if (held !== false && typeof held !== 'string') throw noAnswer(name, held, stack)
  return { message: held || 'the final condition is false' }
}

/** A promise would count as true, and nothing as false. */
function noAnswer(name: string, held: unknown, stack: string | undefined): DiagnosticError {
  const isAsync = isPromiseLike(unheeded(held))
  return new DiagnosticError({
    code: 'E214',
    message: `final condition "${name}" returned ${isAsync ? 'a promise' : describe(held)}`,
    hint: `return true if it holds, and false or a text that says what is wrong otherwise${isAsync ? '; it cannot be async' : ''}`,
    stack,
  })
}
