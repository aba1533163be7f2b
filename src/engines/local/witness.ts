/**
 * An execution that the soundness check found, as decisions of the system's processes (`semantics/machines/runnable.ts`) up to
 * the first violation. Every handler is executed once more on the way.
 */
import { invariant } from '../../core/invariant.ts'
import type { Violation } from '../../core/property.ts'
import type { Decision } from '../../core/trace.ts'
import { sameValue } from '../../core/value.ts'
import type { Envelope, LocalState, MachineEvent, Machines, Outcome } from '../../program/machines.ts'
import { copiesOf } from '../../semantics/machines/runnable.ts'
import type { Occurrence } from './local-space.ts'
import { type Messages, noMessage } from './messages.ts'
import { copiesServed, type Sending } from './sendings.ts'

export interface Witness {
  readonly violation: Violation
  readonly decisions: readonly Decision[]
}

/** Of each violation on the way the first that shows, in order. Events in order, the last of which may be a handler that fails. */
export function witnessesOf(
  subject: Machines,
  messages: Messages,
  events: readonly (Occurrence & { readonly sent?: readonly number[] })[],
): readonly Witness[] {
  const writer = new WitnessWriter(subject, messages, copiesServed(subject, messages, events))
  for (const event of events) writer.add(event)
  invariant(writer.witnesses.length > 0, 'an execution that the local engine reports ends with a violation')
  return writer.witnesses
}

class WitnessWriter {
  readonly decisions: Decision[] = []
  readonly witnesses: Witness[] = []
  /** Names of invariants that have a witness: only the first violation of each is one. */
  readonly #told = new Set<string>()
  readonly #subject: Machines
  readonly #messages: Messages
  /** By machine, after the events added so far. */
  readonly #states: LocalState[]
  /** By number of the sending: how many copies of it are consumed. */
  readonly #sendings: readonly Sending[]
  /** By sending: number of its first copy, and how many were delivered. */
  readonly #firstCopies: number[] = []
  readonly #delivered: number[] = []
  /** For each consumption, in order: the number of the sending it takes. */
  readonly #consumptions: Iterator<number>
  /** Messages sent so far, copies counted one by one: the numbers by which decisions name them. */
  #sent = 0

  constructor(
    subject: Machines,
    messages: Messages,
    { sendings, consumptions }: { readonly sendings: readonly Sending[]; readonly consumptions: readonly number[] },
  ) {
    this.#subject = subject
    this.#messages = messages
    this.#sendings = sendings
    this.#consumptions = consumptions[Symbol.iterator]()
    this.#states = [...subject.start.states]
    for (const _ of subject.machines) this.decisions.push({ kind: 'step', process: 'main' })
    for (const [machine, name] of subject.machines.entries())
      for (const [number, { from }] of subject.start.underWay.entries()) if (from === name) this.#send(machine, number)
    this.#nextSending = subject.start.underWay.length
    this.#judge()
  }

  /** Sendings are numbered as they happen; those under way at the start come first. */
  #nextSending: number

  add(event: Occurrence): void {
    const { machine } = event
    const outcome = this.#outcome(event)
    if (outcome.violation !== undefined) {
      this.witnesses.push({ violation: outcome.violation, decisions: this.decisions })
      return
    }
    this.#states[machine] = outcome.state
    this.#judge()
    for (const _ of outcome.sent) this.#send(machine, this.#nextSending++)
  }

  #judge(): void {
    for (const { name, violation } of this.#subject.invariants) {
      const found = violation(this.#states)
      if (found === undefined || this.#told.has(name)) continue
      this.#told.add(name)
      this.witnesses.push({ violation: found, decisions: [...this.decisions] })
    }
  }

  #outcome({ machine, consumed, internal, choices }: Occurrence): Outcome {
    const process = this.#subject.machines[machine] as string
    const state = this.#states[machine] as LocalState
    const options = this.#subject.internal(machine, state)
    let event: MachineEvent
    if (internal !== undefined) {
      event = internal
      this.decisions.push({ kind: 'timeout', process })
      this.#choose(
        machine,
        options.findIndex((option) => sameValue(option, internal)),
        options.length,
      )
    } else {
      invariant(consumed !== noMessage, 'an event is internal or consumes a message')
      const { from, message } = this.#messages.envelopes[consumed] as Envelope
      event = { kind: 'message', from, message }
      this.decisions.push({ kind: 'deliver', process, message: this.#nextCopy() })
    }
    const outcomes = this.#subject.handle(machine, state, event)
    const at = outcomes.findIndex((outcome) => sameValue(outcome.choices, choices))
    this.#choose(machine, at, outcomes.length)
    const outcome = outcomes[at]
    invariant(outcome !== undefined, 'a handler comes to the same outcome again')
    return outcome
  }

  #nextCopy(): number {
    const sending = this.#consumptions.next().value as number
    const copy = this.#delivered[sending] ?? 0
    this.#delivered[sending] = copy + 1
    return (this.#firstCopies[sending] as number) + copy
  }

  #send(machine: number, sending: number): void {
    const options = copiesOf(this.#subject)
    const served = this.#sendings[sending]?.served ?? 0
    const option = Math.max(0, options.indexOf(served))
    this.#choose(machine, option, options.length)
    this.#firstCopies[sending] = this.#sent
    const copies = options[option] as number
    for (let copy = 0; copy < copies; copy++) {
      this.decisions.push({ kind: 'step', process: this.#subject.machines[machine] as string })
      this.#sent++
    }
  }

  /** Nothing to choose among one. */
  #choose(machine: number, option: number, options: number): void {
    if (options > 1) this.decisions.push({ kind: 'choose', process: this.#subject.machines[machine] as string, option })
  }
}
