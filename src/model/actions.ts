/**
 * `actions`: a whole protocol as what may happen next. One state holds what all parties know and what is under way between them; each action says what becomes
 * of it. Fewer states than machines that take turns, as what the author calls one step is one; what is lost, late or twice is the author's to say.
 */
import {
  checkNoMore,
  checkShape,
  either,
  isFunction,
  needed,
  type Shapes,
  shape,
  shapes,
  shown,
} from '../core/option-shape.ts'
import { mistake } from '../core/running.ts'
import type { Value } from '../core/value.ts'
import { type AlikeParts, type Handler, nextTimer } from '../program/system-definition.ts'
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

/** Says what may happen in a state. It may depend on nothing else. */
export type Rule<State, Args = Value> = (state: State, start: MachineStart<Args>) => readonly Action<State>[]

export interface ActionParts<State, Args> {
  /** The state at the beginning; plain data. */
  readonly state: (start: MachineStart<Args>) => State
  /**
   * All that may happen in a state; nothing where it ends. Or rules, each of which says some of it: a rule that looks at little of a state is asked once for
   * all states that are alike in what it looks at, so that many rules that look at little are much faster than one that looks at everything.
   */
  readonly next: Rule<State, Args> | readonly Rule<State, Args>[]
  /**
   * What goes wrong among these actions, for the scope of verdicts, which knows only of faults that are not modelled: `['one Byzantine process of four']`. It
   * changes nothing in what is explored.
   */
  readonly models?: readonly string[]
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
  next: needed(either(shapes.func, shape('a list of functions', isListOfFunctions))),
  models: shape('a list of texts, each of which says what goes wrong', isListOfFaults),
  alike: shapes.record,
}

const alikeShapes = { parties: needed(shapes.func), renamed: needed(shapes.func) }

/** Declares a protocol by its actions: a machine of a system, usually the only one. */
export function actions<State, Args = Value>(
  name: string,
  parts: ActionParts<State, Args>,
): Machine<State, MachineMessage, Args>
export function actions<State, Args = Value>(
  name: string,
  parts: ActionParts<State, Args>,
  ...extra: readonly unknown[]
): Machine<State, MachineMessage, Args> {
  checkNoMore(extra, `actions(${shown(name)}, { state, next })`, 'E221')
  const { stack } = new Error()
  return registeredMachine(name, stack, () => {
    checkShape(parts, partShapes, { of: `actions "${name}"`, noun: 'part', code: 'E221', stack })
    const of = `"alike" of actions "${name}"`
    if (parts.alike !== undefined) checkShape(parts.alike, alikeShapes, { of, noun: 'part', code: 'E221', stack })
    const rules = isFunction(parts.next) ? undefined : [...(parts.next as readonly Handler[])]
    const next = rules === undefined ? (parts.next as Handler) : together(rules)
    return {
      name,
      state: parts.state as () => unknown,
      start: undefined,
      on: new Map(),
      timers: new Map([[nextTimer, next]]),
      requests: new Map(),
      durable: [],
      next,
      rules,
      models: [...(parts.models ?? [])],
      alike: parts.alike as unknown as AlikeParts | undefined,
      stack,
    }
  })
}

function isListOfFaults(value: unknown): boolean {
  return Array.isArray(value) && [...value].every((one) => typeof one === 'string' && one.trim() !== '')
}

function isListOfFunctions(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isFunction)
}

/** All that rules say, in their order. */
function together(rules: readonly Handler[]): Handler {
  return (state, start) =>
    rules.flatMap((rule, at) => {
      const some = rule(state, start)
      return Array.isArray(some) ? some : noList(at, some)
    })
}

function noList(at: number, returned: unknown): never {
  return mistake({
    code: 'E234',
    message: `rule ${at + 1} of "next" returned ${shown(returned)}`,
    hint: 'a rule returns a list of actions; an empty one where it allows nothing',
  })
}
