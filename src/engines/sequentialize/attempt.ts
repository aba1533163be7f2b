/** What the parts of the search for a proof pass around. */
import type { ProofStep } from './proof.ts'
import type { State } from './state.ts'

/** A state and the steps that led to it. */
export interface Attempt {
  state: State
  readonly steps: ProofStep[]
  /** A split into cases has carried every case to the goal. */
  isFinished: boolean
}

/** What a search is about: the whole program, or one arbitrary iteration of a loop. */
export interface SearchScope {
  /** Of an iteration; undefined: the whole program. */
  readonly iteration:
    | { readonly before: State; readonly leaders: readonly string[]; readonly over: string | undefined }
    | undefined
  /** Which parties may move. */
  readonly isActive: (id: string) => boolean
}

/** The search as its parts see it: moves and iterations call each other through it. */
export interface AttemptDriver {
  /** Carries the attempt to the goal of the scope, or as far as it goes; changes it in place. */
  drive(attempt: Attempt, scope: SearchScope): void
  /** One step of the budget; throws when there is none left. */
  spend(): void
  /** Keeps a refusal for the report; throws again what is not one. */
  note(error: unknown): void
  /** Whether there is room for so many cases more: each is carried to the goal, so their number multiplies. */
  mayFork(cases: number): boolean
  /** False the second time, so that the search does not go in circles. */
  isNew(situation: string): boolean
}

export function copyOf(attempt: Attempt): Attempt {
  return { state: attempt.state.copy(), steps: [...attempt.steps], isFinished: attempt.isFinished }
}

/** In place, because callers hold the attempt. */
export function adopt(attempt: Attempt, better: Attempt): void {
  attempt.state = better.state
  attempt.steps.splice(0, attempt.steps.length, ...better.steps)
  attempt.isFinished = better.isFinished
}
