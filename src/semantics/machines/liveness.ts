/** What must hold of a system again and again, over the local states of all its machines. */
import { DiagnosticError } from '../../core/diagnostic.ts'
import type { CycleProperty } from '../../core/property.ts'
import type { LocalState } from '../../program/machines.ts'
import type { LivenessDefinition, SystemDefinition } from '../../program/system-definition.ts'
import { answered } from './invariants.ts'
import { byName } from './states-by-name.ts'

export function livenessOf({ liveness, machines }: SystemDefinition): readonly CycleProperty[] {
  const names = [...machines.keys()]
  return liveness.map((definition) => cycleProperty(definition, names))
}

function cycleProperty({ name, holds }: LivenessDefinition, machines: readonly string[]): CycleProperty {
  const message = 'from some step on it never holds again'
  return {
    kind: 'liveness',
    name,
    sees: 'cycle',
    violation: { kind: 'liveness', property: name, message },
    isGood: (states) => {
      const locals = machines.map((machine) => states.get(machine) as unknown as LocalState)
      const answer: unknown = answered({ what: 'liveness', name }, () => holds(byName(machines, locals)))
      return typeof answer === 'boolean' ? answer : wrongAnswer(name, answer)
    },
  }
}

function wrongAnswer(name: string, answer: unknown): never {
  throw new DiagnosticError({
    code: 'E227',
    message: `liveness "${name}" returned ${typeof answer === 'object' ? 'an object' : String(answer)}`,
    hint: 'return true for a state that must be met again and again, and false for others',
  })
}
