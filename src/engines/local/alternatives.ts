/**
 * Which states can come together, by what must have been sent before them. A majority has nothing in common with another but
 * that they overlap, and that is what makes Paxos right: so there are several sets of messages, one of which was sent in every
 * execution that leads to a state (`alternative-sets.ts`). Two states can only come together if some set of the one and some
 * set of the other can have been sent in one execution: no machine has sent both of two messages that no way of it sends.
 *
 * The same sets as in `precedence.ts`, found anew once the transitions stay as they are: then sets that cannot have been sent
 * are left out from the beginning.
 */
import { type BitSet, emptyBitSet, isDisjoint, unionOf } from '../../collections/bit-set.ts'
import { type Alternative, AlternativeSets } from './alternative-sets.ts'
import { type LocalSpace, startState, type Transition } from './local-space.ts'
import { type Messages, noMessage } from './messages.ts'
import { anywhere } from './needs.ts'
import type { Precedence } from './precedence.ts'

/** Pairs of sets between two breaths: about a millisecond. */
const stride = 200
/** Combinations that are tried before it counts as possible. */
const mostTried = 400
const nothing: Alternative = { sent: emptyBitSet, excluded: emptyBitSet }
const noMatter: readonly Alternative[] = [nothing]

export class Alternatives {
  readonly #spaces: readonly LocalSpace[]
  readonly #messages: Messages
  readonly #precedence: Precedence
  /** By machine and state, and by message. */
  readonly #ofStates: AlternativeSets[][]
  readonly #ofMessages: AlternativeSets[] = []
  /** By message: transitions that consume it. */
  readonly #consumers: Transition[][] = []
  /** Used in `prepare` only, which computes the least fixed point. Invariant: `#isWaiting` has the same transitions. */
  readonly #waiting: Transition[] = []
  readonly #isWaiting = new Set<Transition>()

  constructor(spaces: readonly LocalSpace[], messages: Messages, precedence: Precedence) {
    this.#spaces = spaces
    this.#messages = messages
    this.#precedence = precedence
    this.#ofStates = spaces.map(({ states }) => states.map(() => new AlternativeSets()))
    for (let message = 0; message < messages.size; message++) {
      this.#ofMessages.push(new AlternativeSets())
      this.#consumers.push([])
    }
    for (const { transitions } of spaces)
      for (const transition of transitions)
        if (transition.consumed !== noMessage) this.#consumers[transition.consumed]?.push(transition)
    for (const [machine, known] of this.#ofStates.entries()) {
      known[startState]?.add(nothing)
      this.#enqueue(spaces[machine]?.outOf[startState] ?? [])
    }
  }

  /** Finds the sets, before anything can be asked. Yields every so often. */
  *prepare(): Generator<undefined, void> {
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
    this.#waiting.length = 0
  }

  /** False if machines cannot be in these states at the same time with these messages sent. */
  canMeet(states: readonly number[], messages: readonly number[]): boolean {
    const asked: (readonly Alternative[])[] = []
    let excluded: BitSet = emptyBitSet
    for (const [machine, state] of states.entries()) {
      if (state === anywhere) continue
      asked.push(this.#ofStates[machine]?.[state]?.all ?? noMatter)
      excluded = unionOf(excluded, this.#precedence.excludedBy(machine, state))
    }
    for (const message of messages) asked.push(this.#ofMessage(message))
    // Those with the fewest alternatives first.
    asked.sort((left, right) => left.length - right.length)
    let left = mostTried
    const canGoOn = (at: number, soFar: Alternative): boolean => {
      const alternatives = asked[at]
      if (alternatives === undefined || left <= 0) return true
      for (const each of alternatives) {
        left--
        const both = joined(soFar, each)
        if (both !== undefined && canGoOn(at + 1, both)) return true
      }
      return false
    }
    return canGoOn(0, { sent: emptyBitSet, excluded })
  }

  #enqueue(transitions: readonly Transition[]): void {
    for (const transition of transitions) {
      if (this.#isWaiting.has(transition)) continue
      this.#isWaiting.add(transition)
      this.#waiting.push(transition)
    }
  }

  /** How many pairs of sets there were. */
  #follow({ machine, from, to, consumed, sent }: Transition): number {
    const here = this.#ofStates[machine]?.[from] as AlternativeSets
    const consumable = consumed === noMessage ? noMatter : this.#ofMessage(consumed)
    const own = this.#precedence.exclusions(sent)
    const there = this.#precedence.excludedBy(machine, to)
    const isChanged = new Set<AlternativeSets>()
    const targets = [
      this.#ofStates[machine]?.[to] as AlternativeSets,
      ...sent.map((message) => this.#ofMessages[message] as AlternativeSets),
    ]
    for (const left of here.all) {
      for (const right of consumable) {
        const both = joined(left, right)
        const next = both === undefined ? undefined : joined(both, own)
        if (next === undefined || !isDisjoint(next.sent, there)) continue
        for (const target of targets) if (target.add(next)) isChanged.add(target)
      }
    }
    for (const [at, target] of targets.entries()) {
      if (!isChanged.has(target)) continue
      if (at === 0) this.#enqueue(this.#spaces[machine]?.outOf[to] ?? [])
      else this.#enqueue(this.#consumers[sent[at - 1] as number] ?? [])
    }
    return here.all.length * consumable.length
  }

  /** Messages under way at the start need nothing. */
  #ofMessage(message: number): readonly Alternative[] {
    if ((this.#messages.copiesAtStart[message] as number) > 0) return noMatter
    return (this.#ofMessages[message] as AlternativeSets).all
  }
}

/** Both at once; undefined if one was sent that the other excludes. */
function joined(left: Alternative, right: Alternative): Alternative | undefined {
  if (!isDisjoint(left.sent, right.excluded) || !isDisjoint(right.sent, left.excluded)) return undefined
  return { sent: unionOf(left.sent, right.sent), excluded: unionOf(left.excluded, right.excluded) }
}
