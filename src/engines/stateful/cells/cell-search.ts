/**
 * The global search of a protocol that is declared by rules (`global-search.ts`), on numbers: a state is a vector of the values in its cells and of the objects that
 * it refines, and a rule that was asked once about the cells that it looks at is not asked again. The states, steps and violations are the same.
 *
 * Nothing is taken on trust: every answer of a rule that is kept was given twice, and some states are handled as a whole as well. Where something is not as it
 * should be, this search is given up, and the other one tells what is wrong.
 */
import { IntVector } from '../../../collections/int-vector.ts'
import { PackedVectors } from '../../../collections/packed-vectors.ts'
import { invariant } from '../../../core/invariant.ts'
import { type Violation, violationKey } from '../../../core/property.ts'
import type { Decision } from '../../../core/trace.ts'
import type { ActionRules, LocalState } from '../../../program/machines.ts'
import type { GlobalStates } from '../../../program/stateful.ts'
import { decisionsOf } from '../../../semantics/machines/decisions.ts'
import { announcedAtStart } from '../../../semantics/machines/local-graph.ts'
import { MachineNumbers } from '../../../semantics/machines/machine-numbers.ts'
import { refuseMistakes } from '../../../semantics/machines/mistakes.ts'
import { mostActions, nextAction } from '../../../semantics/machines/next-actions.ts'
import { Ghost } from '../../../semantics/refinement/ghost.ts'
import type { EngineEvent } from '../../engine.ts'
import { Answers, type Effort, GivenUpError } from './answers.ts'
import { type Change, type Judgement, questionOfInvariant, questionOfRule } from './asking.ts'
import type { Layout } from './layout.ts'

/** Steps between two signs of progress: about a millisecond. */
const progressEvery = 1000
/** States that are handled as a whole: the first ones, and then one of so many. */
const auditedFirst = 64
const auditEvery = 1024

/** What it costs to handle a state as a whole, in steps. */
const costOfAudit = 60

export class CellSearch {
  readonly #subject: GlobalStates
  readonly #layout: Layout
  readonly #order: 'depth' | 'breadth'
  readonly #ghost: Ghost
  readonly #rules: readonly Answers<readonly Change[]>[]
  readonly #invariants: readonly Answers<Judgement>[]
  /** By the values in their cells, and what the objects are that they refine. */
  readonly #states: PackedVectors
  /** What is in the cells of the state that is expanded, and of one that comes after it. */
  readonly #values: Int32Array
  readonly #made: Int32Array
  /** By state: where it was met first, and which action led there. */
  readonly #parents = new IntVector(1024)
  readonly #choices = new IntVector(1024)
  /** Depth first: states to be expanded. Breadth first they come in the order of their numbers. */
  readonly #open: number[] = []
  #head = 0
  readonly #told: Set<string>
  #counts = { states: 0, transitions: 0, irreducible: 0, traces: 0, finals: 0 }
  /** Since the last sign of progress. */
  readonly #effort: Effort = { steps: 0 }
  /** What is to be told of the state that is being expanded. */
  #events: EngineEvent[] = []

  constructor(
    subject: GlobalStates,
    rules: ActionRules,
    layout: Layout,
    { search, told }: { readonly search: 'depth' | 'breadth'; readonly told: Set<string> },
  ) {
    const { machines, refines = [], called = [], witness } = subject
    this.#subject = subject
    this.#layout = layout
    this.#order = search
    this.#told = told
    this.#values = new Int32Array(layout.size)
    this.#made = new Int32Array(layout.size)
    this.#states = new PackedVectors(layout.size)
    this.#ghost = new Ghost(refines, witness, called)
    const all = Array.from({ length: rules.count }, (_, rule) => questionOfRule(rules, rule, layout))
    this.#rules = all.map((question) => new Answers(question, layout, this.#effort))
    this.#invariants = machines.invariants.map(
      (one) => new Answers(questionOfInvariant(one, this.#start, layout), layout, this.#effort),
    )
  }

  *events(): Generator<EngineEvent, void> {
    const { machines } = this.#subject
    this.#layout.numbers(this.#start.data, (cell, number) => {
      this.#made[cell] = number
    })
    const ghost = this.#ghost.after(this.#ghost.first, announcedAtStart(machines))
    this.#meet(-1, 0, this.#states.hash(this.#made), ghost)
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

