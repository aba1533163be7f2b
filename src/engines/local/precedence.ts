/**
 * What must have been sent before. A local search gives every message to every state of its receiver (LMC §4.1), and so finds
 * states that need their own future: an answer that comes before its question, a number above all numbers that were seen, its
 * own later ones among them. LMC leaves these to the soundness check; with numbers that grow the search then has no end.
 *
 * Here each state and each message has a few sets of messages, one of which at least was sent in every execution that leads to
 * it (`alternative-sets.ts`), by whatever machine. A message is delivered to a state, reached on a way on which its machine
 * has sent certain messages itself, only if one of its sets
 * - has no message of the receiver that was not sent on that way;
 * - has no message of another machine that this machine can never have sent together with one of a set of the state.
 *
 * Nothing is lost: the explored transitions include those of every execution, by induction over its events, and both
 * conditions hold in it. New transitions add sets and make more messages possible together, so that a message once held back
 * may be allowed later, and never the other way round.
 */
import {
  type BitSet,
  bitSetOf,
  bitsOf,
  differenceOf,
  emptyBitSet,
  isDisjoint,
  isWithinWhere,
  unionOf,
} from '../../collections/bit-set.ts'
import { type Alternative, AlternativeSets } from './alternative-sets.ts'
import { type LocalSpace, startState, type Transition } from './local-space.ts'
import { type Messages, noMessage } from './messages.ts'

/** Pairs of sets between two breaths: about a millisecond. */
const stride = 200
const nothing: Alternative = { sent: emptyBitSet, excluded: emptyBitSet }
const noMatter: readonly Alternative[] = [nothing]

export class Precedence {
  readonly #spaces: readonly LocalSpace[]
  readonly #messages: Messages
  /** By machine and state: what was sent, by any machine, when the machine is there. */
  readonly #beforeState: AlternativeSets[][]
  /** By message: what was sent when it is under way, itself included. */
  readonly #beforeMessage: AlternativeSets[] = []
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
  /** Transitions whose sets may have changed at their beginning. Invariant: each once; `#isWaiting` has the same ones. */
  #waiting: Transition[] = []
  readonly #isWaiting = new Set<Transition>()
  /** Transitions for which sets were left out that no machine can have sent, as far as is known. */
  readonly #refused = new Set<Transition>()
  /** Grows when more can be sent together, which may take no new transition, only another way over known ones. */
  sendings = 0
  /** How far it had when refused transitions were followed again. */
  #followedAt = 0
  /** By message: what its sender sends on no way with it, as it was when there were so many sendings. */
  readonly #apart: { readonly at: number; readonly messages: BitSet }[] = []
  /** By set, itself and not its content: `unionOf` gives the same object back for the same set most of the time. */
  readonly #excluded = new WeakMap<BitSet, { readonly at: number; readonly messages: BitSet }>()
  /** Grows when something that was held back may be allowed. */
  version = 0

  constructor(spaces: readonly LocalSpace[], messages: Messages) {
    this.#spaces = spaces
    this.#messages = messages
    this.#beforeState = spaces.map(() => [])
    for (const machine of spaces.keys()) this.#stateSets(machine, startState).add(nothing)
    this.#sentAnyhow = spaces.map(() => [emptyBitSet])
    this.#sentBy = spaces.map(() => emptyBitSet)
    this.#added = spaces.map(() => 0)
  }

  /** Notes what a machine has sent on a way to a state, `last` at the end of it. */
  sent(machine: number, state: number, way: BitSet, last: BitSet): void {
    for (const message of bitsOf(last)) this.#putTogether(message, way)
    const anyhow = this.#sentAnyhow[machine] as BitSet[]
    const before = anyhow[state] ?? emptyBitSet
    const after = unionOf(before, way)
    if (after === before) return
    anyhow[state] = after
    this.version++
    this.sendings++
  }

  /** Whether all explored transitions are taken into account. */
  get isUpToDate(): boolean {
    return (
      this.#waiting.length === 0 &&
      this.#spaces.every(({ transitions }, machine) => transitions.length === this.#added[machine])
    )
  }

