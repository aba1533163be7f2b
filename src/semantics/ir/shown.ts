/** Machines and monitors for people to look at. */
import type { Value } from '../../core/value.ts'
import type { IrMachine } from '../../ir/ir.ts'
import type { Shown } from '../../program/path.ts'
import type { Code } from './code.ts'
import type { Configuration, MachineState, Waits } from './configuration.ts'
import { stateOf } from './moves.ts'
import { eventName, toValue } from './typed-value.ts'
import type { IrValue } from './value.ts'

export function shownIn({ machines, monitors }: Configuration, code: Code): readonly Shown[] {
  return [
    ...[...machines.values()].map((machine) => shownMachine(machine, code)),
    ...monitors.map(({ state, fields }, at): Shown => {
      const machine = code.ir.machines[code.ir.monitors[at]?.machine ?? -1] as IrMachine
      const here = machine.states[state]
      return { process: machine.name, at: here?.place, state: stateValue(here?.name ?? '', fields, { machine, code }) }
    }),
  ]
}

function shownMachine(one: MachineState, code: Code): Shown {
  const { ref, phase, fields, paused } = one
  const machine = code.ir.machines[ref.machine] as IrMachine
  if (phase === 'halted') return { process: ref.process, state: 'halted' }
  if (phase === 'created')
    return { process: ref.process, at: machine.place, state: 'created', pending: 'begin in its start state' }
  const here = stateOf(one, code)
  return {
    process: ref.process,
    at: paused?.waits.place ?? here.place,
    state: stateValue(here.name, fields, { machine, code }),
    pending: paused === undefined ? 'receive an event' : pendingText(paused.waits, code),
  }
}

/** The name of the state with the fields, `Waiting{count: 1}`. */
function stateValue(
  name: string,
  fields: readonly IrValue[],
  { machine, code }: { readonly machine: IrMachine; readonly code: Code },
): Value {
  const entries = machine.fields.map(({ name: field, type }, at): [string, Value] => {
    return [field, toValue(fields[at] ?? null, code.ir, type)]
  })
  const hasKind = machine.fields.some((field) => field.name === 'kind')
  return hasKind ? { kind: name, fields: Object.fromEntries(entries) } : { kind: name, ...Object.fromEntries(entries) }
}

function pendingText(waits: Waits, { ir }: Code): string {
  switch (waits.kind) {
    case 'choose':
      return `choose one of ${waits.options.length}`
    case 'receive':
      return `receive ${waits.events.map((event) => eventName(event, ir)).join(' or ')}`
    case 'send':
      return `send ${eventName(waits.event, ir)} to ${waits.to.process}`
    case 'new':
      return 'create a machine'
  }
}
