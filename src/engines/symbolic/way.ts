/** From an assignment of the choices back to an execution: who moved in each step, and what was chosen. */
import type { Assignment } from '../../bdd/diagram.ts'
import type { Diagram, Diagrams } from '../../bdd/diagrams.ts'
import { IntVector } from '../../collections/int-vector.ts'
import { SequenceInterner } from '../../collections/sequence-interner.ts'
import { anyMessage, type RetracedStep } from '../../semantics/ir/retraced.ts'
import type { EventValue, TupleValue } from '../../semantics/ir/value.ts'
import { type Permutation, WayBack } from '../../semantics/ir/way-back.ts'
import { codeOf } from './atoms.ts'
import type { StepLog } from './exploration.ts'
import type { SavedWays } from './saved-states.ts'
import type { Slot, SymbolicState } from './state.ts'

/** A step as numbers: who moves, whose message arrives (-1: none), which one where it can be any (-1: it cannot), and the options that are chosen. */
type Coded = readonly number[]

export class Ways {
  readonly #state: SymbolicState
  readonly #diagrams: Diagrams
  readonly #steps = new SequenceInterner()
  /** Numbers of steps. */
  readonly #lists = new SequenceInterner()
  /** Of each state that was or will be encoded: the one before, or -1, and the steps from there, as a number of a list. */
  readonly #parents = new IntVector()
  readonly #between = new IntVector()
  /** Of states whose machines were renamed. */
  readonly #renamed = new Map<number, Permutation>()
  /** The state that code 0 stands for, by its place above; from `#nextCode` on, states that will be encoded. */
  #firstCode = -1
  #nextCode = 0
  #variables: readonly number[] = []
  #logs: StepLog[] = []

  constructor(state: SymbolicState) {
    this.#state = state
    this.#diagrams = state.lifting.diagrams
  }

  add(log: StepLog): void {
    this.#logs.push(log)
  }

  get logs(): readonly StepLog[] {
    return this.#logs
  }

  /** A state that will be encoded, told by an execution that leads there; then its machines are renamed. */
  leads(model: Assignment, renamed?: Permutation | undefined): void {
    if (renamed !== undefined) this.#renamed.set(this.#parents.length, renamed)
    this.#parents.push(this.#parentOf(model))
    this.#between.push(this.#lists.intern(this.#coded(model)))
  }

  /** The states that were told are encoded anew, by these variables, in an order of the places in which they were told. */
  encoded(variables: readonly number[], order: Int32Array): void {
    const first = this.#nextCode
    this.#firstCode = first
    this.#nextCode = this.#parents.length
    this.#variables = variables
    this.#logs = []
    for (const all of [this.#parents, this.#between]) {
      const told = order.map((at) => all.at(first + at))
      for (let at = 0; at < told.length; at++) all.set(first + at, told[at] as number)
    }
    if (this.#renamed.size === 0) return
    const renamed = Array.from(order, (at) => this.#renamed.get(first + at))
    for (const [at, one] of renamed.entries()) {
      if (one === undefined) this.#renamed.delete(first + at)
      else this.#renamed.set(first + at, one)
    }
  }

  /** How the first so many states were met; none of them were renamed. */
  saved(states: number): SavedWays {
    const all = Array.from({ length: states }, (_, at) => at)
    return {
      parents: all.map((at) => this.#parents.at(at)),
      between: all.map((at) => this.#lists.at(this.#between.at(at))),
      taken: Array.from({ length: this.#steps.size }, (_, at) => this.#steps.at(at)),
    }
  }

  /** States were met in these ways; the last ones, so many, are those that the variables tell apart. */
  restore({ parents, between, taken }: SavedWays, frontier: number, variables: readonly number[]): void {
    // Steps that are the same are one.
    const steps = taken.map((step) => this.#steps.intern(step))
    for (const [at, parent] of parents.entries()) {
      this.#parents.push(parent)
      this.#between.push(this.#lists.intern((between[at] ?? []).map((step) => steps[step] as number)))
    }
    this.#firstCode = parents.length - frontier
    this.#nextCode = parents.length
    this.#variables = variables
  }

  #parentOf(model: Assignment): number {
    if (this.#firstCode < 0) return -1
    return this.#firstCode + codeOf(model, this.#variables)
  }

  #coded(model: Assignment, last?: Slot | undefined): readonly number[] {
    return this.#logs.flatMap((log, at) => {
      const steps = this.#codedSteps(log, model)
      const meant = at === this.#logs.length - 1 && last !== undefined ? steps.filter(([by]) => by === last.at) : steps
      return meant.map((step) => this.#steps.intern(step))
    })
  }

  /** Those that move in one step do not get into each other's way: any order will do. */
  #codedSteps({ moves, choices }: StepLog, model: Assignment): readonly Coded[] {
    const holds = (guard: Diagram): boolean => this.#diagrams.valueUnder(guard, model) === 1
    const chosenBy = (slot: Slot | undefined): readonly number[] =>
      choices.flatMap(({ by, guard, possible, taken }) => {
        if (by !== slot || !holds(guard)) return []
        const open = possible.flatMap((one, option) => (holds(one) ? [option] : []))
        return open.length > 1 ? [open.findIndex((option) => holds(taken[option] as Diagram))] : []
      })
    return moves.flatMap(({ candidate, guard }) => {
      if (!holds(guard)) return []
      if (candidate.kind !== 'arrive') return [[candidate.slot.at, -1, -1, ...chosenBy(candidate.slot)]]
      const target = this.#state.slotNamed(this.#diagrams.valueUnder(candidate.to, model))
      const message = this.#state.messages === undefined ? -1 : candidate.line
      return [[target?.at ?? -1, candidate.slot.at, message, ...chosenBy(target)]]
    })
  }

  /** The steps of one execution, from the beginning; with `last`, this machine alone moves in the last one. */
  steps(model: Assignment, last?: Slot | undefined): readonly RetracedStep[] {
    const states: number[] = []
    for (let at = this.#parentOf(model); at >= 0; at = this.#parents.at(at)) states.push(at)
    const back = this.#renamed.size === 0 ? undefined : new WayBack(this.#state.code.values)
    const taken = (steps: readonly number[]): readonly RetracedStep[] =>
      steps.map((number) => {
        const step = this.#retraced(this.#steps.at(number))
        return back?.step(step) ?? step
      })
    const way = states.reverse().flatMap((at) => {
      const steps = taken(this.#lists.at(this.#between.at(at)))
      const renamed = this.#renamed.get(at)
      if (renamed !== undefined) back?.renamed(renamed)
      return steps
    })
    return [...way, ...taken(this.#coded(model, last))]
  }

  #retraced([slot = 0, from = -1, message = -1, ...choices]: Coded): RetracedStep {
    const { slots } = this.#state
    const machine = slots[slot]?.ref as RetracedStep['machine']
    if (from < 0) return { machine, from: undefined, message: undefined, choices }
    return { machine, from: slots[from]?.ref, message: this.#message(message), choices }
  }

  /** A machine that was created begins with what created it. */
  #message(number: number): RetracedStep['message'] {
    const packed = this.#state.messages?.all[number]
    if (packed === undefined) return anyMessage
    const [, event, payload = null] = (this.#state.lifting.packed.unpacked(packed) as TupleValue).items
    return event === null ? anyMessage : { event: (event as EventValue).event, payload }
  }
}
