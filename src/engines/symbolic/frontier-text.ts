/** All executions after each step as text for people: which ones go on, and what machines hold where. What is the same in all of them is not told. */
import type { Diagram } from '../../bdd/diagrams.ts'
import type { IrType } from '../../ir/ir.ts'
import type { IrView } from '../../program/program.ts'
import { irText } from '../../semantics/ir/typed-value.ts'
import type { EventValue, IrValue, MachineRef, SeqValue, TupleValue } from '../../semantics/ir/value.ts'
import { VariableNames } from './guard-text.ts'
import type { SearchOptions } from './options.ts'
import { SymbolicSearch } from './search.ts'
import { off, phases, type Slot, type SymbolicState } from './state.ts'
import { concrete } from './summaries/concrete.ts'
import type { Summary } from './summaries/summary.ts'

/** What is written of one variable, of one step, and of one search. */
const mostValues = 6
const mostVariables = 30
const mostSteps = 40
const widest = 90
/** Nodes that are made: beyond that, nobody reads guards. */
const mostNodes = 400_000
/** Leaves of where a machine stands: controls come behind phases. */
const firstControl = 4

/** What a variable of the program holds, as values with where it holds them. */
interface Held {
  readonly name: string
  readonly of: Diagram
  /** Where there is such a variable. */
  readonly where: Diagram
  readonly text: (leaf: number) => string
}

export function* frontierLines(subject: IrView, options: SearchOptions): Generator<string, void> {
  const search = new SymbolicSearch(subject, options)
  const { exploration } = search
  const { diagrams } = exploration
  const unit = options.mode === 'rounds' ? 'round' : 'step'
  const names = new VariableNames(diagrams, unit)
  const noun = options.mode === 'states' ? 'state' : 'execution'
  let steps = 0
  exploration.onChosen = (variables, by) => names.chosen(steps + 1, variables, by)
  for (const event of search.depths()) {
    if (typeof event === 'number') {
      steps = event
      if (steps > mostSteps) return yield `… ${unit}s after number ${mostSteps} are not printed`
      if (diagrams.created > mostNodes) return yield '… from here on diagrams are too large to be read'
      const alive = search.count(exploration.state.alive)
      yield `after ${counted(BigInt(steps), unit)}: ${counted(alive, noun)}`
      yield* indented(depthLines(exploration.state, names))
    } else if (event.kind === 'violation')
      yield `  ✗ after ${counted(BigInt(steps + 1), unit)}: ${event.violation.message}`
  }
  yield 'nothing more can happen'
}

