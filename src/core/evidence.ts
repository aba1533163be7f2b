/** What a verdict rests on, as plain data: reports draw it, and readers can check it. */
import type { AtomicSection, CodeSite } from './code.ts'
import type { Place } from './diagnostic.ts'
import type { DiagnosticCode } from './diagnostic-codes.ts'
import { type Event, isStep } from './event.ts'
import type { History } from './history.ts'
import type { EndedProcess, Violation } from './property.ts'
import type { Params } from './setting.ts'
import type { Decision } from './trace.ts'
import type { BudgetName } from './verdict.ts'

export type Evidence =
  | ExecutionEvidence
  | SuspectedExecution
  | UndecidedOrder
  | HistoryEvidence
  | SectionsEvidence
  | SequentialProgram
  | ProofEvidence

/** Evidence of a violation. */
export type Finding = ExecutionEvidence | (HistoryEvidence & { readonly violation: Violation })

/** A violation the judge has replayed. */
export interface Counterexample {
  readonly violation: Violation
  readonly decisions: readonly Decision[]
  readonly events: readonly Event[]
  /** Decisions of the execution in which it was found, before those without influence were left out. */
  readonly foundIn: number
  /** Of an execution without end: how many of the decisions come before those that repeat for ever. */
  readonly repeatsFrom?: number | undefined
  /** The same in events: one decision may make none of them, or several. The judge counts it. */
  readonly eventsBeforeRound?: number | undefined
  readonly processes: readonly EndedProcess[]
  /** Of a class: the calls that its processes made, and what its code did. */
  readonly client?: ClientExecution | undefined
  /** Of a class, if what it awaits took time: whether its client also fails without. */
  readonly jobOrder?: JobOrderAnswer | undefined
  /** Of a program with abstracted types: how many values there are in each class that stands for many. */
  readonly values?: number | undefined
}

/** Whether a client of a class also fails when every promise is resolved at once, in JavaScript's own job order. */
export type JobOrderAnswer =
  | { readonly fails: true }
  /** Where the counterexample lets another process in, which takes time. */
  | { readonly fails: false; readonly awaits: readonly Place[] }
  | { readonly fails: 'unknown'; readonly because: string }

export interface ClientCounterexample extends Counterexample {
  readonly client: ClientExecution
}

export interface ExecutionEvidence extends Counterexample {
  readonly kind: 'execution'
}

/** An execution over classes of values that goes wrong, and that no values were found for: it may be one that no values have. */
export interface SuspectedExecution extends Counterexample {
  readonly kind: 'suspected'
  /** Up to so many values in each class that stands for many were looked at. */
  readonly tried: number
  /** Whether all executions along the same deliveries were. */
  readonly isExhausted: boolean
}

/** An order of what logs tell in which it goes wrong. They allow another one in which nothing does, and do not say which of them happened. */
export interface UndecidedOrder extends Counterexample {
  readonly kind: 'undecided'
}

/** Calls, with as much of an explanation as there is. */
export interface ExplainedHistory {
  readonly history: History
  /** Positions in `history.calls`, in the longest order that explains the results. */
  readonly order?: readonly number[] | undefined
  /** Position of the call that cannot come next. */
  readonly stuck?: number | undefined
  /** What is wrong, or that nothing is, in a sentence. */
  readonly words: string
}

export interface ClientExecution extends ExplainedHistory {
  /** The client as text: `{ push(1) } || { pop() }`. */
  readonly text: string
  readonly steps: readonly CodeStep[]
}

export interface CodeStep {
  readonly process: string
  readonly kind: 'call' | 'access' | 'return'
  readonly site: CodeSite | undefined
  readonly text: string
  /** Nobody else can notice it: left out of pictures. */
  readonly isSilent?: boolean | undefined
  /** Its accesses, if it may be more than one. */
  readonly inside?: readonly { readonly site: CodeSite; readonly text: string }[] | undefined
}

/** Recorded calls: all of them, or the part that has no linearization. */
export interface HistoryEvidence extends ExplainedHistory {
  readonly kind: 'history'
  readonly violation?: Violation | undefined
  /** Where the call that cannot be placed stands in the file. */
  readonly place?: Place | undefined
}

/** What is known about the causes of violations: lines that must be atomic. */
export interface Causes {
  /** The likeliest first. */
  readonly repairs: readonly Repair[]
  readonly violating: number
  readonly linearizable: number
  /** True if limits were reached, so that there may be further repairs. */
  readonly capped: boolean
  /** The repair that was applied until nothing failed, and for how many clients the class then verified. */
  readonly applied:
    | { readonly sections: readonly AtomicSection[]; readonly clients: number; readonly holds: boolean }
    | undefined
}

