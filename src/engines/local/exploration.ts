/**
 * Handler execution (LMC §4.1, Figures 8 and 9): every message ever sent is given to every state of its receiver, every internal
 * event is taken in every state that has it.
 *
 * Histories (LMC §4.2, "Duplicate messages"). A path may not consume a message more often than it can have been sent; without
 * that, a machine that counts one message would count for ever. The paper keeps the history of the first path to a state only,
 * and so misses states. Here a state has the *best* of all paths to it: what was consumed, as a multiset, and what was sent.
 * A path that has consumed less and sent more can do all that another one can, so the other one is not needed.
 *
 * How often a message can be sent is not known before the search is over. Each message has a limit, first 1. What a limit
 * holds back is kept; when nothing else is left to do, limits below the bound that the explored transitions justify
 * (`copy-bounds.ts`) are raised by one. A limit that holds nothing back, or that has reached the bound, restricts nothing: a
 * search that ends has left nothing out.
 *
 * Internal events (LMC §4.2, "Local events"): at most so many on a path, one more in each round. The paper starts each round
 * anew; here the search goes on where it was held back.
 */
import {
  type BitSet,
  bitSetOf,
  emptyBitSet,
  hasBit,
  intersectionOf,
  isDisjoint,
  isWithin,
  sizeOf,
  unionOf,
} from '../../collections/bit-set.ts'
import { IntVector } from '../../collections/int-vector.ts'
import type { Machines } from '../../program/machines.ts'
import { copyBounds } from './copy-bounds.ts'
import { LocalSpace, startState } from './local-space.ts'
import { Messages, noMessage } from './messages.ts'
import { emptyMultiset, Multisets } from './multisets.ts'
import { Precedence } from './precedence.ts'

/** Deliveries that are tried again between two breaths. */
const stride = 64
/** Ways to one state that are kept apart; then one takes their place that has consumed least and sent most. */
const mostWays = 256

/** A state with what was consumed on a way to it, and what its machine has sent on that way. */
interface Reached {
  readonly state: number
  history: number
  readonly sent: BitSet
  /** False once a better way was found: one that has consumed less and sent more. */
  least: boolean
}

/** In the place of a way that is not needed any more. */
const gone: Reached = { state: startState, history: emptyMultiset, sent: emptyBitSet, least: false }

/** Ways that are not needed, from which on they are let go of, if they are not few beside the others. */
const manyGone = 64

/** All that was sent on a way, and what was sent at the end of it. */
interface Sending {
  readonly way: BitSet
  readonly last: BitSet
}

export class Exploration {
  readonly messages: Messages
  readonly spaces: readonly LocalSpace[]
  readonly precedence: Precedence
  /** Consumed messages, as numbers of multisets. */
  #histories = new Multisets()
  /** Ways that are least, and those that are not any more and still remembered. */
  #leastWays = 0
  #goneWays = 0
  /** By machine, in the order of reaching. Only ever appended to: the counts below are positions in it. */
  readonly #reached: readonly Reached[][]
  /** By machine and state: those that are least. */
  readonly #least: readonly Reached[][][]
  /** By message and by machine: how many of the reached it has been executed on (LMC §4.2), and internal events. */
  readonly #executedOn: number[] = []
  readonly #internalOn: number[]
  /** By message: how often a path may consume it for now; 1 where there is none. */
  readonly #limits: number[] = []
  /** By message: those on which its limit holds it back, as positions among those of its receiver. */
  readonly #heldBack: IntVector[] = []
  /** By message: those to which it cannot come, by what is known (`precedence.ts`), as positions. As references they took a tenth of all. */
  readonly #impossible: IntVector[] = []
  /** Version of `precedence` at which `#impossible` was last gone through. */
  #tried = 0
  /** Messages that are sent more than once on a way. */
  #sentAgain: BitSet = emptyBitSet
  /** By machine: those that have used up their internal events, as positions. */
  readonly #postponed: IntVector[]
  /** Internal events that a path may have for now. */
  #internalBound = 1
  /** The rest of the present sweep, next one last. */
  readonly #pending: { readonly machine: number; readonly message: number }[] = []

  constructor(subject: Machines) {
    this.messages = new Messages(subject)
    this.spaces = subject.machines.map((_, machine) => new LocalSpace(subject, this.messages, machine))
    this.precedence = new Precedence(this.spaces, this.messages)
    this.#reached = this.spaces.map(() => [])
    this.#least = this.spaces.map(() => [])
    this.#internalOn = this.spaces.map(() => 0)
    this.#postponed = this.spaces.map(() => new IntVector())
    for (const machine of this.spaces.keys())
      this.#reach(machine, startState, emptyMultiset, { way: emptyBitSet, last: emptyBitSet })
  }

