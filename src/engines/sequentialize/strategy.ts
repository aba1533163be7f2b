/**
 * Looks for a proof (Brisk §5.2): always the same rule first, and a step that was possible is never taken back. Only whole
 * iterations are tried and given up.
 *
 * Individuals move as far as they can. When none can, a loop of an individual is tried, then every member of a set, then
 * telling a member apart for a receive or a choice that needs one.
 */
import type { Attempt, AttemptDriver, SearchScope } from './attempt.ts'
import { Iterations } from './iterations.ts'
import { notEnded } from './kernel.ts'
import { Moves } from './moves.ts'
import { Refusal } from './refusal.ts'

export class Strategy implements AttemptDriver {
  readonly moves: Moves
  readonly iterations: Iterations
  /** Why what was tried since the last step of the whole program was given up. */
  refusals: Refusal[] = []
  /** Steps that may still be tried, those that are refused included. */
  #budget = mostSteps
  /** Product of the numbers of cases that whole-program choices were split into. */
  #cases = 1
  /** In which a member was told apart already; see `isNew`. */
  #situations = new Set<string>()

  constructor() {
    this.moves = new Moves(this)
    this.iterations = new Iterations(this)
  }

  /** Moves until the goal of the scope, or as far as possible. */
  drive(attempt: Attempt, scope: SearchScope): void {
    while (!attempt.isFinished) {
      this.moves.settle(attempt, scope)
      if (attempt.isFinished) return
      if (scope.iteration === undefined && notEnded(attempt.state) === undefined) return
      if (!this.#progress(attempt, scope)) break
    }
    if (!attempt.isFinished && scope.iteration !== undefined) this.moves.foldAll(attempt, scope)
  }

  #progress(attempt: Attempt, scope: SearchScope): boolean {
    if (scope.iteration !== undefined) {
      return (
        this.iterations.loops(attempt, scope) ||
        this.moves.tellApart(attempt, scope) ||
        this.moves.demand(attempt, scope)
      )
    }
    const isMoved =
      this.moves.emptied(attempt) ||
      this.moves.foldForgotten(attempt) ||
      this.iterations.preludes(attempt) ||
      this.iterations.loops(attempt, scope) ||
      this.iterations.sets(attempt) ||
      this.moves.tellApart(attempt, scope) ||
      this.moves.demand(attempt, scope)
    if (isMoved) this.refusals = []
    return isMoved
  }

  /** Counts down; a program that is unrolled without end is given up. */
  spend(): void {
    this.#budget--
    if (this.#budget < 0) throw new Refusal('loop-carried termination', 'the search for a proof does not end')
  }

  /** Once per situation: what was told apart, did nothing and was folded again is not told apart once more. */
  isNew(situation: string): boolean {
    if (this.#situations.has(situation)) return false
    this.#situations.add(situation)
    return true
  }

  /** Whether there is room for so many more cases; then they are counted. */
  mayFork(cases: number): boolean {
    if (this.#cases * cases > mostCases) return false
    this.#cases *= cases
    return true
  }

  note(error: unknown): void {
    if (!(error instanceof Refusal)) throw error
    if (error.reason !== 'no such step') this.refusals.push(error)
  }
}

const mostSteps = 3_000
const mostCases = 64
