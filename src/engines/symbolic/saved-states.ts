/**
 * What is saved of a search by states: the states that were met, those among them that have not been left, and how each was met. States are saved as what
 * they are: to compute them again would take as long as to search again. Whoever goes on looks at each value of them first (`restored-states.ts`).
 */
import { type Diagnostic, DiagnosticError } from '../../core/diagnostic.ts'
import { type Counts, type Rest, unitFormat, type WorkUnit } from '../../core/verdict.ts'
import type { Control } from './controls.ts'
import type { SavedValue } from './saved-values.ts'

export interface SavedStates extends SavedWays {
  readonly steps: number
  readonly terminals: number
  /** Machines but the first: who created it, by place, as which one of its kind, and what it is. */
  readonly machines: readonly (readonly [creator: number, count: number, machine: number])[]
  readonly controls: readonly Control[]
  /** Names of the parts of states. */
  readonly positions: readonly string[]
  readonly values: readonly SavedValue[]
  /** Where messages arrive in any order: the places of their values. */
  readonly messages: readonly number[]
  /** By state, as against the one before: how many parts differ, and of each which one it is and the place of its value, or -1. */
  readonly changes: readonly number[]
  /** How many states, the last ones, have not been left. */
  readonly frontier: number
}

/** How states were met. */
export interface SavedWays {
  /** By state: the one before, or -1, and which steps lead from there. */
  readonly parents: readonly number[]
  readonly between: readonly (readonly number[])[]
  /** Steps by their places. */
  readonly taken: readonly (readonly number[])[]
}

/** More would be more than an artifact holds, and would take longer to write than anybody waits for. */
export const mostSavedStates = 400_000

export const damaged: Diagnostic = {
  code: 'E405',
  message: 'this work unit was not made by a symbolic search of this program, or is damaged',
  hint: 'begin the search again, without the checkpoint',
}

export function unitOf(saved: SavedStates): WorkUnit {
  return { format: unitFormat, engine: 'symbolic', state: saved }
}

/** The search in a unit, which may come from a file; whether its states are those of a program is not looked at. */
export function savedIn({ format, engine, state }: WorkUnit): SavedStates {
  const isOwn = format === unitFormat && engine === 'symbolic' && typeof state === 'object' && state !== null
  if (!isOwn || !isSaved(state as { readonly [name in keyof SavedStates]?: unknown }))
    throw new DiagnosticError(damaged)
  return state as SavedStates
}

function isSaved(saved: { readonly [name in keyof SavedStates]?: unknown }): boolean {
  const { steps, terminals, machines, controls, positions, values, messages } = saved
  const { changes, frontier, parents, between, taken } = saved
  return (
    areNumbers([steps, terminals, frontier], 0) &&
    areLists(machines, 0) &&
    Array.isArray(controls) &&
    Array.isArray(positions) &&
    positions.every((name) => typeof name === 'string') &&
    Array.isArray(values) &&
    areNumbers(messages, 0) &&
    areNumbers(changes, -1) &&
    areNumbers(parents, -1) &&
    areLists(between, 0) &&
    areLists(taken, -1) &&
    isWhole(saved as SavedStates)
  )
}

function isWhole({ terminals, frontier, parents, between, taken, machines, messages }: SavedStates): boolean {
  const states = parents.length
  return (
    frontier > 0 &&
    frontier <= states &&
    states <= mostSavedStates &&
    terminals <= states &&
    between.length === states &&
    parents.every((parent, at) => parent < at) &&
    between.every((steps) => steps.every((step) => step < taken.length)) &&
    taken.every((step) => step.length >= 3 && step.slice(0, 2).every((machine) => machine <= machines.length)) &&
    taken.every(([, , message = -1]) => message < messages.length)
  )
}

/** What was counted is what is saved. A search has one unit: it knows all its states or none. */
export function addsUp({ units, counts }: Rest): boolean {
  const [only, ...others] = units
  if (only === undefined || others.length > 0) return false
  const { parents, steps, terminals } = savedIn(only)
  const saved: Counts = { states: parents.length, steps, terminals }
  return Object.entries(saved).every(([name, count]) => counts[name] === count)
}

function areNumbers(candidate: unknown, least: number): candidate is readonly number[] {
  return Array.isArray(candidate) && candidate.every((one) => Number.isSafeInteger(one) && one >= least)
}

function areLists(candidate: unknown, least: number): boolean {
  return Array.isArray(candidate) && candidate.every((one) => areNumbers(one, least))
}
