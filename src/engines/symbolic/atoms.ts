/**
 * States of all executions, each once, and executions encoded anew by the state that they are in: history is forgotten, and the number of assignments is the
 * number of states. This is not in PSym, whose guards carry all choices since the beginning and grow with them.
 */
import type { Assignment } from '../../bdd/diagram.ts'
import type { Changed, Diagram } from '../../bdd/diagrams.ts'
import { VectorTable } from '../../collections/vector-table.ts'
import { hasPayload } from './controls.ts'
import type { Exploration } from './exploration.ts'
import { isAlike, lineContents, machineContents, monitorContents } from './part-contents.ts'
import { lineName, type MonitorSlot, phases, type Slot, type SymbolicState } from './state.ts'
import { concrete, liftedSpread } from './summaries/concrete.ts'
import type { Spread } from './summaries/lifting.ts'
import { emptySeq } from './summaries/seq.ts'
import { nowhere, type SeqSummary, type Summary } from './summaries/summary.ts'

/** Tuples that no program has: their names tell what they are. */
export const partKinds = { created: -1, halted: -2, line: -3, counts: -4, monitor: -5, firstControl: -10 } as const

interface Encoded {
  /** By position, as functions of the codes. */
  readonly parts: readonly Diagram[]
  /** Which state each code stands for. */
  readonly states: Diagram
  readonly codes: number
  /** Those that spell codes, the first one the most significant. */
  readonly variables: readonly number[]
}

export class Atoms {
  readonly #state: SymbolicState
  /** States: what they have at each position, 0 for nothing. The vector without anything is what there is before the first state. */
  readonly #vectors = new VectorTable()
  readonly #positions = new Map<string, number>()
  #before: Encoded
  /** By name of a part: its contents when executions had been encoded. */
  readonly #settled = new Map<string, readonly number[]>()

  constructor({ state }: Exploration) {
    this.#state = state
    this.#before = { parts: [], states: state.lifting.diagrams.leaf(1), codes: 1, variables: [] }
  }

  /** By position, what there is now, and what there was when executions were encoded. */
  changed(): readonly Changed[] {
    const none = this.#state.lifting.diagrams.leaf(nowhere)
    return this.#parts().map((now, position) => ({ now, before: this.#before.parts[position] ?? none }))
  }

  /**
   * Tells the states of executions where the guard holds, each at least once, with an execution that is in it: the same number for the same state, now and later.
   * What has changed is put into the states that executions were encoded by: most parts of a state are as they were, and are not looked at. States in which
   * nothing has changed are not told. It takes breaths.
   */
  visit(
    { guard, changed }: { readonly guard: Diagram; readonly changed: readonly Changed[] },
    visit: (state: number, execution: Assignment) => void,
  ): Generator<undefined, void> {
    const asked = { guard, changed, of: this.#before.states }
    // Numbers of states are one more than those of vectors, so that none is nowhere.
    return this.#state.lifting.diagrams.differences(asked, ({ of, count, places, values, assignment }) =>
      visit(this.#vectors.changed(of - 1, count, places, values) + 1, assignment),
    )
  }

  /** Where executions were encoded that have come into such a state. It takes breaths. */
  *leadingTo(changed: readonly Changed[], isAsked: (state: number) => boolean): Generator<undefined, Diagram> {
    const { alive: guard, lifting } = this.#state
    const { variables, codes } = this.#before
    const leads = new Int32Array(codes)
    yield* this.visit({ guard, changed }, (state, execution) => {
      if (isAsked(state)) leads[codeOf(execution, variables)] = 1
    })
    return lifting.diagrams.fromTable(variables, leads, 0)
  }

  /** What a state has, by the names of its parts. */
  contents(state: number): ReadonlyMap<string, number> {
    this.#vectors.load(state - 1)
    const found = new Map<string, number>()
    for (const [name, position] of this.#positions) {
      const value = this.#vectors.get(position)
      if (value !== nowhere) found.set(name, value)
    }
    return found
  }

  /** The state that has these parts and no others. */
  holding(contents: ReadonlyMap<string, number>): number {
    this.#vectors.load(0)
    for (const [name, value] of contents) this.#vectors.set(this.#position(name), value)
    return this.#vectors.store() + 1
  }

  #position(name: string): number {
    const position = this.#positions.get(name) ?? this.#positions.size
    this.#positions.set(name, position)
    return position
  }

