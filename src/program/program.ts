/** A program offers views; an engine names the one it needs. */
import type { FaultBudget } from '../core/faults.ts'
import type { NetworkName, Notification, ProcessBody } from '../core/operation.ts'
import type { OptionDeclaration, OptionDeclarations } from '../core/options.ts'
import type { EndProperty, OrderProperty, StateProperty } from '../core/property.ts'
import type { Params, Setting } from '../core/setting.ts'
import type { Value } from '../core/value.ts'
import type { Icet } from './icet.ts'
import type { Machines } from './machines.ts'
import type { Paths } from './path.ts'
import type { RecordedCalls } from './recorded.ts'
import type { GlobalStates, Stateful } from './stateful.ts'

export interface MonitorDeclaration {
  readonly name: string
  /** Which sends, receives and announcements the monitor is told; everything else costs it nothing. */
  readonly observes: (notification: Notification) => boolean
  readonly body: ProcessBody
}

/** Processes as restartable coroutines that perform operations: params and default network already chosen. */
export interface Runnable {
  readonly main: { readonly body: ProcessBody; readonly args: readonly unknown[] }
  readonly monitors: readonly MonitorDeclaration[]
  /** The network of sends that name none. */
  readonly network: NetworkName
  /** What may go wrong, and how often in one execution. */
  readonly faults?: FaultBudget | undefined
  /** Judges of ended executions: final conditions, and deadlock freedom once the composition root has added it. */
  readonly endChecks: readonly EndProperty[]
  /** A process that performs more operations than this is a diagnostic, or stops there when the user set the bound. */
  readonly maxSteps: number
  readonly boundedByUser: boolean
  /** What to do about an execution without end, if there is something better than a bound. */
  readonly endlessHint?: string | undefined
  /** What must hold of the states that processes announce, whenever one of them announces another. */
  readonly stateInvariants?: readonly StateProperty[] | undefined
  /** What must hold of the events of an ended execution, in whichever order they came about. */
  readonly orderChecks?: readonly OrderProperty[] | undefined
  /** What people are shown of a message, if it carries more than its sender wrote. */
  readonly shownMessage?: ((message: Value) => Value) | undefined
}

export interface Views {
  /** The reference semantics, which every program has; it follows from `runnable` where there is one. */
  readonly path: Paths
  readonly runnable: Runnable
  readonly stateful: Stateful | GlobalStates
  readonly machines: Machines
  /** For every size at once; of programs whose source is inside the provable subset. */
  readonly icet: Icet
  /** Of an object that was used: nothing is explored but the order of its calls. */
  readonly calls: RecordedCalls
}

export type ViewName = keyof Views

export interface Program {
  readonly name: string
  /** Parameters with their defaults. */
  readonly params: Params
  /** The parameters that stand for every size from `least` on; their defaults are the sizes under `check`. */
  readonly every: { readonly [name: string]: { readonly least: number } }
  readonly network: NetworkName
  /** What can be chosen about it beside parameters; `deadlock` among them, if its processes may wait. */
  readonly options: OptionDeclarations
  /** What may go wrong, unless a check says otherwise. */
  readonly faults?: FaultBudget | undefined
  /** Names of the views this program offers. */
  readonly views: { readonly [V in ViewName]?: (setting: Setting) => Views[V] }
  /** JavaScript stack at the place that declared the program, for `list` and diagnostics. */
  readonly stack: string | undefined
}

/** Whether an execution that ends with processes waiting is a violation. */
export function deadlockOption(byDefault: 'error' | 'allow'): OptionDeclaration {
  return {
    form: 'choice',
    values: ['error', 'allow'],
    default: byDefault,
    help: 'whether processes may wait for ever',
  }
}

const programs = new WeakSet<object>()

/** Marks an object as made by our own constructors, so that a loader can tell a program from a look-alike. */
export function registerProgram(program: Program): Program {
  programs.add(program)
  return program
}

export function isProgram(candidate: unknown): candidate is Program {
  return typeof candidate === 'object' && candidate !== null && programs.has(candidate)
}
