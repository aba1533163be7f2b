/**
 * A system that is one machine of actions: there is no network to leave out and nothing to put together, so that every state that is met was
 * led to by an execution. Nothing has to be decided afterwards, and nothing is kept for that: a state is its cells, as numbers, with what the objects are that it
 * refines, where it came from, and by which action.
 *
 * Rules are asked about each state, and told nothing where something is wrong with what they say: some states are also handled as a whole. Where that comes to
 * something else, this search is given up for the general one, which says what is wrong.
 */
import { IntVector } from '../../collections/int-vector.ts'
import { PackedVectors } from '../../collections/packed-vectors.ts'
import type { Violation } from '../../core/property.ts'
import type { Value } from '../../core/value.ts'
import type { ActionRules, LocalState, Machines, Remembered, RuleAction } from '../../program/machines.ts'
import { isSameList } from '../../semantics/machines/action-rules.ts'
import { Layout, UnfitError } from '../../semantics/machines/layout.ts'
import { likenesses } from '../../semantics/machines/likenesses.ts'
import { announcedAtStart } from '../../semantics/machines/local-graph.ts'
import { mostActions, nextAction } from '../../semantics/machines/next-actions.ts'
import { Ghost } from '../../semantics/refinement/ghost.ts'
import type { EngineEvent } from '../engine.ts'
import type { LocalCounts } from './counts.ts'
import type { Occurrence } from './local-space.ts'
import { Messages, noMessage } from './messages.ts'
import { kindOf, violationsOn } from './witness.ts'

/** A search begins again each time that parts turn out to have other fields in other states. */
const mostBeginnings = 100
/** States between two signs of progress: each may take a tenth of a millisecond. */
const stride = 16
/** States about which rules are asked again, of other objects: the first ones, and then one of so many. */
const askedAgainFirst = 64
const askedAgainEvery = 64
/** The same for states that are handled as a whole, all parts of which are remembered by the machine. */
const auditedFirst = 4
const auditEvery = 4096

/** Thrown where rules are not what they are taken for. */
class GivenUpError extends Error {
  override readonly name = 'GivenUpError'
}

/** True if the search came to its end; false if the general one is needed. */
export function* searchAlone(subject: Machines, told: Set<string>): Generator<EngineEvent, boolean> {
  const { actions, start, machines, byzantine } = subject
  if (actions === undefined || machines.length > 1 || start.underWay.length > 0 || byzantine !== undefined) return false
  const uncut = new Set<string>()
  for (let beginnings = 0; beginnings < mostBeginnings; beginnings++) {
    const layout = new Layout((start.states[0] as LocalState).data, uncut)
    try {
      yield* new SearchAlone(subject, { rules: actions, layout, told }).events()
      return true
    } catch (error) {
      if (error instanceof GivenUpError) return false
      if (!(error instanceof UnfitError)) throw error
      uncut.add(error.path)
    }
  }
  return false
}

class SearchAlone {
  readonly #subject: Machines
  readonly #rules: ActionRules
  readonly #layout: Layout
  readonly #ghost: Ghost
  /** States in the order in which they were met, by the values in their cells and what the objects are that they refine. */
  readonly #states: PackedVectors
  /** By state: where it was met first, and which action led there. */
  readonly #parents = new IntVector(1024)
  readonly #choices = new IntVector(1024)
  /** What is in the cells of the state that is expanded, and of one that comes after it. */
  readonly #values: Int32Array
  readonly #made: Int32Array
  /** Kinds of violations, also of searches before this one. */
  readonly #told: Set<string>
  #transitions = 0
  #judged = 0
  #executions = 0
  /** Actions on a shortest way to the states that are expanded, and the first state that is further away. */
  #depth = 0
  #further = 1

  constructor(
    subject: Machines,
    { rules, layout, told }: { readonly rules: ActionRules; readonly layout: Layout; readonly told: Set<string> },
  ) {
    this.#subject = subject
    this.#rules = rules
    this.#layout = layout
    this.#told = told
    this.#ghost = new Ghost(subject.refines ?? [], subject.witness, subject.start.called)
    this.#states = new PackedVectors(layout.size)
    this.#values = new Int32Array(layout.size)
    this.#made = new Int32Array(layout.size)
  }

