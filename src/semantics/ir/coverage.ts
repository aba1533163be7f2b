/**
 * What executions show of an IR program, for the witness and as a table. A question comes up when it can be answered: of a machine that is never created
 * only its start state is told, and of a state that is never entered none of its handlers.
 */
import type { CoveredMachine, CoveredState } from '../../core/coverage.ts'
import type { Witness } from '../../core/witness.ts'
import type { Ir, IrMachine, IrState } from '../../ir/ir.ts'

/** Stands for what a state does when there is nothing to receive. */
export const nothingEvent = -1

/** By machine its states, each with the events that were handled in it; and monitors that were told something. */
export interface KnownCoverage {
  readonly entered: readonly (readonly (readonly [state: number, events: readonly number[]])[])[]
  readonly told: readonly number[]
}

export class IrCoverage {
  readonly #ir: Ir
  readonly #witness: Witness
  /** By machine and state: the events that were handled in it, once it was entered. */
  readonly #entered: Map<number, Set<number>>[]
  /** Monitors that were told something. */
  readonly #told = new Set<number>()

  constructor(ir: Ir, witness: Witness) {
    this.#ir = ir
    this.#witness = witness
    this.#entered = ir.machines.map(() => new Map())
    for (const machine of ir.machines) this.#askState(machine, machine.start)
    for (const { machine } of ir.monitors) this.#monitor(machine, 'ask')
  }

  entered(machine: number, state: number): void {
    const known = this.#entered[machine]
    if (known === undefined || known.has(state)) return
    const declared = this.#ir.machines[machine] as IrMachine
    if (known.size === 0)
      for (const other of declared.states.keys()) if (other !== state) this.#askState(declared, other)
    known.set(state, new Set())
    const entered = declared.states[state] as IrState
    this.#witness.answer('state-never-entered', stateWords(declared, entered))
    for (const event of handledIn(entered))
      this.#witness.ask('handler-never-run', this.#handlerWords(declared, entered, event), 0)
  }

  handled(machine: number, state: number, event: number): void {
    const known = this.#entered[machine]?.get(state)
    if (known === undefined || known.has(event)) return
    known.add(event)
    const declared = this.#ir.machines[machine] as IrMachine
    const words = this.#handlerWords(declared, declared.states[state] as IrState, event)
    this.#witness.answer('handler-never-run', words)
  }

  /** A monitor is told something. */
  told(machine: number): void {
    if (this.#told.has(machine)) return
    this.#told.add(machine)
    this.#monitor(machine, 'answer')
  }

  /** What a machine does in a state may come back to where it has chosen, and nobody asks what is for ever then. */
  goesRound(machine: number, state: number): void {
    const declared = this.#ir.machines[machine] as IrMachine
    const words = stateWords(declared, declared.states[state] as IrState)
    this.#witness.ask('handler-may-go-on', `what begins in ${words}`, 0)
  }

  /** Scenarios are told apart: whether they are covered is theirs to say. */
  #monitor(machine: number, how: 'ask' | 'answer'): void {
    const { name, kind } = this.#ir.machines[machine] as IrMachine
    if (kind !== 'monitor') return
    if (how === 'ask') this.#witness.ask('monitor-saw-nothing', name, 0)
    else this.#witness.answer('monitor-saw-nothing', name)
  }

  #askState(machine: IrMachine, state: number): void {
    this.#witness.ask('state-never-entered', stateWords(machine, machine.states[state] as IrState), 0)
  }

  #handlerWords(machine: IrMachine, state: IrState, event: number): string {
    return `handler "${this.#eventName(event)}" in ${stateWords(machine, state)}`
  }

  #eventName(event: number): string {
    return event === nothingEvent ? 'null' : (this.#ir.events[event]?.name ?? '')
  }

  /** All of it, as plain data. */
  known(): KnownCoverage {
    return {
      entered: this.#entered.map((states) => [...states].map(([state, events]) => [state, [...events]] as const)),
      told: [...this.#told],
    }
  }

  /** What other executions show. */
  add({ entered, told }: KnownCoverage): void {
    for (const [machine, states] of entered.entries())
      for (const [state, events] of states) {
        this.entered(machine, state)
        for (const event of events) this.handled(machine, state, event)
      }
    for (const machine of told) this.told(machine)
  }

  table(): readonly CoveredMachine[] {
    return this.#ir.machines.map((machine, at) => {
      const entered = this.#entered[at] as ReadonlyMap<number, ReadonlySet<number>>
      const { name, kind } = machine
      const states = machine.states.map((state, number) => this.#stateRow(state, entered.get(number)))
      if (kind !== 'scenario') return { name, kind, states }
      const isCovered = machine.states.some(({ temperature }, state) => temperature === 'cold' && entered.has(state))
      return { name, kind, states, isCovered }
    })
  }

  #stateRow(state: IrState, ran: ReadonlySet<number> | undefined): CoveredState {
    const events = handledIn(state)
    const names = (some: readonly number[]): readonly string[] => some.map((event) => this.#eventName(event))
    return {
      name: state.name,
      entered: ran !== undefined,
      handled: names(events.filter((event) => ran?.has(event) === true)),
      neverHandled: names(events.filter((event) => ran?.has(event) !== true)),
    }
  }
}

function stateWords({ name: machine }: IrMachine, { name }: IrState): string {
  return `state "${name}" of ${machine}`
}

/** Events that something is done about. */
function handledIn({ handlers, onNull }: IrState): readonly number[] {
  const events = [...handlers].filter(([, { kind }]) => kind === 'do' || kind === 'goto').map(([event]) => event)
  return onNull === undefined ? events : [...events, nothingEvent]
}

const known = new WeakMap<Witness, IrCoverage>()

/** All that is explored for one witness is one table. */
export function coverageFor(ir: Ir, witness: Witness | undefined): IrCoverage | undefined {
  if (witness === undefined) return undefined
  const made = known.get(witness) ?? new IrCoverage(ir, witness)
  known.set(witness, made)
  return made
}

/** Of programs that are known as IR: to be told elsewhere, and what was told there. */
export function coverageKnown(witness: Witness): KnownCoverage | undefined {
  return known.get(witness)?.known()
}

export function addCoverage(witness: Witness, told: KnownCoverage | undefined): void {
  if (told !== undefined) known.get(witness)?.add(told)
}

/** Of programs that are known as IR. */
export function coverageTold(witness: Witness): readonly CoveredMachine[] | undefined {
  return known.get(witness)?.table()
}
