/**
 * All executions at once, step by step. With `states`, executions are encoded anew after each step by the states that they are in, and those that others were
 * in before are left out: the search ends when there is no new state. With `steps`, guards carry what was chosen since the beginning, as in PSym
 * (§5.4, Algorithm 2). There a fixed point (§5.5, Algorithm 3) is found by comparing with every earlier frontier, here by numbers of states.
 */
import { DiagramsFull } from '../../bdd/diagram.ts'
import { type Diagram, Diagrams } from '../../bdd/diagrams.ts'
import { NumberSet } from '../../collections/number-set.ts'
import type { Counts } from '../../core/verdict.ts'
import type { IrView } from '../../program/program.ts'
import { firstConfiguration } from '../../semantics/ir/first-configuration.ts'
import type { Rules } from '../../semantics/ir/moves.ts'
import { irRules } from '../../semantics/ir/paths.ts'
import type { EngineEvent } from '../engine.ts'
import { Atoms } from './atoms.ts'
import type { Candidate } from './deliveries.ts'
import { Exploration, type StepLog } from './exploration.ts'
import { Orbits } from './filters/orbits.ts'
import { Findings, type Found } from './findings.ts'
import { type SearchOptions, usualOrder } from './options.ts'
import { Patience } from './patience.ts'
import { changesOf, namedIn, restoredStates, savedMachines } from './restored-states.ts'
import { rootsOf } from './roots.ts'
import { mostSavedStates, type SavedStates } from './saved-states.ts'
import { ValueWriter } from './saved-values.ts'
import { givenUp } from './unfit.ts'
import { Ways } from './way.ts'

/** Nodes that are made before those that nobody needs are given back. */
const nodesBeforeCollecting = 200_000
/** With fewer nodes it does not matter where variables are. */
const fewestSifted = 5_000

/** What a search may use. */
interface SearchMeans {
  /** How many nodes are made in between two collections. */
  readonly collectsAfter?: number
  /** With fewer nodes, variables are not moved about. */
  readonly siftsFrom?: number
  /** How much is done between two breaths. */
  readonly effort?: number
  /** Bytes that may still be taken. */
  readonly room?: (() => number) | undefined
  readonly mostNodes?: number
}

/** What is known when all executions have taken the same number of steps: what a search that goes on begins with. */
interface Known {
  readonly states: number
  /** States that have not been left. */
  readonly frontier: number
  readonly terminals: number
  readonly steps: number
  readonly runs: number
}

const nothingKnown: Known = { states: 0, frontier: 0, terminals: 0, steps: 0, runs: 0 }

export class SymbolicSearch {
  readonly exploration: Exploration
  readonly #rules: Rules
  readonly #patience: Patience
  readonly #options: SearchOptions
  readonly #collectsAfter: number
  /** Variables are moved about when there are more nodes than this. */
  #siftsAfter: number
  /** Steps that are taken. */
  readonly #bound: number
  readonly #atoms: Atoms
  readonly #ways: Ways
  readonly #orbits: Orbits | undefined
  readonly #seen = new NumberSet()
  readonly #findings: Findings
  #steps = 0
  /** Executions of as many steps were explored, and all ends of those were judged. */
  #covered = 0
  /** Those that go on, when all had taken the same number of steps. */
  #frontier: Diagram
  /** There are longer executions than may be explored. */
  isBounded = false
  #terminals = 0
  #nodesAfterCollecting = 0
  /** Variables that stand for nothing any more. */
  #forgotten = 0
  /** By states: when they were encoded last. */
  #encoded: Known | undefined
  /** The same once those among them in which executions end were judged. */
  #known: Known | undefined
  /** What an earlier run knew when it was stopped. */
  #before: Known | undefined

