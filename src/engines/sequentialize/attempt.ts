/** What the parts of the search for a proof pass around. */
import type { Step } from './proof.ts'
import type { State } from './state.ts'

/** A state and the steps that led to it. */
export interface Attempt {
  state: State
  readonly steps: Step[]
  /** A split into cases has carried every case to the goal. */
  isFinished: boolean
}

export interface Scope {
  /** Of an iteration; undefined: the whole program. */
  readonly iteration:
    | { readonly before: State; readonly leaders: readonly string[]; readonly over: string | undefined }
    | undefined
  /** Who may move. */
  readonly isActive: (id: string) => boolean
}

/** Whoever drives: moves and iterations are parts of it, and call each other through it. */
export interface Driver {
  drive(attempt: Attempt, scope: Scope): void
  spend(): void
  note(error: unknown): void
  mayFork(cases: number): boolean
  isNew(situation: string): boolean
}

export function copyOf(attempt: Attempt): Attempt {
  return { state: attempt.state.copy(), steps: [...attempt.steps], isFinished: attempt.isFinished }
}

export function adopt(attempt: Attempt, better: Attempt): void {
  attempt.state = better.state
  attempt.steps.splice(0, attempt.steps.length, ...better.steps)
  attempt.isFinished = better.isFinished
}