  /** Takes transitions into account that were explored since the last time. Yields every so often. */
  *update(): Generator<undefined, void> {
    if (this.isUpToDate) return
    for (const [machine, { transitions }] of this.#spaces.entries()) {
      for (let at = this.#added[machine] as number; at < transitions.length; at++)
        this.#add(transitions[at] as Transition)
      this.#added[machine] = transitions.length
    }
    // In the order they came up, which is about that of paths.
    let followed = 0
    for (let at = 0; at < this.#waiting.length; at++) {
      const next = this.#waiting[at] as Transition
      this.#isWaiting.delete(next)
      followed += this.#follow(next)
      if (followed < stride) continue
      followed = 0
      yield undefined
    }
    this.#waiting = []
  }

  /** Follows again what was refused, if more can have been sent by now. */
  *reconsider(): Generator<undefined, void> {
    yield* this.update()
    while (this.#followedAt !== this.sendings) {
      this.#followedAt = this.sendings
      const refused = [...this.#refused]
      this.#refused.clear()
      this.#enqueue(refused)
      yield* this.update()
    }
  }

  /** Whether a message can come to a machine in a state, on a way on which it has sent these messages. */
  allows(machine: number, state: number, way: BitSet, message: number): boolean {
    const sentBy = this.#sentBy[machine] as BitSet
    const here = this.#stateSets(machine, state).all
    for (const { sent } of this.#ofMessage(message)) {
      if (!isWithinWhere(sent, sentBy, way)) continue
      if (sent.length === 0 || here.some((other) => this.#areTogether(other.sent, sent))) return true
    }
    return false
  }

  /** Messages that their sender has sent on no way to the state. */
  excludedBy(machine: number, state: number): BitSet {
    return differenceOf(this.#sentBy[machine] as BitSet, this.#sentAnyhow[machine]?.[state] ?? emptyBitSet)
  }

  /** Messages of one handler, with all that their sender sends on no way with one of them. */
  exclusions(sent: readonly number[]): Alternative {
    const set = bitSetOf(sent)
    return { sent: set, excluded: this.#excludedWith(set) }
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

  /** How many pairs of sets there were. */
  #follow(transition: Transition): number {
    const { machine, from, to, consumed, sent } = transition
    const own = sent.length === 0 ? emptyBitSet : bitSetOf(sent)
    const there = this.#stateSets(machine, to)
    let isChanged = false
    let pairs = 0
    const changedMessages = new Set<number>()
    for (const left of this.#stateSets(machine, from).all) {
      for (const right of consumed === noMessage ? noMatter : this.#ofMessage(consumed)) {
        pairs++
        const both = unionOf(left.sent, right.sent)
        const next = { sent: unionOf(both, own), excluded: emptyBitSet }
        if (
          !this.#canBeSent(machine, to, next.sent) ||
          !this.#areTogether(left.sent, right.sent) ||
          !this.#areTogether(both, own)
        ) {
          this.#refused.add(transition)
          continue
        }
        if (there.add(next)) isChanged = true
        for (const message of sent) if (this.#messageSets(message).add(next)) changedMessages.add(message)
      }
    }
    for (const message of changedMessages) this.#enqueue(this.#consumers[message] ?? [])
    if (isChanged) this.#enqueue(this.#spaces[machine]?.outOf[to] ?? [])
    if (isChanged || changedMessages.size > 0) this.version++
    return pairs
  }

  /** Of two messages on one way, one is sent when the other has been. */
  #putTogether(message: number, others: BitSet): void {
    const known = this.#together[message] ?? emptyBitSet
    const next = unionOf(known, others)
    if (next === known) return
    this.#together[message] = next
    this.version++
    this.sendings++
    const self = bitSetOf([message])
    for (const other of bitsOf(others)) this.#together[other] = unionOf(this.#together[other] ?? emptyBitSet, self)
  }

  #canBeSent(machine: number, state: number, sent: BitSet): boolean {
    return isWithinWhere(sent, this.#sentBy[machine] as BitSet, this.#sentAnyhow[machine]?.[state] ?? emptyBitSet)
  }

  /** Whether no two messages, one of each set, are sent by a machine on no way together. */
  #areTogether(left: BitSet, right: BitSet): boolean {
    return isDisjoint(left, this.#excludedWith(right))
  }

  /** What was not sent if all of these were. */
  #excludedWith(sent: BitSet): BitSet {
    const known = this.#excluded.get(sent)
    if (known?.at === this.sendings) return known.messages
    let messages: BitSet = emptyBitSet
    for (const message of bitsOf(sent)) messages = unionOf(messages, this.#apartFrom(message))
    this.#excluded.set(sent, { at: this.sendings, messages })
    return messages
  }

  #apartFrom(message: number): BitSet {
    const known = this.#apart[message]
    if (known?.at === this.sendings) return known.messages
    const sentBy = this.#sentBy[this.#messages.senders[message] as number] ?? emptyBitSet
    const messages = differenceOf(sentBy, this.#together[message] ?? emptyBitSet)
    this.#apart[message] = { at: this.sendings, messages }
    return messages
  }

  /** Messages under way at the start need nothing. */
  #ofMessage(message: number): readonly Alternative[] {
    if ((this.#messages.copiesAtStart[message] as number) > 0) return noMatter
    return this.#messageSets(message).all
  }

  #messageSets(message: number): AlternativeSets {
    const known = this.#beforeMessage[message] ?? new AlternativeSets()
    this.#beforeMessage[message] = known
    return known
  }

  #stateSets(machine: number, state: number): AlternativeSets {
    const states = this.#beforeState[machine] as AlternativeSets[]
    const known = states[state] ?? new AlternativeSets()
    states[state] = known
    return known
  }
}
