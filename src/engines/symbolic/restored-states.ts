/** Saved states as those of a search that has not begun: its machines, its controls, and states by number in the order in which they were saved. */
import { DiagnosticError } from '../../core/diagnostic.ts'
import type { MachineRef } from '../../semantics/ir/value.ts'
import type { Atoms } from './atoms.ts'
import type { Control, Duty } from './controls.ts'
import { PartCheck } from './saved-parts.ts'
import { damaged, type SavedStates } from './saved-states.ts'
import { type Named, packedFrom } from './saved-values.ts'
import type { SymbolicState } from './state.ts'
import { emptySeq } from './summaries/seq.ts'

export function namedIn({ slots, code }: SymbolicState): Named {
  const places = new Map(slots.map(({ ref, at }) => [ref, at]))
  return {
    placeOf: (ref) => places.get(ref) as number,
    machineAt: (place) => slots[place]?.ref,
    events: code.ir.events.length,
  }
}

/** Who created which machine: names say it. */
export function savedMachines({ slots }: SymbolicState): SavedStates['machines'] {
  const places = new Map(slots.map(({ ref, at }) => [ref.order, at]))
  return slots.slice(1).map(({ ref }) => {
    const end = ref.order.lastIndexOf('/')
    const count = Number(ref.order.slice(ref.order.lastIndexOf('#') + 1))
    return [places.get(ref.order.slice(0, end)) ?? 0, count, ref.machine]
  })
}

export function restoredStates(state: SymbolicState, atoms: Atoms, saved: SavedStates): readonly number[] {
  restoreMachines(state, saved)
  for (const [at, control] of saved.controls.entries()) mustFit(isControl(control) && state.controls.of(control) === at)
  const values = packedFrom(saved.values, state.lifting.packed, namedIn(state))
  mustFit(values !== undefined)
  restoreMessages(state, saved, values)
  const fits = saved.positions.map((name) => checkOf(name, state))
  mustFit(new Set(saved.positions).size === saved.positions.length)
  atoms.place(saved.positions)
  return statesFrom(saved, atoms, { values, fits: knownOnce(fits) })
}

function restoreMachines(state: SymbolicState, { machines }: SavedStates): void {
  const { ir, values } = state.code
  for (const [creator = 0, count = 0, machine = 0] of machines) {
    const known = state.slots[creator]
    const declared = ir.machines[machine]
    mustFit(known !== undefined && declared !== undefined && count > 0 && declared.kind === 'machine')
    mustFit(Object.values(ir.machines[known.ref.machine]?.creates ?? {}).includes(machine))
    const ref: MachineRef = values.machine({ creator: known.ref, name: declared.name, count, machine })
    const at = state.slots.length
    mustFit(state.slotOf(ref).at === at)
  }
}

function restoreMessages(state: SymbolicState, { messages }: SavedStates, values: readonly number[]): void {
  const parts = new PartCheck(state)
  mustFit(state.messages !== undefined || messages.length === 0)
  for (const [at, place] of messages.entries()) {
    const value = values[place]
    mustFit(value !== undefined && parts.isUnderWay(value) && state.messages?.of(value) === at)
  }
}

/** Whether a value is one that a part can have. */
type Check = (packed: number) => boolean

/** By the name of a part. Lines are there from now on. */
function checkOf(name: string, state: SymbolicState): Check {
  const parts = new PartCheck(state)
  const [kind, ...numbers] = name.split(' ')
  const [at = -1, line = -1] = numbers.map(Number)
  const slot = state.slots[at]
  if (kind === 'monitor' && name === `monitor ${at}` && at < state.monitors.length)
    return (packed) => parts.isMonitor(at, packed)
  mustFit(slot !== undefined)
  if (name === `machine ${at}`) return (packed) => parts.isMachine(slot, packed)
  mustFit(name === `line ${at} ${line}` && isLineOf(state, line))
  slot.lines.set(line, emptySeq(state.lifting))
  return (packed) => parts.isLine(slot, line, packed)
}

function isLineOf({ slots, messages }: SymbolicState, line: number): boolean {
  return Number.isSafeInteger(line) && line >= 0 && line < (messages?.all ?? slots).length
}

/** The same question has the same answer. */
function knownOnce(checks: readonly Check[]): readonly Check[] {
  return checks.map((check) => {
    const known = new Set<number>()
    return (packed) => {
      if (known.has(packed)) return true
      if (!check(packed)) return false
      known.add(packed)
      return true
    }
  })
}

function statesFrom(
  { changes, parents }: SavedStates,
  atoms: Atoms,
  { values, fits }: { readonly values: readonly number[]; readonly fits: readonly Check[] },
): readonly number[] {
  const states: number[] = []
  const known = new Set<number>()
  let [at, before] = [0, 1]
  for (const _ of parents) {
    const count = changes[at++] ?? -1
    mustFit(count > 0 && at + 2 * count <= changes.length)
    const changed = new Map<number, number>()
    for (let left = count; left > 0; left--) {
      const [position = -1, place = -2] = [changes[at++], changes[at++]]
      const value = place === -1 ? 0 : values[place]
      mustFit(value !== undefined && fits[position] !== undefined && (value === 0 || fits[position](value)))
      changed.set(position, value)
    }
    before = atoms.otherThan(before, changed)
    mustFit(!known.has(before))
    known.add(before)
    states.push(before)
  }
  mustFit(at === changes.length)
  return states
}

/** The numbers of a control, which are looked at where a machine stands there. */
function isControl(candidate: unknown): candidate is Control {
  const { state, frames, duties } = (candidate ?? {}) as Partial<Control>
  return (
    isCount(state) &&
    Array.isArray(frames) &&
    Array.isArray(duties) &&
    frames.every((frame) => isCount(frame?.function) && isCount(frame.block) && isCount(frame.at)) &&
    duties.every(isDuty)
  )
}

function isDuty(duty: Duty | null | undefined): boolean {
  switch (duty?.kind) {
    case 'call':
      return isCount(duty.function)
    case 'enter':
      return isCount(duty.state)
    case 'unhandled':
      return isCount(duty.event)
    default:
      return duty?.kind === 'halt'
  }
}

function isCount(candidate: unknown): boolean {
  return Number.isSafeInteger(candidate) && (candidate as number) >= 0
}

function mustFit(condition: boolean): asserts condition {
  if (!condition) throw new DiagnosticError(damaged)
}

/** The parts of states, as against the state before: `changes` of what is saved. */
export function changesOf(
  atoms: Atoms,
  states: Iterable<number>,
  placeOf: (value: number) => number,
): readonly number[] {
  const changes: number[] = []
  let before: readonly number[] = []
  for (const state of states) {
    const parts = atoms.partsOf(state)
    const at = changes.push(0) - 1
    for (const [position, value] of parts.entries()) {
      if (value === (before[position] ?? 0)) continue
      changes.push(position, value === 0 ? -1 : placeOf(value))
      changes[at] = (changes[at] as number) + 1
    }
    before = parts
  }
  return changes
}
