/** A program offers views; an engine names the one it needs. */
import type { Place } from '../core/diagnostic.ts'
import type { ClientExecution, Evidence, JobOrderAnswer } from '../core/evidence.ts'
import type { FaultBudget } from '../core/faults.ts'
import type { NetworkName, Notification, ProcessBody } from '../core/operation.ts'
import type { OptionDeclarations } from '../core/options.ts'
import type { Property, Violation } from '../core/property.ts'
import type { Bounds, Params, Setting } from '../core/setting.ts'
import type { Decision } from '../core/trace.ts'
import type { Unhurried } from '../core/unhurried.ts'
import type { Value } from '../core/value.ts'
import type { CountedAs, Scope } from '../core/verdict.ts'
import type { Witness } from '../core/witness.ts'
import type { Ir } from '../ir/ir.ts'
import type { Icet } from './icet.ts'
import type { Logged } from './logged.ts'
import type { Machines } from './machines.ts'
import type { ObjectCheck } from './object-check.ts'
import type { Paths } from './path.ts'
import type { RecordedCalls } from './recorded.ts'
import type { AbstractObject, CalledByEvents } from './refinement.ts'
import type { GlobalStates, Stateful } from './stateful.ts'
import type { Watch, WatchDefinition } from './watch.ts'

export interface MonitorDeclaration {
  readonly name: string
  /** Which sends, receives and announcements the monitor is told; everything else costs it nothing. */
  readonly observes: (notification: Notification) => boolean
  readonly body: ProcessBody
  /** Of one that is known by its state; its body says the same. */
  readonly watch?: WatchDefinition | undefined
}

/** Processes as restartable coroutines that perform operations: params and default network already chosen. */
export interface Runnable {
  readonly main: { readonly body: ProcessBody; readonly args: readonly unknown[] }
  readonly monitors: readonly MonitorDeclaration[]
  /** Processes that are there from the beginning, whom nobody spawns, and whom faults do not strike. */
  readonly beside?: readonly ProcessBeside[] | undefined
  /** Timers of all processes fire as one of those beside says. */
  readonly isSynchronous?: boolean | undefined
  /** The network of sends that name none. */
  readonly network: NetworkName
  /** What may go wrong, and how often in one execution. */
  readonly faults?: FaultBudget | undefined
  /**
   * What must hold, beside what processes assert themselves; deadlock freedom once the composition root has added it. Monitors are
   * not among them: they are processes that are told what happens under causal delivery (Must, §2.3.6), and so see the partial order.
   */
  readonly properties: readonly Property[]
  /** A process that performs more operations than this is a diagnostic, or stops there when the user set the bound. */
  readonly maxSteps: number
  readonly boundedByUser: boolean
  /** What to do about an execution without end, if there is something better than a bound. */
  readonly endlessHint?: string | undefined
  /** Of processes that expose all they know before they wait for a message, as machines do: their states repeat. */
  readonly exposing?: Exposing | undefined
  /** Monitors that are told at once, and are part of every state. */
  readonly watches?: readonly Watch[] | undefined
  /** Objects whose operations processes announce. */
  readonly refines?: readonly AbstractObject[] | undefined
  /** Calls of them that were made before the beginning. */
  readonly called?: readonly Value[] | undefined
  /** Is told what processes announce, at once. */
  readonly overhears?: ((event: Value, stack?: string) => void) | undefined
  /** Is told what happens at all. */
  readonly witness?: Witness | undefined
  /** What people are shown of a message, if it carries more than its sender wrote. */
  readonly shownMessage?: ((message: Value) => Value) | undefined
  /** By what executions are judged, if not by these processes themselves. */
  readonly reference?: Reference | undefined
}

export interface ProcessBeside {
  readonly id: string
  readonly body: ProcessBody
  readonly args: readonly unknown[]
  /** What people are shown in its place; several may be one to them. */
  readonly shownAs: string
  /** Whether people are spared what it is sent. */
  readonly isPrivate: boolean
}

/**
 * The semantics that processes were made from: they go through its executions, each in one of several orders, and take other decisions.
 * Of such processes a receive takes effect together with the choices and with the message over another network than its own that come
 * right after it; and one that has ended takes messages without a word.
 */
export interface Reference {
  /** Of decisions of the processes: those that lead there, up to the first violation on the way. */
  decisions(own: readonly Decision[]): readonly Decision[]
  /** How an execution ended, in which nothing went wrong before. */
  ending(own: readonly Decision[]): JudgedEnding
  /** Whether that is worth asking: otherwise all executions end well. */
  readonly judgesEndings: boolean
}

interface JudgedEnding {
  readonly isBlocked: boolean
  readonly violations: readonly Violation[]
}

/** What fairness asks of processes that expose all they know. */
export interface Exposing {
  /** Whether a process in this state does something some time, though no message comes. */
  mustAct(process: string, state: Value): boolean
  /** Whether what is under way arrives some time. */
  readonly delivers: boolean
}

