/** What leaves its line in a step, and for whom. */
import type { Diagram } from '../../bdd/diagrams.ts'
import { packedNull } from '../../semantics/ir/compiled/packed-values.ts'
import type { Candidate, Deliveries, Head } from './deliveries.ts'
import type { Move } from './schedule.ts'
import type { Slot, SymbolicState } from './state.ts'
import { ite } from './summaries/merge.ts'
import { removedAt } from './summaries/seq.ts'
import type { SeqSummary } from './summaries/summary.ts'

export interface Arrival {
  readonly guard: Diagram
  readonly head: Head
}

/** Which machines begin, and what arrives where. */
export interface Leaving {
  readonly begins: ReadonlyMap<Slot, Diagram>
  readonly arrivals: ReadonlyMap<Slot, readonly Arrival[]>
}

export function leaving(state: SymbolicState, deliveries: Deliveries, moves: readonly Move[]): Leaving {
  const begins = new Map<Slot, Diagram>()
  const arrivals = new Map<Slot, Arrival[]>()
  const { diagrams } = state.lifting
  for (const { candidate, guard } of moves) {
    if (candidate.kind === 'begin') begins.set(candidate.slot, guard)
    if (candidate.kind !== 'arrive') continue
    const head = deliveries.head(candidate.slot, candidate.line)
    const creates = diagrams.guardOf(head.event, packedNull)
    for (const value of diagrams.leavesWithin(head.to, guard)) {
      const target = state.slotNamed(value)
      if (target === undefined) continue
      const here = diagrams.and(guard, diagrams.guardOf(head.to, value))
      const [begin, arrive] = [diagrams.and(here, creates), diagrams.minus(here, creates)]
      if (!state.isVacuous(begin)) begins.set(target, diagrams.or(begins.get(target) ?? diagrams.never, begin))
      if (!state.isVacuous(arrive)) arrivals.set(target, [...(arrivals.get(target) ?? []), { guard: arrive, head }])
    }
    removeHead(state, candidate, guard)
  }
  return { begins, arrivals }
}

function removeHead(
  state: SymbolicState,
  { slot, line }: Extract<Candidate, { readonly kind: 'arrive' }>,
  guard: Diagram,
): void {
  const { lifting } = state
  const before = state.line(slot, line)
  const rest = removedAt(lifting, before, lifting.diagrams.leaf(0))
  slot.lines.set(line, ite(lifting, guard, rest, before) as SeqSummary)
}