  #next(): number | undefined {
    if (this.#order === 'depth') return this.#open.pop()
    return this.#head < this.#states.size ? this.#head++ : undefined
  }

  #expand(state: number): void {
    this.#states.load(state, this.#values)
    this.#made.set(this.#values)
    const [hash, before] = [this.#states.hash(this.#values), this.#states.furtherAt(state)]
    const isAudited = state < auditedFirst || state % auditEvery === 0
    const successors: number[] = []
    let choice = 0
    for (const rule of this.#rules) {
      for (const change of rule.said(this.#values)) {
        const after = this.#make(change, hash)
        const ghost = change.announced.length === 0 ? before : this.#ghost.after(before, change.announced)
        const successor = this.#meet(state, choice++, after, ghost)
        this.#undo(change)
        if (isAudited) successors.push(successor)
      }
    }
    if (choice > mostActions) throw new GivenUpError()
    this.#counts.transitions += choice
    this.#effort.steps += choice + 1
    if (choice > 0) this.#counts.irreducible++
    else this.#events.push(this.#ending(state))
    if (isAudited) this.#audit(state, successors)
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
    for (let at = 0; at < cells.length; at++)
      this.#made[cells[at] as number] = this.#values[cells[at] as number] as number
  }

  /** The state that was made; where it is new, it was met by this choice first. */
  #meet(parent: number, choice: number, hash: number, ghost: number): number {
    const known = this.#states.size
    const state = this.#states.intern(this.#made, hash, ghost)
    if (state < known) {
      this.#counts.traces++
      return state
    }
    this.#counts.states++
    this.#parents.push(parent)
    this.#choices.push(choice)
    if (this.#order === 'depth') this.#open.push(state)
    for (const violation of this.#ghost.violations(ghost)) this.#tell(violation, state)
    for (const one of this.#invariants) {
      const { violation } = one.said(this.#made)
      if (violation !== undefined) this.#tell(violation, state)
    }
    return state
  }

  /** What comes of a state as a whole must be what came of it here. */
  #audit(state: number, successors: readonly number[]): void {
    const { machines } = this.#subject
    const outcomes = machines.handle(0, { ...this.#start, data: this.#layout.data(this.#values) }, nextAction)
    const ghost = this.#states.furtherAt(state)
    const same = outcomes.every(({ state: after, announced = [], violation }, at) => {
      if (violation !== undefined) return false
      this.#layout.numbers(after.data, (cell, number) => {
        this.#made[cell] = number
      })
      const events = announced.map(({ event }) => event)
      return this.#isAt(successors[at], this.#ghost.after(ghost, events))
    })
    this.#effort.steps += costOfAudit + outcomes.length
    if (!same || outcomes.length !== successors.length) throw new GivenUpError()
  }

  /** Whether a state is the one that was made. */
  #isAt(state: number | undefined, ghost: number): boolean {
    return this.#states.find(this.#made, this.#states.hash(this.#made), ghost) === state
  }

  #tell(violation: Violation, state: number): void {
    refuseMistakes(violation)
    const key = violationKey(violation)
    if (this.#told.has(key)) return
    this.#told.add(key)
    this.#events.push(this.#progress(0))
    const decisions = this.#decisions(state, { upToLast: true })
    this.#events.push({ kind: 'violation', violation, decisions, foundIn: decisions.length })
  }

  #ending(state: number): EngineEvent {
    this.#counts.finals++
    this.#counts.traces++
    const decisions = () => this.#decisions(state)
    return { kind: 'ending', counts: { ...this.#counts }, key: `${state}`, violation: undefined, decisions }
  }

  #decisions(state: number, options?: { readonly upToLast: true }): readonly Decision[] {
    const { machines } = this.#subject
    const choices: number[] = []
    for (let at = state; this.#parents.at(at) >= 0; at = this.#parents.at(at)) choices.push(this.#choices.at(at))
    const happenings = choices.reverse().map((choice) => ({ machine: 0, event: nextAction, choices: [choice] }))
    const numbers = new MachineNumbers(machines.machines)
    const decisions = decisionsOf(machines, happenings, { ...options, numbers })
    invariant(decisions !== undefined, 'a path of the search can happen')
    return decisions
  }

  #progress(explored: number): EngineEvent {
    return { kind: 'progress', counts: { ...this.#counts }, explored }
  }
}
