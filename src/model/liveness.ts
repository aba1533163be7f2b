/** `liveness`, `eventually`, `leadsTo`: what must come about in the executions of a system of machines. */
import { DiagnosticError } from '../core/diagnostic.ts'
import { checkNoMore, isFunction, shown } from '../core/option-shape.ts'
import type { Value } from '../core/value.ts'
import type { LivenessDefinition } from '../program/system-definition.ts'

/** What must come about, in every execution: made by `liveness`, `eventually` or `leadsTo`. */
export interface Liveness {
  readonly name: string
}

/** A condition on the states of all machines, by name. */
type Condition<State> = (states: { readonly [machine: string]: State }) => boolean

const declared = new WeakMap<object, LivenessDefinition>()

export function livenessNamed(candidate: unknown): LivenessDefinition | undefined {
  return typeof candidate === 'object' && candidate !== null ? declared.get(candidate) : undefined
}

/**
 * A condition on the states of all machines that holds again and again: in no execution does it come to be false for ever, if every
 * machine that can act acts some time and what the network keeps arrives some time. Of an execution that ends it holds at the end.
 */
export function liveness<State = Value>(name: string, holds: Condition<State>): Liveness
export function liveness(name: string, holds: unknown, ...extra: readonly unknown[]): Liveness {
  checkName('liveness', name)
  checkNoMore(extra, `liveness(${shown(name)}, holds)`, 'E222')
  return registered({
    form: 'liveness',
    name,
    holds: condition('liveness', name, { holds }),
    from: undefined,
    stack: new Error().stack,
  })
}

/** A condition that holds some time, in every execution that is fair as for `liveness`; afterwards it need not hold any more. */
export function eventually<State = Value>(name: string, holds: Condition<State>): Liveness
export function eventually(name: string, holds: unknown, ...extra: readonly unknown[]): Liveness {
  checkName('eventually', name)
  checkNoMore(extra, `eventually(${shown(name)}, holds)`, 'E222')
  return registered({
    form: 'eventually',
    name,
    holds: condition('eventually', name, { holds }),
    from: undefined,
    stack: new Error().stack,
  })
}

/** Whenever `from` holds, `to` holds then or later, in every execution that is fair as for `liveness`. */
export function leadsTo<State = Value>(
  name: string,
  from: Condition<NoInfer<State>>,
  to: Condition<NoInfer<State>>,
): Liveness
export function leadsTo(name: string, from: unknown, to: unknown, ...extra: readonly unknown[]): Liveness {
  checkName('leadsTo', name)
  checkNoMore(extra, `leadsTo(${shown(name)}, from, to)`, 'E222')
  const first = condition('leadsTo', name, { from })
  return registered({
    form: 'leadsTo',
    name,
    from: first,
    holds: condition('leadsTo', name, { to }),
    stack: new Error().stack,
  })
}

function registered(definition: LivenessDefinition): Liveness {
  const made: Liveness = Object.freeze({ name: definition.name })
  declared.set(made, definition)
  return made
}

type Form = LivenessDefinition['form']

function checkName(form: Form, name: unknown): void {
  if (typeof name !== 'string' || name === '') wrong(form, `${form}(…) needs a name and got ${shown(name)}`, 'served')
}

/** The one that is given under the name of its parameter. */
function condition(form: Form, name: string, given: { readonly [as: string]: unknown }): LivenessDefinition['holds'] {
  const [[as, candidate] = ['', undefined]] = Object.entries(given)
  if (isFunction(candidate)) return candidate as LivenessDefinition['holds']
  return wrong(form, `${form} "${name}" has no function "${as}" to ask, but ${shown(candidate)}`, name)
}

function wrong(form: Form, message: string, name: string): never {
  const conditions = form === 'leadsTo' ? '(states) => …, (states) => …' : '(states) => …'
  const hint = `${form}(${shown(name)}, ${conditions})`
  throw new DiagnosticError({ code: 'E222', message, hint, stack: new Error().stack })
}
