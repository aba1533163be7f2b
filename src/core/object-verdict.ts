/** Verdicts about objects: the same five kinds as for programs, with a scope of clients instead of networks and parameters. */
import type { AtomicSection, CodeSite } from './code.ts'
import type { History } from './history.ts'
import type { Violation } from './property.ts'
import type { Decision } from './trace.ts'
import type { BudgetName, Counts } from './verdict.ts'

/** Sums over all clients that were explored. */
export interface ObjectCounts extends Counts {
  readonly clients: number
  readonly states: number
  readonly transitions: number
  /** States in which no process could make an invisible step. */
  readonly irreducible: number
  /** Paths that were followed to a final or known state. */
  readonly traces: number
  readonly finals: number
}

export const noObjectCounts: ObjectCounts = {
  clients: 0,
  states: 0,
  transitions: 0,
  irreducible: 0,
  traces: 0,
  finals: 0,
}

/** `linearizable`: with the real-time order of calls. `outcomes`: results only, whatever the order in time. */
export type Criterion = 'linearizable' | 'outcomes'

export type Reduction = 'none' | 'safe' | 'eager' | 'lazy' | 'portfolio'

export interface ObjectScope {
  readonly engine: 'stateful'
  readonly reduction: Reduction
  readonly safeSets: boolean
  readonly stateless: boolean
  readonly order: 'sequential' | 'random'
  readonly seed: number
  readonly granularity: 'access' | 'await'
  readonly criterion: Criterion
  /** What says which results are right: the class itself, run sequentially, or a named specification. */
  readonly specification: string
  /** Every client within these bounds; nothing when the user gave the clients. */
  readonly bounds: { readonly processes: number; readonly calls: number } | undefined
  readonly deadlock: 'error' | 'allow'
  /** Lines taken to be atomic. */
  readonly sections: readonly AtomicSection[]
}

export interface ObjectStep {
  readonly process: string
  readonly kind: 'call' | 'access' | 'return'
  readonly site: CodeSite | undefined
  readonly text: string
  /** Nobody else can notice it: left out of pictures. */
  readonly isSilent?: boolean | undefined
  /** Its accesses, if it may be more than one. */
  readonly inside?: readonly { readonly site: CodeSite; readonly text: string }[] | undefined
}

/** An execution of a client that the judge has repeated. */
export interface ObjectCounterexample {
  /** As text: `{ push(1) } || { pop() }`. */
  readonly client: string
  readonly violation: Violation
  readonly decisions: readonly Decision[]
  readonly steps: readonly ObjectStep[]
  readonly history: History
  /** Calls of the history, by index, in an order that explains as many as possible. */
  readonly explained: readonly number[]
  /** The call that cannot be placed, by index. */
  readonly stuck: number | undefined
  /** Why, in words. */
  readonly words: string
}

/** A way to rule the violations out: lines that must be atomic. */
export interface ObjectRepair {
  readonly sections: readonly AtomicSection[]
  /** How many of the recorded violating executions it rules out. */
  readonly ruledOut: number
  /** How many of the recorded linearizable executions it rules out as well. */
  readonly disabled: number
}

/** What is known about the causes of the violations. */
export interface ObjectCauses {
  /** The likeliest first. */
  readonly repairs: readonly ObjectRepair[]
  readonly violating: number
  readonly linearizable: number
  /** True if limits were reached, so that there may be further repairs. */
  readonly capped: boolean
  /** The repair that was applied until nothing failed, and for how many clients the class then verified. */
  readonly applied:
    | { readonly sections: readonly AtomicSection[]; readonly clients: number; readonly holds: boolean }
    | undefined
}

export type ObjectVerdict =
  | { readonly kind: 'verified'; readonly scope: ObjectScope; readonly counts: ObjectCounts }
  | {
      readonly kind: 'violated'
      readonly scope: ObjectScope
      readonly counts: ObjectCounts
      readonly counterexample: ObjectCounterexample
      readonly others: readonly ObjectCounterexample[]
      readonly causes: ObjectCauses | undefined
    }
  | {
      readonly kind: 'incomplete'
      readonly scope: ObjectScope
      readonly counts: ObjectCounts
      readonly because: BudgetName
      /** Clients there are within the bounds. */
      readonly outOf: number
    }
