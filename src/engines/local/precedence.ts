/**
 * What must have been sent before. A local search gives every message to every state of its receiver (LMC §4.1), and so finds
 * states that need their own future: an answer that comes before its question, a number above all numbers that were seen, its
 * own later ones among them. LMC leaves these to the soundness check; with numbers that grow the search then has no end.
 *
 * Here each state and each message has a set of messages that were sent in every execution that leads to it, over all
 * machines and all explored ways; each state also has the sets of messages that its machine has sent on a way to it. A message
 * is delivered to a state only if
 * - what was sent before it by the receiver itself is what the receiver can have sent on one way to the state;
 * - what was sent before it, and before the state, can have been sent by the same machines together.
 *
 * Nothing is lost: the explored transitions include those of every execution, by induction over its events, and both
 * conditions hold in it. New transitions make the first kind of set smaller and the second larger, so that a message once held
 * back may be allowed later, and never the other way round.
 */
import {
  type BitSet,
  bitSetOf,
  bitsOf,
  differenceOf,
  emptyBitSet,
  intersectionOf,
  isWithin,
  isWithinWhere,
  unionOf,
} from '../../collections/bit-set.ts'
import { type LocalSpace, startState, type Transition } from './local-space.ts'
import { type Messages, noMessage } from './messages.ts'
import { anywhere } from './needs.ts'

/** Ways to a state that differ in what was sent are kept apart up to so many; then one takes their place that includes them. */
const mostWays = 8

export class Precedence {
  readonly #spaces: readonly LocalSpace[]
  readonly #messages: Messages
  /** By machine and state: what was sent, by anybody, whenever the machine is there. */
  readonly #beforeState: (BitSet | undefined)[][]
  /** By message: what was sent whenever it is under way, itself included. */
  readonly #beforeMessage: (BitSet | undefined)[] = []
  /** By machine and state: what the machine itself has sent, on ways to it; none is within another. */
  readonly #ways: (readonly BitSet[])[][]
  /** By machine and state: what the machine has sent on some way to it. */
  readonly #sentAnyhow: BitSet[][]
  /** By message: what its sender can send on the same way. */
  readonly #together: BitSet[] = []
  /** By machine: all messages it sends. */
  readonly #sentBy: BitSet[]
  /** By machine: how many of its transitions are taken into account. */
  readonly #added: number[]
  /** By message: transitions that consume it. */
  readonly #consumers: Transition[][] = []
  readonly #waiting: Transition[] = []
  readonly #isWaiting = new Set<Transition>()
  /** Grows when something that was held back may be allowed. */
  version = 0

  constructor(spaces: readonly LocalSpace[], messages: Messages) {
    this.#spaces = spaces
    this.#messages = messages
    this.#beforeState = spaces.map(() => [emptyBitSet])
    this.#ways = spaces.map(() => [[emptyBitSet]])
    this.#sentAnyhow = spaces.map(() => [emptyBitSet])
    this.#sentBy = spaces.map(() => emptyBitSet)
    this.#added = spaces.map(() => 0)
  }

  /** Takes transitions into account that were explored since the last time. */
  update(): void {
    for (const [machine, { transitions }] of this.#spaces.entries()) {
      for (let at = this.#added[machine] as number; at < transitions.length; at++)
        this.#add(transitions[at] as Transition)
      this.#added[machine] = transitions.length
    }
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop()) {
      this.#isWaiting.delete(next)
      this.#follow(next)
    }
  }