/** A program in the small language with what its executions depend on. */
export interface IrView {
  readonly program: Ir
  readonly setting: Setting
  /** Abstract objects, and what events mean as calls of them. */
  readonly refines?: readonly CalledByEvents[] | undefined
  /** Is told what happens at all. */
  readonly witness?: Witness | undefined
}

export interface Views {
  /** The reference semantics, which every program has; it follows from `runnable` where there is one. */
  readonly path: Paths
  readonly runnable: Runnable
  readonly stateful: Stateful | GlobalStates
  readonly machines: Machines
  /** Machines in a small language with values: every state can be compared, and every step computed from the one before. */
  readonly ir: IrView
  /** For every size at once; of programs whose source is inside the provable subset. */
  readonly icet: Icet
  /** Of an object that was used: nothing is explored but the order of its calls. */
  readonly calls: RecordedCalls
  /** Of machines that ran: what they announced, by their logs. */
  readonly logged: Logged
  /** A class as its check declares it; what its code reads and writes is seen in a file that was loaded for that. */
  readonly object: ObjectCheck
}

export type ViewName = keyof Views

export interface Program {
  readonly name: string
  /** Parameters with their defaults. */
  readonly params: Params
  /** The parameters that stand for every size from `least` on; their defaults are the sizes under `check`. */
  readonly every: { readonly [name: string]: { readonly least: number } }
  /** Of sends that name none; undefined: no messages are sent. */
  readonly network: NetworkName | undefined
  /** What can be chosen about it beside parameters; `deadlock` among them, if its processes may wait. */
  readonly options: OptionDeclarations
  /** What may go wrong, unless a check says otherwise. */
  readonly faults?: FaultBudget | undefined
  /** Names of the views this program offers. */
  readonly views: { readonly [V in ViewName]?: (setting: Setting, witness?: Witness) => Views[V] }
  /** Of a system: its Byzantine machines, if the setting says enough to know them. */
  readonly byzantine?: ((setting: Setting) => Scope['byzantine']) | undefined
  /** Of a system: machines that are said to play the same part, as sets of names. */
  readonly alike?: ((setting: Setting) => readonly (readonly string[])[] | undefined) | undefined
  /** Of a system: what goes wrong among the actions of its machines, in words. */
  readonly modelled?: ((setting: Setting) => readonly string[] | undefined) | undefined
  /** Types that are known by classes of their values, if the option `values` says `all`. */
  readonly abstracts?: readonly string[] | undefined
  /** Of a P program: the abstract objects that it refines, by their names. */
  readonly refined?: readonly string[] | undefined
  /** Bounds that the program has by itself and that can be chosen, beside those on the length of executions. */
  readonly bounds?: Bounds | undefined
  /** What one setting that was asked for stands for, if for more than itself. */
  readonly sweep?: ((asked: Setting) => Sweep) | undefined
  /** What causes a violation under this setting, as far as it can be said. */
  readonly explain?: ((failing: Failing, options: ExplainOptions) => Promise<readonly Evidence[]>) | undefined
  /** Of a class: whether the client of a counterexample also fails when every promise is resolved at once; nothing if that is no question. */
  readonly askInJobOrder?:
    | ((setting: Setting, client: ClientExecution) => Unhurried<JobOrderAnswer> | undefined)
    | undefined
  /** JavaScript stack at the place that declared the program, for `list` and diagnostics. */
  readonly stack: string | undefined
  /** Where it stands, if nobody declared it. */
  readonly place?: Place | undefined
}

/** Settings that are explored one after the other, such as all clients of a class. */
export interface Sweep {
  readonly outOf: number
  /** What they are called when those that are done are counted. */
  readonly counted: CountedAs
  /** Smallest first, and in the same order every time: how many are done says where a later run goes on. */
  settings(): Iterable<Setting>
}

export interface Failing {
  readonly setting: Setting
  readonly violation: Violation
}

export interface ExplainOptions {
  readonly seed: number
  /** Checks the program again as it would be with a repair: the first setting that fails, after how many that hold. */
  readonly recheck: (repaired: Program) => Promise<Rechecked>
  /** Does what takes long, in slices between which timers and signals have their turn; nothing when a budget is spent before it is done. */
  readonly unlessOver: <Answer>(work: Unhurried<Answer>) => Promise<Answer | undefined>
}

export interface Rechecked {
  readonly failing: Setting | undefined
  readonly verified: number
  /** False if a budget ended the check. */
  readonly isComplete: boolean
}

/** Whether an execution that ends with processes waiting is a violation. */
export function deadlockOption(byDefault: 'error' | 'allow') {
  return {
    form: 'choice',
    values: ['error', 'allow'],
    default: byDefault,
    help: 'whether processes may wait for ever',
  } as const
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
