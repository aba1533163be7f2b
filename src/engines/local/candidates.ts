/**
 * Preliminary violations and what became of them. One that was rejected is looked at again once transitions have been added
 * that it might need (which LMC §4.2 leaves out), all of them together at the end of a round, so that they share what the
 * soundness check learns.
 */
import { IntVector } from '../../collections/int-vector.ts'
import { violationKey } from '../../core/property.ts'
import type { Machines } from '../../program/machines.ts'
import { CandidateTable, type Sort } from './candidate-table.ts'
import type { Exploration } from './exploration.ts'
import { Forward } from './forward.ts'
import { type LocalSpace, type Occurrence, startState, type Transition } from './local-space.ts'
import { noMessage } from './messages.ts'
import { anywhere } from './needs.ts'
import { type Explored, Requirements } from './requirements.ts'
import { type Reachability, Soundness } from './soundness.ts'
import type { SystemState, SystemStates } from './system-states.ts'

/** Points that the first look at a preliminary violation may visit; four times as many at each later one. */
const firstEffort = 250
const patience = 4
/** Steps forwards before they are counted against those backwards: a system that is small forwards is done with it for good. */
const firstForwards = 2_000

/** All that is learned about the transitions explored so far. */
interface Learned {
  readonly explored: Explored
  readonly requirements: Requirements
  /** By invariant; one for all failures. */
  readonly soundness: Map<string | undefined, Soundness>
  readonly forward: Forward
  /** Steps of searches backwards. */
  points: number
}

export class Candidates {
  readonly #exploration: Exploration
  readonly #systemStates: SystemStates
  readonly #subject: Machines
  readonly #table: CandidateTable
  /** By invariant: the sort of what breaks it. */
  readonly #sorts = new Map<string, number>()
  /** Not looked at since they might have become reachable. */
  #waiting = new IntVector()
  /** Looked at with too little effort. */
  #undecided = new IntVector()
  /** No execution over the transitions explored so far leads there. Between calls, a candidate is in one of the three lists. */
  #rejected = new IntVector()
  /** By candidate that was looked at with too little effort: how many combinations of the forward search it was compared with. */
  readonly #compared = new Map<number, number>()
  /** Kinds of which one was found: other candidates of the kind are dropped. */
  readonly #found = new Set<string>()
  /** By machine: how many transitions there were when rejections were last taken back, and how many failures are candidates. */
  readonly #seen: number[]
  readonly #failures: number[]
  /** The same of `Precedence.sendings`. */
  #seenSendings = 0
  /** Thrown away as a whole when transitions or sendings are added: it says what the transitions allow, no more. */
  #learned: Learned | undefined
  #learnedAt = -1
  /** Steps of searches, in both directions. */
  #effort = 0
  checks = 0

  constructor(subject: Machines, exploration: Exploration, systemStates: SystemStates) {
    this.#exploration = exploration
    this.#systemStates = systemStates
    this.#subject = subject
    this.#table = new CandidateTable(exploration.spaces.length)
    this.#seen = exploration.spaces.map(() => 0)
    this.#failures = exploration.spaces.map(() => 0)
  }

  get rejected(): number {
    return this.#rejected.length
  }

  get isDecided(): boolean {
    return this.#waiting.length === 0 && this.#undecided.length === 0
  }

  add({ states, invariant }: SystemState): void {
    const sort = this.#sortOf(invariant)
    if (!this.#found.has(kindOf(invariant))) this.#waiting.push(this.#table.add(sort, states))
  }

  /**
   * Looks once at each that may be reachable, until `most` steps were made; the rest waits. Yields executions, and nothing
   * every so many steps and after each look that found none.
   */
  *check(most: number): Generator<readonly Occurrence[] | undefined, void> {
    this.#addFailures()
    if (this.isDecided) return
    const learned = yield* this.#upToDate()
    const lists = [this.#waiting, this.#undecided]
    this.#waiting = new IntVector()
    this.#undecided = new IntVector()
    const end = this.#effort + most
    for (const list of lists) {
      for (let at = 0; at < list.length; at++) {
        const candidate = list.at(at)
        const { kind } = this.#table.sortOf(candidate)
        if (this.#found.has(kind)) continue
        if (this.#effort >= end) {
          this.#waiting.push(candidate)
          continue
        }
        const execution = yield* this.#look(candidate, learned)
        yield execution
        if (execution !== undefined) this.#found.add(kind)
      }
    }
  }

  #sortOf(invariant: string): number {
    const known = this.#sorts.get(invariant)
    if (known !== undefined) return known
    const sort = this.#table.addSort({ kind: kindOf(invariant), invariant, failure: undefined })
    this.#sorts.set(invariant, sort)
    return sort
  }

  *#look(candidate: number, learned: Learned): Generator<undefined, readonly Occurrence[] | undefined> {
    this.checks++
    const result = yield* this.#reach(candidate, learned)
    switch (result.kind) {
      case 'reachable':
        return this.#shown(this.#table.sortOf(candidate), result.execution)
      case 'unreachable':
        this.#rejected.push(candidate)
        return undefined
      case 'undecided':
        this.#table.looked(candidate)
        this.#undecided.push(candidate)
        return undefined
    }
  }

  /** Machines that may be anywhere did not matter when the states were put together; if they do by now, others were added for them. */
  #shown({ invariant, failure }: Sort, execution: readonly Transition[]): readonly Occurrence[] | undefined {
    if (failure !== undefined) return [...execution, failure]
    const states = this.#exploration.spaces.map(() => startState)
    for (const { machine, to } of execution) states[machine] = to
    return invariant !== undefined && this.#systemStates.isBroken(invariant, states) ? execution : undefined
  }

