/** Diagrams of a state made smaller where no execution is: live executions are the care set (PSym keeps them in every guard instead). */
import type { SymbolicState } from './state.ts'
import { within } from './summaries/equality.ts'
import type { SeqSummary, Summary } from './summaries/summary.ts'

/** Some execution goes on. */
export function simplifyState({ alive, slots, monitors, lifting }: SymbolicState): void {
  const { diagrams } = lifting
  const smaller = (summary: Summary): Summary => within(lifting, summary, alive)
  for (const slot of slots) {
    slot.phase = diagrams.within(slot.phase, alive)
    slot.control = diagrams.within(slot.control, alive)
    slot.fields = slot.fields.map(smaller)
    slot.inbox = smaller(slot.inbox) as SeqSummary
    slot.argument = smaller(slot.argument)
    for (const [name, count] of slot.created) slot.created.set(name, diagrams.within(count, alive))
    const here = new Set(diagrams.leaves(slot.control))
    for (const [control, saved] of slot.saved) {
      if (here.has(control)) slot.saved.set(control, saved.map(smaller))
      else slot.saved.delete(control)
    }
    for (const [key, line] of slot.lines) slot.lines.set(key, smaller(line) as SeqSummary)
  }
  for (const monitor of monitors) {
    monitor.state = diagrams.within(monitor.state, alive)
    monitor.fields = monitor.fields.map(smaller)
  }
}
