/** Verdicts: five kinds, each with its scope and counts. There is no Boolean, and sampling can never say "verified". */
import type { CoveredMachine } from './coverage.ts'
import type { Diagnostic } from './diagnostic.ts'
import type { DiagnosticCode } from './diagnostic-codes.ts'
import type { Evidence } from './evidence.ts'
import type { FaultBudget } from './faults.ts'
import type { NetworkName } from './operation.ts'
import type { Options } from './options.ts'
import type { Params } from './setting.ts'
import type { Shard, ShardEvidence } from './shard.ts'
import type { OperationMost, OperationOutcomes, Vacuity } from './witness.ts'

/**
 * What was explored, by name: each engine names its own counts, and sums over work units are counts again. Engines that explore
 * executions have `executions` (complete, one per equivalence class), `blocked` (ended with a process waiting or stopped; each
 * execution is in exactly one of the two), `events` and `longest`. Engines that remember states have `states`, `transitions`,
 * `irreducible` (states with a move, all of whose moves are visible), `traces` (paths followed to a final or known state)
 * and `finals`.
 */
export type Counts = { readonly [name: string]: number }

/** Which counts say how much was explored, and what one of them is called: 'state', 'state of machines'. */
export interface CountedAs {
  readonly names: readonly string[]
  /** A search has one of these counts, by how it goes, and not all. */
  readonly isOneOf?: boolean | undefined
  readonly noun: string
  readonly of?: string | undefined
}

export const countedExecutions: CountedAs = { names: ['executions', 'blocked'], noun: 'execution' }
export const countedStates: CountedAs = { names: ['states'], noun: 'state' }
export const countedClients: CountedAs = { names: ['clients'], noun: 'client' }
export const countedCalls: CountedAs = { names: ['calls'], noun: 'call' }
/** Of logs of running machines. */
export const countedAnnounced: CountedAs = { names: ['calls'], noun: 'announced call' }
/** Of proofs, which speak about every size. */
export const countedSizes: CountedAs = { names: [], noun: 'size' }

/** `linearizable`: with the real-time order of calls. `outcomes`: results only, whatever the order in time. */
export type Criterion = 'linearizable' | 'outcomes'

/** When the promises of a class are resolved: after any time, or at once, in JavaScript's own job order. */
export type PromiseOrder = 'any' | 'jobs'

export type Reduction = 'none' | 'safe' | 'eager' | 'lazy' | 'portfolio'

/** What a verdict speaks about. */
export interface Scope {
  readonly engine: string
  readonly counted: CountedAs
  /** How messages travel; nothing where none are sent. */
  readonly network?: NetworkName | 'fifo-eager' | undefined
  /** Of a class: `processes` and `calls` that its clients have at most; none when clients were given. */
  readonly params: Params
  readonly seed: number
  /** Bounds the user set, which change what is verified: at most so many operations per process. */
  readonly maxSteps?: number | undefined
  /** 'ignored' when the user allowed executions that end with processes waiting. */
  readonly deadlock: 'error' | 'allow'
  /** What may go wrong, and how often in one execution. */
  readonly faults?: FaultBudget | undefined
  /** Of a P program without tests: all its monitors watch, and not none. */
  readonly monitors?: 'all' | undefined
  /** Of a P program: machines react to one message at a time, as a whole or interleaved at their sends. */
  readonly handlers?: 'atomic' | 'interleaved' | undefined
  /** Of a proof: the least size of each parameter, which ranges over all from there on. */
  readonly sizes?: { readonly [parameter: string]: number } | undefined
  /** Of a program with abstracted types: which, and whether it speaks of all their values or of so many in each class that stands for many. */
  readonly values?: { readonly types: readonly string[]; readonly of: 'all' | number } | undefined
  /** Of a P program: specifications that it refines; what refuses one of its calls is a violation. */
  readonly refines?: readonly string[] | undefined
  /** How calls are judged. */
  readonly criterion?: Criterion | undefined
  /** The specification that says which results are right; without one a class is compared with itself, run sequentially. */
  readonly specification?: string | undefined
  /** Where a step of a class ends. */
  readonly granularity?: 'access' | 'await' | undefined
  /** Of a class in JavaScript's own job order; without it, what is awaited may take any time. */
  readonly order?: 'jobs' | undefined
  /** Of machines: messages are delivered, timers fire and requests come, and nobody is expected to end. */
  readonly isSystem?: boolean | undefined
  /** Of machines: those that do not keep to their handlers, and how many messages each may say; to anyone, each at most once. */
  readonly byzantine?: readonly { readonly machine: string; readonly messages: number }[] | undefined
  /** Of machines of actions: what goes wrong among these, in the words of their author; `faults` are those beside it. */
  readonly modelled?: readonly string[] | undefined
  /** Of machines: those of which it makes no difference which is which, as sets of names; states that differ in nothing else count as one. */
  readonly alike?: readonly (readonly string[])[] | undefined
  /** Of logs: machines of which it is not known what they did after the last line. */
  readonly unended?: readonly string[] | undefined
  /** Of logs: lines of handlers that failed, as `file:line`. What they did is not judged. */
  readonly failed?: readonly string[] | undefined
  /** A part of the search alone. */
  readonly shard?: Shard | undefined
  /** One execution that was recorded, and no search. */
  readonly isReplay?: boolean | undefined
  /** What is known of executions without end, if something is asked of them: the fair ones were judged, or none. */
  readonly endless?: 'fair' | 'unseen' | undefined
  /** Whether fairness includes choices: of one that is made again and again each option is taken again and again. */
  readonly fairChoices?: boolean | undefined
  /** How the engine searched. */
  readonly options?: Options | undefined
}

