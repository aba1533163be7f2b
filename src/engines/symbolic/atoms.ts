/**
 * States of all executions, each once, and executions encoded anew by the state that they are in: history is forgotten, and the number of assignments is the
 * number of states. This is not in PSym, whose guards carry all choices since the beginning and grow with them.
 */
import type { Diagram } from '../../bdd/diagrams.ts'
import { PairTable } from '../../collections/pair-table.ts'
import { VectorTable } from '../../collections/vector-table.ts'
import { hasPayload } from './controls.ts'
import type { Exploration } from './exploration.ts'
import { lineName, type MonitorSlot, off, phases, type Slot, type SymbolicState } from './state.ts'
import { concrete, lifted } from './summaries/concrete.ts'
import { contentsOf } from './summaries/equality.ts'
import { emptySeq } from './summaries/seq.ts'
import { nowhere, type SeqSummary, type Summary } from './summaries/summary.ts'

/** Tuples that no program has: their names tell what they are. */
export const partKinds = { created: -1, halted: -2, line: -3, counts: -4, monitor: -5, firstControl: -10 } as const

/** The leaf where a part is as it was; values are never negative. */
const same = -1
/** The list of changes without any. */
const unchanged = 1

interface Encoded {
  /** By position, as functions of the codes. */
  readonly parts: readonly Diagram[]
  /** Which state each code stands for. */
  readonly states: Diagram
}

export class Atoms {
  readonly #state: SymbolicState
  /** States: what they have at each position, 0 for nothing. The vector without anything is what there is before the first state. */
  readonly #vectors = new VectorTable()
  readonly #positions = new Map<string, number>()
  /** A position, and what is there. */
  readonly #entries = new PairTable()
  /** A list of changes, and one more. */
  readonly #changes = new PairTable()
  #before: Encoded
  /** By name of a part: its contents when executions had been encoded. */
  readonly #settled = new Map<string, readonly number[]>()

  constructor({ state }: Exploration) {
    this.#state = state
    this.#before = { parts: [], states: state.lifting.diagrams.leaf(1) }
    this.#changes.intern(-1, -1)
    this.#changes.intern(-1, 0)
  }

