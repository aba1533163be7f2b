/** What machines are when their activity has come to rest, and who hears of what they say, wherever turns are taken. */
import type { Activity, Outcome } from './activity.ts'
import type { Code } from './code.ts'
import type { MachineState, Waits } from './configuration.ts'
import { settledInbox } from './moves.ts'

export function isChoice(outcome: Outcome): outcome is Extract<Waits, { readonly kind: 'choose' }> {
  return typeof outcome === 'object' && outcome.kind === 'choose'
}

/** Written out, because this is done for every outcome of every handler. */
export function restedMachine(
  before: MachineState,
  activity: Activity,
  created: MachineState['created'],
  outcome: Exclude<Outcome, 'halted'>,
): MachineState {
  const { ref, phase, inbox, argument, turns } = before
  const { state, fields } = activity
  const paused = outcome === 'done' ? undefined : activity.paused(outcome)
  return { ref, phase, state, fields, inbox, paused, created, argument, turns }
}

/** Of what it was, only who it is stays. */
export function haltedMachine({ ref }: Pick<MachineState, 'ref'>): MachineState {
  const none = { state: 0, fields: [], inbox: [], paused: undefined, argument: null, turns: 0 }
  return { ref, phase: 'halted', created: new Map(), ...none }
}

/** With the inbox that a machine at rest has. */
export function settledMachine(machine: MachineState, code: Code): MachineState {
  if (machine.inbox.length === 0) return machine
  return { ...machine, inbox: settledInbox(machine, code) }
}

/** Whether a monitor hears of an event that a machine of this kind sends or announces. */
export function isHeard({ ir: { monitors, machines } }: Code, event: number, by: number): boolean {
  return monitors.some(({ machine, over }) => over.includes(by) && machines[machine]?.observes.includes(event) === true)
}
