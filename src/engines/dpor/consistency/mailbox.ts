/**
 * Mailbox consistency without enumerating total orders (Must, Definition 3.7; Di Giusto et al., POPL 2023, Definition 4.2).
 * A receive that reads s while it could have taken q (unread then) says "s was sent before q"; a graph is consistent iff these
 * constraints and causality have no cycle. Reading `later` while `earlier` is unread adds "later before earlier", so it is
 * allowed iff no path leads from `earlier` to `later`.
 *
 * The search is incremental: only what hangs on the one new constraint is looked at. An unread send has no constraint leaving
 * it, so every path begins with what it caused: a later event of its own process, or a join that waited for its process. Most
 * unread sends caused nothing, and the question costs a comparison for each process. (The paper's implementation closes the
 * relation transitively each time: 50–500 × fifo.)
 */
import { type GraphEvent, inPrefix } from '../graph.ts'
import { isIn, matching, type Part } from './part.ts'

/**
 * Whether `from` must be sent before `to`, by causality and by what receives in this part of the graph have read; what
 * `asking` itself reads does not count, because that is what is being decided.
 */
export function reaches(from: GraphEvent, to: GraphEvent, asking: GraphEvent, part: Part): boolean {
  if (inPrefix(from, to)) return true
  if (!hasCaused(from)) return false
  const receives = constrainingReceives(asking, part)
  const frontier = [from]
  for (let event = frontier.pop(); event !== undefined; event = frontier.pop()) {
    for (let at = receives.length - 1; at >= 0; at--) {
      const receive = receives[at] as GraphEvent
      if (!inPrefix(event, receive.source as GraphEvent)) continue
      receives.splice(at, 1)
      for (const overtaken of overtakenBy(receive, part)) {
        if (inPrefix(overtaken, to)) return true
        frontier.push(overtaken)
      }
    }
  }
  return false
}

/** Whether anything comes causally after the event: clocks only grow along a process, so its last event tells. */
function hasCaused(event: GraphEvent): boolean {
  const { process } = event
  if (event.index < process.events.length - 1) return true
  for (const { alive, events } of process.siblings) {
    const last = alive ? events[events.length - 1] : undefined
    if (last !== undefined && last.process !== process && inPrefix(event, last)) return true
  }
  return false
}

/** Receives of mailbox messages in this part of the graph, but for the one that asks. */
function constrainingReceives(asking: GraphEvent, part: Part): GraphEvent[] {
  const found: GraphEvent[] = []
  for (const process of asking.process.siblings) {
    for (const event of process.events) {
      const { source } = event
      if (event === asking || source === undefined || source.network !== 'mailbox') continue
      if (isIn(part, event) && isIn(part, source)) found.push(event)
    }
  }
  return found
}

/**
 * The sends that a receive could have taken and did not: its source was sent before them. One that the receive itself led to is
 * after its source anyway, and the filter must not be asked about what was not there.
 */
function overtakenBy(receive: GraphEvent, part: Part): GraphEvent[] {
  return receive.process.inbox.filter((send) => {
    if (send === receive.source || send.network !== 'mailbox' || !isIn(part, send)) return false
    const { reader } = send
    const takenEarlier = reader !== undefined && reader.index < receive.index && isIn(part, reader)
    return !takenEarlier && !inPrefix(receive, send) && matching(receive, send)
  })
}