  /**
   * Executes one handler, or finds that it has been executed. False when there is nothing to do under the present limits. Yields
   * where it takes long, as all generators here do.
   */
  *step(): Generator<undefined, boolean> {
    if (this.#goneWays > manyGone && 8 * this.#goneWays > this.#leastWays) this.#letGo()
    for (;;) {
      const next = this.#pending[this.#pending.length - 1]
      if (next === undefined) {
        if (!this.#sweep() && !(yield* this.#tryAgain())) return false
        continue
      }
      const position = this.#next(next.machine, next.message)
      if (position < 0) {
        this.#pending.pop()
        continue
      }
      if (!this.#at(next.machine, position).least) continue
      if (next.message === noMessage) this.#internal(next.machine, position)
      else yield* this.#deliver(next.machine, next.message, position)
      return true
    }
  }

  /** Widens limits and bounds that held something back. False if none did: then everything has been explored. */
  *deepen(): Generator<undefined, boolean> {
    const raised = yield* this.#raiseLimits()
    const continued = this.#postponed.some((list) => list.length > 0)
    if (continued) this.#internalBound++
    for (const [machine, list] of this.#postponed.entries()) {
      this.#postponed[machine] = new IntVector()
      for (let at = 0; at < list.length; at++) {
        if (this.#at(machine, list.at(at)).least) this.#internal(machine, list.at(at))
        if (at % stride === stride - 1) yield undefined
      }
    }
    return raised || continued
  }

  /** Everything new, in rounds: each event on all that was reached since its last turn. */
  #sweep(): boolean {
    for (const machine of this.spaces.keys()) {
      if ((this.#internalOn[machine] as number) < this.#list(machine).length)
        this.#pending.push({ machine, message: noMessage })
      for (const message of this.messages.to[machine] as readonly number[])
        if ((this.#executedOn[message] ?? 0) < this.#list(machine).length) this.#pending.push({ machine, message })
    }
    this.#pending.reverse()
    return this.#pending.length > 0
  }

  /** What could not be before may be possible by transitions that were found since. False if nothing was. */
  *#tryAgain(): Generator<undefined, boolean> {
    yield* this.precedence.reconsider()
    if (this.#tried === this.precedence.version) return false
    this.#tried = this.precedence.version
    let isTried = false
    for (const [message, list] of this.#impossible.entries()) {
      if (list === undefined) continue
      this.#impossible[message] = new IntVector()
      const machine = this.messages.receivers[message] as number
      for (let at = 0; at < list.length; at++) {
        if (at % stride === stride - 1) yield undefined
        const position = list.at(at)
        const { least, state, sent } = this.#at(machine, position)
        if (!least) continue
        if (this.precedence.allows(machine, state, sent, message)) {
          yield* this.#deliver(machine, message, position)
          isTried = true
        } else keep(this.#impossible, message, position)
      }
    }
    return isTried
  }

  /** The position of the next one that has not had its turn, or -1. */
  #next(machine: number, message: number): number {
    const counts = message === noMessage ? this.#internalOn : this.#executedOn
    const at = message === noMessage ? machine : message
    const position = counts[at] ?? 0
    if (position === this.#list(machine).length) return -1
    counts[at] = position + 1
    return position
  }

  #at(machine: number, position: number): Reached {
    return this.#list(machine)[position] as Reached
  }

  #list(machine: number): Reached[] {
    return this.#reached[machine] as Reached[]
  }

  *#deliver(machine: number, message: number, position: number): Generator<undefined, void> {
    if (!this.precedence.isUpToDate) yield* this.precedence.update()
    const reached = this.#at(machine, position)
    if (!this.precedence.allows(machine, reached.state, reached.sent, message)) {
      keep(this.#impossible, message, position)
      return
    }
    const limit = this.#limits[message] ?? 1
    if (this.#histories.count(reached.history, message) >= limit) {
      keep(this.#heldBack, message, position)
      return
    }
    const history = this.#histories.plus(reached.history, message)
    for (const { to, sent } of this.#space(machine).onMessage(reached.state, message))
      this.#reach(machine, to, history, this.#sending(reached.sent, sent))
  }

  #internal(machine: number, position: number): void {
    const space = this.#space(machine)
    const reached = this.#at(machine, position)
    if ((space.depths[reached.state] as number) >= this.#internalBound) {
      this.#postponed[machine]?.push(position)
      return
    }
    for (const { to, sent } of space.onInternal(reached.state))
      this.#reach(machine, to, reached.history, this.#sending(reached.sent, sent))
  }

  #space(machine: number): LocalSpace {
    return this.spaces[machine] as LocalSpace
  }

  #reach(machine: number, state: number, history: number, { way, last }: Sending): void {
    const least = this.#least[machine] as Reached[][]
    const known = least[state] ?? []
    // Even if a known way is as good: that one may stand for many (`mostWays`), which never sent their messages together.
    this.precedence.sent(machine, state, way, last)
    if (known.some((other) => this.#isAsGood(other, { history, sent: way }))) return
    const kept = known.filter((other) => {
      other.least = !this.#isAsGood({ history, sent: way }, other)
      return other.least
    })
    this.#count(known.length - kept.length)
    if (kept.length === mostWays) {
      least[state] = []
      for (const other of kept) other.least = false
      this.#count(mostWays)
      const common = kept.reduce((soFar, other) => this.#histories.common(soFar, other.history), history)
      const all = kept.reduce((soFar, other) => unionOf(soFar, other.sent), way)
      // What each way sends together has been noted.
      this.#reach(machine, state, common, { way: all, last: emptyBitSet })
      return
    }
    const reached: Reached = { state, history, sent: way, least: true }
    kept.push(reached)
    least[state] = kept
    this.#leastWays++
    this.#list(machine).push(reached)
  }

  #count(gone: number): void {
    this.#leastWays -= gone
    this.#goneWays += gone
  }

  /**
   * Positions stay what they are; what was consumed on ways that are gone is forgotten, which is most of what there is: a lease lock of
   * three holders took 5.9 MB, and takes 4.4.
   */
  #letGo(): void {
    const histories = new Multisets()
    for (const list of this.#reached)
      for (const [at, reached] of list.entries())
        if (reached.least) reached.history = histories.of(this.#histories.elements(reached.history))
        else list[at] = gone
    for (const lists of [this.#heldBack, this.#impossible])
      for (const [message, list] of lists.entries())
        if (list !== undefined) lists[message] = this.#leastOf(this.messages.receivers[message] as number, list)
    for (const [machine, list] of this.#postponed.entries()) this.#postponed[machine] = this.#leastOf(machine, list)
    this.#histories = histories
    this.#goneWays = 0
  }

  #leastOf(machine: number, positions: IntVector): IntVector {
    const least = new IntVector()
    for (let at = 0; at < positions.length; at++)
      if (this.#at(machine, positions.at(at)).least) least.push(positions.at(at))
    return least
  }

  #sending(before: BitSet, sent: readonly number[]): Sending {
    if (sent.length === 0) return { way: before, last: emptyBitSet }
    const last = bitSetOf(sent)
    if (sizeOf(last) < sent.length) this.#sentAgain = unionOf(this.#sentAgain, last)
    if (!isDisjoint(before, last)) this.#sentAgain = unionOf(this.#sentAgain, intersectionOf(before, last))
    return { way: unionOf(before, last), last }
  }

  /** False if there is one copy of the message at most: it is not sent twice on any way. */
  #mayBeCopied(message: number): boolean {
    return (this.messages.copiesAtStart[message] as number) > 0 || hasBit(this.#sentAgain, message)
  }

  #isAsGood(left: Pick<Reached, 'history' | 'sent'>, right: Pick<Reached, 'history' | 'sent'>): boolean {
    return this.#histories.includes(right.history, left.history) && isWithin(right.sent, left.sent)
  }

  *#raiseLimits(): Generator<undefined, boolean> {
    const waiting = [...this.#heldBack.entries()].flatMap(([message, list]) => {
      if (list === undefined || !this.#mayBeCopied(message)) return []
      const least = this.#leastOf(this.messages.receivers[message] as number, list)
      return least.length === 0 ? [] : [message]
    })
    if (waiting.length === 0) return false
    const bounds = yield* copyBounds(this.spaces, this.messages)
    let raised = false
    for (const message of waiting) {
      const limit = this.#limits[message] ?? 1
      if (limit >= (bounds[message] as number)) continue
      raised = true
      this.#limits[message] = limit + 1
      const machine = this.messages.receivers[message] as number
      const list = this.#heldBack[message] as IntVector
      this.#heldBack[message] = new IntVector()
      for (let at = 0; at < list.length; at++) {
        const position = list.at(at)
        if (this.#at(machine, position).least) yield* this.#deliver(machine, message, position)
        if (at % stride === stride - 1) yield undefined
      }
    }
    return raised
  }
}

function keep(lists: IntVector[], message: number, position: number): void {
  const list = lists[message] ?? new IntVector()
  lists[message] = list
  list.push(position)
}
