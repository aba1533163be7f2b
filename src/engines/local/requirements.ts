/**
 * What machines in given states must have consumed and can have sent, judged by the explored transitions: bounds that refuse
 * most combinations of states before any search. Kept as long as no transition is added.
 */
import { invariant } from '../../core/invariant.ts'
import type { Machines } from '../../program/machines.ts'
import { Alternatives } from './alternatives.ts'
import type { LocalSpace, Transition } from './local-space.ts'
import type { Messages } from './messages.ts'
import { MustConsume } from './must-consume.ts'
import { anywhere } from './needs.ts'
import type { Precedence } from './precedence.ts'
import { SendCapacity } from './send-capacity.ts'

/** What every search over the explored transitions is given. */
export interface Explored {
  readonly spaces: readonly LocalSpace[]
  readonly messages: Messages
  readonly precedence: Precedence
  readonly machines: Pick<Machines, 'network' | 'faults'>
}

export class Requirements {
  readonly #explored: Explored
  /** By machine, both. */
  readonly #capacities: SendCapacity[]
  readonly #mustConsume: MustConsume[]
  /** Made when first needed: most combinations are refused by the capacities alone. */
  #alternatives: Alternatives | undefined
  /** By message: states of its receiver that have a path on which it is consumed. */
  readonly #consumers: (Uint8Array | undefined)[] = []
  /** By message: transitions that send it. */
  readonly #sending = new Map<number, Transition[]>()

  constructor(explored: Explored) {
    this.#explored = explored
    this.#capacities = explored.spaces.map((space) => new SendCapacity(space))
    this.#mustConsume = explored.spaces.map((space) => new MustConsume(space))
    for (const { transitions } of explored.spaces)
      for (const transition of transitions)
        for (const message of new Set(transition.sent)) {
          const list = this.#sending.get(message)
          if (list === undefined) this.#sending.set(message, [transition])
          else list.push(transition)
        }
  }

  /** Must have ended before anything is asked about what comes before these states. Yields every so often. */
  *prepare(states: readonly number[], needed: readonly number[]): Generator<undefined, void> {
    if (this.#alternatives !== undefined || !this.#isWithinCapacity(states, needed)) return
    const { spaces, messages, precedence } = this.#explored
    const alternatives = new Alternatives(spaces, messages, precedence)
    yield* alternatives.prepare()
    this.#alternatives = alternatives
  }

  /** Whether machines in these states can have sent these messages, with repetitions, and all that all paths consume. */
  canBeMet(states: readonly number[], needed: readonly number[]): boolean {
    if (!this.#isWithinCapacity(states, needed)) return false
    invariant(this.#alternatives !== undefined, 'requirements are prepared before they are asked')
    return this.#alternatives.canMeet(states, needed)
  }

  #isWithinCapacity(states: readonly number[], needed: readonly number[]): boolean {
    const required = this.#required(states, needed)
    return states.every((state, machine) => {
      const copies = required[machine]
      return (
        copies === undefined ||
        (this.#capacities[machine] as SendCapacity).covers(state === anywhere ? undefined : state, copies)
      )
    })
  }

  sending(message: number): readonly Transition[] {
    return this.#sending.get(message) ?? []
  }

  /** Whether a path of the machine to the state consumes the message. */
  mayConsumeBefore(machine: number, state: number, message: number): boolean {
    const known = this.#consumers[message] ?? this.#consumersOf(machine, message)
    this.#consumers[message] = known
    return state === anywhere ? known.includes(1) : known[state] === 1
  }

  #consumersOf(machine: number, message: number): Uint8Array {
    const space = this.#explored.spaces[machine] as LocalSpace
    return space.statesAfter(space.transitions.filter(({ consumed }) => consumed === message))
  }

  /** By sender: how many copies it must have sent. */
  #required(states: readonly number[], needed: readonly number[]): readonly (Map<number, number> | undefined)[] {
    const { messages, spaces } = this.#explored
    const consumed: (Map<number, number> | undefined)[] = spaces.map(() => undefined)
    const count = (message: number) => {
      const sender = messages.senders[message] as number
      if (sender < 0) return
      const counts = consumed[sender] ?? new Map<number, number>()
      counts.set(message, (counts.get(message) ?? 0) + 1)
      consumed[sender] = counts
    }
    for (const [machine, state] of states.entries())
      if (state !== anywhere)
        for (const message of (this.#mustConsume[machine] as MustConsume).of(state)) count(message)
    for (const message of needed) count(message)
    for (const counts of consumed) {
      if (counts === undefined) continue
      for (const [message, copies] of counts) {
        const sent = copies - (messages.copiesAtStart[message] as number)
        if (sent > 0) counts.set(message, sent)
        else counts.delete(message)
      }
    }
    return consumed
  }
}
