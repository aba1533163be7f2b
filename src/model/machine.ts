/**
 * `machine`, `invariant`, `conflict`, `liveness`: event handlers over a state of their own, and what must hold of all states together.
 * What a handler does may depend on the state, the event and what it chooses, and on nothing else.
 */

import { answerText, isLater } from '../core/answer.ts'
import { DiagnosticError } from '../core/diagnostic.ts'
import { checkNoMore, checkShape, isFunction, needed, type Shapes, shapes, shown } from '../core/option-shape.ts'
import { freezeValue, sameValue, type Value } from '../core/value.ts'
import { showValue } from '../core/value-text.ts'
import {
  type Handler,
  type InvariantDefinition,
  type MachineDefinition,
  registerInstance,
  registerKind,
} from '../program/system-definition.ts'
import type { OfKind } from './process.ts'

/** Messages are records that say what they are; handlers are found by it. */
export interface MachineMessage {
  readonly kind: string
}

/** What a machine knows before anything happened. */
export interface MachineStart<Args = Value> {
  /** Its own name, which is its address. */
  readonly self: string
  /** Names of all other machines. */
  readonly peers: readonly string[]
  readonly args: Args
}

/** What a handler may do. Everything takes effect together, when it returns. */
export interface MachineContext<Message = MachineMessage, Args = Value> extends MachineStart<Args> {
  /** Sends a message; the machine of that name may get it at any later time. */
  send(to: string, message: Message): void
  /** In a check the timer fires at any time; in a running system after so long. Setting it again sets it anew. */
  setTimer(name: string, options: { readonly milliseconds: number }): void
  cancelTimer(name: string): void
  /** One of the options; all are explored. */
  choose<const Option>(options: readonly Option[]): Option
  /** A property: false is a violation. */
  assert(condition: boolean, message?: string): void
  /** Tells monitors of the system; in a running system there are none. */
  announce(event: Value): void
  /** A new machine of the system, as `machine` makes it: `create('worker', worker.as())`. Its name is its address. */
  create(name: string, machine: MachineAs): string
}

/** In handlers of messages. */
export interface ReceivedContext<Message = MachineMessage, Args = Value> extends MachineContext<Message, Args> {
  /** Who sent the message. */
  readonly from: string
}

/** The state is a private copy: change it, or return another. */
// biome-ignore lint/suspicious/noConfusingVoidType: handlers that change the state return nothing
type After<State> = State | void

type MessageHandlers<State, Message extends MachineMessage, Args> = {
  readonly [Kind in Message['kind']]?: (
    state: State,
    message: [OfKind<Message, Kind>] extends [never] ? Message : OfKind<Message, Kind>,
    context: ReceivedContext<Message, Args>,
  ) => After<State>
} & {
  /** Takes messages of kinds that have no handler; without it such a message is a violation. */
  readonly '*'?: (state: State, message: Message, context: ReceivedContext<Message, Args>) => After<State>
}

export interface MachineParts<State, Message extends MachineMessage, Args> {
  /** The state at the beginning; plain data. */
  readonly state: (start: MachineStart<Args>) => State
  /** At the beginning, and whenever it comes back after a crash. */
  readonly start?: (state: State, context: MachineContext<Message, Args>) => After<State>
  readonly on?: MessageHandlers<State, Message, Args>
  readonly timers?: { readonly [name: string]: (state: State, context: MachineContext<Message, Args>) => After<State> }
  /** Calls of the application. */
  readonly requests?: {
    // biome-ignore lint/suspicious/noExplicitAny: each request says itself what it takes
    readonly [name: string]: (state: State, argument: any, context: MachineContext<Message, Args>) => After<State>
  }
  /** Fields of the state that survive a crash; nothing else does. */
  readonly durable?: readonly (keyof State & string)[]
}

/** A kind of machine; systems consist of machines made of it. */
export interface Machine<State = Value, Message extends MachineMessage = MachineMessage, Args = Value> {
  readonly name: string
  /** A machine for a system, with arguments of its own; they may be left out only if the machine can do without. */
  as(...args: undefined extends Args ? [args?: Args] : [args: Args]): MachineAs
  /** Types only. */
  readonly types?: { readonly state: State; readonly message: Message }
}

/** A machine with its arguments; it gets its name in a system. */
export interface MachineAs {
  readonly machine: string
}

/** Declares a kind of machine. */
export function machine<
  State,
  Message extends MachineMessage = MachineMessage & { readonly [field: string]: Value },
  Args = Value,
