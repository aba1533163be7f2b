/**
 * The reference semantics of every kind of program: one execution in progress. `enabled` says what may happen next, `take` makes it
 * happen, `back` takes the last decision back. Judge, naive and sampling engines, replay and audit know programs by this alone.
 */
import { type Diagnostic, DiagnosticError, type Place } from '../core/diagnostic.ts'
import type { Event } from '../core/event.ts'
import type { ClientExecution } from '../core/evidence.ts'
import type { PartialOrder } from '../core/partial-order.ts'
import type { CycleProperty, EndedProcess, Ending, PropertyKind, Violation } from '../core/property.ts'
import { type Decision, describeDecision, sameDecision } from '../core/trace.ts'
import type { Value } from '../core/value.ts'

/** How the executions of one program under one setting begin. */
export interface Paths {
  /** At most one path lives: where the next one begins, the one before must not be used any more. */
  readonly isExclusive: boolean
  /** Kinds of what its paths judge. */
  readonly judges: readonly PropertyKind[]
  /** What must hold of executions without end, which no path shows: engines find where one repeats itself, and the judge confirms it. */
  readonly cycles?: readonly CycleProperty[] | undefined
  /** What takes long and is done once, before the first path begins, if it is not called by itself. It takes a breath now and then. */
  prepare?(): Generator<undefined, void>
  /** What cycles ask for is also judged where an execution ends: who goes along paths sees that much of it. */
  readonly judgesEndsOfCycles?: boolean | undefined
  /** Whether something must hold of the order of whole executions: whoever remembers states does not see all of them. */
  readonly judgesOrders?: boolean | undefined
  /** Whether some choices are fair. */
  readonly choosesFairly?: boolean | undefined
  begin(options?: PathOptions): Path
  /** Makes beginnings of the same executions for whoever goes forwards only, where that is faster. */
  walks?(): (() => Walk) | undefined
  /** The same execution as people are shown it, if its processes are not what they think of. */
  readonly drawn?: ((drawn: Drawn) => Drawn) | undefined
}

/** What is drawn of an execution. */
export interface Drawn {
  readonly events: readonly Event[]
  readonly processes: readonly EndedProcess[]
  /** They have places among the events. */
  readonly violations: readonly Violation[]
}

export interface PathOptions {
  /** So many decisions will be taken: no bound on the length of executions may cut the path before. */
  readonly decisions?: number | undefined
  /** False: what must hold of states that are met together is not judged; another order of the same events meets others. */
  readonly judgesStates?: boolean | undefined
  /** True: processes that are begun one after the other run to their first operation in the opposite order, which nobody may notice. */
  readonly beginsBackwards?: boolean | undefined
  /** True: what lies between steps is told as well, for people: states that are entered, what monitors observe, what is printed. */
  readonly details?: boolean | undefined
}

