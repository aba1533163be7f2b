/** Machines and systems as they were declared: checked, but without the types of the user's states and messages. */
import type { FaultBudget } from '../core/faults.ts'
import type { NetworkName } from '../core/operation.ts'
import type { Value } from '../core/value.ts'
import type { MonitorDeclaration } from './program.ts'
import type { AbstractObject } from './refinement.ts'

/** Of the user's: the state is theirs to change, what comes back is a new one or nothing. */
// biome-ignore lint/suspicious/noExplicitAny: parameter bivariance, as in every "any function" type
export type Handler = (...args: any[]) => unknown

export interface MachineDefinition {
  readonly name: string
  readonly state: (setup: MachineSetup) => unknown
  /** At the beginning and after every crash. */
  readonly start: Handler | undefined
  /** By kind of message; `*` takes those that have no handler of their own. */
  readonly on: ReadonlyMap<string, Handler>
  readonly timers: ReadonlyMap<string, Handler>
  readonly requests: ReadonlyMap<string, Handler>
  /** Fields of the state that survive a crash. */
  readonly durable: readonly string[]
  /** Of a machine that is declared by what may happen next: its actions in a state. Its one timer is `nextTimer`, which is always set. */
  readonly next: Handler | undefined
  /** The same in parts, if it was declared in several: first come all that the first of them says. */
  readonly rules?: readonly Handler[] | undefined
  /** Of such a machine: what goes wrong among its actions, in words. */
  readonly models?: readonly string[] | undefined
  /** Of such a machine: parties that play the same part. */
  readonly alike: AlikeParts | undefined
  /** JavaScript stack at the place that declared it. */
  readonly stack: string | undefined
}

export interface AlikeParts {
  /** All that a state says of each party, by number. */
  readonly parties: (state: Value) => unknown
  /** The state in which the parties stand in another order: party `order[0]` is the first then. */
  readonly renamed: (state: Value, order: readonly number[]) => unknown
}

/** The timer of machines that are declared by what may happen next. */
export const nextTimer = 'next'

/** What a machine knows before anything happened. */
export interface MachineSetup {
  readonly self: string
  /** Names of all other machines, in the order of the declaration. */
  readonly peers: readonly string[]
  readonly args: Value
}

export interface MachineInstance {
  readonly definition: MachineDefinition
  readonly args: Value
}

const instances = new WeakMap<object, MachineInstance>()

export function registerInstance<Made extends object>(made: Made, instance: MachineInstance): Made {
  instances.set(made, instance)
  return made
}

/** What `as` made, or nothing if something else did. */
export function instanceOf(candidate: unknown): MachineInstance | undefined {
  return typeof candidate === 'object' && candidate !== null ? instances.get(candidate) : undefined
}

const kinds = new WeakSet<object>()

export function registerKind<Made extends object>(made: Made): Made {
  kinds.add(made)
  return made
}

/** Whether `machine` made it. */
export function isMachineKind(candidate: unknown): boolean {
  return typeof candidate === 'object' && candidate !== null && kinds.has(candidate)
}

/** A machine that does not keep to its handlers, but says what is listed. */
export interface LiarInstance {
  /** The name of the kind of machine that it should have been. */
  readonly kind: string
  readonly says: readonly unknown[] | ((start: Omit<MachineSetup, 'args'>) => unknown)
  readonly stack: string | undefined
}

const liars = new WeakMap<object, LiarInstance>()

export function registerLiar<Made extends object>(made: Made, liar: LiarInstance): Made {
  liars.set(made, liar)
  return made
}

/** What `byzantine` made, or nothing if something else did. */
export function liarOf(candidate: unknown): LiarInstance | undefined {
  return typeof candidate === 'object' && candidate !== null ? liars.get(candidate) : undefined
}

export interface RequestCall {
  readonly name: string
  readonly argument: Value
}

export interface InvariantDefinition {
  readonly name: string
  readonly stack?: string | undefined
  /** True, or false, or what is wrong; by machine. One that compares facts tells when there is one. */
  readonly holds: (states: { readonly [machine: string]: Value }, found?: () => void) => boolean | string
  readonly decomposed:
    | {
        readonly fact: (state: Value, machine: string) => Value | undefined
        readonly conflict: (left: Value, right: Value) => boolean
      }
    | undefined
}

/** A condition on the states of all machines, by machine. */
type StateCondition = (states: { readonly [machine: string]: Value }) => boolean

export interface LivenessDefinition {
  /** Again and again, some time, or each time after `from`. */
  readonly form: 'liveness' | 'eventually' | 'leadsTo'
  readonly name: string
  readonly holds: StateCondition
  /** Of `leadsTo`. */
  readonly from: StateCondition | undefined
  /** JavaScript stack at the place that declared it. */
  readonly stack: string | undefined
}

/** A system whose parameters are chosen. */
export interface SystemDefinition {
  readonly name: string
  /** JavaScript stack at the place that declared it. */
  readonly stack: string | undefined
  /** All machines, in the order of the declaration. */
  readonly names: readonly string[]
  /** Those that keep to their handlers, in the same order. */
  readonly machines: ReadonlyMap<string, MachineInstance>
  /** Those that do not. */
  readonly byzantine: ReadonlyMap<string, LiarInstance>
  /** Machines that are said to play the same part: sets of two or more names. */
  readonly alike: readonly (readonly string[])[]
  readonly requests: ReadonlyMap<string, readonly RequestCall[]>
  /** Those of a search that does not start at the beginning, by the states it starts from. Throws diagnostics. */
  readonly requestsFrom: ((states: { readonly [machine: string]: Value }) => SystemDefinition['requests']) | undefined
  readonly invariants: readonly InvariantDefinition[]
  readonly liveness: readonly LivenessDefinition[]
  readonly monitors: readonly MonitorDeclaration[]
  /** Objects whose operations handlers announce. */
  readonly refines: readonly AbstractObject[]
  readonly network: NetworkName
  readonly faults: FaultBudget
}

/** What a handler may do; see `MachineContext` of the model for the types users see. */
export interface HandlerContext extends MachineSetup {
  readonly from: string | undefined
  send(to: string, message: Value): void
  setTimer(name: string, options: { readonly milliseconds: number }): void
  cancelTimer(name: string): void
  choose<Option>(options: readonly Option[]): Option
  assert(condition: boolean, message?: string): void
  announce(event: Value): void
  create(name: string, machine: object): string
}
