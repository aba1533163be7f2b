/** Diagrams of a state made smaller where no execution is: live executions are the care set (PSym keeps them in every guard instead). */
import type { Patience } from './patience.ts'
import type { SymbolicState } from './state.ts'
import { within } from './summaries/equality.ts'
import type { SeqSummary, Summary } from './summaries/summary.ts'

/** Some execution goes on. Each part for itself: one that is smaller already is another diagram, of which nothing was computed before. */
export function* simplifyState(
  { alive, slots, monitors, lifting }: SymbolicState,
  patience: Patience,
): Generator<undefined, void> {
  const { diagrams } = lifting
  const smaller = (summary: Summary): Generator<undefined, Summary> =>
    patience.with(() => within(lifting, summary, alive))
  const allSmaller = function* (summaries: readonly Summary[]): Generator<undefined, Summary[]> {
    const all: Summary[] = []
    for (const summary of summaries) all.push(yield* smaller(summary))
    return all
  }
  for (const slot of slots) {
    slot.phase = yield* patience.with(() => diagrams.within(slot.phase, alive))
    slot.control = yield* patience.with(() => diagrams.within(slot.control, alive))
    slot.fields = yield* allSmaller(slot.fields)
    slot.inbox = (yield* smaller(slot.inbox)) as SeqSummary
    slot.argument = yield* smaller(slot.argument)
    for (const [name, count] of slot.created)
      slot.created.set(name, yield* patience.with(() => diagrams.within(count, alive)))
    const here = new Set(diagrams.leaves(slot.control))
    for (const [control, saved] of slot.saved) {
      if (here.has(control)) slot.saved.set(control, yield* allSmaller(saved))
      else slot.saved.delete(control)
    }
    for (const [key, line] of slot.lines) slot.lines.set(key, (yield* smaller(line)) as SeqSummary)
  }
  for (const monitor of monitors) {
    monitor.state = yield* patience.with(() => diagrams.within(monitor.state, alive))
    monitor.fields = yield* allSmaller(monitor.fields)
  }
}
