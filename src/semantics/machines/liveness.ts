/** What must hold of a system again and again, over the local states of all its machines. */
import { shown } from '../../core/option-shape.ts'
import type { CycleProperty, Violation } from '../../core/property.ts'
import type { LocalState, SystemInvariant } from '../../program/machines.ts'
import type { LivenessDefinition, SystemDefinition } from '../../program/system-definition.ts'
import { violationOf } from './invariants.ts'
import { mistakenViolation } from './mistakes.ts'
import { byName } from './states-by-name.ts'

export function livenessOf({ liveness, machines }: SystemDefinition): readonly CycleProperty[] {
  const names = [...machines.keys()]
  return liveness.map((definition) => cycleProperty(definition, names))
}

/** A condition that throws is wrong about a single state: a finding of its own, as of an invariant. */
export function answersEverywhere({ name, holds }: LivenessDefinition, machines: readonly string[]): SystemInvariant {
  return {
    name: `liveness "${name}"`,
    violation: (states, created) => {
      const named = byName(machines, states, created)
      return violationOf(
        { what: 'liveness', name },
        () => holds(named),
        (held) => (typeof held === 'boolean' ? undefined : wrongAnswer(name, held)),
      )
    },
    decomposed: undefined,
  }
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
      let isGood = true
      // What it throws, or answers beside true and false, is found where it has to answer everywhere.
      violationOf(
        { what: 'liveness', name },
        () => holds(byName(machines, locals)),
        (held) => {
          isGood = held !== false
          return undefined
        },
      )
      return isGood
    },
  }
}

function wrongAnswer(name: string, answer: unknown): Violation {
  const message = `liveness "${name}" returned ${shown(answer)}`
  const hint = 'return true for a state that must be met again and again, and false for others'
  return mistakenViolation('invariant', { code: 'E227', message, hint }, undefined)
}