>(name: string, parts: MachineParts<State, Message, Args>): Machine<State, Message, Args>
export function machine<State, Message extends MachineMessage, Args>(
  name: string,
  parts: MachineParts<State, Message, Args>,
  ...extra: readonly unknown[]
): Machine<State, Message, Args> {
  checkNoMore(extra, `machine(${shown(name)}, { state, on })`, 'E221')
  const { stack } = new Error()
  return registeredMachine(name, stack, () =>
    definitionOf(name, parts as unknown as { readonly [part: string]: unknown }, stack),
  )
}

/** A kind of machine, as users are given it. */
export function registeredMachine<State, Message extends MachineMessage, Args>(
  name: string,
  stack: string | undefined,
  defined: () => MachineDefinition,
): Machine<State, Message, Args> {
  if (typeof name !== 'string' || name === '') wrongMachine('a machine needs a name', "machine('node', { … })", stack)
  const definition = defined()
  const made: Machine<State, Message, Args> = Object.freeze({
    name,
    as(...[args, ...extra]: readonly [args?: Args, ...extra: readonly unknown[]]): MachineAs {
      checkNoMore(extra, `"as" of machine "${name}"`, 'E221')
      const problem = freezeValue(args)
      if (problem !== undefined) {
        const what = `the arguments of machine "${name}" are not a value: args${problem.path} is ${problem.found}`
        wrongMachine(what, 'plain data: objects, arrays, Map, Set, bigint', new Error().stack)
      }
      return registerInstance<MachineAs>(Object.freeze({ machine: name }), { definition, args: args as Value })
    },
  })
  return registerKind(made)
}

const partShapes: Shapes<MachineParts<unknown, MachineMessage, unknown>> = {
  state: needed(shapes.func),
  start: shapes.func,
  on: shapes.record,
  timers: shapes.record,
  requests: shapes.record,
  durable: shapes.texts,
}

function definitionOf(
  name: string,
  parts: { readonly [part: string]: unknown },
  stack: string | undefined,
): MachineDefinition {
  checkShape(parts, partShapes, { of: `machine "${name}"`, noun: 'part', code: 'E221', stack })
  const handlers = (part: string) => handlersIn(name, part, parts[part], stack)
  return {
    name,
    state: parts.state as MachineDefinition['state'],
    start: parts.start as Handler | undefined,
    on: handlers('on'),
    timers: handlers('timers'),
    requests: handlers('requests'),
    durable: (parts.durable ?? []) as readonly string[],
    next: undefined,
    alike: undefined,
    stack,
  }
}

function handlersIn(
  name: string,
  part: string,
  handlers: unknown,
  stack: string | undefined,
): ReadonlyMap<string, Handler> {
  const entries = Object.entries(handlers ?? {})
  const wrong = entries.find(([, handler]) => !isFunction(handler))
  if (wrong !== undefined)
    wrongMachine(
      `"${wrong[0]}" in "${part}" of machine "${name}" is not a function`,
      `${wrong[0]}(state, …) { … }`,
      stack,
    )
  return new Map(entries as [string, Handler][])
}

function wrongMachine(message: string, hint: string, stack: string | undefined): never {
  throw new DiagnosticError({ code: 'E221', message, hint, stack })
}

/** What must hold of all states together, whatever is under way. */
export interface Invariant {
  readonly name: string
}

const invariants = new WeakMap<object, InvariantDefinition>()

export function invariantOf(candidate: unknown): InvariantDefinition | undefined {
  return typeof candidate === 'object' && candidate !== null ? invariants.get(candidate) : undefined
}

/** A condition on the states of all machines, by name; false, or a text that says what is wrong, is a violation. */
export function invariant<State = Value>(
  name: string,
  holds: (states: { readonly [machine: string]: State }) => boolean | string,
): Invariant
export function invariant(name: string, holds: unknown, ...extra: readonly unknown[]): Invariant {
  checkNoMore(extra, `invariant(${shown(name)}, holds)`, 'E222')
  checkInvariant(name, holds, `invariant(${shown(name)}, (states) => true)`)
  const { stack } = new Error()
  return registered({ name, stack, holds: holds as InvariantDefinition['holds'], decomposed: undefined })
}

/**
 * An invariant about pairs: each machine may state a fact, and no two machines may state facts that conflict. Says the same as an
 * `invariant`, and lets a search that explores machines apart skip those that state nothing.
 */
