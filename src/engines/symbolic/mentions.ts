/** Where a machine is mentioned: whoever knows it may send to it. */
import type { Diagram } from '../../bdd/diagrams.ts'
import { heldBy, lineName, phases, type Slot, type SymbolicState } from './state.ts'
import type { Lifting } from './summaries/lifting.ts'
import type { SeqSummary, Summary, TupleSummary } from './summaries/summary.ts'

/** Where a summary has the machine, a packed value, in it. */
function mentions(lifting: Lifting, summary: Summary, machine: number): Diagram {
  const { diagrams } = lifting
  const some = (guards: readonly Diagram[]): Diagram =>
    guards.reduce<Diagram>((all, one) => diagrams.or(all, one), diagrams.never)
  switch (summary.kind) {
    case 'scalar':
      return diagrams.guardOf(summary.of, machine)
    case 'tuple':
      return some(summary.items.map((item) => mentions(lifting, item, machine)))
    case 'seq':
      return some(
        summary.items.map((item, at) =>
          diagrams.and(lifting.beyond(summary.size, at), mentions(lifting, item, machine)),
        ),
      )
    case 'set':
      return some(summary.present.filter((_, at) => isIn(lifting, summary.elements[at] as number, machine)))
    case 'map':
      return some(
        summary.present.map((present, at) =>
          isIn(lifting, summary.keys[at] as number, machine)
            ? present
            : diagrams.and(present, mentions(lifting, summary.values[at] as Summary, machine)),
        ),
      )
    case 'union':
      return some(
        [...summary.alternatives].map(([shape, part]) =>
          diagrams.and(diagrams.guardOf(summary.tag, shape), mentions(lifting, part, machine)),
        ),
      )
  }
}

function isIn(lifting: Lifting, value: number, machine: number): boolean {
  if (value === machine) return true
  return lifting.opened(value)?.parts.some((part) => isIn(lifting, part, machine)) ?? false
}

/** Where somebody else than the machine itself knows it, or something that mentions it is under way behind the heads of lines or for others. */
export function isKnownElsewhere({ lifting, slots }: SymbolicState, target: Slot): Diagram {
  const { diagrams } = lifting
  const machine = diagrams.valueOf(target.self)
  let found = diagrams.never
  const add = (guard: Diagram): void => {
    found = diagrams.or(found, guard)
  }
  for (const slot of slots) {
    for (const line of slot.lines.values()) add(inLine(lifting, line, machine))
    if (slot === target) continue
    for (const held of heldBy(slot)) add(mentions(lifting, held, machine))
  }
  return found
}

/** The head of a line that is for the machine is what it may take now, and counts only for what it carries. */
function inLine(lifting: Lifting, { size, items }: SeqSummary, machine: number): Diagram {
  const { diagrams } = lifting
  return items.reduce<Diagram>((found, item, at) => {
    const parts = at === 0 ? [(item as TupleSummary).items[2] as Summary] : [item]
    const here = parts.reduce<Diagram>(
      (all, part) => diagrams.or(all, mentions(lifting, part, machine)),
      diagrams.never,
    )
    return diagrams.or(found, diagrams.and(lifting.beyond(size, at), here))
  }, diagrams.never)
}

/**
 * Where somebody else than the machine itself knows it, or something under way in another line is for it or mentions it. Machines that have halted know
 * nothing any more, and those that have begun have forgotten what they did not keep.
 */
export function isKnownBeside(state: SymbolicState, target: Slot, line: string): Diagram {
  const { lifting, slots } = state
  const { diagrams } = lifting
  const machine = diagrams.valueOf(target.self)
  let found = diagrams.never
  const add = (where: Diagram, held: Summary): void => {
    if (!state.isVacuous(where)) found = diagrams.or(found, diagrams.and(where, mentions(lifting, held, machine)))
  }
  for (const slot of slots) {
    for (const [key, sent] of slot.lines) if (lineName(slot, key) !== line) add(diagrams.always, sent)
    if (slot === target) continue
    add(diagrams.guardOf(slot.phase, phases.created), slot.argument)
    const begun = diagrams.guardOf(slot.phase, phases.begun)
    for (const held of [...slot.fields, slot.inbox]) add(begun, held)
    for (const [control, saved] of slot.saved)
      for (const held of saved) add(diagrams.and(begun, diagrams.guardOf(slot.control, control)), held)
  }
  return found
}
