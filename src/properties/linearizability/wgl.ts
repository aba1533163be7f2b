/**
 * The general search for a linearization: Wing and Gong, "Testing and Verifying Concurrent Objects" (JPDC 1993), with the
 * memo of Lowe, "Testing for Linearizability" (Concurrency and Computation 2017): depth first, the next call is
 * any whose invocation precedes every return still to come, and a configuration (calls placed, state) is entered once.
 * As there, placed calls are lifted out of a doubly linked list of events and put back on the way back.
 *
 * Departures, each of which leaves verdict, witness and report as they were:
 * - A configuration is (first return still to come, parity of placed calls per slot, state). Calls of one slot follow each
 *   other in time, so they are placed in that order, and those that returned before the first return to come are all placed:
 *   parity tells whether the one that is open there is placed. So a configuration has as many bits as calls can be open at
 *   once, not as many as there are calls.
 * - A call that only looks, and sees what it saw, is placed at once and nothing else is tried: in any linearization of the
 *   rest it can be moved to the front, as it changes no state.
 * - Of calls with the same operation, arguments and result that could be next, only the one that returns first is tried: in
 *   a linearization that places another one first, the two can change places.
 * - A call that did not return is placed only where it changes the state, and tried last.
 *
 * Calls are tried in the order of their returns, or in one the specification recommends.
 *
 * The search can be interrupted after any number of configurations and resumed, so that many run in turns.
 */
import type { Call } from '../../core/history.ts'
import { ConfigurationSet } from './configuration-set.ts'
import type { Specification } from './specification.ts'
import { slotsOf, type Timeline, timelineOf } from './timeline.ts'
import { impossible, Transitions } from './transitions.ts'

export type SearchOutcome = 'linearizable' | 'not linearizable' | 'unfinished'

/** Bytes. */
const usualMemory = 1 << 29

/** How many states are kept to say why a call has no place. */
const statesKept = 32

export class LinearizationSearch {
  readonly transitions: Transitions
  readonly #timeline: Timeline
  readonly #slots: Int32Array
  /** By kind. */
  readonly #ranks: Float64Array | undefined
  /** Configurations that led nowhere, or are on the present path. */
  readonly #known: ConfigurationSet
  /** Bytes that the specification's states may take. */
  #memoryForStates: number
  /** The row that describes the current configuration: first return to come, state, parities. */
  readonly #row: Int32Array

  /**
   * Events of calls that returned, and invocations of those that did not: two rings over positions with a head each. A call
   * that is placed is unlinked and keeps its own links, so that taking it back costs two writes per event (dancing links).
   */
  readonly #next: Int32Array
  readonly #previous: Int32Array
  readonly #returnedHead: number
  readonly #openHead: number

  /** By depth, which is the number of calls placed: the state, what can be next, how much of it was tried, what was taken. */
  #depth = 0
  readonly #states: Int32Array
  readonly #from: Int32Array
  readonly #upTo: Int32Array
  readonly #cursor: Int32Array
  readonly #taken: Int32Array
  /** Pairs of a call and the state it leads to; those of a depth follow those of the depth before. */
  #choices = new Int32Array(256)

  /** For every kind the last configuration in which one of its calls was a candidate. */
  readonly #seenIn: Float64Array
  readonly #candidates: Int32Array
  #configurations = 0

  /** The configuration that got furthest. Invariant: `#bestOrder` and `#taken` agree on the first `#copied` calls. */
  #bestReturn = -1
  #bestDepth = -1
  #bestIsHere = false
  readonly #bestOrder: Int32Array
  #copied = 0
  readonly #bestStates = new Set<number>()
  readonly #everPlaced: Uint8Array
  #outcome: SearchOutcome | undefined

