/** What must come about in the executions of a system, over the local states of all its machines. */
import { answerText } from '../../core/answer.ts'
import type { CycleProperty, Violation } from '../../core/property.ts'
import type { Value } from '../../core/value.ts'
import type { Witness } from '../../core/witness.ts'
import type { LocalState, SystemInvariant } from '../../program/machines.ts'
import type { LivenessDefinition, SystemDefinition } from '../../program/system-definition.ts'
import type { FieldsRead } from './fields-read.ts'
import { askOnly, violationOf } from './invariants.ts'
import { mistakenViolation } from './mistakes.ts'
import { byName } from './states-by-name.ts'

export function livenessOf({ liveness, machines }: SystemDefinition, witness?: Witness): readonly CycleProperty[] {
  const names = [...machines.keys()]
  return liveness.map((definition) => cycleProperty(witnessed(definition, witness), names))
}

/** Tells whether `from` ever holds: otherwise nothing has to follow. */
function witnessed(definition: LivenessDefinition, witness: Witness | undefined): LivenessDefinition {
  const { form, name, from } = definition
  if (from === undefined || witness === undefined) return definition
  const subject = `${form} "${name}"`
  witness.ask('property-never-evaluated', subject, 0)
  return {
    ...definition,
    from: (states) => {
      const held = from(states)
      if (held) witness.answer('property-never-evaluated', subject)
      return held
    },
  }
}

/** A condition that throws is wrong about a single state: a finding of its own, as of an invariant. */
export function answersEverywhere(
  definition: LivenessDefinition,
  machines: readonly string[],
  fields?: FieldsRead | undefined,
): SystemInvariant {
  const { form, name, holds, from } = definition
  const asked = { what: form, name, stack: definition.stack }
  const ask = (condition: LivenessDefinition['holds'], named: { readonly [machine: string]: Value }) => {
    const violation = violationOf(
      asked,
      () => condition(named),
      (held) => (typeof held === 'boolean' ? undefined : wrongAnswer(definition, held)),
    )
    if (violation === undefined)
      fields?.look(named, `${form} "${name}"`, (views) => askOnly(asked, () => condition(views)))
    return violation
  }
  return {
    name: `${form} "${name}"`,
    violation: (states, created) => {
      const named = byName(machines, states, created)
      return ask(holds, named) ?? (from && ask(from, named))
    },
    decomposed: undefined,
  }
}

/** How each form is broken. */
const messages: { readonly [form in LivenessDefinition['form']]: string } = {
  liveness: 'from some step on it never holds again',
  eventually: 'it never holds',
  leadsTo: 'what should follow never does: the first condition held, and since then the second did not',
}

function cycleProperty(definition: LivenessDefinition, machines: readonly string[]): CycleProperty {
  const { form, name, holds, from } = definition
  /** What it throws, or answers beside true and false, is found where it has to answer everywhere. */
  const asked =
    (condition: LivenessDefinition['holds'], otherwise: boolean) => (states: ReadonlyMap<string, Value>) => {
      // Before all machines have begun there is no state of the system.
      if (machines.some((machine) => !states.has(machine))) return false
      const locals = machines.map((machine) => states.get(machine) as unknown as LocalState)
      let answer = otherwise
      violationOf(
        { what: form, name, stack: definition.stack },
        () => condition(byName(machines, locals)),
        (held) => {
          answer = typeof held === 'boolean' ? held : otherwise
          return undefined
        },
      )
      return answer
    }
  return {
    kind: 'liveness',
    name,
    sees: 'cycle',
    violation: { kind: 'liveness', property: name, message: messages[form] },
    isGood: asked(holds, true),
    since: from === undefined ? (form === 'eventually' ? 'start' : undefined) : asked(from, false),
  }
}

function wrongAnswer({ form, name }: LivenessDefinition, answer: unknown): Violation {
  const message = `${form} "${name}" returned ${answerText(answer)}`
  const hint = 'a condition returns true for states in which it holds, and false for others'
  return mistakenViolation('invariant', { code: 'E227', message, hint }, undefined)
}
