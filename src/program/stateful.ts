/**
 * The stateful view: a transition system that is walked, for searches that remember states.
 *
 * A walk has one current state, the end of a path from the initial state; `step` prolongs the path and `back` shortens it.
 * Processes are deterministic: in a state each has at most one next action. Processes are small numbers, the same on
 * every path, so that sets of them are bit masks (`processLimitOfMasks`).
 *
 * Objects of the heap are numbered canonically in each state, so that isomorphic heaps are one state. A number therefore
 * means something in its own state only: an action speaks in the numbers of the state it starts from, and every step
 * says how the numbers of that state continue in the next one (`Step.renaming`).
 */
import type { CycleProperty, Violation } from '../core/property.ts'
import type { Decision } from '../core/trace.ts'
import type { Value } from '../core/value.ts'
import type { Witness } from '../core/witness.ts'
import type { Machines } from './machines.ts'
import type { AbstractObject } from './refinement.ts'
import type { Watch } from './watch.ts'

/** Two actions with the same mode commute unless it is `write`; two with different modes never do. */
export const accessModes = { read: 0, write: 1, add: 2 } as const
export type AccessMode = (typeof accessModes)[keyof typeof accessModes]

/** Every part of an object at once. */
export const wholeObject = -1

export function samePart(left: number, right: number): boolean {
  return left === right || left === wholeObject || right === wholeObject
}

/** Whether the order of two accesses to the same part matters. */
export function clashing(left: number, right: number): boolean {
  return left !== right || left === accessModes.write
}

export interface Access {
  /** Number of the object in the state the action starts from. Objects that only come into being by it are not listed. */
  readonly object: number
  /** Field, element or entry: equal numbers are the same part of the same object. */
  readonly part: number
  readonly mode: AccessMode
}

export interface AccessAction {
  readonly process: number
  /** Invisible actions are independent of all others and never disabled. They have no accesses. */
  readonly visible: boolean
  readonly accesses: readonly Access[]
}

/** A process that can move in the current state. */
export interface Move {
  readonly process: number
  readonly visible: boolean
}

export interface Step {
  readonly action: AccessAction
  /** For each object number of the state before, its number in the state after; -1 if it cannot be reached any more. */
  readonly renaming: readonly number[]
}

export interface Walk {
  /** Equal for equal states and only for those. */
  key(): string
  /** By ascending process. None: the state is final. */
  moves(): readonly Move[]
  /** Processes that wait, and the action each would perform if it could. */
  waiting(): readonly AccessAction[]
  /** Performs the next action of a process that can move. */
  step(process: number): Step
  /** Undoes the last step. */
  back(): void
  /** What is wrong with the current state, which is final. */
  violation(): Violation | undefined
}

export interface Stateful {
  /** Names of processes by number, for traces; grows when processes begin others. */
  readonly processes: readonly string[]
  /** A new walk at the initial state. */
  walk(): Walk
  /** The same with steps that order nothing taken together with others, where that can be done; its steps are several. */
  fused?(): Stateful & { readonly single: (decisions: readonly Decision[]) => readonly Decision[] }
}

/**
 * Machines have no place in a walk: which message comes next is not a matter of who moves, and what must hold must hold in
 * every state. They are searched as what they are.
 */
export interface GlobalStates {
  readonly machines: Machines
  /** What must hold again and again. */
  readonly liveness?: readonly CycleProperty[] | undefined
  /** Monitors that are part of every state. */
  readonly watches?: readonly Watch[] | undefined
  /** Objects whose operations handlers announce, part of every state as well. */
  readonly refines?: readonly AbstractObject[] | undefined
  /** Calls of them that were made before the beginning. */
  readonly called?: readonly Value[] | undefined
  /** Is told what happens at all. */
  readonly witness?: Witness | undefined
}

export const processLimitOfMasks = 30