  *events(): Generator<EngineEvent, void> {
    this.#layout.numbers(this.#start.data, (cell, number) => {
      this.#made[cell] = number
    })
    this.#meet(-1, 0, this.#ghost.after(this.#ghost.first, announcedAtStart(this.#subject)))
    yield* this.#judge(0)
    for (let state = 0; state < this.#states.size; state++) {
      if (state === this.#further) {
        this.#depth++
        this.#further = this.#states.size
      }
      yield* this.#expand(state)
      if (state % stride === stride - 1) yield this.#progress(0)
    }
    yield this.#progress(1)
  }

  get #start(): LocalState {
    return this.#subject.start.states[0] as LocalState
  }

  *#expand(state: number): Generator<EngineEvent, void> {
    this.#states.load(state, this.#values)
    const data = this.#layout.data(this.#values)
    const before = this.#states.furtherAt(state)
    const said = this.#said(data)
    if (state < askedAgainFirst || state % askedAgainEvery === 0) this.#askAgain(data, said)
    const successors: number[] = []
    for (const { after, announced } of said.flat()) {
      this.#make(data, after)
      const known = this.#states.size
      const successor = this.#meet(state, successors.length, this.#ghost.after(before, announced))
      successors.push(successor)
      if (successor >= known) yield* this.#judge(successor)
    }
    if (successors.length > mostActions) throw new GivenUpError()
    this.#transitions += successors.length
    if (state < auditedFirst || state % auditEvery === 0) this.#audit(state, data, successors)
  }

  readonly #remembered: Remembered<Value> = () => dataAgain(this.#layout, this.#values.join())
  /** The same of the state that was made. */
  readonly #rememberedStates: Remembered<readonly LocalState[]> = () =>
    statesAgain(this.#start, dataAgain(this.#layout, this.#made.join()))

  /** Rule by rule. */
  #said(data: Value): readonly (readonly RuleAction[])[] {
    return Array.from({ length: this.#rules.count }, (_, rule) => {
      const said = this.#rules.asked(rule, data, this.#remembered)
      if (said === undefined) throw new GivenUpError()
      return said
    })
  }

  /** The number of the state that was made; where it is new, it was met by this choice first. */
  #meet(parent: number, choice: number, ghost: number): number {
    const known = this.#states.size
    const state = this.#states.intern(this.#made, this.#states.hash(this.#made), ghost)
    if (state < known) return state
    this.#parents.push(parent)
    this.#choices.push(choice)
    return state
  }

  /** What is wrong with the state that was made. */
  *#judge(state: number): Generator<EngineEvent, void> {
    const { invariants } = this.#subject
    const data = invariants.length === 0 ? undefined : this.#layout.data(this.#made)
    for (const violation of this.#ghost.violations(this.#states.furtherAt(state))) yield* this.#tell(state, violation)
    for (const invariant of invariants) {
      this.#judged++
      const violation = invariant.violation([{ ...this.#start, data }], undefined, this.#rememberedStates)
      if (violation !== undefined) yield* this.#tell(state, violation)
    }
  }

  *#tell(state: number, violation: Violation): Generator<EngineEvent, void> {
    if (this.#told.has(kindOf(violation))) return
    this.#executions++
    // What was explored so far is part of the report.
    yield this.#progress(0)
    yield* violationsOn(
      { subject: this.#subject, messages: new Messages(this.#subject), told: this.#told },
      this.#way(state),
    )
  }

  #way(state: number): readonly Occurrence[] {
    const way: Occurrence[] = []
    for (let at = state; this.#parents.at(at) >= 0; at = this.#parents.at(at)) {
      const choices = [this.#choices.at(at)]
      way.push({ machine: 0, from: this.#parents.at(at), consumed: noMessage, internal: nextAction, choices })
    }
    return way.reverse()
  }

  /** Rules must say the same of a state whichever of its parts are one object. */
  #askAgain(data: Value, said: readonly (readonly RuleAction[])[]): void {
    for (const like of likenesses(data))
      for (const [rule, actions] of said.entries())
        if (!isSameList(actions, this.#rules.asked(rule, like, this.#remembered))) throw new GivenUpError()
  }

  /** What comes of a state as a whole must be what came of it here. */
  #audit(state: number, data: Value, successors: readonly number[]): void {
    const outcomes = this.#subject.handle(0, { ...this.#start, data }, nextAction)
    const ghost = this.#states.furtherAt(state)
    const isSame = outcomes.every(({ state: after, announced = [], violation }, at) => {
      if (violation !== undefined) return false
      this.#make(data, after.data)
      const told = announced.map(({ event }) => event)
      const hash = this.#states.hash(this.#made)
      return this.#states.find(this.#made, hash, this.#ghost.after(ghost, told)) === successors[at]
    })
    if (!isSame || outcomes.length !== successors.length) throw new GivenUpError()
  }

  /** The state that comes of the one that is expanded. */
  #make(data: Value, after: Value): void {
    this.#made.set(this.#values)
    this.#layout.changedNumbers(data, after, (cell, number) => {
      this.#made[cell] = number
    })
  }

  #progress(explored: number): EngineEvent {
    const counts: LocalCounts = {
      states: this.#states.size,
      transitions: this.#transitions,
      irreducible: 0,
      depth: this.#depth,
      traces: this.#executions,
      finals: 0,
      messages: 0,
      systemStates: this.#judged,
      soundnessChecks: this.#executions,
      rejected: 0,
    }
    return { kind: 'progress', counts, explored }
  }
}

/** A state from the values in its cells, as a text: they are kept for long, and the data would take more. */
function dataAgain(layout: Layout, cells: string): () => Value {
  return () => layout.data(Int32Array.from(cells.split(','), Number))
}

function statesAgain(start: LocalState, data: () => Value): () => readonly LocalState[] {
  return () => [{ ...start, data: data() }]
}