  /**
   * A diagram whose leaves are numbers of states: the same number for the same state, now and later. Nowhere where no execution is.
   *
   * What has changed since executions were encoded is found part by part, and put into the states that they were encoded by: most parts of a state are as
   * they were, and are not looked at.
   */
  joint(): Diagram {
    const { lifting, alive } = this.#state
    const { diagrams } = lifting
    const differs = lifting.operation('differs', () => (now) => now, { alike: same })
    const none = diagrams.leaf(same)
    let changes = diagrams.leaf(unchanged)
    for (const [position, part] of this.#parts().entries()) {
      const changed = diagrams.apply(differs, part, this.#before.parts[position] ?? diagrams.leaf(nowhere))
      if (changed === none) continue
      const change = lifting.operation(
        `change ${position}`,
        () => (list, value) =>
          value === same ? list : this.#changes.intern(list, this.#entries.intern(position, value)),
        { keeps: same },
      )
      changes = diagrams.apply(change, changes, changed)
    }
    const live = diagrams.ite(alive, changes, diagrams.leaf(nowhere))
    const put = lifting.operation('put', () => this.#put, { absorbs: nowhere, keeps: unchanged })
    return diagrams.apply(put, this.#before.states, live)
  }

  /** A state with a list of changes. Numbers of states are one more than those of vectors, so that none is nowhere. */
  #put = (state: number, changes: number): number => {
    this.#vectors.load(state - 1)
    for (let list = changes; list !== unchanged; list = this.#changes.left(list)) {
      const entry = this.#changes.right(list)
      this.#vectors.set(this.#entries.left(entry), this.#entries.right(entry))
    }
    return this.#vectors.store() + 1
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
    const put = (name: string, contents: Iterable<number>, part: () => Diagram): void => {
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
        put(lineName(slot, key), contentsOf(line), () =>
          diagrams.ite(lifting.beyond(line.size, 0), this.#line(slot, key, line), none),
        )
    }
    return parts
  }

  /** Nothing has happened since executions were encoded but that diagrams were made smaller: what is as it is now, is as it was. */
  settled(): void {
    this.#settled.clear()
    const { slots, monitors } = this.#state
    for (const [at, monitor] of monitors.entries()) this.#settled.set(monitorName(at), [...monitorContents(monitor)])
    for (const slot of slots) {
      this.#settled.set(machineName(slot), [...machineContents(slot)])
      for (const [key, line] of slot.lines) this.#settled.set(lineName(slot, key), [...contentsOf(line)])
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
    const on = this.#tuple(partKinds.monitor, [this.#state.value(at), whole, ...fields])
    const isOff = lifting.diagrams.guardOf(state, off)
    return lifting.diagrams.ite(isOff, this.#tuple(partKinds.monitor, [this.#state.value(at), whole]), on)
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

  /**
   * Everything anew: executions are codes of the variables that are told, the first one the most significant; one for each of these states. It takes breaths.
   */
  *encode(states: readonly number[]): Generator<undefined, readonly number[]> {
    const { lifting, slots, monitors } = this.#state
    const { diagrams } = lifting
    const bits = states.length <= 1 ? 0 : 32 - Math.clz32(states.length - 1)
    const variables = Array.from({ length: bits }, () => diagrams.variable())
    variables.sort((left, right) => diagrams.levelOf(left) - diagrams.levelOf(right))
    const parts: Diagram[] = []
    for (const table of this.#tables(states)) {
      parts.push(diagrams.fromTable(variables, table, nowhere))
      yield
    }
    const partOf = (name: string): Diagram => parts[this.#positions.get(name) ?? -1] ?? diagrams.leaf(nowhere)
    this.#before = { parts, states: diagrams.fromTable(variables, states, nowhere) }
    this.#state.alive = diagrams.fromTable(variables, new Int32Array(states.length).fill(1), 0)
    for (const slot of slots) {
      this.#restore(slot, partOf(machineName(slot)))
      for (const key of slot.lines.keys()) slot.lines.set(key, this.#lineFrom(partOf(lineName(slot, key))))
      yield
    }
    for (const [at, monitor] of monitors.entries()) this.#restoreMonitor(monitor, partOf(monitorName(at)))
    return variables
  }

  /** By position: what each state has there. */
  #tables(states: readonly number[]): readonly Int32Array[] {
    const tables = Array.from(this.#positions, () => new Int32Array(states.length))
    for (const [at, state] of states.entries()) {
      this.#vectors.load(state - 1)
      for (const [position, table] of tables.entries()) table[at] = this.#vectors.get(position)
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
  changed(state: number, parts: ReadonlyMap<number, number>): number {
    this.#vectors.load(state - 1)
    for (const [position, value] of parts) this.#vectors.set(position, value)
    return this.#vectors.store() + 1
  }

  /** Diagrams that are needed to find out what has changed. */
  kept(): readonly Diagram[] {
    return [...this.#before.parts, this.#before.states]
  }

  #part(of: Diagram, names: number | undefined, at: number): Diagram {
    const { lifting } = this.#state
    const take = lifting.function(`atom ${names} ${at}`, () => (value) => {
      const opened = lifting.opened(value)
      if (opened === undefined || (names !== undefined && opened.names !== names)) return nowhere
      return opened.parts[at] ?? nowhere
    })
    return lifting.diagrams.map(take, of)
  }

  #lineFrom(of: Diagram): SeqSummary {
    const { lifting } = this.#state
    const found = lifted(lifting, this.#part(of, partKinds.line, 2))
    return found.kind === 'seq' ? found : emptySeq(lifting)
  }

  #restore(slot: Slot, of: Diagram): void {
    const { lifting, controls, code } = this.#state
    const { diagrams } = lifting
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
    slot.phase = diagrams.map(toPhase, of)
    slot.control = diagrams.map(toControl, of)
    const isBegun = lifting.function(
      'atom begun',
      () => (value) => (namesOf(value) <= partKinds.firstControl ? value : nowhere),
    )
    const begun = diagrams.map(isBegun, of)
    slot.argument = lifted(lifting, this.#part(of, partKinds.created, 1))
    this.#restoreCounts(slot, this.#part(begun, undefined, 1))
    const inbox = lifted(lifting, this.#part(begun, undefined, 2))
    slot.inbox = inbox.kind === 'seq' ? inbox : emptySeq(lifting)
    slot.fields = slot.fields.map((_, at) => lifted(lifting, this.#part(begun, undefined, 3 + at)))
    slot.saved.clear()
    for (const control of diagrams.leaves(slot.control)) {
      const count = this.#savedBy(control)
      if (count === 0) continue
      const names = partKinds.firstControl - control
      const from = 3 + slot.fields.length
      const saved = Array.from({ length: count }, (_, at) => lifted(lifting, this.#part(of, names, from + at)))
      slot.saved.set(control, saved)
    }
  }

  #savedBy(control: number): number {
    const { frames, duties } = this.#state.controls.at(control)
    const { functions } = this.#state.code.ir
    const locals = frames.reduce((sum, frame) => sum + (functions[frame.function]?.locals.length ?? 0), 0)
    return locals + duties.filter(hasPayload).length
  }

  #restoreCounts(slot: Slot, of: Diagram): void {
    const { lifting } = this.#state
    for (const [at, name] of this.#namesOf(slot).entries()) {
      const known = slot.created.has(name)
      // A machine that has not begun has created nothing; the first one has its own name.
      const base = slot.at === 0 && name === this.#state.code.ir.machines[slot.ref.machine]?.name ? 1 : 0
      const toCount = lifting.function(`atom count ${base}`, () => (value) => (value === nowhere ? base : value >> 1))
      const count = lifting.diagrams.map(toCount, this.#part(of, partKinds.counts, at))
      if (known || count !== lifting.diagrams.leaf(0)) slot.created.set(name, count)
    }
  }

  #restoreMonitor(monitor: MonitorSlot, of: Diagram): void {
    const { lifting } = this.#state
    const toState = lifting.function('atom monitor', () => (value) => (value === nowhere ? off : value >> 1))
    monitor.state = lifting.diagrams.map(toState, this.#part(of, partKinds.monitor, 1))
    monitor.fields = monitor.fields.map((_, at) => lifted(lifting, this.#part(of, partKinds.monitor, 2 + at)))
  }
}

function isAlike(before: readonly number[] | undefined, now: Iterable<number>): boolean {
  let at = 0
  for (const one of now) if (before?.[at++] !== one) return false
  return before?.length === at
}

function* monitorContents({ state, fields }: MonitorSlot): Generator<number> {
  yield state
  for (const field of fields) yield* contentsOf(field)
}

/** Names come in the order in which they were first created. */
function* machineContents(slot: Slot): Generator<number> {
  yield* [slot.phase, slot.control, slot.created.size, ...slot.created.values(), slot.saved.size]
  for (const [control, saved] of slot.saved) {
    yield control
    for (const value of saved) yield* contentsOf(value)
  }
  for (const held of [...slot.fields, slot.inbox, slot.argument]) yield* contentsOf(held)
}

export function machineName({ at }: Slot): string {
  return `machine ${at}`
}

export function monitorName(at: number): string {
  return `monitor ${at}`
}
