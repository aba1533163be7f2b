/** A local search (LMC §4.1, `findBugs`): handlers, system states and soundness checks in turn, in rounds. */
import type { Machines } from '../../program/machines.ts'
import type { EngineEvent } from '../engine.ts'
import { Candidates } from './candidates.ts'
import type { LocalCounts } from './counts.ts'
import { Exploration } from './exploration.ts'
import { SystemStates } from './system-states.ts'
import { type Telling, violationsOn } from './witness.ts'

/** Handlers, or combinations of states, between two progress events: each may take a millisecond. */
const stride = 64
/** The same, in characters of states that handlers came to: long ones take long to copy, freeze and compare. */
const textStride = 1 << 16
/** Soundness checks wait for the end of a round, or until so many handlers and twice as many as at the last were executed. */
const firstPause = 2_000
/** While there are handlers to execute, so many steps of soundness checks for each that was: about as long. */
const checkedPerHandler = 4

export class LocalSearch {
  readonly exploration: Exploration
  readonly #systemStates: SystemStates
  readonly #candidates: Candidates
  /** Handlers executed at which soundness is checked next; doubled each time, so that checks take a fixed share. */
  #pauseAt = firstPause
  /** Handlers executed so far. */
  #steps = 0
  /** Characters of states at the last progress event. */
  #textBefore = 0
  readonly #telling: Telling

  constructor(subject: Machines, told = new Set<string>()) {
    this.exploration = new Exploration(subject)
    this.#telling = { subject, messages: this.exploration.messages, told }
    this.#systemStates = new SystemStates(subject, this.exploration.spaces)
    this.#candidates = new Candidates(subject, this.exploration, this.#systemStates)
  }

  *events(): Generator<EngineEvent, void> {
    yield* this.#combine()
    do {
      yield* this.#round()
      yield* this.#breathing(this.#candidates.reconsider())
      yield* this.#check(this.#steps * checkedPerHandler)
    } while (yield* this.#breathing(this.exploration.deepen()))
    yield* this.#breathing(this.#candidates.reconsider())
    do yield* this.#check(Number.POSITIVE_INFINITY)
    while (!this.#candidates.isDecided)
    yield this.#progress(1)
  }

  *#round(): Generator<EngineEvent, void> {
    while (yield* this.#breathing(this.exploration.step())) {
      yield* this.#combine()
      if (this.#isDue()) yield this.#progress(0)
      if (this.#steps < this.#pauseAt) continue
      this.#pauseAt *= 2
      yield* this.#check(this.#steps * checkedPerHandler)
    }
  }

  /** After each handler. */
  #isDue(): boolean {
    const text = this.exploration.spaces.reduce((sum, space) => sum + space.text, 0)
    if (++this.#steps % stride > 0 && text - this.#textBefore < textStride) return false
    this.#textBefore = text
    return true
  }

  counts(): LocalCounts {
    const { spaces, messages } = this.exploration
    return {
      states: spaces.reduce((sum, { states }) => sum + states.length, 0),
      transitions: spaces.reduce((sum, { executed }) => sum + executed, 0),
      irreducible: 0,
      depth: spaces.reduce((sum, { longest }) => sum + longest, 0),
      traces: this.#candidates.checks,
      finals: 0,
      messages: messages.size,
      systemStates: this.#systemStates.created,
      soundnessChecks: this.#candidates.checks,
      rejected: this.#candidates.rejected,
    }
  }

  #progress(explored: number): Extract<EngineEvent, { readonly kind: 'progress' }> {
    return { kind: 'progress', counts: this.counts(), explored }
  }

  /** What takes long yields now and then: a sign of progress for whoever waits. */
  *#breathing<Result>(work: Generator<undefined, Result>): Generator<EngineEvent, Result> {
    for (;;) {
      const { done, value } = work.next()
      if (done === true) return value
      yield this.#progress(0)
    }
  }

  *#combine(): Generator<EngineEvent, void> {
    let added = 0
    for (const found of this.#systemStates.next()) {
      if (found === 'breath') {
        yield { ...this.#progress(0), isBreath: true }
        continue
      }
      if (found !== undefined) this.#candidates.add(found)
      if (found === undefined || ++added % stride === 0) yield this.#progress(0)
    }
  }

  *#check(most: number): Generator<EngineEvent, void> {
    for (const execution of this.#candidates.check(most)) {
      // What was explored so far is part of the report.
      yield this.#progress(0)
      if (execution !== undefined) yield* violationsOn(this.#telling, execution)
    }
  }
}
