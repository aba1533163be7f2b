/** All executions after each step: which ones go on, and what machines hold where. What is the same in all of them is not told. */
import type { Diagram } from '../../bdd/diagrams.ts'
import type { IrType } from '../../ir/ir.ts'
import type { IrView } from '../../program/program.ts'
import { irText } from '../../semantics/ir/typed-value.ts'
import type { EventValue, IrValue, MachineRef, SeqValue, TupleValue } from '../../semantics/ir/value.ts'
import { type NamedVariable, VariableNames, type Ways } from './guard-text.ts'
import type { SearchOptions } from './options.ts'
import { SymbolicSearch } from './search.ts'
import { phases, type Slot, type SymbolicState } from './state.ts'
import { concrete } from './summaries/concrete.ts'
import type { Summary } from './summaries/summary.ts'

/** What is told of one variable, of one step, and of one search. */
const mostValues = 6
const mostVariables = 30
export const mostSteps = 40
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

/** What one variable of the program may hold, each value with where it does, as if D held. */
export interface HeldValues {
  readonly name: string
  readonly values: readonly { readonly value: string; readonly ways: Ways }[]
  /** How many values are not told. */
  readonly more: number
}

export interface Frontier {
  readonly kind: 'frontier'
  /** Steps or rounds. */
  readonly after: number
  /** States or executions that go on. */
  readonly count: bigint
  /** Variables that were not told before. */
  readonly variables: readonly NamedVariable[]
  /** D. */
  readonly alive: Ways
  readonly held: readonly HeldValues[]
  /** How many variables of the program differ and are not told, and how many are the same in all executions. */
  readonly more: number
  readonly same: number
}

export type FrontierEvent =
  | Frontier
  | { readonly kind: 'violation'; readonly after: number; readonly message: string }
  /** Why nothing more is told. */
  | { readonly kind: 'end'; readonly because: 'over' | 'steps' | 'nodes' }

export function* frontiers(subject: IrView, options: SearchOptions): Generator<FrontierEvent, void> {
  const search = new SymbolicSearch(subject, options)
  const { exploration } = search
  const { diagrams } = exploration
  const names = new VariableNames(diagrams, options.mode === 'rounds' ? 'round' : 'step')
  let steps = 0
  exploration.onChosen = (variables, by) => names.chosen(steps + 1, variables, by)
  for (const event of search.depths()) {
    if (typeof event === 'number') {
      steps = event
      if (steps > mostSteps) return yield { kind: 'end', because: 'steps' }
      if (diagrams.created > mostNodes) return yield { kind: 'end', because: 'nodes' }
      const count = search.count(exploration.state.alive)
      yield { kind: 'frontier', after: steps, count, ...frontierOf(exploration.state, names) }
    } else if (event.kind === 'violation')
      yield { kind: 'violation', after: steps + 1, message: event.violation.message }
  }
  yield { kind: 'end', because: 'over' }
}

function frontierOf(state: SymbolicState, names: VariableNames): Omit<Frontier, 'kind' | 'after' | 'count'> {
  const variables = [...names.fresh()]
  const alive = names.waysOf(state.alive)
  const held: HeldValues[] = []
  let [same, more] = [0, 0]
  for (const one of everything(state)) {
    const leaves = leavesOf(one, state)
    if (leaves.length < 2) same++
    else if (held.length < mostVariables) held.push(valuesOf(one, leaves, state, names))
    else more++
  }
  return { variables, alive, held, more, same }
}

function leavesOf({ of, where }: Held, { lifting, alive }: SymbolicState): readonly number[] {
  return lifting.diagrams.leavesWithin(of, lifting.diagrams.and(where, alive))
}

function valuesOf(
  { name, of, where, text }: Held,
  leaves: readonly number[],
  { lifting: { diagrams }, alive }: SymbolicState,
  names: VariableNames,
): HeldValues {
  const values = leaves.slice(0, mostValues).map((leaf) => {
    const guard = diagrams.and(where, diagrams.guardOf(of, leaf))
    return { value: text(leaf), ways: names.waysOf(diagrams.within(guard, alive)) }
  })
  return { name, values, more: Math.max(leaves.length - mostValues, 0) }
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
    const text = (leaf: number): string => states[leaf]?.name ?? ''
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
