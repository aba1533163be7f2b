/**
 * The global search of a protocol that is declared by rules (`global-search.ts`), on numbers: a state is a vector of the values in its cells and of the objects that
 * it refines, and a rule that was asked once about the cells that it looks at is not asked again. The states, steps and violations are the same.
 *
 * Nothing is taken on trust: every answer of a rule that is kept was given twice, and some states are handled as a whole as well. Where something is not as it
 * should be, this search is given up, and the other one tells what is wrong.
 */
import { IntVector } from '../../../collections/int-vector.ts'
import { PackedVectors } from '../../../collections/packed-vectors.ts'
import { permutations } from '../../../collections/permutations.ts'
import { invariant } from '../../../core/invariant.ts'
import { type Violation, violationKey } from '../../../core/property.ts'
import { Random } from '../../../core/random.ts'
import type { Decision } from '../../../core/trace.ts'
import type { ActionRules, AlikeRules, LocalState } from '../../../program/machines.ts'
import type { GlobalStates } from '../../../program/stateful.ts'
import { decisionsOf } from '../../../semantics/machines/decisions.ts'
import type { Layout } from '../../../semantics/machines/layout.ts'
import { announcedAtStart } from '../../../semantics/machines/local-graph.ts'
import { MachineNumbers } from '../../../semantics/machines/machine-numbers.ts'
import { refuseMistakes } from '../../../semantics/machines/mistakes.ts'
import { mostActions, nextAction } from '../../../semantics/machines/next-actions.ts'
import { Ghost } from '../../../semantics/refinement/ghost.ts'
import type { EngineEvent } from '../../engine.ts'
import { Answers, type Effort, GivenUpError } from './answers.ts'
import { type Change, type Judgement, questionOfInvariant, questionOfRule } from './asking.ts'
import type { Columns } from './columns.ts'
import { HeldAnswers } from './held-answers.ts'

/** Steps between two signs of progress: about a millisecond. */
const progressEvery = 1000
/** States that are handled as a whole: the first ones, and then one of so many. One of 1024 took an eighth of the time of Paxos with three rounds. */
const auditedFirst = 64
const auditEvery = 4096

/** The same for states in which parties change places. */
const triedEvery = 16
/** Invariants are asked in every order of so many parties, and in one of more. */
const mostInEveryOrder = 4
/** What it costs to handle a state as a whole, in steps. */
const costOfAudit = 60

/** How to search. */
interface Searching {
  readonly search: 'depth' | 'breadth'
  /** Where states are one that differ in nothing but which party is which. */
  readonly columns: Columns | undefined
}

/** Where a path leads: states are kept with their columns in order, and this is the state itself. */
interface Path {
  readonly choices: readonly number[]
  readonly values: Int32Array
}

export class CellSearch {
  readonly #subject: GlobalStates
  readonly #layout: Layout
  readonly #order: 'depth' | 'breadth'
  readonly #ghost: Ghost
  readonly #rules: readonly Answers<readonly Change[]>[]
  /** What rules say of states that are still to be expanded, as far as that is known. */
  readonly #held: HeldAnswers<Change>
  readonly #invariants: readonly Answers<Judgement>[]
  /** By the values in their cells, and what the objects are that they refine. */
  readonly #states: PackedVectors
  /** What is in the cells of the state that is expanded, and of one that comes after it. */
  readonly #values: Int32Array
  readonly #made: Int32Array
  readonly #columns: Columns | undefined
  /** Whether the columns of the state that was made stood in another order before. */
  #isMoved = false
  readonly #alike: AlikeRules | undefined
  readonly #random = new Random(0)
  /** How many values there were when parties last changed places in a state as a whole. */
  #triedValues = 0
  /** By state: where it was met first, and which action led there. */
  readonly #parents = new IntVector(1024)
  readonly #choices = new IntVector(1024)
  /** Depth first: states to be expanded. Breadth first they come in the order of their numbers. */
  readonly #open: number[] = []
  #head = 0
  /** Violations that were found. Those of the state that is being expanded have not been told yet, and are not if this search ends there. */
  readonly #told = new Set<string>()
  #counts = { states: 0, transitions: 0, irreducible: 0, traces: 0, finals: 0 }
  /** Since the last sign of progress. */
  readonly #effort: Effort = { steps: 0 }
  /** What is to be told of the state that is being expanded. */
  #events: EngineEvent[] = []