function counted(count: bigint, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1n ? '' : 's'}`
}

function* indented(lines: Iterable<string>): Generator<string> {
  for (const line of lines) yield `  ${line}`
}

function* depthLines(state: SymbolicState, names: VariableNames): Generator<string> {
  yield* names.fresh()
  yield* wrapped('D: ', names.ways(state.alive))
  let [same, told, more] = [0, 0, 0]
  for (const held of everything(state)) {
    const leaves = leavesOf(held, state)
    if (leaves.length < 2) same++
    else if (told < mostVariables) {
      told++
      yield held.name
      yield* indented(valueLines(held, leaves, state, names))
    } else more++
  }
  if (more > 0) yield `… ${more} more that differ`
  if (told > 0) yield `all else, ${same} of these, is the same in all`
}

function leavesOf({ of, where }: Held, { lifting, alive }: SymbolicState): readonly number[] {
  return lifting.diagrams.leavesWithin(of, lifting.diagrams.and(where, alive))
}

/** Each value with the guard under which it is held, which is told within D. */
function* valueLines(
  { of, where, text }: Held,
  leaves: readonly number[],
  { lifting: { diagrams }, alive }: SymbolicState,
  names: VariableNames,
): Generator<string> {
  for (const leaf of leaves.slice(0, mostValues)) {
    const guard = diagrams.and(where, diagrams.guardOf(of, leaf))
    yield* wrapped(`${text(leaf)} if `, names.ways(diagrams.within(guard, alive)))
  }
  if (leaves.length > mostValues) yield `… ${leaves.length - mostValues} more values`
}

/** Ways one after the other, as many to a line as there is room for. */
function* wrapped(head: string, ways: readonly string[]): Generator<string> {
  let line = head
  for (const [at, way] of ways.entries()) {
    const next = at === 0 ? way : ` ∨ ${way}`
    if (at > 0 && line.length + next.length > widest) {
      yield line
      line = `  ∨ ${way}`
    } else line += next
  }
  yield line
}

function* everything(state: SymbolicState): Generator<Held> {
  for (const slot of state.slots) {
    yield standing(state, slot)
    yield* inside(state, slot)
    for (const [key, line] of slot.lines)
      yield listed(state, `${slot.ref.process} sent${lineText(state, slot, key)}`, line, (item) =>
        sentText(item, state),
      )
  }
  yield* watching(state)
}

/** In which state a machine is, if it has begun. */
function standing({ lifting, controls, code }: SymbolicState, { ref, phase, control }: Slot): Held {
  const { diagrams } = lifting
  const of = diagrams.ite(diagrams.guardOf(phase, phases.begun), lifting.plus(control, firstControl), phase)
  const text = (leaf: number): string => {
    if (leaf < firstControl) return leaf === phases.none ? 'not there' : leaf === phases.created ? 'created' : 'halted'
    const { state, frames } = controls.at(leaf - firstControl)
    const { name = '' } = code.ir.machines[ref.machine]?.states[state] ?? {}
    return frames.length === 0 ? name : `${name}, waiting`
  }
  return { name: ref.process, of, where: diagrams.always, text }
}

function* inside(state: SymbolicState, { ref, phase, fields, inbox }: Slot): Generator<Held> {
  const where = state.lifting.diagrams.guardOf(phase, phases.begun)
  const declared = state.code.ir.machines[ref.machine]?.fields ?? []
  for (const [at, field] of fields.entries())
    yield { ...valued(state, `${ref.process}.${declared[at]?.name}`, field, declared[at]?.type), where }
  yield listed(state, `${ref.process} keeps for later`, inbox, (item) => messageText(item, 0, state))
}

function* watching(state: SymbolicState): Generator<Held> {
  const { diagrams } = state.lifting
  for (const monitor of state.monitors) {
    const { name = '', states = [], fields = [] } = state.code.ir.machines[monitor.machine] ?? {}
    const text = (leaf: number): string => (leaf === off ? 'off' : (states[leaf]?.name ?? ''))
    yield { name, of: monitor.state, where: diagrams.always, text }
    for (const [at, field] of monitor.fields.entries())
      yield valued(state, `${name}.${fields[at]?.name}`, field, fields[at]?.type)
  }
}

function valued({ lifting, code }: SymbolicState, name: string, of: Summary, type: IrType | undefined): Held {
  const text = (leaf: number): string => {
    const value = lifting.packed.unpacked(leaf)
    return typeof value === 'string' ? JSON.stringify(value) : irText(value, code.ir, type)
  }
  return { name, of: concrete(lifting, of), where: lifting.diagrams.always, text }
}

function listed({ lifting }: SymbolicState, name: string, of: Summary, text: (item: IrValue) => string): Held {
  const whole = (leaf: number): string => {
    const { items } = lifting.packed.unpacked(leaf) as SeqValue
    return items.length === 0 ? 'nothing' : items.map(text).join(', ')
  }
  return { name, of: concrete(lifting, of), where: lifting.diagrams.always, text: whole }
}

/** Of networks on which a machine has a line for each target. */
function lineText({ slots, messages }: SymbolicState, { lines }: Slot, key: number): string {
  return lines.size > 1 && messages === undefined ? ` to ${slots[key]?.ref.process}` : ''
}

function sentText(item: IrValue, state: SymbolicState): string {
  const to = (item as TupleValue).items[0] as MachineRef
  return (item as TupleValue).items[1] === null
    ? `new ${to.process}`
    : `${messageText(item, 1, state)} to ${to.process}`
}

function messageText(item: IrValue, at: number, { code }: SymbolicState): string {
  const { items } = item as TupleValue
  const { name = '', payload } = code.ir.events[(items[at] as EventValue).event] ?? {}
  return payload === undefined ? name : `${name}(${irText(items[at + 1] as IrValue, code.ir, payload)})`
}
