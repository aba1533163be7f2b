/**
 * States of all executions, each once, and executions encoded anew by the state that they are in: history is forgotten, and the number of assignments is the
 * number of states. This is not in PSym, whose guards carry all choices since the beginning and grow with them.
 */
import type { Diagram } from '../../bdd/diagrams.ts'
import { PairTable } from '../../collections/pair-table.ts'
import { hasPayload } from './controls.ts'
import type { Exploration } from './exploration.ts'
import { type MonitorSlot, off, phases, type Slot, type SymbolicState } from './state.ts'
import { concrete, lifted } from './summaries/concrete.ts'
import { emptySeq } from './summaries/seq.ts'
import { nowhere, type SeqSummary, type Summary } from './summaries/summary.ts'

/** Tuples that no program has: their names tell what they are. */
const kinds = { created: -1, halted: -2, line: -3, counts: -4, monitor: -5, firstControl: -10 } as const

/** There are more states than asked for. */
export class TooManyAtoms extends Error {
  override readonly name = 'TooManyAtoms'
}

/** The leaf where a state has nothing at a position. */
const missing = -2

export class Atoms {
  readonly #state: SymbolicState
  /** Of parts, which are even, and of pairs, twice their numbers and one more. */
  readonly #pairs = new PairTable()
  readonly #positions = new Map<string, number>()

  constructor({ state }: Exploration) {
    this.#state = state
  }

