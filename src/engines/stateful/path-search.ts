/**
 * Every state of a program that is known by its paths, remembered; depth first, with nothing left out. For kinds whose states can be
 * compared: each state is entered once, however many executions lead there. Executions without end are judged when all states are known.
 */
import { KeyIndex } from '../../collections/key-index.ts'
import { DiagnosticError } from '../../core/diagnostic.ts'
import { invariant } from '../../core/invariant.ts'
import { type CycleProperty, violationKey } from '../../core/property.ts'
import type { Decision } from '../../core/trace.ts'
import { countedStates } from '../../core/verdict.ts'
import { doneBy, dutiesOf, type Path, type Paths } from '../../program/path.ts'
import type { Engine, EngineEvent, EngineRequest } from '../engine.ts'
import { FairGraph, type Lasso } from './fair-graph.ts'

/** The engine `stateful`, for programs that have paths and no view of their states. */
export const statefulPaths: Engine<'path'> = {
  name: 'stateful',
  summary: 'every state, remembered; where states can be compared',
  needs: 'path',
  decides: ['assertion', 'exception', 'deadlock', 'monitor', 'final', 'invariant', 'refinement', 'liveness'],
  claims: 'verified',
  options: {},
  counted: countedStates,
  units: 'whole',
  *explore(subject): Generator<EngineEvent, void, EngineRequest> {
    if (subject.judgesOrders === true) return void (yield { kind: 'diagnostic', diagnostic: notOrdered })
    try {
      yield* new PathSearch(subject).events()
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error
      yield { kind: 'diagnostic', diagnostic: error.diagnostic }
    }
  },
}

/** A step of a class, or one along a path, can take a millisecond: an interrupt must not wait for many. */
const progressEvery = 16

class PathSearch {
  readonly #path: Path
  readonly #keys = new KeyIndex()
  readonly #told = new Set<string>()
  /** Decisions taken to the current state, and at each state before it those that are still to be taken. */
  readonly #taken: Decision[] = []
  readonly #untried: Decision[][] = []
  readonly #cycles: readonly CycleProperty[]
  readonly #fair = new FairGraph()
  readonly #duties = new Map<string, number>()
  /** By property: the states that are good, those it asks for, and those since which it waits. */
  readonly #good: readonly Set<number>[]
  readonly #askedFor: readonly Set<number>[]
  readonly #since: readonly Set<number>[]
  /** Of the states before the current one. */
  readonly #numbers: number[] = []
  #counts = { states: 0, transitions: 0, traces: 0, finals: 0 }

  constructor(paths: Paths) {
    this.#path = paths.begin()
    this.#cycles = paths.cycles ?? []
    this.#good = this.#cycles.map(() => new Set())
    this.#askedFor = this.#cycles.map(() => new Set())
    this.#since = this.#cycles.map(() => new Set())
  }

