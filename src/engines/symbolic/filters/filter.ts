/** Filters leave out some of what may happen next (PSym §6.2). What they leave out is decided by what machines know and do, not by the names of events. */
import type { Diagram } from '../../../bdd/diagrams.ts'
import { invariant } from '../../../core/invariant.ts'
import type { Candidate } from '../deliveries.ts'
import type { SearchOptions } from '../options.ts'
import type { Move } from '../schedule.ts'
import type { SymbolicState } from '../state.ts'
import { LeftMovers } from './left-movers.ts'
import { SleepSets } from './sleep-sets.ts'

export interface Filter {
  /** The same candidates in the same order, each where it may move: nothing is possible that was not. */
  left(candidates: readonly Candidate[]): readonly Candidate[]
  /** Whether every execution goes on that could. Otherwise some of them end, and their like goes on, unless something goes wrong with it. */
  readonly keepsAll: boolean
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
    // It is not about who moves, but about which states are the same.
    case 'symmetry':
      return undefined
    case 'creations':
    case 'sole':
      return new LeftMovers(state, { filter, mode })
    case 'sleep':
      return new SleepSets(state)
  }
}

/** What a filter leaves of the candidates, one of which is possible wherever an execution is. Those in which none is left would be lost. */
export function filtered(
  filter: Filter | undefined,
  { alive, hasFailed, lifting: { diagrams } }: SymbolicState,
  candidates: readonly Candidate[],
): readonly Candidate[] {
  if (filter === undefined) return candidates
  const left = filter.left(candidates)
  const some = left.reduce<Diagram>((all, { guard }) => diagrams.or(all, guard), diagrams.never)
  const isLossless = filter.keepsAll ? diagrams.covers(some, alive) : hasFailed || !diagrams.disjoint(some, alive)
  invariant(isLossless, 'a filter leaves something wherever something was possible')
  return left
}
