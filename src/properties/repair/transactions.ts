/**
 * Whether an execution survives a repair (thesis §2.3.2.1, Theorem 3): it does if it is equivalent to one in which every
 * visit of an atomic section is uninterrupted, that is, if the graph of these transactions has no cycle.
 *
 * Here conflicts of locks count, unlike in the search for repairs: an execution in which two processes take a lock in the
 * other order is another execution.
 */
import type { AtomicSection } from '../../core/code.ts'
import { groupsOnCycles } from './conflicts.ts'
import { contains, framesOf } from './control.ts'
import { groupsOf, type Recording } from './recording.ts'
import type { Repair } from './sections.ts'

/** True if no execution equivalent to the recorded one is possible once the sections are atomic. */
export function eliminates(repair: Repair, recording: Recording): boolean {
  const visits = recording.accesses.map((access) => visitOf(repair, framesOf(access)))
  const transactions = groupsOf(recording, (previous, next) => {
    if (recording.actionOf[previous] === recording.actionOf[next]) return true
    const from = visits[previous]
    const to = visits[next]
    const arrival = recording.arrivals[next]
    if (from === undefined || to === undefined || arrival === undefined) return false
    if (from.section !== to.section || from.frame !== to.frame) return false
    if (arrival.frame !== to.frame) return arrival.frame > to.frame
    return arrival.loop === undefined || contains(to.section.lines, arrival.loop)
  })
  return groupsOnCycles(transactions, recording.order).size > 0
}

interface Visit {
  readonly section: AtomicSection
  readonly frame: number
}

/** The outermost section an access is inside of, be it in a function called from there. */
function visitOf(repair: Repair, frames: ReturnType<typeof framesOf>): Visit | undefined {
  for (const [frame, { function: where, line }] of frames.entries()) {
    const section = repair.find(
      (each) =>
        each.file === where.file &&
        each.function === where.name &&
        each.lines.first <= line &&
        line <= each.lines.last &&
        contains(where.lines, each.lines),
    )
    if (section !== undefined) return { section, frame }
  }
  return undefined
}