  /** By position: monitors, machines and lines, in the order in which they are first met. */
  #parts(): readonly Diagram[] {
    const { lifting, slots, monitors } = this.#state
    const { diagrams } = lifting
    const none = diagrams.leaf(nowhere)
    const parts: Diagram[] = Array.from(this.#positions, () => none)
    const put = (name: string, contents: readonly number[], part: () => Diagram): void => {
      const position = this.#position(name)
      const known = this.#before.parts[position]
      parts[position] = known !== undefined && isAlike(this.#settled.get(name), contents) ? known : part()
    }
    for (const [at, monitor] of monitors.entries())
      put(monitorName(at), monitorContents(monitor), () => this.#monitor(monitor, at))
    for (const slot of slots) {
      put(machineName(slot), machineContents(slot), () => {
        const exists = diagrams.not(diagrams.guardOf(slot.phase, phases.none))
        return diagrams.ite(exists, this.#local(slot), none)
      })
      for (const [key, line] of slot.lines)
        put(lineName(slot, key), lineContents(line), () =>
          diagrams.ite(lifting.beyond(line.size, 0), this.#line(slot, key, line), none),
        )
    }
    return parts
  }

  /** Nothing has happened since executions were encoded but that diagrams were made smaller: what is as it is now, is as it was. */
  settled(): void {
    this.#settled.clear()
    const { slots, monitors } = this.#state
    for (const [at, monitor] of monitors.entries()) this.#settled.set(monitorName(at), monitorContents(monitor))
    for (const slot of slots) {
      this.#settled.set(machineName(slot), machineContents(slot))
      for (const [key, line] of slot.lines) this.#settled.set(lineName(slot, key), lineContents(line))
    }
  }

  /** Diagrams are collected, and their numbers may stand for others: what is as it was cannot be told by them. */
  unsettle(): void {
    this.#settled.clear()
  }

  #tuple(names: number, items: readonly Summary[]): Diagram {
    return concrete(this.#state.lifting, { kind: 'tuple', names, items })
  }

  #scalar(of: Diagram): Summary {
    return { kind: 'scalar', of }
  }

  #line({ self }: Slot, key: number, line: SeqSummary): Diagram {
    return this.#tuple(partKinds.line, [this.#scalar(self), this.#state.value(key), line])
  }

  #monitor({ state, fields }: MonitorSlot, at: number): Diagram {
    const { lifting } = this.#state
    const whole = this.#scalar(lifting.whole(state))
    return this.#tuple(partKinds.monitor, [this.#state.value(at), whole, ...fields])
  }

  /** All that a machine is, as one value. */
  #local(slot: Slot): Diagram {
    const { diagrams } = this.#state.lifting
    const { phase, control, self } = slot
    const begun = diagrams.guardOf(phase, phases.begun)
    let all = diagrams.leaf(nowhere)
    for (const where of diagrams.leavesWithin(control, begun)) {
      const names = partKinds.firstControl - where
      const items = [self, this.#counts(slot)].map((of) => this.#scalar(of))
      const parts = [...items, slot.inbox, ...slot.fields, ...(slot.saved.get(where) ?? [])]
      all = diagrams.ite(diagrams.guardOf(control, where), this.#tuple(names, parts), all)
    }
    const created = diagrams.guardOf(phase, phases.created)
    all = diagrams.ite(created, this.#tuple(partKinds.created, [this.#scalar(self), slot.argument]), all)
    const halted = diagrams.guardOf(phase, phases.halted)
    return diagrams.ite(halted, this.#tuple(partKinds.halted, [this.#scalar(self)]), all)
  }

  #counts(slot: Slot): Diagram {
    const { lifting } = this.#state
    const counts = this.#namesOf(slot).map((name) =>
      this.#scalar(lifting.whole(slot.created.get(name) ?? lifting.diagrams.leaf(0))),
    )
    return this.#tuple(partKinds.counts, counts)
  }

  /** Names of machines that it can create, its own included. */
  #namesOf({ ref }: Slot): readonly string[] {
    const { machines } = this.#state.code.ir
    const { creates = {}, name = '' } = machines[ref.machine] ?? {}
    return [...new Set([name, ...Object.values(creates).map((machine) => machines[machine]?.name ?? '')])].sort()
  }

  /** Places of states in an order in which those that have much in common come together: diagrams of what they have are smaller then. */
  order(states: ArrayLike<number>): Int32Array {
    const tables = this.#tables(states).filter((table) => table.some((value) => value !== table[0]))
    const places = Int32Array.from({ length: states.length }, (_, at) => at)
    return places.sort((left, right) => {
      for (const table of tables) {
        const difference = (table[left] as number) - (table[right] as number)
        if (difference !== 0) return difference
      }
      return 0
    })
  }

  /**
   * Everything anew: executions are codes of the variables that are told, the first one the most significant; one for each of these states. It takes breaths.
   */
  *encode(states: ArrayLike<number>): Generator<undefined, readonly number[]> {
    const { lifting, slots, monitors } = this.#state
    const { diagrams } = lifting
    const bits = states.length <= 1 ? 0 : 32 - Math.clz32(states.length - 1)
    const variables = Array.from({ length: bits }, () => diagrams.variable())
    variables.sort((left, right) => diagrams.levelOf(left) - diagrams.levelOf(right))
    const parts: Spread[] = []
    for (const table of this.#tables(states)) {
      parts.push({ of: diagrams.fromTable(variables, table), values: [...new Set(table)] })
      yield
    }
    const partOf = (name: string): Spread => parts[this.#positions.get(name) ?? -1] ?? lifting.spread(diagrams.never)
    this.#before = {
      parts: parts.map(({ of }) => of),
      states: diagrams.fromTable(variables, states),
      codes: states.length,
      variables,
    }
    this.#state.alive = diagrams.fromTable(variables, new Int32Array(states.length).fill(1), 0)
    for (const slot of slots) {
      this.#restore(slot, partOf(machineName(slot)))
      for (const key of slot.lines.keys())
        slot.lines.set(key, this.#listFrom(this.#part(partOf(lineName(slot, key)), partKinds.line, 2)))
      yield
    }
    for (const [at, monitor] of monitors.entries()) this.#restoreMonitor(monitor, partOf(monitorName(at)))
    return variables
  }

  /** By position: what each state has there. */
  #tables(states: ArrayLike<number>): readonly Int32Array[] {
    const tables = Array.from(this.#positions, () => new Int32Array(states.length))
    for (let at = 0; at < states.length; at++) {
      this.#vectors.load((states[at] as number) - 1)
      for (let position = 0; position < tables.length; position++)
        (tables[position] as Int32Array)[at] = this.#vectors.get(position)
    }
    return tables
  }

  /** Names of parts, by position. */
  get positions(): readonly string[] {
    return [...this.#positions.keys()]
  }

  /** Parts of a state, by position; 0 for nothing. */
  partsOf(state: number): readonly number[] {
    this.#vectors.load(state - 1)
    return Array.from(this.#positions, (_, position) => this.#vectors.get(position))
  }

  /** These parts, in this order, before there is any state. */
  place(names: readonly string[]): void {
    for (const [position, name] of names.entries()) this.#positions.set(name, position)
  }

  /** The state that has other parts at some positions; without any there is number 1. */
  otherThan(state: number, parts: ReadonlyMap<number, number>): number {
    this.#vectors.load(state - 1)
    for (const [position, value] of parts) this.#vectors.set(position, value)
    return this.#vectors.store() + 1
  }

  /** Diagrams that are needed to find out what has changed. */
  kept(): readonly Diagram[] {
    return [...this.#before.parts, this.#before.states]
  }

  #part(spread: Spread, names: number | undefined, at: number): Spread {
    const { lifting } = this.#state
    const take = lifting.function(`atom ${names} ${at}`, () => (value) => {
      const opened = lifting.opened(value)
      if (opened === undefined || (names !== undefined && opened.names !== names)) return nowhere
      return opened.parts[at] ?? nowhere
    })
    return lifting.mapped(take, spread)
  }

  /** A list that is not there is empty, and so is one that begins there later. */
  #listFrom(spread: Spread): SeqSummary {
    const { lifting } = this.#state
    const list = liftedSpread(lifting, spread)
    const toSize = lifting.function('size', () => (value) => lifting.opened(value)?.parts.length ?? 0)
    return list.kind === 'seq' ? { ...list, size: lifting.mapped(toSize, spread).of } : emptySeq(lifting)
  }

  #restore(slot: Slot, spread: Spread): void {
    const { lifting, controls, code } = this.#state
    const start = controls.resting(code.ir.machines[slot.ref.machine]?.start ?? 0)
    const namesOf = (value: number): number => lifting.opened(value)?.names ?? 0
    const toPhase = lifting.function('atom phase', () => (value) => {
      const names = namesOf(value)
      if (value === nowhere) return phases.none
      if (names === partKinds.created) return phases.created
      return names === partKinds.halted ? phases.halted : phases.begun
    })
    const toControl = lifting.function(`atom control ${start}`, () => (value) => {
      const names = namesOf(value)
      return names <= partKinds.firstControl ? partKinds.firstControl - names : start
    })
    const control = lifting.mapped(toControl, spread)
    slot.phase = lifting.mapped(toPhase, spread).of
    slot.control = control.of
    const isBegun = lifting.function(
      'atom begun',
      () => (value) => (namesOf(value) <= partKinds.firstControl ? value : nowhere),
    )
    const begun = lifting.mapped(isBegun, spread)
    slot.argument = liftedSpread(lifting, this.#part(spread, partKinds.created, 1))
    this.#restoreCounts(slot, this.#part(begun, undefined, 1))
    slot.inbox = this.#listFrom(this.#part(begun, undefined, 2))
    slot.fields = slot.fields.map((_, at) => liftedSpread(lifting, this.#part(begun, undefined, 3 + at)))
    slot.saved.clear()
    for (const one of control.values) {
      const count = this.#savedBy(one)
      if (count === 0) continue
      const names = partKinds.firstControl - one
      const from = 3 + slot.fields.length
      const saved = Array.from({ length: count }, (_, at) =>
        liftedSpread(lifting, this.#part(spread, names, from + at)),
      )
      slot.saved.set(one, saved)
    }
  }

  #savedBy(control: number): number {
    const { frames, duties } = this.#state.controls.at(control)
    const { functions } = this.#state.code.ir
    const locals = frames.reduce((sum, frame) => sum + (functions[frame.function]?.locals.length ?? 0), 0)
    return locals + duties.filter(hasPayload).length
  }

  #restoreCounts(slot: Slot, spread: Spread): void {
    const { lifting } = this.#state
    for (const [at, name] of this.#namesOf(slot).entries()) {
      const known = slot.created.has(name)
      // A machine that has not begun has created nothing; the first one has its own name.
      const base = slot.at === 0 && name === this.#state.code.ir.machines[slot.ref.machine]?.name ? 1 : 0
      const toCount = lifting.function(`atom count ${base}`, () => (value) => (value === nowhere ? base : value >> 1))
      const count = lifting.mapped(toCount, this.#part(spread, partKinds.counts, at)).of
      if (known || count !== lifting.diagrams.leaf(0)) slot.created.set(name, count)
    }
  }

  #restoreMonitor(monitor: MonitorSlot, spread: Spread): void {
    const { lifting } = this.#state
    const toState = lifting.function('atom monitor', () => (value) => (value === nowhere ? 0 : value >> 1))
    monitor.state = lifting.mapped(toState, this.#part(spread, partKinds.monitor, 1)).of
    monitor.fields = monitor.fields.map((_, at) => liftedSpread(lifting, this.#part(spread, partKinds.monitor, 2 + at)))
  }
}

/** The code that an execution was encoded by. */
export function codeOf(execution: Assignment, variables: readonly number[]): number {
  return variables.reduce((bits, variable) => bits * 2 + (execution.get(variable) === true ? 1 : 0), 0)
}

export function machineName({ at }: Slot): string {
  return `machine ${at}`
}

export function monitorName(at: number): string {
  return `monitor ${at}`
}