  /**
   * A diagram whose leaves are numbers of states: the same number for the same state, now and later. Nowhere where no execution is.
   *
   * Parts are put together two by two, and those pairs again: only the last pairs are about all there is. Where a part is missing a pair is the other one,
   * so that parts which come later change no number.
   */
  joint(most: number): Diagram {
    const { lifting, alive } = this.#state
    const { diagrams } = lifting
    const paired = lifting.operation('pair of parts', () => this.#paired)
    let row = this.#parts()
    while (row.length > 1) {
      const wider = row
      row = Array.from({ length: Math.ceil(wider.length / 2) }, (_, at) => {
        const [left, right] = [wider[at * 2] as Diagram, wider[at * 2 + 1]]
        const pair = right === undefined ? left : diagrams.apply(paired, left, right)
        if (wider.length <= 8 && diagrams.leaves(pair).length > most) throw new TooManyAtoms('too many states')
        return pair
      })
    }
    return diagrams.ite(alive, row[0] ?? diagrams.leaf(missing), diagrams.leaf(nowhere))
  }

  #paired = (left: number, right: number): number => {
    if (left === nowhere || right === nowhere) return nowhere
    if (right === missing) return left
    return left === missing ? right : (this.#pairs.intern(left, right) << 1) | 1
  }

  /** What a state consists of. */
  partsOf(state: number): readonly number[] {
    if (state === missing) return []
    if ((state & 1) === 0) return [state]
    const pair = state >> 1
    return [...this.partsOf(this.#pairs.left(pair)), ...this.partsOf(this.#pairs.right(pair))]
  }

  /** By position: monitors, machines and lines, in the order in which they are first met. */
  #parts(): readonly Diagram[] {
    const { lifting, slots, monitors } = this.#state
    const { diagrams } = lifting
    const none = diagrams.leaf(missing)
    const parts: Diagram[] = this.#positions.size === 0 ? [] : new Array(this.#positions.size).fill(none)
    const put = (name: string, part: Diagram): void => {
      const position = this.#positions.get(name) ?? this.#positions.size
      this.#positions.set(name, position)
      parts[position] = part
    }
    for (const [at, monitor] of monitors.entries()) put(`monitor ${at}`, this.#monitor(monitor, at))
    for (const slot of slots) {
      const exists = diagrams.not(diagrams.guardOf(slot.phase, phases.none))
      put(`machine ${slot.at}`, diagrams.ite(exists, this.#local(slot), none))
      for (const [key, line] of slot.lines)
        put(`line ${slot.at} ${key}`, diagrams.ite(lifting.beyond(line.size, 0), this.#line(slot, key, line), none))
    }
    return parts
  }

  #tuple(names: number, items: readonly Summary[]): Diagram {
    return concrete(this.#state.lifting, { kind: 'tuple', names, items })
  }

  #scalar(of: Diagram): Summary {
    return { kind: 'scalar', of }
  }

  #line({ self }: Slot, key: number, line: SeqSummary): Diagram {
    return this.#tuple(kinds.line, [this.#scalar(self), this.#state.value(key), line])
  }

  #monitor({ state, fields }: MonitorSlot, at: number): Diagram {
    const { lifting } = this.#state
    const whole = this.#scalar(lifting.whole(state))
    const on = this.#tuple(kinds.monitor, [this.#state.value(at), whole, ...fields])
    const isOff = lifting.diagrams.guardOf(state, off)
    return lifting.diagrams.ite(isOff, this.#tuple(kinds.monitor, [this.#state.value(at), whole]), on)
  }

  /** All that a machine is, as one value. */
  #local(slot: Slot): Diagram {
    const { diagrams } = this.#state.lifting
    const { phase, control, self } = slot
    const begun = diagrams.guardOf(phase, phases.begun)
    let all = diagrams.leaf(nowhere)
    for (const where of diagrams.leavesWithin(control, begun)) {
      const names = kinds.firstControl - where
      const items = [self, this.#counts(slot)].map((of) => this.#scalar(of))
      const parts = [...items, slot.inbox, ...slot.fields, ...(slot.saved.get(where) ?? [])]
      all = diagrams.ite(diagrams.guardOf(control, where), this.#tuple(names, parts), all)
    }
    const created = diagrams.guardOf(phase, phases.created)
    all = diagrams.ite(created, this.#tuple(kinds.created, [this.#scalar(self), slot.argument]), all)
    const halted = diagrams.guardOf(phase, phases.halted)
    return diagrams.ite(halted, this.#tuple(kinds.halted, [this.#scalar(self)]), all)
  }

  #counts(slot: Slot): Diagram {
    const { lifting } = this.#state
    const counts = this.#namesOf(slot).map((name) =>
      this.#scalar(lifting.whole(slot.created.get(name) ?? lifting.diagrams.leaf(0))),
    )
    return this.#tuple(kinds.counts, counts)
  }

  /** Names of machines that it can create, its own included. */
  #namesOf({ ref }: Slot): readonly string[] {
    const { machines } = this.#state.code.ir
    const { creates = {}, name = '' } = machines[ref.machine] ?? {}
    return [...new Set([name, ...Object.values(creates).map((machine) => machines[machine]?.name ?? '')])].sort()
  }

  /** Everything anew: executions are codes of the variables that are told, the first one the most significant; one for each of these states. */
  encode(states: readonly number[]): readonly number[] {
    const { lifting, slots, monitors } = this.#state
    const { diagrams } = lifting
    const bits = states.length <= 1 ? 0 : 32 - Math.clz32(states.length - 1)
    const variables = Array.from({ length: bits }, () => diagrams.variable())
    variables.sort((left, right) => diagrams.levelOf(left) - diagrams.levelOf(right))
    const tables = this.#tables(states)
    const diagramOf = (key: string): Diagram => {
      const table = tables.get(key)
      return table === undefined ? diagrams.leaf(nowhere) : diagrams.fromTable(variables, table, nowhere)
    }
    this.#state.alive = diagrams.fromTable(variables, new Int32Array(states.length).fill(1), 0)
    for (const slot of slots) {
      const self = diagrams.valueOf(slot.self)
      this.#restore(slot, diagramOf(`${self}`))
      for (const key of slot.lines.keys()) slot.lines.set(key, this.#lineFrom(diagramOf(`${self} ${key}`)))
    }
    for (const [at, monitor] of monitors.entries()) this.#restoreMonitor(monitor, diagramOf(`monitor ${at}`))
    return variables
  }

  /** By what it belongs to: a value for each state, nowhere if there is none. */
  #tables(states: readonly number[]): ReadonlyMap<string, Int32Array> {
    const tables = new Map<string, Int32Array>()
    for (const [at, state] of states.entries()) {
      for (const part of this.partsOf(state)) {
        const key = this.#ownerOf(part)
        let table = tables.get(key)
        if (table === undefined) {
          table = new Int32Array(states.length)
          tables.set(key, table)
        }
        table[at] = part
      }
    }
    return tables
  }

  readonly #owners = new Map<number, string>()

  #ownerOf(part: number): string {
    const known = this.#owners.get(part)
    if (known !== undefined) return known
    const { names = 0, parts = [] } = this.#state.lifting.opened(part) ?? {}
    const [first = 0, second = 0] = parts
    const owner =
      names === kinds.monitor ? `monitor ${first >> 1}` : names === kinds.line ? `${first} ${second >> 1}` : `${first}`
    this.#owners.set(part, owner)
    return owner
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
    const { diagrams } = lifting
    const found = lifted(lifting, this.#part(of, kinds.line, 2))
    return found.kind === 'seq' ? found : { ...emptySeq(lifting), size: diagrams.leaf(0) }
  }

  #restore(slot: Slot, of: Diagram): void {
    const { lifting, controls, code } = this.#state
    const { diagrams } = lifting
    const start = controls.resting(code.ir.machines[slot.ref.machine]?.start ?? 0)
    const namesOf = (value: number): number => lifting.opened(value)?.names ?? 0
    const toPhase = lifting.function('atom phase', () => (value) => {
      const names = namesOf(value)
      if (value === nowhere) return phases.none
      if (names === kinds.created) return phases.created
      return names === kinds.halted ? phases.halted : phases.begun
    })
    const toControl = lifting.function(`atom control ${start}`, () => (value) => {
      const names = namesOf(value)
      return names <= kinds.firstControl ? kinds.firstControl - names : start
    })
    slot.phase = diagrams.map(toPhase, of)
    slot.control = diagrams.map(toControl, of)
    const isBegun = lifting.function(
      'atom begun',
      () => (value) => (namesOf(value) <= kinds.firstControl ? value : nowhere),
    )
    const begun = diagrams.map(isBegun, of)
    slot.argument = lifted(lifting, this.#part(of, kinds.created, 1))
    this.#restoreCounts(slot, this.#part(begun, undefined, 1))
    const inbox = lifted(lifting, this.#part(begun, undefined, 2))
    slot.inbox = inbox.kind === 'seq' ? inbox : emptySeq(lifting)
    slot.fields = slot.fields.map((_, at) => lifted(lifting, this.#part(begun, undefined, 3 + at)))
    slot.saved.clear()
    for (const control of diagrams.leaves(slot.control)) {
      const count = this.#savedBy(control)
      if (count === 0) continue
      const names = kinds.firstControl - control
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
      const count = lifting.diagrams.map(toCount, this.#part(of, kinds.counts, at))
      if (known || count !== lifting.diagrams.leaf(0)) slot.created.set(name, count)
    }
  }

  #restoreMonitor(monitor: MonitorSlot, of: Diagram): void {
    const { lifting } = this.#state
    const toState = lifting.function('atom monitor', () => (value) => (value === nowhere ? off : value >> 1))
    monitor.state = lifting.diagrams.map(toState, this.#part(of, kinds.monitor, 1))
    monitor.fields = monitor.fields.map((_, at) => lifted(lifting, this.#part(of, kinds.monitor, 2 + at)))
  }
}
