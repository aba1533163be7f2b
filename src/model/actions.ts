/**
 * `actions`: a whole protocol as what may happen next. One state holds what all parties know and what is under way between them; each action says what becomes
 * of it. Fewer states than machines that take turns, as what the author calls one step is one; what is lost, late or twice is the author's to say.
 */
import { checkShape, needed, type Shapes, shapes } from '../core/option-shape.ts'
import type { Value } from '../core/value.ts'
import { type AlikeParts, nextTimer } from '../program/system-definition.ts'
import { type Machine, type MachineMessage, type MachineStart, registeredMachine } from './machine.ts'

/** Something that may happen in a state. */
export interface Action<State> {
  /** What people read in a trace. */
  readonly name: string
  /** The state afterwards, or what makes it. It may share parts with the state before, which is never changed. */
  readonly after: State | (() => State)
  /** What monitors are told, and objects that are refined. */
  readonly announces?: readonly unknown[]
}

export interface ActionParts<State, Args> {
  /** The state at the beginning; plain data. */
  readonly state: (start: MachineStart<Args>) => State
  /** All that may happen in a state; nothing where it ends. */
  readonly next: (state: State, start: MachineStart<Args>) => readonly Action<State>[]
  /** Parties that play the same part: with `--symmetry` states that differ in nothing but which of them is which are one. */
  readonly alike?: {
    /** All that a state says of each party, by number. */
    readonly parties: (state: State) => readonly unknown[]
    /** The state in which the parties stand in another order: party `order[0]` is the first then. */
    readonly renamed: (state: State, order: readonly number[]) => State
  }
}

const partShapes: Shapes<ActionParts<unknown, unknown>> = {
  state: needed(shapes.func),
  next: needed(shapes.func),
  alike: shapes.record,
}

const alikeShapes = { parties: needed(shapes.func), renamed: needed(shapes.func) }

/** Declares a protocol by its actions: a machine of a system, usually the only one. */
export function actions<State, Args = Value>(
  name: string,
  parts: ActionParts<State, Args>,
): Machine<State, MachineMessage, Args> {
  const { stack } = new Error()
  return registeredMachine(name, stack, () => {
    checkShape(parts, partShapes, { of: `actions "${name}"`, noun: 'part', code: 'E221', stack })
    const of = `"alike" of actions "${name}"`
    if (parts.alike !== undefined) checkShape(parts.alike, alikeShapes, { of, noun: 'part', code: 'E221', stack })
    return {
      name,
      state: parts.state as () => unknown,
      start: undefined,
      on: new Map(),
      timers: new Map([[nextTimer, parts.next]]),
      requests: new Map(),
      durable: [],
      next: parts.next,
      alike: parts.alike as unknown as AlikeParts | undefined,
      stack,
    }
  })
}
