/** Lists of messages from which some are taken away, in each execution others. */
import type { Diagram } from '../../bdd/diagrams.ts'
import { type Deliveries, eventOf } from './deliveries.ts'
import type { Slot, SymbolicState } from './state.ts'
import { ite } from './summaries/merge.ts'
import { removedAt } from './summaries/seq.ts'
import type { SeqSummary, Summary } from './summaries/summary.ts'

/** A list without those items of which a guard says so. */
export function without(
  state: SymbolicState,
  list: SeqSummary,
  leaves: (item: Summary, at: number) => Diagram,
): SeqSummary {
  const { lifting } = state
  const { diagrams } = lifting
  let kept = list
  for (let at = list.items.length - 1; at >= 0; at--) {
    const gone = diagrams.and(lifting.beyond(list.size, at), leaves(list.items[at] as Summary, at))
    if (state.isVacuous(gone)) continue
    kept = ite(lifting, gone, removedAt(lifting, kept, diagrams.leaf(at)), kept) as SeqSummary
  }
  return kept
}

/** Drops what the state ignores, before the first message that is taken, where the machine is at rest. */
export function settle(state: SymbolicState, deliveries: Deliveries, slot: Slot, guard: Diagram): void {
  if (slot.inbox.items.length === 0) return
  const { lifting, controls } = state
  const { diagrams } = lifting
  const dropped = slot.inbox.items.map(() => diagrams.never)
  for (const control of diagrams.leavesWithin(slot.control, guard)) {
    if (controls.at(control).frames.length > 0) continue
    let rest = diagrams.and(guard, diagrams.guardOf(slot.control, control))
    for (const [at, item] of slot.inbox.items.entries()) {
      rest = diagrams.and(rest, lifting.beyond(slot.inbox.size, at))
      const event = eventOf(lifting, item)
      for (const value of diagrams.leavesWithin(event, rest)) {
        const meeting = deliveries.meeting(slot, control, value)
        const here = diagrams.and(rest, diagrams.guardOf(event, value))
        if (meeting === 'drop') dropped[at] = diagrams.or(dropped[at] as Diagram, here)
        if (meeting === 'take') rest = diagrams.minus(rest, here)
      }
    }
  }
  slot.inbox = without(state, slot.inbox, (_, at) => dropped[at] as Diagram)
}