export interface Path {
  /** Every decision that may be taken now, in a fixed order. None: the execution has ended. */
  enabled(): readonly Decision[]
  /** Whether a decision is among them, where that is cheaper to say than all of them. */
  allows?(decision: Decision): boolean
  /** What may go wrong now, beside what is enabled: such decisions may be taken, and an execution ends without them. */
  faults?(): readonly Decision[]
  /** Makes an enabled decision or a fault happen; what came about by it. */
  take(decision: Decision): readonly Event[]
  /** Takes the last decision back. */
  back(): void
  /** After going back: comes to where the path is now in parts, where that takes long; otherwise the next question does it at once. */
  arrive?(): Generator<undefined, void>
  /** Equal only for states with the same future, up to how messages are numbered; undefined: they cannot be compared. */
  key(): string | undefined
  /** Everything that happened, what came about before the first decision included. */
  events(): readonly Event[]
  /** In the order they came about; of an execution that has ended, also what is wrong with its end. */
  violations(): readonly Violation[]
  shown(): readonly Shown[]
  /** Processes as they are; of an execution that has ended, how they ended. */
  ending(): Ending
  /** Of an execution that has ended: whether somebody waits for ever or was stopped. */
  isBlocked(): boolean
  /**
   * By process, what properties of states see; without it, there are none. Of a state that lasts, what happened on the way to it is not
   * among it.
   */
  states?(isLasting?: boolean): ReadonlyMap<string, Value>
  /** Which decisions must come before which; without it, an execution is known in one order only. */
  order?(): PartialOrder
  /** Of an execution of a class that has ended: the calls of its processes, and which of them no order explains. */
  client?(): ClientExecution
  /**
   * What fairness asks for: duties that can be done now, and one that stays possible is done some time. Undefined: the path is in the
   * middle of something, which says nothing about them. Without it, each process that can move has the duty to.
   */
  duties?(): ReadonlySet<string> | undefined
  /** In the middle of something: which duties can be done meanwhile, if it goes on for ever; that it goes on is one of them. */
  dutiesMeanwhile?(): ReadonlySet<string> | undefined
  /** The duties that a decision does. */
  doneBy?(decision: Decision): readonly string[]
  /**
   * Of a decision of a fair choice, all options of that choice; the one that is taken is among what it does. Of a choice that is made
   * again and again each option is taken again and again, whatever lies in between.
   */
  offeredBy?(decision: Decision): readonly string[]
  /** What a process does otherwise when it is run again alone, for kinds whose engines do that. It takes breaths, as `arrive` does. */
  alone?(): Generator<undefined, Difference | undefined>
}

/** One execution, forwards: as much of a path as a sample asks for. */
export interface Walk {
  readonly enabled: Path['enabled']
  readonly faults?: Path['faults']
  take(decision: Decision): void
  readonly violations: Path['violations']
  readonly isBlocked: Path['isBlocked']
  /** How many events there were. */
  readonly length: number
}

export function walkOf(path: Path): Walk {
  return {
    enabled: () => path.enabled(),
    ...(path.faults === undefined ? {} : { faults: () => path.faults?.() ?? [] }),
    take: (decision) => void path.take(decision),
    violations: () => path.violations(),
    isBlocked: () => path.isBlocked(),
    get length() {
      return path.events().length
    },
  }
}

/** A process for people to look at. */
export interface Shown {
  readonly process: string
  readonly at?: Place | undefined
  /** To be mapped to a place by the host. */
  readonly stack?: string | undefined
  /** What it is known by: the last announcement of a process, the state of a machine, the fields of an object. */
  readonly state: Value
  /** What it is about to do or waits for. */
  readonly pending?: string | undefined
}

/** What one process did in two runs that should have been the same. */
export interface Difference {
  readonly process: string
  readonly first: string
  readonly second: string
  readonly stack: string | undefined
  readonly hint?: string | undefined
}

export function dutiesOf(path: Path): ReadonlySet<string> | undefined {
  return path.duties === undefined ? new Set(path.enabled().map(({ process }) => process)) : path.duties()
}

export function doneBy(path: Path, decision: Decision): readonly string[] {
  return path.doneBy?.(decision) ?? [decision.process]
}

export function isEnabled(path: Path, decision: Decision): boolean {
  if (path.allows !== undefined) return path.allows(decision)
  return [...path.enabled(), ...(path.faults?.() ?? [])].some((one) => sameDecision(one, decision))
}

/** Takes a decision that was enabled when the same decisions were taken before. */
export function takeAgain(path: Path, decision: Decision, step: number): void {
  if (!isEnabled(path, decision)) throw new DiagnosticError(notRepeatable(decision, step))
  path.take(decision)
}

export function notRepeatable(decision: Decision, step: number): Diagnostic {
  return {
    code: 'E201',
    message: `decision ${step + 1} (${describeDecision(decision)}) was possible before and is not when the same decisions are taken again`,
    hint: 'a process may depend on its operations only: no clock, no randomness, no variables shared with other processes',
  }
}