/** Of programs whose processes send messages. */
export type MessageScope = Scope & { readonly network: NetworkName | 'fifo-eager' }

/** Which budget ended a search; or that all executions of so many steps were explored, and some go on. */
export type BudgetName = 'time' | 'executions' | 'memory' | 'units' | 'interrupt' | 'steps'

export const unitFormat = 'allways-unit/1'

/** Plain data; only the engine that made it reads `state`. */
export interface WorkUnit {
  readonly format: typeof unitFormat
  readonly engine: string
  readonly state: unknown
}

/** What an earlier run did, and what it left. */
export interface Rest {
  readonly units: readonly WorkUnit[]
  readonly counts: Counts
  readonly explored: number
}

export type Verdict = Holds | Violated | Incomplete

/** One of several searches for the same answer. */
export interface Raced {
  readonly engine: string
  /** `outrun`: another one answered first. `unable`: the engine cannot explore this system. */
  readonly ended: 'answered' | 'outrun' | 'unable' | BudgetName
  /** Its own; those of the verdict are of the search that answered, and of no other. */
  readonly counts: Counts
}

interface Judgement {
  readonly scope: Scope
  readonly counts: Counts
  /** If several engines took turns: all of them. The scope is that of the one that answered, or of the first without an answer. */
  readonly raced?: readonly Raced[] | undefined
  /** Of machines in a small language: what of them was met. */
  readonly coverage?: readonly CoveredMachine[] | undefined
  /** If the scope is a shard: what of it was explored. */
  readonly shard?: ShardEvidence | undefined
  /** Of a violation its executions, the first found first; with `keepGoing` one for each distinct violation. */
  readonly evidence: readonly Evidence[]
}

interface Holds extends Judgement {
  readonly kind: 'proved' | 'verified' | 'passed'
  /** What never happened in what was explored, so that less is known than it seems; nothing if there is nothing. */
  readonly vacuity?: readonly Vacuity[] | undefined
  /** Of a class: what calls of its operations came to, added up over everything that was judged. */
  readonly operations?: readonly OperationOutcomes[] | undefined
  /** Of specifications: how many calls of an operation there were at most in one execution. */
  readonly called?: readonly OperationMost[] | undefined
}

/** A mistake of the user's, or, without a code, one of ours. */
export type Stumble = Pick<Diagnostic, 'message' | 'hint' | 'place' | 'frame'> & {
  readonly code?: DiagnosticCode | undefined
  /** While more violations were looked for, or causes of the first, or whether a repair is enough. */
  readonly during: 'search' | 'causes' | 'repair'
}

interface Violated extends Judgement {
  readonly kind: 'violated'
  /** Whether the search went on to its end, so that there are no other violations than these. */
  readonly exhausted: boolean
  /** The budget that ended a search which would have gone on looking for more. */
  readonly because?: BudgetName | undefined
  /** The budget that ended the search for its causes before any were found. */
  readonly unexplained?: BudgetName | undefined
  /** What was met in other executions than those that violate something, and could not be gone on after. */
  readonly stumbled?: Stumble | undefined
  /** With `keepGoing`: how many more the search has found, which were not repeated before it was ended. */
  readonly unconfirmed?: number | undefined
  /** With `keepGoing`: further violations of a class, each like one that the evidence tells. */
  readonly alike?: number | undefined
}

export interface Incomplete extends Judgement {
  readonly kind: 'incomplete'
  /** Nothing when no budget ended it: there is no proof, which says nothing against the program. */
  readonly because: BudgetName | undefined
  /** Estimated share of the search that was explored, in [0, 1]. */
  readonly explored: number
  /** A violation was found, and an interrupt came before it was confirmed. */
  readonly isUnconfirmed?: boolean | undefined
  /** Of a class: the clients there are. */
  readonly outOf?: number | undefined
  readonly remaining: readonly WorkUnit[]
}

export type VerdictKind = Verdict['kind']

export const noCounts: Counts = {}

/** Counts that are a maximum over what was explored; all others are sums. */
const maxima: ReadonlySet<string> = new Set(['longest', 'depth', 'bddNodes', 'bddBytes'])

export function addCounts(left: Counts, right: Counts): Counts {
  const sum: { [name: string]: number } = { ...left }
  for (const [name, count] of Object.entries(right)) {
    const before = sum[name] ?? 0
    sum[name] = maxima.has(name) ? Math.max(before, count) : before + count
  }
  return sum
}

/** How much was explored, in the count that the engine goes by. */
export function exploredIn(counts: Counts, { names }: CountedAs): number {
  return names.reduce((sum, name) => sum + (counts[name] ?? 0), 0)
}

/** What a verdict that holds says less about than it seems. */
export function vacuityIn(verdict: Verdict): readonly Vacuity[] {
  return 'vacuity' in verdict ? (verdict.vacuity ?? []) : []
}

/** How many calls of specifications there were; nothing of what was explored in part. */
export function calledIn(verdict: Verdict): readonly OperationMost[] {
  return 'called' in verdict ? (verdict.called ?? []) : []
}

/** What calls of a class came to; nothing of what is no class, or was explored in part. */
export function operationsIn(verdict: Verdict): readonly OperationOutcomes[] {
  return 'operations' in verdict ? (verdict.operations ?? []) : []
}
