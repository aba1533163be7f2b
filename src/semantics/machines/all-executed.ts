/** A handler, run once for every combination of what it may choose. */
import type { Violation } from '../../core/property.ts'
import type { Unhurried } from '../../core/unhurried.ts'
import type { LocalState, MachineEvent } from '../../program/machines.ts'
import type { Member } from './context.ts'
import { type Executed, execute, handlerName } from './execute.ts'
import { mistakenViolation } from './mistakes.ts'

/** A breath after every so many runs. */
const runsPerBreath = 16

export function* allExecuted(member: Member, state: LocalState, event: MachineEvent): Unhurried<readonly Executed[]> {
  const outcomes: Executed[] = []
  for (let choices: readonly number[] | undefined = []; choices !== undefined; ) {
    const executed = execute(member, state, event, choices)
    const repeats = choices.every((choice, at) => choice < (executed.options[at] ?? 0))
    if (!repeats) return [{ ...executed, violation: notDeterministic(member, event) }]
    outcomes.push(executed)
    if (outcomes.length % runsPerBreath === 0) yield
    choices = following(executed)
  }
  return outcomes
}

/** The next combination: the last choice that has another option takes it, and those behind it are open again. */
function following({ choices, options }: Executed): readonly number[] | undefined {
  for (let at = choices.length - 1; at >= 0; at--) {
    const next = (choices[at] as number) + 1
    if (next < (options[at] as number)) return [...choices.slice(0, at), next]
  }
  return undefined
}

export function notDeterministic(member: Member, event: MachineEvent): Violation {
  const { definition, setup } = member
  const { self } = setup
  const isOfActions = definition.next !== undefined
  const called = isOfActions ? 'called' : `called with the same ${event.kind}`
  const did = isOfActions ? 'returned one list and then another' : 'did one thing and then another'
  const hint = isOfActions
    ? '"next" and "after" may depend on the state alone: no clock, no randomness, no variable outside'
    : 'a handler may depend on its state, the event and what it chooses: no clock, no randomness, no variable outside'
  const message = `machine "${self}" is not deterministic: ${handlerName(member, event)}, ${called} in the same state, first ${did}`
  return mistakenViolation('exception', { code: 'E201', message, hint, stack: definition.stack }, self)
}