  constructor(subject: GlobalStates, rules: ActionRules, layout: Layout, { search, columns }: Searching) {
    const { machines, refines = [], called = [], witness } = subject
    this.#subject = subject
    this.#layout = layout
    this.#order = search
    this.#columns = columns
    this.#alike = rules.alike
    this.#values = new Int32Array(layout.size)
    this.#made = new Int32Array(layout.size)
    this.#states = new PackedVectors(layout.size)
    this.#ghost = new Ghost(refines, witness, called)
    const all = Array.from({ length: rules.count }, (_, rule) => questionOfRule(rules, rule, layout))
    this.#rules = all.map((question) => new Answers(question, layout, this.#effort))
    this.#held = new HeldAnswers(this.#rules, layout.size, search)
    this.#invariants = machines.invariants.map(
      (one) => new Answers(questionOfInvariant(one, this.#start, layout), layout, this.#effort),
    )
  }

  *events(): Generator<EngineEvent, void> {
    this.#made.set(this.#numbers(this.#start))
    this.#meet(-1, 0, this.#states.hash(this.#made), this.#firstGhost)
    this.#held.push()
    for (let state = this.#next(); state !== undefined; state = this.#next()) {
      this.#expand(state)
      if (this.#events.length > 0) {
        yield* this.#events
        this.#events = []
      }
      if (this.#effort.steps < progressEvery) continue
      this.#effort.steps = 0
      this.#giveUpIfIdle()
      yield this.#progress(0)
    }
    if (this.#layout.hasStrayed) throw new GivenUpError()
    yield this.#progress(1)
  }

  /** Where most rules look at nearly everything, nothing is gained. */
  #giveUpIfIdle(): void {
    const kept = this.#rules.filter(({ isKept }) => isKept).length
    if (kept * 2 < this.#rules.length) throw new GivenUpError()
  }

  get #start(): LocalState {
    return this.#subject.machines.start.states[0] as LocalState
  }

  get #firstGhost(): number {
    return this.#ghost.after(this.#ghost.first, announcedAtStart(this.#subject.machines))
  }

  #numbers({ data }: Pick<LocalState, 'data'>): Int32Array {
    const values = new Int32Array(this.#layout.size)
    this.#layout.numbers(data, (cell, number) => {
      values[cell] = number
    })
    return values
  }

  #next(): number | undefined {
    if (this.#order === 'depth') return this.#open.pop()
    return this.#head < this.#states.size ? this.#head++ : undefined
  }

  #expand(state: number): void {
    this.#states.load(state, this.#values)
    this.#made.set(this.#values)
    const [hash, before] = [this.#states.hash(this.#values), this.#states.furtherAt(state)]
    const isFirst = state < auditedFirst
    const isAudited = isFirst || state % auditEvery === 0
    const isTried = this.#columns !== undefined && (isFirst || state % triedEvery === 0)
    const successors: number[] = []
    let choice = 0
    // All rules are asked before anything is made of what they say: then it is known of each state that comes after this one.
    for (const changes of this.#held.said(this.#values)) {
      for (const change of changes) {
        const after = this.#make(change, hash)
        const ghost = change.announced.length === 0 ? before : this.#ghost.after(before, change.announced)
        const known = this.#states.size
        const successor = this.#meet(state, choice++, after, ghost)
        if (successor >= known) this.#held.push(this.#changed(change))
        this.#undo(change)
        if (isAudited || isTried) successors.push(successor)
      }
    }
    if (choice > mostActions) throw new GivenUpError()
    this.#counts.transitions += choice
    this.#effort.steps += choice + 1
    if (choice > 0) this.#counts.irreducible++
    else this.#events.push(this.#ending(state))
    if (isAudited) this.#audit(state, successors)
    if (isTried) this.#tryParties(state, successors)
  }

  /** The cells in which the state that was made differs from the one before; nothing if it may be any of them. */
  #changed({ cells }: Change): readonly number[] | undefined {
    return this.#isMoved ? undefined : cells.filter((cell) => this.#made[cell] !== this.#values[cell])
  }

  /** Makes the state that comes of a change, and its hash. */
  #make({ cells, values }: Change, hash: number): number {
    let sum = hash
    for (let at = 0; at < cells.length; at++) {
      const cell = cells[at] as number
      const value = values[at] as number
      const before = this.#made[cell] as number
      if (before === value) continue
      sum = (sum + this.#states.hashOf(cell, value - before)) | 0
      this.#made[cell] = value
    }
    return sum
  }

  #undo({ cells }: Change): void {
    if (this.#columns !== undefined) return this.#made.set(this.#values)
    for (let at = 0; at < cells.length; at++)
      this.#made[cells[at] as number] = this.#values[cells[at] as number] as number
  }

  /** The state that was made; where it is new, it was met by this choice first. */
  #meet(parent: number, choice: number, hash: number, ghost: number): number {
    const known = this.#states.size
    this.#isMoved = this.#columns?.sort(this.#made) === true
    const state = this.#states.intern(this.#made, this.#isMoved ? this.#states.hash(this.#made) : hash, ghost)
    if (state < known) {
      this.#counts.traces++
      return state
    }
    this.#counts.states++
    this.#parents.push(parent)
    this.#choices.push(choice)
    if (this.#order === 'depth') this.#open.push(state)
    if (this.#columns !== undefined) this.#tryOrders(this.#columns)
    for (const violation of this.#ghost.violations(ghost)) this.#tell(state, this.#made, () => violation)
    for (const one of this.#invariants)
      if (one.said(this.#made).violation !== undefined)
        this.#tell(state, this.#made, (values) => one.said(values).violation)
    return state
  }

  /** Puts columns in order. */
  #sorted(values: Int32Array): number {
    this.#columns?.sort(values)
    return this.#states.hash(values)
  }

  /** What comes of a state as a whole must be what came of it here. */
  #audit(state: number, successors: readonly number[]): void {
    const { machines } = this.#subject
    const data = this.#layout.data(this.#values)
    const outcomes = machines.handle(0, { ...this.#start, data }, nextAction)
    const ghost = this.#states.furtherAt(state)
    const same = outcomes.every(({ state: after, announced = [], violation }, at) => {
      if (violation !== undefined) return false
      const values = this.#values.slice()
      this.#layout.changedNumbers(data, after.data, (cell, number) => {
        values[cell] = number
      })
      const events = announced.map(({ event }) => event)
      return this.#found(values, this.#ghost.after(ghost, events)) === successors[at]
    })
    this.#effort.steps += costOfAudit + outcomes.length
    if (!same || outcomes.length !== successors.length) throw new GivenUpError()
  }

  /** The number of a state, or -1. Puts its columns in order. */
  #found(values: Int32Array, ghost: number): number {
    return this.#states.find(values, this.#sorted(values), ghost)
  }

  /** The states that come after one with these values. */
  #after(values: Int32Array, ghost: number): readonly { readonly values: Int32Array; readonly ghost: number }[] {
    return this.#rules.flatMap((rule) =>
      rule.said(values).map((change) => {
        const made = values.slice()
        for (const [at, cell] of change.cells.entries()) made[cell] = change.values[at] as number
        return { values: made, ghost: this.#ghost.after(ghost, change.announced) }
      }),
    )
  }

  /** Where parties stand in another order, the same must be possible. */
  #tryParties(state: number, successors: readonly number[]): void {
    const values = this.#values.slice()
    const order = this.#random.shuffle(Array.from({ length: this.#columns?.parties ?? 0 }, (_, party) => party))
    this.#columns?.reorder(values, order)
    this.#effort.steps += successors.length
    const after = this.#after(values, this.#states.furtherAt(state))
    const others = after.map((one) => this.#found(one.values, one.ghost))
    if (others.sort(byNumber).join() !== [...successors].sort(byNumber).join()) throw new GivenUpError()
  }

  /** In other orders of parties invariants must say the same of the state that was made; if values are new, columns must move as parties do. */
  #tryOrders(columns: Columns): void {
    const isNew = this.#triedValues < this.#layout.valueCount
    if (!isNew && this.#invariants.length === 0) return
    const parties = Array.from({ length: columns.parties }, (_, party) => party)
    const few = parties.length <= mostInEveryOrder
    const wrong = this.#invariants.map((one) => one.said(this.#made).violation === undefined)
    for (const order of few ? permutations(parties) : [this.#random.shuffle(parties), parties.toReversed()]) {
      const values = this.#made.slice()
      columns.reorder(values, order)
      if (isNew && !this.#isRenamed(values, order)) throw new GivenUpError()
      if (this.#invariants.some((one, at) => (one.said(values).violation === undefined) !== wrong[at]))
        throw new GivenUpError()
    }
    this.#triedValues = this.#layout.valueCount
  }

  #isRenamed(values: Int32Array, order: readonly number[]): boolean {
    this.#effort.steps += costOfAudit
    const renamed = this.#alike?.renamed(this.#layout.data(this.#made), order)
    return renamed !== undefined && this.#numbers({ data: renamed }).every((number, cell) => number === values[cell])
  }

  /** What is violated in a state whose values these are, up to names of parties: what is told is asked of the state that a path leads to. */
  #tell(state: number, values: Int32Array, violationIn: (values: Int32Array) => Violation | undefined): void {
    if (this.#isTold(violationIn(values))) return
    const path = this.#path(state)
    const violation = violationIn(path.values)
    if (violation === undefined) throw new GivenUpError()
    refuseMistakes(violation)
    this.#told.add(violationKey(violation))
    this.#events.push(this.#progress(0))
    const decisions = this.#decisions(path, { upToLast: true })
    this.#events.push({ kind: 'violation', violation, decisions, foundIn: decisions.length })
  }

  /** And from now on it is. */
  #isTold(violation: Violation | undefined): boolean {
    const key = violation === undefined ? '' : violationKey(violation)
    if (this.#told.has(key)) return true
    this.#told.add(key)
    return false
  }

  #ending(state: number): EngineEvent {
    this.#counts.finals++
    this.#counts.traces++
    const decisions = () => this.#decisions(this.#path(state))
    return { kind: 'ending', counts: { ...this.#counts }, key: `${state}`, violation: undefined, decisions }
  }

  #path(state: number): Path {
    const states: number[] = []
    for (let at = state; this.#parents.at(at) >= 0; at = this.#parents.at(at)) states.push(at)
    states.reverse()
    if (this.#columns !== undefined) return this.#pathAlong(states)
    const values = new Int32Array(this.#layout.size)
    this.#states.load(state, values)
    return { choices: states.map((at) => this.#choices.at(at)), values }
  }

  /** Through states whose columns are not in order, as they come about. */
  #pathAlong(states: readonly number[]): Path {
    let [values, ghost] = [this.#numbers(this.#start), this.#firstGhost]
    const choices = states.map((state) => {
      const after = this.#after(values, ghost)
      const choice = after.findIndex((one) => this.#found(one.values.slice(), one.ghost) === state)
      const next = after[choice]
      if (next === undefined) throw new GivenUpError()
      values = next.values
      ghost = next.ghost
      return choice
    })
    return { choices, values }
  }

  #decisions({ choices }: Path, options?: { readonly upToLast: true }): readonly Decision[] {
    const { machines } = this.#subject
    const happenings = choices.map((choice) => ({ machine: 0, event: nextAction, choices: [choice] }))
    const numbers = new MachineNumbers(machines.machines)
    const decisions = decisionsOf(machines, happenings, { ...options, numbers })
    invariant(decisions !== undefined, 'a path of the search can happen')
    return decisions
  }

  #progress(explored: number): EngineEvent {
    return { kind: 'progress', counts: { ...this.#counts }, explored }
  }
}

function byNumber(one: number, other: number): number {
  return one - other
}
