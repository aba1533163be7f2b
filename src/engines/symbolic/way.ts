/** From an assignment of the choices back to an execution: who moved in each step, and what was chosen. */
import type { Diagram, Diagrams } from '../../bdd/diagrams.ts'
import { SequenceInterner } from '../../collections/sequence-interner.ts'
import { anyMessage, type RetracedStep } from '../../semantics/ir/retraced.ts'
import type { EventValue, TupleValue } from '../../semantics/ir/value.ts'
import type { StepLog } from './exploration.ts'
import type { SavedWays } from './saved-states.ts'
import type { Slot, SymbolicState } from './state.ts'

type Assignment = ReadonlyMap<number, boolean>

const modelsBetweenBreaths = 1024

/** A step as numbers: who moves, whose message arrives (-1: none), which one where it can be any (-1: it cannot), and the options that are chosen. */
type Coded = readonly number[]

export class Ways {
  readonly #state: SymbolicState
  readonly #diagrams: Diagrams
  readonly #steps = new SequenceInterner()
  /** Of each state that was encoded: the one before, or -1, and the steps from there, as a number of lists of steps. */
  readonly #parents: number[] = []
  readonly #between: (readonly number[])[] = []
  /** The state that code 0 stands for, by its place above. */
  #firstCode = -1
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

  /** States are encoded anew: each is told by an execution that leads there. It takes breaths. */
  *encoded(models: readonly Assignment[], variables: readonly number[]): Generator<undefined, void> {
    const first = this.#parents.length
    for (const [at, model] of models.entries()) {
      this.#parents.push(this.#parentOf(model))
      this.#between.push(this.#coded(model))
      if (at % modelsBetweenBreaths === 0) yield
    }
    this.#firstCode = first
    this.#variables = variables
    this.#logs = []
  }

  /** How the first so many states were met. */
  saved(states: number): SavedWays {
    return {
      parents: this.#parents.slice(0, states),
      between: this.#between.slice(0, states),
      taken: Array.from({ length: this.#steps.size }, (_, at) => this.#steps.at(at)),
    }
  }

  /** States were met in these ways; the last ones, so many, are those that the variables tell apart. */
  restore({ parents, between, taken }: SavedWays, frontier: number, variables: readonly number[]): void {
    // Steps that are the same are one.
    const steps = taken.map((step) => this.#steps.intern(step))
    for (const [at, parent] of parents.entries()) {
      this.#parents.push(parent)
      this.#between.push((between[at] ?? []).map((step) => steps[step] as number))
    }
    this.#firstCode = parents.length - frontier
    this.#variables = variables
  }

  #parentOf(model: Assignment): number {
    if (this.#firstCode < 0) return -1
    const code = this.#variables.reduce((bits, variable) => bits * 2 + (model.get(variable) === true ? 1 : 0), 0)
    return this.#firstCode + code
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
    const found = [...this.#coded(model, last)]
    for (let at = this.#parentOf(model); at >= 0; at = this.#parents[at] as number)
      found.unshift(...(this.#between[at] as readonly number[]))
    return found.map((step) => this.#retraced(this.#steps.at(step)))
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
