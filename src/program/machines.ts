/**
 * The machines view: event handlers over local states ("Model Checking a Networked System Without the Network", §3.1). What a
 * machine does depends on its own state and on the event alone, so that states of machines can be explored apart.
 */

import type { Diagnostic } from '../core/diagnostic.ts'
import type { FaultBudget } from '../core/faults.ts'
import type { NetworkName } from '../core/operation.ts'
import { OwnError } from '../core/own-error.ts'
import type { Violation } from '../core/property.ts'
import type { Envelope, LocalState } from '../core/snapshot.ts'
import type { Decision } from '../core/trace.ts'
import type { Unhurried } from '../core/unhurried.ts'
import type { Value } from '../core/value.ts'
import type { Witness } from '../core/witness.ts'
import type { AbstractObject } from './refinement.ts'

export type { Envelope, LocalState } from '../core/snapshot.ts'

/** Behind the name of a machine that lies, where people read it. */
export const liarMark = ' (Byzantine)'

/** What a machine does without a message: a timer that is set, the next request of the driver, a crash with restart. */
export type InternalEvent =
  /** For people an action is what it is called, and not a timer. */
  | { readonly kind: 'timer'; readonly name: string; readonly isAction?: true }
  | { readonly kind: 'request'; readonly name: string; readonly argument: Value }
  | { readonly kind: 'crash' }

export type MachineEvent = { readonly kind: 'message'; readonly from: string; readonly message: Value } | InternalEvent

/** Something that monitors are told. */
export interface Announced {
  readonly event: Value
  /** How many messages of the same handler were sent before it. */
  readonly after: number
}

/** A machine that another one created, as it begins. */
export interface Created {
  /** From the creator's name, and unique among all that it creates. */
  readonly name: string
  /** As the creator calls it. */
  readonly as: string
  readonly state: LocalState
  /** By itself, at its start. */
  readonly sent: readonly Envelope[]
  readonly announced: readonly Announced[]
  /** How many messages of the creator's handler were sent before it. */
  readonly after: number
}

/** What comes of an event. */
export interface Outcome {
  readonly state: LocalState
  /** In the order they were sent. */
  readonly sent: readonly Envelope[]
  /** In order. */
  readonly announced?: readonly Announced[] | undefined
  /** In order. */
  readonly created?: readonly Created[] | undefined
  /** Which options the handler chose, by position; the same event with the same choices has the same outcome. */
  readonly choices: readonly number[]
  /** The same for people, if anything was chosen. */
  readonly chose?: readonly Value[] | undefined
  /** An assertion that failed or an exception, in the handler. */
  readonly violation: Violation | undefined
  /** How long the timers it set are to run, in milliseconds; for a real network, under check any time will do. */
  readonly waits?: ReadonlyMap<string, number> | undefined
}

export interface SystemInvariant {
  readonly name: string
  /** Where it was declared. */
  readonly stack?: string | undefined
  /** What is wrong is about calls that machines remember, and found out along an execution. */
  readonly isOfCalls?: boolean | undefined
  /** What is wrong with the states of all machines, by machine; those that were created, by name. */
  violation(
    states: readonly LocalState[],
    created?: ReadonlyMap<string, LocalState>,
    remembered?: Remembered<readonly LocalState[]>,
  ): Violation | undefined
  /** The same, of views of states that tell what is read of them. */
  readonly seen?: ((states: readonly LocalState[]) => Violation | undefined) | undefined
  /**
   * The same, pair by pair: wrong if and only if two machines state facts that conflict. Machines without a fact cannot take
   * part in a violation.
   */
  readonly decomposed:
    | {
        fact(machine: number, state: LocalState): Value | undefined
        conflict(left: Value, right: Value): boolean
      }
    | undefined
}

/** A machine without others that was declared by its actions, in rules each of which says of a state what may happen. */
export interface ActionRules {
  readonly count: number
  /** All that a rule says of the data of a state; nothing if something is wrong with it, which whoever handles the state is told. */
  asked(rule: number, data: Value, remembered?: Remembered<Value>): readonly RuleAction[] | undefined
  /** The same of views of the data. What comes of it holds views in turn, and nobody has looked at it. */
  seen(rule: number, view: unknown): readonly RuleAction[] | undefined
  /** Parties that are said to play the same part. */
  readonly alike?: AlikeRules | undefined
}

/** Is called where a question is remembered beyond the answer: comes to what makes again what the question is about, in the place of it. */
export type Remembered<About> = () => () => About

/** What a protocol says of its parties; nothing where that is wrong, which whoever looks at whole states is told. */
export interface AlikeRules {
  /** How many there are. */
  parties(data: Value): number | undefined
  /** The data with parties in another order. */
  renamed(data: Value, order: readonly number[]): Value | undefined
}

