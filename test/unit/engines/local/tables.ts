/** Machines as tables, for systems small enough to be read: what each does in each value, on each event. */
import { encodeValue } from '../../../../src/core/value.ts'
import type {
  Envelope,
  InternalEvent,
  LocalState,
  Machines,
  Outcome,
  SystemInvariant,
} from '../../../../src/program/machines.ts'

/** `to` of a message and its kind. */
type Sent = readonly [string, string]

export interface Step {
  readonly to: string
  readonly sends?: readonly Sent[]
  readonly fails?: boolean
}

/** By value and event: a kind of message, or `do`, which the machine may do by itself. Other messages are ignored. */
export type Table = { readonly [value: string]: { readonly [event: string]: Step | readonly Step[] } }

export type NetworkOfTables = Partial<Pick<Machines, 'network' | 'faults'>>

export interface TableSystem extends NetworkOfTables {
  readonly machines: { readonly [name: string]: Table }
  readonly invariants?: readonly SystemInvariant[]
}

/** Every machine starts with the first value of its table. */
export function tableMachines({ machines, network = 'bag', faults = {}, invariants = [] }: TableSystem): Machines {
  const names = Object.keys(machines)
  const states = names.map((name) => stateOf(Object.keys(machines[name] as Table)[0] as string))
  const from = (start: readonly LocalState[], underWay: readonly Envelope[]): Machines => ({
    machines: names,
    start: { states: start, underWay },
    network,
    faults,
    internal: (machine, state): readonly InternalEvent[] =>
      stepsOf(machines, names[machine] as string, state, 'do').length > 0 ? [{ kind: 'timer', name: 'do' }] : [],
    handle(machine, state, event) {
      const name = names[machine] as string
      const kind = event.kind === 'message' ? (event.message as { readonly kind: string }).kind : 'do'
      const steps = stepsOf(machines, name, state, kind)
      if (steps.length === 0) return [{ state, sent: [], choices: [], violation: undefined }]
      return steps.map((step, at) => outcomeOf(name, step, steps.length > 1 ? [at] : []))
    },
    key: ({ data }) => encodeValue(data),
    invariants,
    from,
  })
  return from(states, [])
}

/** Broken when the machines have these values, in the order of machines. */
export function never(...values: readonly string[]): SystemInvariant {
  const name = `never ${values.join(' ')}`
  return {
    name,
    violation: (states) =>
      values.every((value, at) => states[at]?.data === value)
        ? { kind: 'invariant', property: name, message: name }
        : undefined,
    decomposed: undefined,
  }
}

function stateOf(value: string): LocalState {
  return { data: value, timers: [], requests: 0, crashes: 0 }
}

function stepsOf(
  machines: TableSystem['machines'],
  name: string,
  { data }: LocalState,
  event: string,
): readonly Step[] {
  const found = machines[name]?.[data as string]?.[event]
  if (found === undefined) return []
  return Array.isArray(found) ? (found as readonly Step[]) : [found as Step]
}

function outcomeOf(from: string, { to, sends = [], fails = false }: Step, choices: readonly number[]): Outcome {
  const message = `${from} fails`
  return {
    state: stateOf(to),
    sent: sends.map(([receiver, kind]) => ({ from, to: receiver, message: { kind } })),
    choices,
    violation: fails ? { kind: 'assertion', property: message, message, process: from } : undefined,
  }
}