  /** Whether a message can come to a machine in a state. */
  allows(machine: number, state: number, message: number): boolean {
    const before = this.#beforeOf(message)
    const sentBy = this.#sentBy[machine] as BitSet
    if (!this.#waysTo(machine, state).some((sent) => isWithinWhere(before, sentBy, sent))) return false
    const here = this.#beforeState[machine]?.[state] ?? emptyBitSet
    return this.#spaces.every((_, other) => other === machine || this.#areTogether(other, before, here))
  }

  /** False if machines cannot be in these states at the same time with these messages sent. */
  canMeet(states: readonly number[], messages: readonly number[]): boolean {
    let before: BitSet = emptyBitSet
    for (const [machine, state] of states.entries())
      if (state !== anywhere) before = unionOf(before, this.#beforeState[machine]?.[state] ?? emptyBitSet)
    for (const message of messages) before = unionOf(before, this.#beforeOf(message))
    return states.every((state, machine) => {
      if (state === anywhere) return this.#areTogether(machine, before, before)
      const sentBy = this.#sentBy[machine] as BitSet
      return this.#waysTo(machine, state).some((sent) => isWithinWhere(before, sentBy, sent))
    })
  }

  /** Messages that their sender has sent on no way to the state. */
  excludedBy(machine: number, state: number): BitSet {
    return differenceOf(this.#sentBy[machine] as BitSet, this.#sentAnyhow[machine]?.[state] ?? emptyBitSet)
  }

  /** Messages of one handler, with all that their sender sends on no way with one of them. */
  exclusions(sent: readonly number[]): { readonly sent: BitSet; readonly excluded: BitSet } {
    let excluded: BitSet = emptyBitSet
    for (const message of sent) {
      const sentBy = this.#sentBy[this.#messages.senders[message] as number] ?? emptyBitSet
      excluded = unionOf(excluded, differenceOf(sentBy, this.#together[message] ?? emptyBitSet))
    }
    return { sent: bitSetOf(sent), excluded }
  }

  #add(transition: Transition): void {
    const { machine, consumed, sent } = transition
    if (sent.length > 0) this.#sentBy[machine] = unionOf(this.#sentBy[machine] as BitSet, bitSetOf(sent))
    if (consumed !== noMessage) {
      const consumers = this.#consumers[consumed]
      if (consumers === undefined) this.#consumers[consumed] = [transition]
      else consumers.push(transition)
    }
    this.#enqueue([transition])
  }

  #enqueue(transitions: readonly Transition[]): void {
    for (const transition of transitions) {
      if (this.#isWaiting.has(transition)) continue
      this.#isWaiting.add(transition)
      this.#waiting.push(transition)
    }
  }

  #follow({ machine, from, to, consumed, sent }: Transition): void {
    const here = this.#beforeState[machine]?.[from]
    if (here === undefined) return
    const sentHere = sent.length === 0 ? emptyBitSet : bitSetOf(sent)
    let before = unionOf(here, sentHere)
    if (consumed !== noMessage) before = unionOf(before, this.#beforeOf(consumed))
    for (const message of sent) this.#narrowMessage(message, before)
    const isChanged = this.#narrowState(machine, to, before)
    const isWidened = this.#widen(machine, from, to, sentHere)
    if (!isChanged && !isWidened) return
    this.version++
    this.#enqueue(this.#spaces[machine]?.outOf[to] ?? [])
  }

  #narrowMessage(message: number, before: BitSet): void {
    const known = this.#beforeMessage[message]
    const next = known === undefined ? before : intersectionOf(known, before)
    if (next === known) return
    this.#beforeMessage[message] = next
    this.version++
    this.#enqueue(this.#consumers[message] ?? [])
  }

  #narrowState(machine: number, state: number, before: BitSet): boolean {
    const states = this.#beforeState[machine] as (BitSet | undefined)[]
    if (state === startState) return false
    const known = states[state]
    states[state] = known === undefined ? before : intersectionOf(known, before)
    return states[state] !== known
  }

  #widen(machine: number, from: number, to: number, sent: BitSet): boolean {
    const known = this.#waysTo(machine, to)
    let ways = known
    for (const way of this.#waysTo(machine, from)) {
      const longer = unionOf(way, sent)
      if (ways.some((other) => isWithin(longer, other))) continue
      ways = [...ways.filter((other) => !isWithin(other, longer)), longer]
    }
    if (ways.length > mostWays) ways = [ways.reduce(unionOf)]
    const states = this.#ways[machine] as (readonly BitSet[])[]
    states[to] = ways
    const anyhow = this.#sentAnyhow[machine] as BitSet[]
    const soFar = unionOf(anyhow[from] ?? emptyBitSet, sent)
    for (const message of bitsOf(sent)) this.#putTogether(message, soFar)
    const before = anyhow[to] ?? emptyBitSet
    anyhow[to] = unionOf(before, soFar)
    return ways !== known || anyhow[to] !== before
  }

  /** Of two messages on one way, one is sent when the other has been. */
  #putTogether(message: number, others: BitSet): void {
    const known = this.#together[message] ?? emptyBitSet
    const next = unionOf(known, others)
    if (next === known) return
    this.#together[message] = next
    this.version++
    const self = bitSetOf([message])
    for (const other of bitsOf(others)) this.#together[other] = unionOf(this.#together[other] ?? emptyBitSet, self)
  }

  /** Whether one machine can have sent, on one way, all of its messages in both sets; judged pair by pair. */
  #areTogether(machine: number, left: BitSet, right: BitSet): boolean {
    const sentBy = this.#sentBy[machine] as BitSet
    for (const message of bitsOf(intersectionOf(left, sentBy)))
      if (!isWithinWhere(right, sentBy, this.#together[message] ?? emptyBitSet)) return false
    return true
  }

  /** Messages under way at the start need nothing. */
  #beforeOf(message: number): BitSet {
    if ((this.#messages.copiesAtStart[message] as number) > 0) return emptyBitSet
    return this.#beforeMessage[message] ?? emptyBitSet
  }

  #waysTo(machine: number, state: number): readonly BitSet[] {
    return this.#ways[machine]?.[state] ?? []
  }
}