/** Machines that are said to play the same part. */
export interface AlikeSets {
  /** By number, two or more each; no machine is in two of them. */
  readonly sets: readonly (readonly number[])[]
  /** What an event is handled by, as it stands in the declaration of the machine; and what the machine was made with. */
  handler(machine: number, event?: MachineEvent): MachineAsDeclared
}

export interface MachineAsDeclared {
  readonly name: string
  readonly stack: string | undefined
  readonly args: Value
}

export interface RuleAction {
  readonly name: string
  /** The data of the state afterwards. */
  readonly after: Value
  readonly announced: readonly Value[]
}

/** A message that a Byzantine machine may send, once. */
export interface Saying {
  readonly envelope: Envelope
  /** Signatures of others in it, as texts: it can be said as soon as each of them was in a message that was sent. */
  readonly needs: readonly string[]
  /** The process that says it, where machines are processes. */
  readonly process: string
}

/** Machines that do not keep to their handlers. They have no state, and what they receive makes no difference: they see every message that is sent. */
export interface Byzantine {
  readonly names: readonly string[]
  readonly sayings: readonly Saying[]
  /** Of the signatures that sayings need, those in a message; of one signer, if it is named. */
  shownBy(message: Value, by?: string): readonly string[]
  /** Is told that something can be said. */
  note(saying: Saying): void
}

/** A system whose parameters are chosen. */
export interface Machines {
  /** Names by number, of those that are there from the beginning and keep to their handlers. */
  readonly machines: readonly string[]
  /** Where a search starts: the initial states, or those of a snapshot. */
  readonly start: {
    readonly states: readonly LocalState[]
    readonly underWay: readonly Envelope[]
    /** At the beginning, by machine: as in an outcome. */
    readonly waits?: readonly ReadonlyMap<string, number>[] | undefined
    readonly announced?: readonly (readonly Announced[])[] | undefined
    /** Calls among these, of all machines in the order in which they count; nothing if each machine makes its own where it begins. */
    readonly called?: readonly Value[] | undefined
  }
  readonly network: NetworkName
  /** What may go wrong, and how often in one execution. */
  readonly faults: FaultBudget
  /** Who lies, if anybody does. */
  readonly byzantine?: Byzantine | undefined
  /** In an order that depends on the state alone. A crash is offered as long as the machine alone has not used up the budget. */
  internal(machine: number, state: LocalState): readonly InternalEvent[]
  /** One outcome for each combination of choices, in the order of the options. Never throws for what user code does. */
  handle(machine: number, state: LocalState, event: MachineEvent): readonly Outcome[]
  /** The same with breaths in between, where there may be many outcomes. */
  handling?(machine: number, state: LocalState, event: MachineEvent): Unhurried<readonly Outcome[]>
  /** Equal for equal states and only for those. */
  key(state: LocalState): string
  /**
   * Of a machine without others, some parties of which play the same part: equal only for states that differ in nothing but which party is which. Throws a
   * diagnostic where parties turn out to be told apart.
   */
  readonly alike?: ((state: LocalState) => Unhurried<string>) | undefined
  /** Whether one of the machines says which parties are alike, though it is not the only one. */
  readonly hasAlike?: boolean | undefined
  readonly alikeMachines?: AlikeSets | undefined
  /** Of a machine of actions that has no others beside it: its actions, by one rule if it was declared by one function. */
  readonly actions?: ActionRules | undefined
  /** The same, of one that was declared by a list of rules. */
  readonly rules?: ActionRules | undefined
  readonly invariants: readonly SystemInvariant[]
  /** Objects whose calls are announced. */
  readonly refines?: readonly AbstractObject[] | undefined
  /** Is told of what happens at all. */
  readonly witness?: Witness | undefined
  /** The same system from elsewhere, such as a snapshot of a running one. */
  from(states: readonly LocalState[], underWay: readonly Envelope[]): Machines
  /**
   * Calls some of the user's code again that was called in a search, in another order, and here or in the same system made anew. What
   * is wrong if something else came of it. Yields between calls.
   */
  repeated?(anew: Machines): Generator<undefined, Diagnostic | undefined>
  /** The decisions that make this happen where it is judged, if that is not by the processes of these machines; all of it can happen. */
  decisions?(happenings: readonly Happening[]): readonly Decision[]
}

/** An event of a machine, with what its handler chose. */
export interface Happening {
  readonly machine: number
  readonly event: MachineEvent
  /** As in `Outcome`. */
  readonly choices: readonly number[]
}

/** Thrown where a handler speaks of machines that the system does not have yet: whoever explores it begins again with those as well. */
export class MoreMachinesError extends OwnError {
  override readonly name = 'MoreMachinesError'
  readonly machines: Machines

  constructor(machines: Machines) {
    super('a handler creates a machine that is not among those of the system')
    this.machines = machines
  }
}
