/** What is wrong with executions: one of each kind is made concrete, and what the reference semantics says of it is a violation. */
import type { Diagram, Diagrams } from '../../bdd/diagrams.ts'
import { DiagnosticError, type Place } from '../../core/diagnostic.ts'
import { InternalError, invariant } from '../../core/invariant.ts'
import { type Violation, violationKey } from '../../core/property.ts'
import type { Decision } from '../../core/trace.ts'
import { endViolations } from '../../semantics/ir/ending.ts'
import type { Rules } from '../../semantics/ir/moves.ts'
import { type RetracedStep, retraced } from '../../semantics/ir/retraced.ts'
import type { Wrong } from './exploration.ts'
import { damaged } from './saved-states.ts'
import { phases, type Slot, type SymbolicState } from './state.ts'
import type { Ways } from './way.ts'

export interface Found {
  readonly violation: Violation
  readonly decisions: readonly Decision[]
}

type Configuration = ReturnType<typeof retraced>['configuration']

/** Executions that are wrong, for what, and who moved last. */
interface Suspect {
  readonly where: Diagram
  readonly what: string
  readonly by?: Slot | undefined
  /** Where nobody waited any longer, and all may be well in the end. */
  readonly mayEnd?: Place | undefined
}

export class Findings {
  readonly #state: SymbolicState
  readonly #diagrams: Diagrams
  readonly #ways: Ways
  readonly #rules: Rules
  readonly #allowsWaiting: boolean
  readonly #told = new Set<string>()
  /** What is known comes from a file. */
  isRestored = false
  /** A handler that took too long, and that the reference semantics sees the end of. */
  givenUpAt: Place | undefined

  constructor(
    state: SymbolicState,
    ways: Ways,
    { rules, allowsWaiting }: { readonly rules: Rules; readonly allowsWaiting: boolean },
  ) {
    this.#state = state
    this.#diagrams = state.lifting.diagrams
    this.#ways = ways
    this.#rules = rules
    this.#allowsWaiting = allowsWaiting
  }

  *ofWrong(wrong: readonly Wrong[]): Generator<Found> {
    for (const { guard: where, by, failure, place } of wrong) {
      const what = `${failure} at line ${place.line}`
      const mayEnd = failure === 'endless handler' ? place : undefined
      yield* this.#confirmed({ where, by, what, mayEnd }, ({ violation }) =>
        violation === undefined ? [] : [violation],
      )
    }
  }

  get hasFound(): boolean {
    return this.#told.size > 0
  }

  /** Of executions that have ended. */
  *ofEnded(ended: Diagram): Generator<Found> {
    for (const where of this.#suspicious(ended))
      yield* this.#confirmed({ where, what: 'how executions end' }, (configuration) =>
        endViolations(configuration, this.#rules.code, this.#allowsWaiting),
      )
  }

  /** Where machines wait in the middle of a handler, and for each state in which a monitor asks for more where it is in that. */
  #suspicious(ended: Diagram): readonly Diagram[] {
    const { slots, monitors, controls, lifting, code } = this.#state
    const diagrams = this.#diagrams
    const waits = lifting.function('waits', () => (control) => (controls.at(control).frames.length > 0 ? 1 : 0))
    const waiting = slots.reduce<Diagram>((all, { phase, control }) => {
      const begun = diagrams.guardOf(phase, phases.begun)
      return diagrams.or(all, diagrams.and(begun, diagrams.map(waits, control)))
    }, diagrams.never)
    const hot = monitors.flatMap(({ machine, state }) => {
      const { kind, states = [] } = code.ir.machines[machine] ?? {}
      const isHot = (at: number): boolean => kind === 'monitor' && states[at]?.temperature === 'hot'
      return diagrams.leavesWithin(state, ended).flatMap((at) => (isHot(at) ? [diagrams.guardOf(state, at)] : []))
    })
    return [...(this.#allowsWaiting ? [] : [waiting]), ...hot].map((guard) => diagrams.and(ended, guard))
  }

  *#confirmed(
    { where, what, by, mayEnd }: Suspect,
    violationsOf: (configuration: Configuration) => readonly Violation[],
  ): Generator<Found> {
    const model = this.#diagrams.model(where)
    if (model === undefined) return
    const { decisions, configuration } = this.#retraced(this.#ways.steps(model, by))
    const violations = violationsOf(configuration)
    if (violations.length === 0 && mayEnd !== undefined) {
      this.givenUpAt ??= mayEnd
      return
    }
    if (violations.length === 0 && this.isRestored) throw new DiagnosticError(damaged)
    invariant(violations.length > 0, `what is wrong symbolically is wrong in the reference semantics: ${what}`)
    for (const violation of violations) {
      if (this.#told.has(violationKey(violation))) continue
      this.#told.add(violationKey(violation))
      yield { violation, decisions }
    }
  }

  /** Ways that come from a file may lead nowhere. */
  #retraced(steps: readonly RetracedStep[]): ReturnType<typeof retraced> {
    try {
      return retraced(steps, this.#rules)
    } catch (error) {
      throw this.isRestored && error instanceof InternalError ? new DiagnosticError(damaged) : error
    }
  }
}
