/** Small systems of machines drawn at random, as tables: few states, few messages, every kind of network. */
import type { FaultBudget } from '../../src/core/faults.ts'
import type { NetworkName } from '../../src/core/operation.ts'
import type { Random } from '../../src/core/random.ts'
import { encodeValue, type Value } from '../../src/core/value.ts'
import type {
  Envelope,
  InternalEvent,
  LocalState,
  MachineEvent,
  Machines,
  Outcome,
  SystemInvariant,
} from '../../src/program/machines.ts'

interface Row {
  /** The next value, or what is added to it where the machine counts. */
  readonly next: number
  readonly sends: readonly { readonly to: string; readonly kind: string }[]
  readonly timer: boolean
  readonly fails: boolean
}

export interface Drawn {
  readonly network: NetworkName
  readonly faults: FaultBudget
  readonly machines: readonly string[]
  /** How many transitions that send each machine may take; -1 for any number. */
  readonly fuel: number
  /** By machine, by text of value and event: one row per outcome. */
  readonly rows: readonly ReadonlyMap<string, readonly Row[]>[]
  readonly requests: readonly number[]
  readonly timers: readonly boolean[]
  readonly underWay: readonly Envelope[]
}

const kinds = ['a', 'b', 'c']

export function drawSystem(random: Random, options: { readonly endless: boolean }): Drawn {
  const machines = ['p', 'q', 'r'].slice(0, 2 + random.below(2))
  const values = 2 + random.below(3)
  const fails = random.below(3) === 0
  const row = (own: string): Row => ({
    next: random.below(values),
    sends: Array.from({ length: random.pick([0, 0, 0, 1, 1, 2]) }, () => ({
      to: random.pick(random.below(6) === 0 ? [own] : machines.filter((name) => name !== own)),
      kind: random.pick(kinds),
    })),
    timer: random.below(3) === 0,
    fails: fails && random.below(8) === 0,
  })
  const rows = machines.map((own) => {
    const table = new Map<string, readonly Row[]>()
    for (let value = 0; value < values; value++)
      for (const event of [...kinds, 'timer', 'request', 'crash'])
        table.set(
          `${value} ${event}`,
          Array.from({ length: random.below(6) === 0 ? 2 : 1 }, () =>
            random.below(4) === 0 ? { next: value, sends: [], timer: false, fails: false } : row(own),
          ),
        )
    return table
  })
  const envelope = (): Envelope => {
    const from = random.pick(machines)
    return { from, to: random.pick(machines.filter((name) => name !== from)), message: { kind: random.pick(kinds) } }
  }
  return {
    network: random.pick(['bag', 'fifo'] as const),
    faults: {
      losses: random.below(2) === 0 ? 'any' : 0,
      ...random.pick([{}, {}, { crashes: 1, restarts: 1 }, { crashes: 2, restarts: 2 }]),
    },
    machines,
    fuel: options.endless ? -1 : 1 + random.below(3),
    rows,
    requests: machines.map(() => random.pick([0, 1, 1, 2])),
    timers: machines.map(() => random.below(3) === 0),
    underWay: random.below(4) === 0 ? [envelope()] : [],
  }
}

interface Data {
  readonly [field: string]: Value
  readonly value: number
  readonly fuel: number
}

export function machinesOfDrawn(drawn: Drawn, invariants: readonly SystemInvariant[]): Machines {
  const start: LocalState[] = drawn.machines.map((_, machine) => ({
    data: { value: 0, fuel: drawn.fuel },
    timers: drawn.timers[machine] ? ['tick'] : [],
    requests: 0,
    crashes: 0,
  }))
  const systemFrom = (states: readonly LocalState[], underWay: readonly Envelope[]): Machines => ({
    machines: drawn.machines,
    start: { states, underWay },
    network: drawn.network,
    faults: drawn.faults,
    internal: (machine, state) => internalEvents(drawn, machine, state),
    handle: (machine, state, event) => outcomes(drawn, machine, state, event),
    key: (state) => encodeValue([state.data, state.timers, state.requests, state.crashes]),
    invariants,
    from: systemFrom,
  })
  return systemFrom(start, drawn.underWay)
}

function internalEvents(drawn: Drawn, machine: number, state: LocalState): readonly InternalEvent[] {
  const events: InternalEvent[] = state.timers.map((name) => ({ kind: 'timer', name }))
  if (state.requests < (drawn.requests[machine] as number))
    events.push({ kind: 'request', name: 'go', argument: state.requests })
  if (state.crashes < (drawn.faults.restarts ?? 0)) events.push({ kind: 'crash' })
  return events
}

function outcomes(drawn: Drawn, machine: number, state: LocalState, event: MachineEvent): readonly Outcome[] {
  const data = state.data as Data
  const name = event.kind === 'message' ? (event.message as { readonly kind: string }).kind : event.kind
  const rows = drawn.rows[machine]?.get(`${data.value} ${name}`) ?? []
  return rows.map((row, choice) => outcome(drawn, { machine, state, event, row }, rows.length > 1 ? [choice] : []))
}

function outcome(
  drawn: Drawn,
  taken: { readonly machine: number; readonly state: LocalState; readonly event: MachineEvent; readonly row: Row },
  choices: readonly number[],
): Outcome {
  const { machine, state, event, row } = taken
  const self = drawn.machines[machine] as string
  const data = state.data as Data
  const sends = data.fuel === 0 ? [] : row.sends
  const fuel = sends.length > 0 && data.fuel > 0 ? data.fuel - 1 : data.fuel
  const fired = event.kind === 'timer' || event.kind === 'crash' ? [] : state.timers
  const mayTick = row.timer && (data.fuel !== 0 || event.kind !== 'timer')
  const message = `${self} fails`
  return {
    state: {
      data: { value: row.next, fuel },
      timers: mayTick ? ['tick'] : fired,
      requests: state.requests + (event.kind === 'request' ? 1 : 0),
      crashes: state.crashes + (event.kind === 'crash' ? 1 : 0),
    },
    sent: sends.map(({ to, kind }) => ({ from: self, to, message: { kind } })),
    choices,
    violation: row.fails ? { kind: 'assertion', property: message, message, process: self } : undefined,
  }
}

/** No two machines have these values at the same time; as a conflict between two or as a condition on all. */
export function neverTogether(values: readonly number[], decomposed: boolean): SystemInvariant {
  const name = `never ${values.join()}`
  const held = (state: LocalState) => (state.data as Data).value
  const conflict = (left: Value, right: Value) => left === values[0] && right === values[1]
  return {
    name,
    violation(states) {
      const found = states.map(held)
      const isBroken = decomposed
        ? found.some((left, at) => found.slice(at + 1).some((right) => conflict(left, right)))
        : values.every((value, at) => at >= found.length || found[at] === value)
      return isBroken ? { kind: 'invariant', property: name, message: name } : undefined
    },
    decomposed: decomposed ? { fact: (_, state) => held(state), conflict } : undefined,
  }
}