  constructor(
    { program, setting, witness }: IrView,
    options: SearchOptions,
    { collectsAfter = nodesBeforeCollecting, siftsFrom = fewestSifted, effort, room, mostNodes }: SearchMeans = {},
  ) {
    this.#collectsAfter = collectsAfter
    this.#siftsAfter = options.order === 'sift' ? siftsFrom : Number.POSITIVE_INFINITY
    this.#bound = setting.bounds.maxSteps ?? Number.POSITIVE_INFINITY
    this.#rules = irRules(program, setting, { witness })
    this.#options = options
    const order = options.order === 'sift' ? usualOrder(options.mode) : options.order
    const diagrams = new Diagrams({ order, room, mostNodes })
    this.#patience = new Patience(diagrams, effort)
    this.exploration = new Exploration(this.#rules, diagrams, options, this.#patience)
    this.#frontier = this.exploration.state.alive
    this.#atoms = new Atoms(this.exploration)
    this.#ways = new Ways(this.exploration.state)
    const allowsWaiting = setting.options.deadlock === 'allow'
    this.#findings = new Findings(this.exploration.state, this.#ways, { rules: this.#rules, allowsWaiting })
    if (options.filter === 'symmetry') this.#orbits = new Orbits(this.exploration.state, this.#atoms)
  }

  get #diagrams(): Diagrams {
    return this.exploration.diagrams
  }

