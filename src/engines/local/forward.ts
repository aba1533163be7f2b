/**
 * All combinations of states that executions lead to, from the start forwards over the explored transitions: the global search
 * of LMC §3.2 without executing a handler. Slow where the network is large, but it ends where the backward search (`soundness.ts`)
 * has no end, and what it has seen serves all questions. LMC §4.3 suggests to run both and take what finishes sooner.
 */
import { KeyIndex } from '../../collections/key-index.ts'
import { SequenceInterner } from '../../collections/sequence-interner.ts'
import { mostOf } from '../../core/faults.ts'
import { type Channels, channelsOf } from '../../semantics/machines/channels/channels.ts'
import { crashesIn } from './crash-needs.ts'
import { startState, type Transition } from './local-space.ts'
import { noMessage } from './messages.ts'
import { anywhere } from './needs.ts'
import type { Explored } from './requirements.ts'
import type { Reachability } from './soundness.ts'

/** Combinations between two breaths. */
const stride = 512

export class Forward {
  readonly #explored: Explored
  readonly #channels: Channels
  /** States of all machines, then the number of what is under way; numbered in the order they were met. */
  readonly #met = new SequenceInterner()
  readonly #keys = new KeyIndex()
  readonly #underWay: unknown[] = []
  /** By combination: the one it was met from, -1 at the start, and by which transition. */
  readonly #before: number[] = []
  readonly #transitions: (Transition | undefined)[] = []
  /** Combinations below this number have been expanded: breadth first without a queue. */
  followed = 0

  constructor(explored: Explored) {
    this.#explored = explored
    const { spaces, messages, machines } = explored
    this.#channels = channelsOf(machines, {
      from: (message) => messages.senders[message] as number,
      to: (message) => messages.receivers[message] as number,
      content: (message) => message,
    })
    const start = spaces.map(() => startState)
    this.#enter(start, this.#channels.put(this.#channels.nothing, messages.atStart), -1, undefined)
  }

  get size(): number {
    return this.#met.size
  }

  get isComplete(): boolean {
    return this.followed === this.#met.size
  }

  /** Goes on until so many were followed in all, and yields every so many. */
  *extend(most: number): Generator<undefined, void> {
    while (this.followed < most && this.followed < this.#met.size) {
      if (this.followed % stride === stride - 1) yield undefined
      this.#follow(this.followed++)
    }
  }

  /** Looks at those that were met since there were `seen`. */
  find(states: readonly number[], message: number, seen: number): Reachability {
    for (let number = seen; number < this.#met.size; number++)
      if (this.#fits(number, states, message)) return { kind: 'reachable', execution: this.#execution(number) }
    return { kind: this.isComplete ? 'unreachable' : 'undecided' }
  }

  #fits(number: number, states: readonly number[], message: number): boolean {
    const met = this.#met.at(number)
    if (!states.every((state, machine) => state === anywhere || state === met[machine])) return false
    if (message === noMessage) return true
    return this.#channels.deliveries(this.#underWayIn(met)).some((delivery) => delivery.message === message)
  }

  #execution(number: number): readonly Transition[] {
    const execution: Transition[] = []
    for (let at = number; at >= 0; at = this.#before[at] as number) {
      const transition = this.#transitions[at]
      if (transition !== undefined) execution.push(transition)
    }
    return execution.reverse()
  }

  #follow(number: number): void {
    const { spaces, messages } = this.#explored
    const met = this.#met.at(number)
    const underWay = this.#underWayIn(met)
    for (const [machine, space] of spaces.entries())
      for (const transition of space.outOf[met[machine] as number] ?? [])
        if (transition.consumed === noMessage && this.#isWithinBudget(met, transition))
          this.#take(number, transition, underWay)
    for (const { message, after } of this.#channels.deliveries(underWay)) {
      const receiver = messages.receivers[message] as number
      for (const transition of spaces[receiver]?.outOf[met[receiver] as number] ?? [])
        if (transition.consumed === message) this.#take(number, transition, after)
    }
  }

  #isWithinBudget(met: readonly number[], { internal }: Transition): boolean {
    const { spaces, machines } = this.#explored
    return internal?.kind !== 'crash' || crashesIn(spaces, met) < mostOf(machines.faults, 'restarts')
  }

  #take(number: number, transition: Transition, underWay: unknown): void {
    const places = this.#met.at(number).slice(0, -1)
    places[transition.machine] = transition.to
    this.#enter(places, this.#channels.put(underWay, transition.sent), number, transition)
  }

  #enter(places: readonly number[], underWay: unknown, before: number, transition: Transition | undefined): void {
    const known = this.#met.size
    if (this.#met.intern([...places, this.#numberOf(underWay)]) < known) return
    this.#before.push(before)
    this.#transitions.push(transition)
  }

  #numberOf(underWay: unknown): number {
    const key = this.#channels.key(underWay)
    const known = this.#keys.find(key)
    if (known >= 0) return known
    this.#underWay.push(underWay)
    return this.#keys.add(key)
  }

  #underWayIn(met: readonly number[]): unknown {
    return this.#underWay[met.at(-1) as number]
  }
}
