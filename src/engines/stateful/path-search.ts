/**
 * Every state of a program that is known by its paths, remembered; depth first, with nothing left out. For kinds whose states can be
 * compared: each state is entered once, however many executions lead there.
 */
import { KeyIndex } from '../../collections/key-index.ts'
import { DiagnosticError } from '../../core/diagnostic.ts'
import { violationKey } from '../../core/property.ts'
import type { Decision } from '../../core/trace.ts'
import { countedStates } from '../../core/verdict.ts'
import type { Path, Paths } from '../../program/path.ts'
import type { Engine, EngineEvent, EngineRequest } from '../engine.ts'

/** The engine `stateful`, for programs that have paths and no view of their states. */
export const statefulPaths: Engine<'path'> = {
  name: 'stateful',
  summary: 'every state, remembered; where states can be compared',
  needs: 'path',
  decides: ['assertion', 'exception', 'deadlock', 'monitor', 'final', 'invariant'],
  claims: 'verified',
  options: {},
  counted: countedStates,
  units: 'whole',
  *explore(subject): Generator<EngineEvent, void, EngineRequest> {
    try {
      yield* new PathSearch(subject).events()
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error
      yield { kind: 'diagnostic', diagnostic: error.diagnostic }
    }
  },
}

const progressEvery = 1_000

class PathSearch {
  readonly #path: Path
  readonly #keys = new KeyIndex()
  readonly #told = new Set<string>()
  /** Decisions taken to the current state, and at each state before it those that are still to be taken. */
  readonly #taken: Decision[] = []
  readonly #untried: Decision[][] = []
  #counts = { states: 0, transitions: 0, traces: 0, finals: 0 }

  constructor(paths: Paths) {
    this.#path = paths.begin()
  }

  *events(): Generator<EngineEvent, void> {
    yield* this.#meet()
    for (let open = this.#untried.at(-1); open !== undefined; open = this.#untried.at(-1)) {
      const decision = open.shift()
      if (decision === undefined) this.#leave()
      else yield* this.#take(decision)
    }
    yield this.#progress(1)
  }

  *#take(decision: Decision): Generator<EngineEvent, void> {
    this.#path.take(decision)
    this.#taken.push(decision)
    if (++this.#counts.transitions % progressEvery === 0) yield this.#progress(0)
    yield* this.#meet()
  }

  /** A state that is new is entered, and one that is known is left at once. What happened on the way is told in either case. */
  *#meet(): Generator<EngineEvent, void> {
    yield* this.#tell()
    const key = this.#path.key()
    if (key === undefined) throw new DiagnosticError(notComparable)
    if (this.#keys.find(key) >= 0) {
      this.#counts.traces++
      return this.#back()
    }
    this.#keys.add(key)
    this.#counts.states++
    const enabled = [...this.#path.enabled()]
    this.#untried.push(enabled)
    if (enabled.length > 0) return
    this.#counts.finals++
    this.#counts.traces++
    yield { kind: 'ending', counts: { ...this.#counts }, key, violation: undefined, decisions: () => [...this.#taken] }
  }

  *#tell(): Generator<EngineEvent, void> {
    for (const violation of this.#path.violations()) {
      const key = violationKey(violation)
      if (this.#told.has(key)) continue
      this.#told.add(key)
      yield this.#progress(0)
      yield { kind: 'violation', violation, decisions: [...this.#taken], foundIn: this.#path.events().length }
    }
  }

  #leave(): void {
    this.#untried.pop()
    if (this.#taken.length > 0) this.#back()
  }

  #back(): void {
    this.#path.back()
    this.#taken.pop()
  }

  #progress(explored: number): EngineEvent {
    return { kind: 'progress', counts: { ...this.#counts }, explored }
  }
}

const notComparable = {
  code: 'E301',
  message: 'the states of this program cannot be compared, as faults may strike',
  hint: 'use dpor or exhaustive, which remember no states; or --faults none',
} as const