  constructor(calls: readonly Call[], specification: Specification, memory = usualMemory) {
    this.transitions = new Transitions(calls, specification)
    this.#timeline = timelineOf(calls)
    const { slots, count } = slotsOf(this.#timeline)
    const words = 2 + Math.ceil(count / 32)
    this.#slots = slots
    this.#ranks = ranksByKind(specification.ranks?.(calls), this.transitions)
    this.#row = new Int32Array(words)
    this.#known = new ConfigurationSet(words, memory / 2)
    this.#memoryForStates = memory / 2
    const { length } = this.#timeline
    this.#returnedHead = length
    this.#openHead = length + 1
    this.#next = new Int32Array(length + 2)
    this.#previous = new Int32Array(length + 2)
    const depths = calls.length + 1
    this.#states = new Int32Array(depths)
    this.#from = new Int32Array(depths)
    this.#upTo = new Int32Array(depths)
    this.#cursor = new Int32Array(depths)
    this.#taken = new Int32Array(depths)
    this.#bestOrder = new Int32Array(depths)
    this.#everPlaced = new Uint8Array(calls.length)
    this.#seenIn = new Float64Array(this.transitions.observes.length).fill(-1)
    this.#candidates = new Int32Array(count)
    this.#link()
  }

  /** Configurations entered so far. */
  get configurations(): number {
    return this.#configurations
  }

  /** About how many bytes may be used to avoid doing things twice. Less means longer, not wrong. */
  set memory(bytes: number) {
    this.#known.limit = bytes / 2
    this.#memoryForStates = bytes / 2
  }

  /** Enters at most so many configurations more. */
  run(limit = Number.POSITIVE_INFINITY): SearchOutcome {
    if (this.#outcome !== undefined) return this.#outcome
    const end = this.#configurations + limit
    if (this.#configurations === 0 && this.#enter(this.transitions.initial)) return this.#finish('linearizable')
    while (this.#configurations < end) {
      if ((this.#configurations & 1023) === 0) this.#keepToMemory()
      const at = this.#cursor[this.#depth] as number
      if (at < (this.#upTo[this.#depth] as number)) {
        this.#cursor[this.#depth] = at + 1
        this.#place(this.#choices[2 * at] as number)
        if (this.#enter(this.#choices[2 * at + 1] as number)) return this.#finish('linearizable')
      } else if (this.#depth === 0) return this.#finish('not linearizable')
      else this.#takeBack()
    }
    return 'unfinished'
  }

  /** The calls that were placed, in order, in the configuration that got furthest: all that returned if there is one. */
  order(): readonly number[] {
    this.#copyBest()
    return [...this.#bestOrder.subarray(0, Math.max(0, this.#bestDepth))]
  }

  /** The call whose return nothing got past. */
  stuck(): number {
    return this.#timeline.callAt[this.#bestReturn] as number
  }

  /** States, by number, in which `stuck` was the next that had to be placed; not all if there are very many. */
  statesWhenStuck(): readonly number[] {
    return [...this.#bestStates]
  }

  /** Whether the call was placed anywhere in any attempt. */
  wasPlaced(call: number): boolean {
    return this.#everPlaced[call] === 1
  }

  /** Once states take too much memory, only those the search may still come back to are kept. */
  #keepToMemory(): void {
    if (this.transitions.bytes < this.#memoryForStates) return
    const depths = this.#depth + 1
    const choices = 2 * (this.#upTo[this.#depth] as number)
    const live = new Set([...this.#states.subarray(0, depths), ...this.#bestStates])
    for (let at = 1; at < choices; at += 2) live.add(this.#choices[at] as number)
    const renumbering = this.transitions.forgetAllBut(live)
    const renew = (state: number) => renumbering[state] as number
    this.#states.set(this.#states.subarray(0, depths).map(renew))
    for (let at = 1; at < choices; at += 2) this.#choices[at] = renew(this.#choices[at] as number)
    const best = [...this.#bestStates].map(renew)
    this.#bestStates.clear()
    for (const state of best) this.#bestStates.add(state)
    this.#known.clear()
    // What cannot be forgotten must not be gone through again and again.
    this.#memoryForStates = Math.max(this.#memoryForStates, 2 * this.transitions.bytes)
  }

  #finish(outcome: SearchOutcome): SearchOutcome {
    if (outcome === 'linearizable') this.#noteProgress(this.#timeline.length)
    this.#copyBest()
    this.#outcome = outcome
    return outcome
  }

  /** The current configuration has this state. True if every call that returned is placed. */
  #enter(state: number): boolean {
    const depth = this.#depth
    this.#configurations++
    this.#states[depth] = state
    const start = depth === 0 ? 0 : (this.#upTo[depth - 1] as number)
    this.#from[depth] = start
    this.#cursor[depth] = start
    this.#upTo[depth] = start
    let at = this.#next[this.#returnedHead] as number
    for (; at !== this.#returnedHead; at = this.#next[at] as number) {
      const call = this.#timeline.callAt[at] as number
      if (this.#timeline.returned[call] === at) break
      const kind = this.transitions.kindOf[call] as number
      if (this.transitions.observes[kind] === 1 && this.transitions.next(state, kind) === state) {
        this.#addChoice(call, state)
        return false
      }
    }
    if (at === this.#returnedHead) return true
    this.#noteProgress(at)
    this.#row[0] = at
    this.#row[1] = state
    if (this.#known.add(this.#row)) this.#addChoices(state, at)
    return false
  }

  /** Everything that can be next while `firstReturn` is to come, in the order in which to try it. */
  #addChoices(state: number, firstReturn: number): void {
    const { callAt } = this.#timeline
    let count = 0
    for (let at = this.#next[this.#returnedHead] as number; at !== firstReturn; at = this.#next[at] as number) {
      const call = callAt[at] as number
      if (this.transitions.observes[this.transitions.kindOf[call] as number] === 1) continue
      let place = count++
      for (; place > 0; place--) {
        const before = this.#candidates[place - 1] as number
        if (this.#isBefore(before, call)) break
        this.#candidates[place] = before
      }
      this.#candidates[place] = call
    }
    for (let place = 0; place < count; place++) this.#addCandidate(this.#candidates[place] as number, state, true)
    for (let at = this.#next[this.#openHead] as number; at < firstReturn; at = this.#next[at] as number) {
      this.#addCandidate(callAt[at] as number, state, false)
    }
  }

  #isBefore(left: number, right: number): boolean {
    const { returned } = this.#timeline
    const byReturn = (returned[left] as number) - (returned[right] as number)
    if (this.#ranks === undefined) return byReturn < 0
    const { kindOf } = this.transitions
    const byRank = (this.#ranks[kindOf[left] as number] as number) - (this.#ranks[kindOf[right] as number] as number)
    return (byRank || byReturn) < 0
  }

  #addCandidate(call: number, state: number, hasReturned: boolean): void {
    const kind = this.transitions.kindOf[call] as number
    if (this.#seenIn[kind] === this.#configurations) return
    this.#seenIn[kind] = this.#configurations
    const next = this.transitions.next(state, kind)
    if (next === impossible) return
    if (next >= 0) {
      if (hasReturned || next !== state) this.#addChoice(call, next)
      return
    }
    for (const one of this.transitions.successors(-2 - next)) {
      if (hasReturned || one !== state) this.#addChoice(call, one)
    }
  }

  #addChoice(call: number, state: number): void {
    const at = this.#upTo[this.#depth] as number
    if (2 * at + 2 > this.#choices.length) {
      const longer = new Int32Array(this.#choices.length * 2)
      longer.set(this.#choices)
      this.#choices = longer
    }
    this.#choices[2 * at] = call
    this.#choices[2 * at + 1] = state
    this.#upTo[this.#depth] = at + 1
  }

  #place(call: number): void {
    this.#everPlaced[call] = 1
    this.#taken[this.#depth] = call
    this.#depth++
    this.#toggle(call)
    const { invoked, returned, length } = this.#timeline
    this.#lift(invoked[call] as number)
    if ((returned[call] as number) < length) this.#lift(returned[call] as number)
  }

  #takeBack(): void {
    if (this.#bestIsHere) this.#copyBest()
    this.#depth--
    this.#copied = Math.min(this.#copied, this.#depth)
    const call = this.#taken[this.#depth] as number
    const { invoked, returned, length } = this.#timeline
    if ((returned[call] as number) < length) this.#unlift(returned[call] as number)
    this.#unlift(invoked[call] as number)
    this.#toggle(call)
  }

  #toggle(call: number): void {
    const slot = this.#slots[call] as number
    const word = 2 + (slot >>> 5)
    this.#row[word] = (this.#row[word] as number) ^ (1 << (slot & 31))
  }

  #lift(at: number): void {
    const [before, after] = [this.#previous[at] as number, this.#next[at] as number]
    this.#next[before] = after
    this.#previous[after] = before
  }

  #unlift(at: number): void {
    this.#next[this.#previous[at] as number] = at
    this.#previous[this.#next[at] as number] = at
  }

  #link(): void {
    const { length, callAt, returned } = this.#timeline
    let [last, lastOpen] = [this.#returnedHead, this.#openHead]
    for (let at = 0; at < length; at++) {
      const call = callAt[at] as number
      const isOpen = returned[call] === length
      // A call that did not return and only looks makes no difference.
      if (isOpen && this.transitions.observes[this.transitions.kindOf[call] as number] === 1) continue
      const before = isOpen ? lastOpen : last
      this.#next[before] = at
      this.#previous[at] = before
      if (isOpen) lastOpen = at
      else last = at
    }
    for (const [head, end] of [
      [this.#returnedHead, last],
      [this.#openHead, lastOpen],
    ] as const) {
      this.#next[end] = head
      this.#previous[head] = end
    }
  }

  #noteProgress(firstReturn: number): void {
    if (firstReturn < this.#bestReturn) return
    if (firstReturn > this.#bestReturn) {
      this.#bestStates.clear()
      this.#bestDepth = -1
    }
    if (this.#bestStates.size < statesKept) this.#bestStates.add(this.#states[this.#depth] as number)
    this.#bestReturn = firstReturn
    if (this.#depth <= this.#bestDepth) return
    this.#bestDepth = this.#depth
    this.#bestIsHere = true
  }

  /** Copies only what changed since the last copy, so that all copies together cost no more than the search. */
  #copyBest(): void {
    if (!this.#bestIsHere) return
    this.#bestOrder.set(this.#taken.subarray(this.#copied, this.#bestDepth), this.#copied)
    this.#copied = this.#bestDepth
    this.#bestIsHere = false
  }
}

/** Calls that do the same must have the same rank, for of those the one that returns first has to be tried. */
function ranksByKind(
  ranks: readonly number[] | undefined,
  { kindOf, observes }: Transitions,
): Float64Array | undefined {
  if (ranks === undefined) return undefined
  const least = new Float64Array(observes.length).fill(Number.MAX_VALUE)
  for (const [call, rank] of ranks.entries()) {
    const kind = kindOf[call] as number
    least[kind] = Math.min(least[kind] as number, rank)
  }
  return least
}