export function conflict<State = Value, Fact extends Value = Value>(
  name: string,
  parts: {
    readonly each: (state: State, machine: string) => Fact | undefined
    /** Whether two facts of different machines cannot both be right; different values, unless told otherwise. */
    readonly conflict?: (left: Fact, right: Fact) => boolean
  },
): Invariant
export function conflict<State, Fact extends Value>(
  name: string,
  parts: Parameters<typeof conflict<State, Fact>>[1],
  ...extra: readonly unknown[]
): Invariant {
  checkNoMore(extra, `conflict(${shown(name)}, { each, conflict })`, 'E222')
  const hint = `conflict(${shown(name)}, { each: (state) => state.chosen, conflict: (a, b) => a !== b })`
  if (isNamed(name) && typeof parts === 'object' && parts !== null)
    checkShape(parts, conflictShapes, { of: `conflict "${name}"`, noun: 'part', code: 'E222' })
  checkInvariant(name, parts?.each, hint)
  const clash = (parts.conflict ?? ((left: Fact, right: Fact) => !sameValue(left, right))) as Clash
  const each = parts.each as unknown as (state: Value, machine: string) => Value | undefined
  const fact = (state: Value, machine: string) => checkedFact(name, each(state, machine))
  // In either order: which machine was declared first says nothing.
  const either = (left: Value, right: Value): boolean =>
    checkedAnswer(name, clash(left, right)) || checkedAnswer(name, clash(right, left))
  return registered({
    name,
    stack: new Error().stack,
    holds: (states, found) => noConflict(states, found === undefined ? fact : telling(fact, found), either),
    decomposed: { fact, conflict: either },
  })
}

type FactOf = (state: Value, machine: string) => Value | undefined

/** Tells when a machine has something to compare. */
function telling(factOf: FactOf, found: () => void): FactOf {
  return (state, machine) => {
    const fact = factOf(state, machine)
    if (fact !== undefined) found()
    return fact
  }
}

const conflictShapes = { each: needed(shapes.func), conflict: shapes.func }

type Clash = (left: Value, right: Value) => boolean

function checkedFact(name: string, fact: Value | undefined): Value | undefined {
  if (isLater(fact)) wrongAnswer(`"each" of "${name}" returned ${answerText(fact)}`)
  const problem = freezeValue(fact)
  if (problem === undefined) return fact
  return wrongAnswer(
    `"each" of "${name}" returned something that is not a value: fact${problem.path} is ${problem.found}`,
  )
}

/** A promise would count as true. */
function checkedAnswer(name: string, answer: unknown): boolean {
  return typeof answer === 'boolean' ? answer : wrongAnswer(`"conflict" of "${name}" returned ${answerText(answer)}`)
}

function wrongAnswer(message: string): never {
  const hint = '"each" returns plain data, or undefined for nothing; "conflict" returns true or false'
  throw new DiagnosticError({ code: 'E227', message, hint })
}

function noConflict(
  states: { readonly [machine: string]: Value },
  factOf: (state: Value, machine: string) => Value | undefined,
  clash: (left: Value, right: Value) => boolean,
): boolean | string {
  const facts = Object.entries(states).flatMap(([machine, state]) => {
    const fact = factOf(state, machine)
    return fact === undefined ? [] : [{ machine, fact }]
  })
  for (const [at, left] of facts.entries()) {
    for (const right of facts.slice(at + 1)) {
      if (clash(left.fact, right.fact)) return conflictText(left, right)
    }
  }
  return true
}

interface StatedFact {
  readonly machine: string
  readonly fact: Value
}

function conflictText(left: StatedFact, right: StatedFact): string {
  return `${left.machine} says ${showValue(left.fact, 60)}, ${right.machine} says ${showValue(right.fact, 60)}`
}

function registered(definition: InvariantDefinition): Invariant {
  const made: Invariant = Object.freeze({ name: definition.name })
  invariants.set(made, definition)
  return made
}

function checkInvariant(name: unknown, condition: unknown, hint: string): void {
  if (!isNamed(name)) wrongInvariant('an invariant needs a name', hint)
  if (!isFunction(condition))
    wrongInvariant(`invariant "${name}" has no function to ask, but ${shown(condition)}`, hint)
}

function isNamed(name: unknown): name is string {
  return typeof name === 'string' && name !== ''
}

function wrongInvariant(message: string, hint: string): never {
  throw new DiagnosticError({ code: 'E222', message, hint, stack: new Error().stack })
}