/** A way to rule the violations out. */
export interface Repair {
  readonly sections: readonly AtomicSection[]
  /** How many of the recorded violating executions it rules out. */
  readonly ruledOut: number
  /** How many of the recorded linearizable executions it rules out as well. */
  readonly disabled: number
}

export interface SectionsEvidence extends Causes {
  readonly kind: 'sections'
}

/** A program of one process that does the same, for every size. */
interface SequentialProgram {
  readonly kind: 'sequentialProgram'
  readonly lines: readonly SequentialLine[]
}

export interface SequentialLine {
  readonly depth: number
  readonly text: string
  /** The statement it stands for; of a message, the receive. */
  readonly place: Place | undefined
  /** Of a message: where it is sent. */
  readonly sentAt?: Place | undefined
}

/** A proof as plain data: only the checker of the engine that found it reads its steps. */
interface Certificate {
  readonly format: string
  readonly steps: readonly object[]
}

/** What a proof leaves to be said: assertions over data, why there is none, and what small sizes have shown instead. */
export interface ProofEvidence {
  readonly kind: 'proof'
  readonly assertions: readonly AssertionAnswer[]
  /** The codes of what the prover does not read: then there was no search for a proof. */
  readonly refused?: readonly DiagnosticCode[] | undefined
  readonly notCanonical?: NotCanonical | undefined
  readonly bounded?: BoundedSearch | undefined
  /** Sizes for which what the program does was shown to be what was proved. */
  readonly confirmed?: Confirmation | undefined
  readonly certificate?: Certificate | undefined
}

export interface AssertionAnswer {
  readonly place: Place
  readonly message: string
  readonly answer: 'proved' | 'unknown'
  readonly why: string | undefined
  /** What to write instead, if something is known to help. */
  readonly hint?: string | undefined
  /** Sizes at which a solver suspects that it does not hold: they are explored. */
  readonly suspected?: Params | undefined
}

/** Why a program has no canonical sequentialization, as far as was found. The first four are those of Brisk §2.3. */
export type NotCanonicalReason =
  | 'asymmetric race'
  | 'superfluous send'
  | 'indiscriminate communication'
  | 'loop-carried termination'
  /** A process waits for a message that the prover cannot match with a send: often a deadlock. */
  | 'unmatched receive'
  /** An assertion or a failure that is not excluded. */
  | 'possible failure'

export interface NotCanonical {
  readonly reason: NotCanonicalReason
  readonly message: string
  /** The statements it is about, the first one first. */
  readonly places: readonly { readonly place: Place; readonly text: string }[]
  /** The longest part that could be made sequential, and what is left. */
  readonly prefix: readonly SequentialLine[]
  readonly rest: readonly RestingProcess[]
  /** Messages under way then. */
  readonly underWay: readonly string[]
}

/** Where a process, or every member of a set, stands in what could not be made sequential. */
export interface RestingProcess {
  readonly process: string
  readonly isSet: boolean
  readonly isDaemon: boolean
  /** Nothing when it has ended. */
  readonly at: { readonly place: Place; readonly text: string } | undefined
}

/** What exploring small sizes has shown. */
export interface BoundedSearch {
  /** All executions of these sizes were explored, without a violation. */
  readonly sizes: readonly Params[]
  readonly executions: number
  /** Sizes that a budget ended, and which. */
  readonly unfinished: readonly Params[]
  readonly because: BudgetName | undefined
}

/** Small sizes for which every execution of the program is one of the term that a proof is about; `executions` are theirs. */
export interface Confirmation extends BoundedSearch {
  /** Where no size was finished: so many executions of this one, the smallest, are ones of the term. */
  readonly partly?: { readonly sizes: Params; readonly executions: number } | undefined
  /** Sizes at which the program is violated, whatever the proof says. */
  readonly violated?: Params | undefined
}

export function execution(counterexample: Counterexample): ExecutionEvidence {
  return { kind: 'execution', ...counterexample }
}

/** How many steps a counterexample has: what pictures number, what accounts name, and what verdicts count. */
export function stepsIn({ events, decisions, client }: Counterexample): number {
  return client === undefined ? events.filter(isStep).length : decisions.length
}

/** The number that pictures give to an event: one that is no step belongs to the step before it. */
export function stepNumber(events: readonly Event[], position: number): number {
  return events.slice(0, position + 1).filter(isStep).length
}

/** The evidence of violations, the first found first. */
export function findingsIn(evidence: readonly Evidence[]): readonly Finding[] {
  return evidence.filter((one): one is Finding => {
    return one.kind === 'execution' || (one.kind === 'history' && one.violation !== undefined)
  })
}

/** The evidence of one kind. */
export function evidenceOf<K extends Evidence['kind']>(
  evidence: readonly Evidence[],
  kind: K,
): readonly Extract<Evidence, { readonly kind: K }>[] {
  return evidence.filter((one): one is Extract<Evidence, { readonly kind: K }> => one.kind === kind)
}
