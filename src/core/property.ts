/** Properties: what must hold, how it is broken, and what an ended execution looks like to those that judge it. */
import type { Place } from './diagnostic.ts'
import type { PartialOrder } from './partial-order.ts'
import type { Value } from './value.ts'

export const propertyKinds = [
  'assertion',
  'exception',
  'deadlock',
  'monitor',
  'final',
  'invariant',
  'linearizability',
  'refinement',
  'liveness',
] as const
export type PropertyKind = (typeof propertyKinds)[number]

/** How a property was broken. Two violations are the same when kind, property, process and message are. */
export interface Violation {
  readonly kind: PropertyKind
  /** The property's name as the user wrote it; for assertions and exceptions the message. */
  readonly property: string
  readonly message: string
  /** Who failed; nobody in particular for deadlocks and final conditions. */
  readonly process?: string | undefined
  /** Of a machine or a monitor of an IR program: it got an event that its state says nothing about. */
  readonly isUnhandled?: true | undefined
  /** Stack of the failing place, to be mapped to the user's file. */
  readonly stack?: string | undefined
  /** The failing place, where it is known without a stack. */
  readonly place?: Place | undefined
  /** Who waits for what, for deadlocks. */
  readonly waiting?: readonly Waiting[] | undefined
  /** What an abstract object does not allow, by its own name for it. */
  readonly rule?: string | undefined
  /** The abstract object as it was when it was broken, line by line. */
  readonly picture?: readonly string[] | undefined
  /** What may come of it, in the words of the object. */
  readonly consequence?: string | undefined
  /** Calls of the object that cannot both be: the refused one is the last, before it the one since which it is refused, if there is one. */
  readonly calls?: readonly CallInTrace[] | undefined
  /** Positions of the events that none of these calls depends on, in ascending order, if a step is among them: pictures leave them out. */
  readonly unrelated?: readonly number[] | undefined
}

export interface CallInTrace {
  /** Position among the events of the execution; nothing of a call that was made before it, as in a running system. */
  readonly event?: number | undefined
  readonly words: string
  /** The line of the log that tells it. */
  readonly place?: Place | undefined
}

export interface Waiting {
  readonly process: string
  /** 'receive', 'receive "ack"', 'join worker' … in the reader's words. */
  readonly forWhat: string
  /** Messages in the inbox that the receive does not take, already printed. */
  readonly inbox: readonly string[]
  /** Messages that it would take, and that queues of their senders hold back. */
  readonly heldBack?: readonly string[] | undefined
  /** Messages that went to receives of its own that nobody waits for any more, already printed. */
  readonly taken?: readonly string[] | undefined
  /** Where those receives are, as stacks. */
  readonly takenAt?: readonly (string | undefined)[] | undefined
  /** Where the promise was made that it waits for, as a stack. */
  readonly madeAt?: string | undefined
  /** Of a machine: the state it is in. */
  readonly inState?: string | undefined
  readonly stack?: string | undefined
  readonly place?: Place | undefined
}

export type ProcessStatus = 'returned' | 'waiting' | 'stopped' | 'failed' | 'crashed'

export interface EndedProcess {
  readonly id: string
  readonly daemon: boolean
  readonly status: ProcessStatus
  /** What a process returned. */
  readonly value: Value
  readonly waiting?: Waiting | undefined
  /** Of a monitor that waits for something to come about. */
  readonly hot?: Hot | undefined
  /** Of a machine that waits for nothing in particular. */
  readonly resting?: Resting | undefined
}

/** What a monitor waits for, in the user's words, and where it said so, once that was noted. */
export interface Hot {
  readonly reason: string
  readonly stack: string | undefined
}

export interface Resting {
  readonly inState: string
  /** Messages for it that its state defers, already printed. */
  readonly deferred: readonly string[]
}

/** An execution in which nothing more can happen. */
export interface Ending {
  readonly processes: readonly EndedProcess[]
}

/**
 * Properties by what they have to see, which decides who can judge them. Every engine that completes executions has their endings; only
 * one that meets every state, or goes through all orders of an execution, can speak of states.
 */
export type Property = { readonly kind: PropertyKind; readonly name: string } & (
  | {
      /** What is met together, by process: invariants. */
      readonly sees: 'state'
      violation(states: ReadonlyMap<string, Value>): Violation | undefined
    }
  | {
      /** An execution in which nothing more can happen: final conditions, deadlock freedom. */
      readonly sees: 'ending'
      violation(ending: Ending): Violation | undefined
    }
  | {
      /** What happened in an execution that has ended, whatever the interleaving: histories, refinement. */
      readonly sees: 'order'
      violations(execution: PartialOrder): readonly Violation[]
    }
  | {
      /**
       * What is repeated for ever: liveness under fairness. Broken by an execution without end that has no good state from some time
       * on; one that has ended repeats its last state.
       */
      readonly sees: 'cycle'
      isGood(states: ReadonlyMap<string, Value>): boolean
      /** Only executions that are in such states again and again break it; without it, all do. */
      isAskedFor?(states: ReadonlyMap<string, Value>): boolean
      /**
       * Where the time without a good state has to begin: with the execution, or in such a state, which is not good itself. Without it,
       * anywhere.
       */
      readonly since?: 'start' | ((states: ReadonlyMap<string, Value>) => boolean) | undefined
      readonly violation: Violation
    }
)

/** Those of the properties that somebody who sees this much can judge. */
export function seeing<Sees extends Property['sees']>(
  properties: readonly Property[],
  sees: Sees,
): readonly PropertySeeing<Sees>[] {
  return properties.filter((one): one is PropertySeeing<Sees> => one.sees === sees)
}

type PropertySeeing<Sees extends Property['sees']> = Extract<Property, { readonly sees: Sees }>

export type StateProperty = PropertySeeing<'state'>
export type EndProperty = PropertySeeing<'ending'>
export type CycleProperty = PropertySeeing<'cycle'>

/** Whether there was no good state since when the property says, up to this state; `before`: up to the state before it. */
export function isOwedIn(property: CycleProperty, states: ReadonlyMap<string, Value>, before: boolean): boolean {
  const { since } = property
  if (property.isGood(states)) return false
  return before || (typeof since === 'function' && since(states))
}

/** Equal for violations that are the same, and only for those. */
export function violationKey({ kind, property, process, message }: Violation): string {
  return JSON.stringify([kind, property, process ?? null, message])
}

export function sameViolation(left: Violation, right: Violation): boolean {
  return violationKey(left) === violationKey(right)
}
