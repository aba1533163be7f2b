/** Which diagrams are still needed: of what the program holds, and of what a search knows beside it. */
import type { Diagram } from '../../bdd/diagrams.ts'
import type { Atoms } from './atoms.ts'
import type { Candidate } from './deliveries.ts'
import type { Exploration, StepLog } from './exploration.ts'
import { heldBy } from './state.ts'
import { diagramsOf } from './summaries/equality.ts'

interface Beside {
  /** Those of a step that has not been taken yet. */
  readonly candidates: readonly Candidate[]
  readonly logs: readonly StepLog[]
  readonly atoms: Atoms
}

export function* rootsOf(exploration: Exploration, { candidates, logs, atoms }: Beside): Generator<Diagram> {
  const { state } = exploration
  for (const one of candidates) yield* candidateDiagrams(one)
  yield state.alive
  for (const slot of state.slots) {
    yield* [slot.self, slot.phase, slot.control, ...slot.created.values()]
    for (const summary of [...heldBy(slot), ...slot.lines.values()]) yield* diagramsOf(summary)
  }
  for (const monitor of state.monitors) {
    yield monitor.state
    for (const field of monitor.fields) yield* diagramsOf(field)
  }
  yield* exploration.kept()
  yield* atoms.kept()
  for (const { moves, choices } of logs) {
    for (const { candidate, guard } of moves) yield* [guard, ...candidateDiagrams(candidate)]
    for (const { guard, possible, taken } of choices) yield* [guard, ...possible, ...taken]
  }
}

function candidateDiagrams(candidate: Candidate): readonly Diagram[] {
  return candidate.kind === 'arrive' ? [candidate.guard, candidate.to, candidate.event] : [candidate.guard]
}
