/**
 * All combinations of states that executions lead to, from the start forwards over the explored transitions: the global search
 * of LMC §3.2 without executing a handler. Slow where the network is large, but it ends where the backward search (`soundness.ts`)
 * has no end, and what it has seen serves all questions. LMC §4.3 suggests to run both and take what finishes sooner.
 */
import { SequenceInterner } from '../../collections/sequence-interner.ts'
import { startState, type Transition } from './local-space.ts'
import { noMessage } from './messages.ts'
import { anywhere } from './needs.ts'
import type { Explored } from './requirements.ts'
import type { Reachability } from './soundness.ts'

/** Of a message under way: itself, how many more copies may be delivered, and whether one was. */
const flightSize = 3
/** Combinations between two breaths. */
const stride = 512

export class Forward {
  readonly #explored: Explored
  /** States of all machines, then messages under way; numbered in the order they were met. */
  readonly #met = new SequenceInterner()
  /** By combination: the one it was met from, -1 at the start, and by which transition; undefined for a loss. */
  readonly #before: number[] = []
  readonly #transitions: (Transition | undefined)[] = []
  /** Combinations below this number have been expanded: breadth first without a queue. */
  followed = 0

  constructor(explored: Explored) {
    this.#explored = explored
    const { spaces, messages } = explored
    const start = spaces.map(() => startState)
    this.#enter([...start, ...messages.atStart.flatMap((message) => this.#flight(message))], -1, undefined)
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
    for (let at = states.length; at < met.length; at += flightSize)
      if (met[at] === message && this.#isFirst(met, at)) return true
    return false
  }

  #execution(number: number): readonly Transition[] {
    const execution: Transition[] = []
    for (let at = number; at >= 0; at = this.#before[at] as number) {
      const transition = this.#transitions[at]
      if (transition !== undefined) execution.push(transition)
    }
    return execution.reverse()
  }

  #flight(message: number): readonly number[] {
    return [message, this.#explored.network.duplicates, 0]
  }

  #follow(number: number): void {
    const { spaces, network } = this.#explored
    const met = this.#met.at(number)
    for (const [machine, space] of spaces.entries())
      for (const transition of space.outOf[met[machine] as number] ?? [])
        if (transition.consumed === noMessage) this.#take(number, transition, met)
    for (let at = spaces.length; at < met.length; at += flightSize) {
      const [message, again, delivered] = [met[at] as number, met[at + 1] as number, met[at + 2] as number]
      const isKnown = network.order === 'bag' && this.#hasEqualBefore(met, at)
      if (isKnown || !this.#isFirst(met, at)) continue
      const rest = [...met.slice(0, at), ...met.slice(at + flightSize)]
      if (network.order === 'fifo' && (network.loses || delivered === 1)) this.#enter(rest, number, undefined)
      const kept = again > 0 ? [...met.slice(0, at + 1), again - 1, 1, ...met.slice(at + flightSize)] : undefined
      const receiver = this.#explored.messages.receivers[message] as number
      for (const transition of spaces[receiver]?.outOf[met[receiver] as number] ?? []) {
        if (transition.consumed !== message) continue
        this.#take(number, transition, rest)
        if (kept !== undefined) this.#take(number, transition, kept)
      }
    }
  }

  #take(number: number, transition: Transition, left: readonly number[]): void {
    const next = [...left, ...transition.sent.flatMap((message) => this.#flight(message))]
    next[transition.machine] = transition.to
    this.#enter(next, number, transition)
  }

  #enter(sequence: readonly number[], before: number, transition: Transition | undefined): void {
    const known = this.#met.size
    if (this.#met.intern(this.#inOrder(sequence)) < known) return
    this.#before.push(before)
    this.#transitions.push(transition)
  }

  /** Sorts the messages, so that combinations that differ only in an order that no machine can see are one. */
  #inOrder(sequence: readonly number[]): readonly number[] {
    const { spaces, messages, network } = this.#explored
    const flights: (readonly number[])[] = []
    for (let at = spaces.length; at < sequence.length; at += flightSize)
      flights.push(sequence.slice(at, at + flightSize))
    flights.sort((left, right) =>
      network.order === 'fifo'
        ? messages.channelOf(left[0] as number) - messages.channelOf(right[0] as number)
        : (left[0] as number) - (right[0] as number) || (left[1] as number) - (right[1] as number),
    )
    return [...sequence.slice(0, spaces.length), ...flights.flat()]
  }

  #isFirst(met: readonly number[], at: number): boolean {
    const { spaces, messages, network } = this.#explored
    if (network.order === 'bag' || at === spaces.length) return true
    return messages.channelOf(met[at] as number) !== messages.channelOf(met[at - flightSize] as number)
  }

  #hasEqualBefore(met: readonly number[], at: number): boolean {
    return (
      at > this.#explored.spaces.length && met[at] === met[at - flightSize] && met[at + 1] === met[at - flightSize + 1]
    )
  }
}
