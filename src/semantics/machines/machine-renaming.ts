/**
 * Machines that change places, in the numbers of a local graph: each gets the local state of another one, in which all names are changed with them, and so
 * do messages and events. That is a renaming of the whole system; whether the system minds is another question (`alike-machines.ts`).
 */

import type { Value } from '../../core/value.ts'
import type { LocalState, MachineEvent } from '../../program/machines.ts'
import type { Renamed } from './channels/channels.ts'
import { kindOf } from './context.ts'
import type { LocalGraph } from './local-graph.ts'
import { type NewNames, type Renames, renamedText, renamedValue } from './renamed-value.ts'

export class MachineRenaming implements Renamed {
  /** Each has its own, in one search. */
  readonly number: number
  /** By machine, whose place it takes. */
  readonly to: readonly number[]
  readonly names: NewNames
  readonly #graph: LocalGraph
  readonly #renames: Renames
  readonly #alike: Alike
  /** By machine and local state; by number. */
  readonly #locals: number[][]
  readonly #messages: number[] = []
  readonly #events: number[] = []

  constructor(
    graph: LocalGraph,
    alike: Alike,
    { number, to }: { readonly number: number; readonly to: readonly number[] },
  ) {
    this.#graph = graph
    this.#alike = alike
    this.number = number
    this.to = to
    const { machines } = graph.machines
    const changed = to.flatMap((other, machine) => (other === machine ? [] : [[machine, other] as const]))
    this.names = new Map(changed.map(([machine, other]) => [machines[machine] as string, machines[other] as string]))
    this.#renames = { ...alike, names: this.names }
    this.#locals = to.map(() => [])
  }

  machine(machine: number): number {
    return this.to[machine] as number
  }

  /** The local state of the machine whose place is taken. */
  local(machine: number, local: number): number {
    const known = this.#locals[machine] as number[]
    known[local] ??= this.#graph.local(this.machine(machine), this.#state(machine, this.#graph.state(machine, local)))
    return known[local] as number
  }

  /** Of all machines, in the order after the renaming. */
  locals(locals: readonly number[]): readonly number[] {
    const renamed = [...locals]
    for (const [machine, local] of locals.entries()) renamed[this.machine(machine)] = this.local(machine, local)
    return renamed
  }

  message(message: number): number {
    const known = this.#messages[message]
    if (known !== undefined) return known
    const { from, to, message: content } = this.#graph.messageAt(message).envelope
    const [sender, receiver] = [renamedText(from, this.names), renamedText(to, this.names)]
    const envelope = Object.freeze({ from: sender, to: receiver, message: this.#message(content) })
    const renamed = this.#graph.message(envelope)
    this.#messages[message] = renamed
    return renamed
  }

  event(event: number): number {
    this.#events[event] ??= this.#graph.event(this.#event(this.#graph.eventAt(event)))
    return this.#events[event] as number
  }

  /** What is announced. */
  announced(event: Value): Value {
    return renamedValue(event, this.#renames, 'announced')
  }

  #message(message: Value): Value {
    return renamedValue(message, this.#renames, `message ${renamedText(kindOf(message) ?? '', this.#alike.unnamed)}`)
  }

  #state(machine: number, state: LocalState): LocalState {
    const data = renamedValue(state.data, this.#renames, `state of ${this.#alike.places[machine]}`)
    return data === state.data ? state : Object.freeze({ ...state, data })
  }

  #event(event: MachineEvent): MachineEvent {
    switch (event.kind) {
      case 'message':
        return { kind: 'message', from: renamedText(event.from, this.names), message: this.#message(event.message) }
      case 'request':
        return {
          kind: 'request',
          name: event.name,
          argument: renamedValue(event.argument, this.#renames, `request ${event.name}`),
        }
      case 'timer':
      case 'crash':
        return event
    }
  }
}

/** What is the same in all renamings of a search. */
interface Alike extends Omit<Renames, 'names'> {
  /** By machine: those of a set have the same. */
  readonly places: readonly string[]
  /** All names are one. */
  readonly unnamed: NewNames
}

/** All renamings that were asked for, each once. */
export class MachineRenamings {
  readonly #graph: LocalGraph
  readonly #known = new Map<string, MachineRenaming>()
  readonly #all: MachineRenaming[] = []
  readonly #alike: Alike
  readonly identity: MachineRenaming
  /** Neighbours in a set change places: all that machines of these sets can do is made of them. */
  readonly generators: readonly MachineRenaming[]

  constructor(graph: LocalGraph, sets: readonly (readonly number[])[], orderedPlaces: ReadonlySet<string>) {
    this.#graph = graph
    const { machines } = graph.machines
    const all = new Set(sets.flat().map((machine) => machines[machine] as string))
    const places = machines.map((name, machine) => {
      const set = sets.findIndex((one) => one.includes(machine))
      return set < 0 ? name : `set ${set}`
    })
    this.#alike = { all, orderedPlaces, places, unnamed: new Map([...all].map((name) => [name, '*'])) }
    const inOrder = machines.map((_, machine) => machine)
    this.identity = this.to(inOrder)
    this.generators = sets.flatMap((set) =>
      set.slice(1).map((machine, at) => {
        const other = set[at] as number
        return this.to(inOrder.with(machine, other).with(other, machine))
      }),
    )
  }

  to(machines: readonly number[]): MachineRenaming {
    const key = machines.join()
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const made = new MachineRenaming(this.#graph, this.#alike, { number: this.#all.length, to: machines })
    this.#known.set(key, made)
    this.#all.push(made)
    return made
  }

  at(number: number): MachineRenaming {
    return this.#all[number] as MachineRenaming
  }

  /** First the one, then the other. */
  after(first: MachineRenaming, then: MachineRenaming): MachineRenaming {
    return this.to(first.to.map((machine) => then.machine(machine)))
  }

  back({ to }: MachineRenaming): MachineRenaming {
    const from = [...to]
    for (const [machine, other] of to.entries()) from[other] = machine
    return this.to(from)
  }
}
