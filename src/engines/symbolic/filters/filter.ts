/** Filters leave out some of what may happen next (PSym §6.2). What they leave out is decided by what machines know and do, not by the names of events. */
import type { Diagram } from '../../../bdd/diagrams.ts'
import { invariant } from '../../../core/invariant.ts'
import type { Candidate } from '../deliveries.ts'
import type { SearchOptions } from '../options.ts'
import type { Move } from '../schedule.ts'
import type { SymbolicState } from '../state.ts'
import { LeftMovers } from './left-movers.ts'

export interface Filter {
  /** The same candidates in the same order, each where it may move: nothing is possible that was not. */
  left(candidates: readonly Candidate[]): readonly Candidate[]
  /** Whether something is left wherever something was possible. Otherwise executions end whose like goes on elsewhere. */
  readonly leavesSome: boolean
  /** A step was taken; what that means for the next one holds when it is called. */
  after(candidates: readonly Candidate[], moves: readonly Move[]): () => void
  /** Where something was left out in this step that may be left out for ever, if the same states come again. */
  postponing(): Diagram
  /** When the step is taken again: there nothing is left out for that long. */
  insist(where: Diagram): void
  /** Diagrams that outlive a step. */
  kept(): Iterable<Diagram>
  /** Makes diagrams smaller where no execution is. */
  simplify(): void
}

export function filterOf(state: SymbolicState, { filter, mode }: SearchOptions): Filter | undefined {
  switch (filter) {
    case 'none':
      return undefined
    case 'creations':
    case 'sole':
      return new LeftMovers(state, { filter, mode })
  }
}

/** What a filter leaves of the candidates. Executions that none of them moves would be lost. */
export function filtered(
  filter: Filter | undefined,
  { alive, lifting: { diagrams } }: SymbolicState,
  candidates: readonly Candidate[],
): readonly Candidate[] {
  if (filter === undefined) return candidates
  const left = filter.left(candidates)
  const some = left.reduce<Diagram>((all, { guard }) => diagrams.or(all, guard), diagrams.never)
  const isSound = filter.leavesSome ? diagrams.covers(some, alive) : !diagrams.disjoint(some, alive)
  invariant(isSound, 'a filter leaves something wherever something was possible')
  return left
}