  *events(): Generator<EngineEvent, void> {
    yield* this.#meet()
    for (let open = this.#untried.at(-1); open !== undefined; open = this.#untried.at(-1)) {
      const decision = open.shift()
      if (decision === undefined) this.#leave()
      else yield* this.#take(decision)
    }
    for (const at of this.#cycles.keys()) yield* this.#judge(at)
    yield this.#progress(1)
  }

  *#take(decision: Decision): Generator<EngineEvent, void> {
    for (const _ of this.#path.arrive?.() ?? []) yield this.#progress(0)
    const owes = this.#cycles.length > 0
    const done = owes ? this.#numbered(doneBy(this.#path, decision)) : []
    const offered = owes ? this.#numbered(this.#path.offeredBy?.(decision) ?? []) : []
    this.#path.take(decision)
    this.#taken.push(decision)
    if (++this.#counts.transitions % progressEvery === 0) yield this.#progress(0)
    yield* this.#meet(done, offered)
  }

  /** A state that is new is entered, and one that is known is left at once. What happened on the way is told in either case. */
  *#meet(done: readonly number[] = [], offered: readonly number[] = []): Generator<EngineEvent, void> {
    yield* this.#tell()
    const key = this.#path.key()
    if (key === undefined) throw new DiagnosticError(notComparable)
    const known = this.#keys.find(key)
    const state = known >= 0 ? known : this.#keys.add(key)
    if (this.#cycles.length > 0) this.#remember(state, done, offered)
    if (known >= 0) {
      this.#counts.traces++
      return this.#back()
    }
    this.#counts.states++
    this.#numbers.push(state)
    const enabled = [...this.#path.enabled()]
    this.#untried.push(enabled)
    if (enabled.length > 0) return
    this.#counts.finals++
    this.#counts.traces++
    yield { kind: 'ending', counts: { ...this.#counts }, key, violation: undefined, decisions: () => [...this.#taken] }
  }

  #remember(state: number, done: readonly number[], offered: readonly number[]): void {
    if (state === this.#fair.states) {
      const duties = dutiesOf(this.#path)
      const meanwhile = duties === undefined ? this.#path.dutiesMeanwhile?.() : undefined
      this.#fair.addState(duties && this.#numbered([...duties]), meanwhile && this.#numbered([...meanwhile]))
      const states = this.#path.states?.() ?? new Map()
      for (const [at, property] of this.#cycles.entries()) {
        if (property.isGood(states)) this.#good[at]?.add(state)
        if (property.isAskedFor?.(states) === true) this.#askedFor[at]?.add(state)
        if (typeof property.since === 'function' && property.since(states)) this.#since[at]?.add(state)
      }
    }
    const before = this.#numbers.at(-1)
    if (before !== undefined) this.#fair.addStep(before, state, done, offered)
  }

  #numbered(duties: readonly string[]): readonly number[] {
    return duties.map((duty) => {
      const number = this.#duties.get(duty) ?? this.#duties.size
      this.#duties.set(duty, number)
      return number
    })
  }

  *#judge(at: number): Generator<EngineEvent, void> {
    const { violation, isAskedFor, since } = this.#cycles[at] as CycleProperty
    const [good, askedFor] = [this.#good[at] as Set<number>, this.#askedFor[at] as Set<number>]
    const search = this.#fair.lasso(
      (state) => good.has(state),
      isAskedFor === undefined ? undefined : (state) => askedFor.has(state),
      typeof since === 'function' ? (state) => this.#since[at]?.has(state) === true : since,
    )
    let found = search.next()
    for (; !found.done; found = search.next()) yield this.#progress(0)
    if (found.value === undefined) return
    const { stem, round } = found.value
    const decisions = this.#along(found.value)
    yield this.#progress(0)
    yield { kind: 'violation', violation, decisions, foundIn: stem.length + round.length, repeatsFrom: stem.length }
  }

  /** Steps as decisions. Messages are numbered as they are met, so a decision is known by where it leads and by what it does. */
  #along({ stem, round }: Lasso): readonly Decision[] {
    const decisions = [...stem, ...round].map((step) => {
      const found = this.#path.enabled().find((decision) => {
        const done = this.#numbered(doneBy(this.#path, decision))
        this.#path.take(decision)
        const isIt = this.#fair.isStep(step, this.#keys.find(this.#path.key() ?? ''), done)
        this.#path.back()
        return isIt
      })
      invariant(found !== undefined, 'a step of the search can be taken again')
      this.#path.take(found)
      return found
    })
    for (let left = decisions.length; left > 0; left--) this.#path.back()
    return decisions
  }

  *#tell(): Generator<EngineEvent, void> {
    for (const violation of this.#path.violations()) {
      const key = violationKey(violation)
      if (this.#told.has(key)) continue
      this.#told.add(key)
      yield this.#progress(0)
      yield { kind: 'violation', violation, decisions: [...this.#taken], foundIn: this.#taken.length }
    }
  }

  #leave(): void {
    this.#untried.pop()
    this.#numbers.pop()
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

const notOrdered = {
  code: 'E302',
  message: 'stateful does not decide what must hold of the order of whole executions: it enters each state once',
  hint: 'use dpor or exhaustive',
} as const

const notComparable = {
  code: 'E301',
  message: 'the states of this program cannot be compared, as faults may strike',
  hint: 'use dpor or exhaustive, which remember no states; or --faults none',
} as const