  /** Everything, or what a search that was saved left of it. */
  *events(saved?: SavedStates): Generator<EngineEvent, void> {
    const { violation } = firstConfiguration(this.#rules).configuration
    if (violation !== undefined) yield { kind: 'violation', violation, decisions: [], foundIn: 0 }
    else for (const depth of this.depths(saved)) if (typeof depth === 'object') yield depth
    const { givenUpAt, hasFound } = this.#findings
    this.#covered = this.#steps
    if (givenUpAt === undefined || hasFound) {
      yield this.#progress(this.isBounded ? 0 : 1)
      if (this.isBounded) yield { kind: 'bound' }
    } else yield { kind: 'diagnostic', diagnostic: givenUp(givenUpAt) }
  }

  /** A number is told at the beginning of each step: how many steps have been taken. */
  *depths(saved?: SavedStates): Generator<EngineEvent | number, void> {
    const { exploration } = this
    if (saved !== undefined) yield* this.#restore(saved)
    else if (this.#options.mode === 'states') yield* this.#encode()
    while (exploration.state.alive !== this.#diagrams.never) {
      yield this.#steps
      const candidates = yield* this.#patiently(() => exploration.deliveries.candidates())
      yield* this.#end(yield* this.#patiently(() => exploration.ended(candidates)))
      this.#covered = this.#steps
      this.#known = this.#encoded
      this.#frontier = exploration.state.alive
      if (exploration.state.alive === this.#diagrams.never) break
      this.isBounded = this.#steps >= this.#bound
      if (this.isBounded) break
      this.#ways.add(yield* this.#filteredStep(candidates))
      this.#steps++
      yield* this.#told(this.#findings.ofWrong(exploration.takeWrong()))
      this.#frontier = exploration.state.alive
      if (this.#frontier === this.#diagrams.never) break
      if (this.#options.mode === 'states') yield* this.#encode()
      yield* this.#withRoom(
        () => exploration.simplify(),
        () => this.#collect(),
      )
      if (this.#options.mode === 'states') this.#atoms.settled()
      if (this.#diagrams.size - this.#nodesAfterCollecting >= this.#collectsAfter) this.#collect()
      if (this.#diagrams.size > this.#siftsAfter) yield* this.#sift()
      yield this.#progress(0)
    }
  }

  /** Where a filter left something out and no state is new, the step is taken again without that: it would be left out for ever. */
  *#filteredStep(candidates: readonly Candidate[]): Generator<EngineEvent, StepLog> {
    const { filter } = this.exploration
    const restore = this.exploration.snapshot()
    const log = yield* this.#step(candidates)
    const postponing = filter?.postponing() ?? this.#diagrams.never
    if (filter === undefined || postponing === this.#diagrams.never) return log
    const leadsOn = yield* this.#leadsOn()
    const stuck = yield* this.#patiently(() => this.#diagrams.minus(postponing, leadsOn))
    if (stuck === this.#diagrams.never) return log
    restore()
    filter.insist(stuck)
    return yield* this.#step(candidates)
  }

  /** From where a step led to a state that is new. */
  *#leadsOn(): Generator<EngineEvent, Diagram> {
    const changed = yield* this.#patiently(() => this.#atoms.changed())
    return yield* this.#breathing(this.#atoms.leadingTo(changed, (state) => !this.#seen.has(state)))
  }

  #step(candidates: readonly Candidate[]): Generator<EngineEvent, StepLog> {
    const undo = this.exploration.snapshot()
    const makeRoom = (): void => {
      undo()
      this.#collect(candidates)
    }
    return this.#withRoom(() => this.exploration.step(candidates), makeRoom)
  }

  /** What there was no room for is done once more, when room has been made. */
  *#withRoom<T>(work: () => Generator<undefined, T>, makeRoom: () => void): Generator<EngineEvent, T> {
    try {
      return yield* this.#breathing(work())
    } catch (error) {
      if (!(error instanceof DiagramsFull)) throw error
    }
    makeRoom()
    return yield* this.#breathing(work())
  }

  /** For what can be done twice. */
  #patiently<T>(work: () => T): Generator<EngineEvent, T> {
    return this.#breathing(this.#patience.with(work))
  }

  *#breathing<T>(work: Generator<undefined, T>): Generator<EngineEvent, T> {
    for (;;) {
      const next = work.next()
      if (next.done === true) return next.value
      if (this.#patience.isBreathless()) yield this.#breath()
    }
  }

  #breath(): EngineEvent {
    return { ...this.#progress(0), isBreath: true }
  }

  /** Executions that have ended: how many states they ended in, and what is wrong with that. */
  *#end(ended: Diagram): Generator<EngineEvent> {
    if (ended === this.#diagrams.never) return
    this.#terminals += Number(this.count(ended))
    yield* this.#told(this.#findings.ofEnded(ended))
  }

  *#told(found: Iterable<Found>): Generator<EngineEvent> {
    for (const { violation, decisions } of found) {
      yield this.#progress(0, this.#steps)
      yield { kind: 'violation', violation, decisions, foundIn: decisions.length }
    }
  }

  /** Assignments of the variables that count: executions, or states if they are encoded. */
  count(guard: Diagram): bigint {
    return this.#diagrams.count(guard) >> BigInt(this.#forgotten)
  }

  /** Executions go on from states that nobody was in before. */
  *#encode(): Generator<EngineEvent, void> {
    const diagrams = this.#diagrams
    const makeRoom = (): void => {
      this.#atoms.unsettle()
      this.#collect()
    }
    const changed = yield* this.#withRoom(() => this.#patience.with(() => this.#atoms.changed()), makeRoom)
    const known = this.#seen.size
    const visit = this.#atoms.visit({ guard: this.exploration.state.alive, changed }, (met, execution) => {
      const { state, renamed = undefined } = this.#orbits?.settled(met) ?? { state: met }
      if (this.#seen.add(state)) this.#ways.leads(execution, renamed)
    })
    yield* this.#breathing(visit)
    this.#forgotten = diagrams.variables
    const order = this.#atoms.order(this.#seen.from(known))
    this.#seen.reorder(known, order)
    const fresh = this.#seen.from(known)
    const variables = yield* this.#breathing(this.#atoms.encode(fresh))
    this.#ways.encoded(variables, order)
    if (fresh.length === 0) this.exploration.state.alive = diagrams.never
    this.#encoded = this.#knownNow(fresh.length)
    if (fresh.length === 0) this.#known = this.#encoded
  }

  #knownNow(frontier: number): Known {
    const [terminals, steps] = [this.#terminals, this.#steps]
    return { states: this.#seen.size, frontier, terminals, steps, runs: this.#runs }
  }

  /** What a later run can go on with, and what this one has counted until then; undefined: it is too much, or no states are known. */
  saved(): { readonly saved: SavedStates; readonly counts: Counts } | undefined {
    const known = this.#known
    const { filter } = this.#options
    // Others know more than states: who was renamed, and what was left out.
    const isPlain = filter === 'none' || filter === 'creations'
    if (known === undefined || !isPlain || known.states > mostSavedStates) return undefined
    const { state } = this.exploration
    const values = new ValueWriter(state.lifting.packed, namedIn(state))
    const { steps, terminals, frontier } = known
    const changes = changesOf(this.#atoms, this.#seen.from(0).subarray(0, known.states), (value) =>
      values.placeOf(value),
    )
    const told = { steps, terminals, frontier, changes, values: values.all, positions: this.#atoms.positions }
    const machines = savedMachines(state)
    const messages = (state.messages?.all ?? []).map((message) => values.placeOf(message))
    const saved = { ...told, machines, messages, controls: state.controls.all, ...this.#ways.saved(known.states) }
    return { saved, counts: this.#counts(known) }
  }

  *#restore(saved: SavedStates): Generator<EngineEvent, void> {
    const states = restoredStates(this.exploration.state, this.#atoms, saved)
    for (const state of states) this.#seen.add(state)
    this.#terminals = saved.terminals
    this.#steps = saved.steps
    this.#before = this.#knownNow(saved.frontier)
    this.#findings.isRestored = true
    this.#forgotten = this.#diagrams.variables
    const variables = yield* this.#breathing(this.#atoms.encode(states.slice(-saved.frontier)))
    this.#ways.restore(saved, saved.frontier, variables)
    yield* this.#breathing(this.exploration.simplify())
    this.#atoms.settled()
    this.#encoded = this.#before
    this.#known = this.#before
    this.#covered = this.#steps
  }

  /** All states are known, and have been left. */
  get isOver(): boolean {
    return this.#known?.frontier === 0
  }

  *#sift(): Generator<EngineEvent, void> {
    const { logs } = this.#ways
    yield* this.#breathing(
      this.#diagrams.sifting(rootsOf(this.exploration, { candidates: [], logs, atoms: this.#atoms })),
    )
    this.#nodesAfterCollecting = this.#diagrams.size
    this.#siftsAfter = Math.max(this.#siftsAfter, this.#diagrams.size * 2)
  }

  /** Between steps, or before one that is taken with these candidates. */
  #collect(candidates: readonly Candidate[] = []): void {
    this.#diagrams.collect(rootsOf(this.exploration, { candidates, logs: this.#ways.logs, atoms: this.#atoms }))
    this.#nodesAfterCollecting = this.#diagrams.size
  }

  #progress(explored: number, steps = this.#covered): EngineEvent & { readonly kind: 'progress' } {
    const counts = this.#counts({ ...this.#knownNow(0), steps })
    return { kind: 'progress', counts, explored, now: this.#now }
  }

  /** How many states, or executions, go on. */
  #now = (): Counts => {
    if (this.#options.mode === 'states') return { frontier: this.#encoded?.frontier ?? 1 }
    return { frontier: Number(this.count(this.#frontier)) }
  }

  get #runs(): number {
    return this.exploration.runs + this.exploration.monitors.runs
  }

  /** Since an earlier run. Single steps and rounds are told apart by their names, as are states and executions. */
  #counts(known: Known): Counts {
    const before = this.#before ?? nothingKnown
    // Before anything happens there is one.
    const states = Math.max(known.states, 1) - before.states
    const [terminals, steps] = [known.terminals - before.terminals, known.steps - before.steps]
    const { peak, bytes } = this.#diagrams
    const shared = { handlers: known.runs - before.runs, bddNodes: peak, bddBytes: bytes }
    if (this.#options.mode === 'states') return { states, terminals, steps, ...shared }
    const named = this.#options.mode === 'rounds' ? { rounds: steps } : { steps }
    return { executions: terminals, ...named, ...shared }
  }

  /** Diagram nodes that were made. */
  get work(): number {
    return this.#diagrams.created
  }

  /** How many steps some execution that goes on has taken. */
  get reach(): number {
    const { alive } = this.exploration.state
    // One machine moves in each step.
    if (this.#options.mode !== 'rounds' && alive !== this.#diagrams.never) return this.#steps
    const model = this.#diagrams.model(alive)
    return model === undefined ? Number.POSITIVE_INFINITY : this.#ways.steps(model).length
  }
}