  /** Backwards first; where that takes long, also forwards, so that what is sooner done decides (LMC §4.3). */
  *#reach(candidate: number, learned: Learned): Generator<undefined, Reachability> {
    const { invariant, failure } = this.#table.sortOf(candidate)
    const states = this.#table.statesOf(candidate)
    const effort = firstEffort * patience ** this.#table.looksAt(candidate)
    const { forward } = learned
    const message = failure?.consumed ?? noMessage
    this.#effort++
    if (!forward.isComplete) {
      const soundness = this.#soundnessFor(invariant, learned)
      const { points } = soundness
      const result = yield* soundness.reach(states, message, effort)
      const steps = soundness.points - points
      this.#effort += steps
      learned.points += steps
      if (result.kind !== 'undecided') return result
      const before = forward.followed
      yield* forward.extend(firstForwards + learned.points)
      this.#effort += forward.followed - before
    }
    const result = forward.find(states, message, this.#compared.get(candidate) ?? 0)
    if (result.kind === 'undecided') this.#compared.set(candidate, forward.size)
    else this.#compared.delete(candidate)
    return result
  }

  #soundnessFor(invariant: string | undefined, { soundness, explored, requirements }: Learned): Soundness {
    const known = soundness.get(invariant)
    if (known !== undefined) return known
    const avoided =
      invariant === undefined
        ? undefined
        : (states: readonly number[]) => this.#systemStates.isBroken(invariant, states)
    const made = new Soundness(explored, requirements, avoided)
    soundness.set(invariant, made)
    return made
  }

  *#upToDate(): Generator<undefined, Learned> {
    const { spaces, messages, precedence } = this.#exploration
    yield* precedence.reconsider()
    // Both only grow.
    const known = spaces.reduce((sum, space) => sum + space.transitions.length, precedence.sendings)
    if (this.#learned !== undefined && this.#learnedAt === known) return this.#learned
    const explored = { spaces, messages, precedence, machines: this.#subject }
    const requirements = new Requirements(explored)
    this.#learned = { explored, requirements, soundness: new Map(), forward: new Forward(explored), points: 0 }
    this.#learnedAt = known
    this.#compared.clear()
    return this.#learned
  }

  /** LMC §4.2, "Local assertions": here it takes one check, as it does not matter where the other machines are. */
  #addFailures(): void {
    for (const [machine, { failures }] of this.#exploration.spaces.entries()) {
      for (const failure of failures.slice(this.#failures[machine])) {
        const states = this.#exploration.spaces.map((_, other) => (other === machine ? failure.from : anywhere))
        const kind = violationKey(failure.violation)
        if (this.#found.has(kind)) continue
        const sort = this.#table.addSort({ kind, invariant: undefined, failure })
        this.#waiting.push(this.#table.add(sort, states))
      }
      this.#failures[machine] = failures.length
    }
  }

  /** Takes back rejections for which there are new transitions on paths to one of the states, or other ways. */
  *reconsider(): Generator<undefined, void> {
    const { spaces, precedence } = this.#exploration
    yield* precedence.reconsider()
    if (precedence.sendings > this.#seenSendings) {
      // What was refused because it is never sent together may be sent together now.
      this.#seenSendings = precedence.sendings
      for (const [machine, { transitions }] of spaces.entries()) this.#seen[machine] = transitions.length
      for (let at = 0; at < this.#rejected.length; at++) this.#waiting.push(this.#rejected.at(at))
      this.#rejected = new IntVector()
      return
    }
    const isChanged = spaces.map(({ transitions }, machine) => transitions.length > (this.#seen[machine] as number))
    if (!isChanged.includes(true)) return
    const changed = spaces.map((space, machine) => reachableFromNew(space, this.#seen[machine] as number))
    for (const [machine, { transitions }] of spaces.entries()) this.#seen[machine] = transitions.length
    const rejected = new IntVector()
    for (let at = 0; at < this.#rejected.length; at++) {
      const candidate = this.#rejected.at(at)
      const matters = spaces.some((_, machine) => {
        const state = this.#table.stateOf(candidate, machine)
        return state === anywhere ? isChanged[machine] : changed[machine]?.[state] === 1
      })
      if (matters) this.#waiting.push(candidate)
      else rejected.push(candidate)
    }
    this.#rejected = rejected
  }
}

function kindOf(invariant: string): string {
  return `invariant ${invariant}`
}

/** By state: whether a path to it uses a transition added since there were so many. */
function reachableFromNew(space: LocalSpace, seen: number): Uint8Array {
  return space.statesAfter(space.transitions.slice(seen))
}
