/**
 * The states of one machine that were met (LSⁿ of LMC §4), and all transitions between them, self-references included: the
 * predecessor links of Figure 9, line 14, with the messages that each transition sends.
 */
import { KeyIndex } from '../../collections/key-index.ts'
import { type Diagnostic, DiagnosticError } from '../../core/diagnostic.ts'
import type { Violation } from '../../core/property.ts'
import type { Envelope, InternalEvent, LocalState, MachineEvent, Machines } from '../../program/machines.ts'
import { type Messages, noMessage } from './messages.ts'

/** The state a machine starts in. */
export const startState = 0

/** An event in a state of a machine, with what its handler chose. */
export interface Occurrence {
  readonly machine: number
  readonly from: number
  /** `noMessage` for an internal event. */
  readonly consumed: number
  readonly internal: InternalEvent | undefined
  readonly choices: readonly number[]
}

export interface Transition extends Occurrence {
  readonly to: number
  /** In the order they were sent. */
  readonly sent: readonly number[]
}

/** A handler that failed: nothing follows it. */
export interface Failure extends Occurrence {
  readonly violation: Violation
}

export class LocalSpace {
  readonly #subject: Machines
  readonly #messages: Messages
  readonly #index = new KeyIndex()
  readonly machine: number
  /** By number. A state never leaves: numbers stay valid for the whole search, and so do positions in `transitions`. */
  readonly states: LocalState[] = []
  /** By state. Each transition stands in both lists, and in `transitions`. */
  readonly into: Transition[][] = []
  readonly outOf: Transition[][] = []
  /** By state: internal events on a shortest known way to it. */
  readonly depths: number[] = []
  /** By state: events on the way on which it was first met. */
  readonly #lengths: number[] = []
  /** The most of those. */
  longest = 0
  readonly transitions: Transition[] = []
  readonly failures: Failure[] = []
  /** By state: what came of each message, and of internal events under `noMessage`. */
  readonly #handled: Map<number, readonly Transition[]>[] = []
  /** Handlers executed, outcomes of choices counted one by one. */
  executed = 0
  /** Characters of the states that they came to. */
  text = 0

  constructor(subject: Machines, messages: Messages, machine: number) {
    this.#subject = subject
    this.#messages = messages
    this.machine = machine
    this.#numberOf(subject.start.states[machine] as LocalState, 0, 0)
  }

  /** Transitions of a state on a message; the handler runs the first time. */
  onMessage(state: number, message: number): readonly Transition[] {
    const known = this.#handled[state]?.get(message)
    if (known !== undefined) return known
    const { from, message: content } = this.#messages.envelopes[message] as Envelope
    const found = this.#execute(state, message, { kind: 'message', from, message: content })
    this.#handled[state]?.set(message, found)
    return found
  }

  /** Transitions of a state without a message: timers, requests, crashes. */
  onInternal(state: number): readonly Transition[] {
    const known = this.#handled[state]?.get(noMessage)
    if (known !== undefined) return known
    const found = this.#subject
      .internal(this.machine, this.states[state] as LocalState)
      .flatMap((event) => this.#execute(state, noMessage, event))
    this.#handled[state]?.set(noMessage, found)
    return found
  }

  /** By state: whether one of the transitions is on a path to it. */
  statesAfter(transitions: readonly Transition[]): Uint8Array {
    const found = new Uint8Array(this.states.length)
    const waiting: number[] = []
    const enter = ({ to }: Transition) => {
      if (found[to] === 1) return
      found[to] = 1
      waiting.push(to)
    }
    transitions.forEach(enter)
    for (let state = waiting.pop(); state !== undefined; state = waiting.pop()) this.outOf[state]?.forEach(enter)
    return found
  }

  #execute(state: number, consumed: number, event: MachineEvent): Transition[] {
    const found: Transition[] = []
    const depth = (this.depths[state] as number) + (consumed === noMessage ? 1 : 0)
    for (const outcome of this.#subject.handle(this.machine, this.states[state] as LocalState, event)) {
      this.executed++
      for (const { name } of outcome.created ?? []) throw new DiagnosticError(creates(name))
      const internal = event.kind === 'message' ? undefined : event
      const occurrence: Occurrence = {
        machine: this.machine,
        from: state,
        consumed,
        internal,
        choices: outcome.choices,
      }
      if (outcome.violation !== undefined) {
        this.failures.push({ ...occurrence, violation: outcome.violation })
        continue
      }
      const sent = outcome.sent.map((envelope) => this.#messages.numberOf(envelope))
      const to = this.#numberOf(outcome.state, depth, (this.#lengths[state] as number) + 1)
      const transition: Transition = { ...occurrence, to, sent }
      found.push(transition)
      this.transitions.push(transition)
      this.outOf[state]?.push(transition)
      this.into[to]?.push(transition)
    }
    return found
  }

  #numberOf(state: LocalState, depth: number, length: number): number {
    const key = this.#subject.key(state)
    this.text += key.length
    const known = this.#index.find(key)
    if (known >= 0) {
      this.depths[known] = Math.min(this.depths[known] as number, depth)
      return known
    }
    this.states.push(state)
    this.into.push([])
    this.outOf.push([])
    this.depths.push(depth)
    this.#lengths.push(length)
    this.longest = Math.max(this.longest, length)
    this.#handled.push(new Map())
    return this.#index.add(key)
  }
}

/** Its states would have to be put together with those of machines that need not exist. */
function creates(name: string): Diagnostic {
  return {
    code: 'E309',
    message: `engine "local" explores systems whose machines are there from the beginning, and "${name}" is created`,
    hint: 'engines that can: stateful, dpor, exhaustive, random, pct',
  }
}
