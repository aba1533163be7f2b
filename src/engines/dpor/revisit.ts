/**
 * Backward revisits (Must, Algorithm 1, lines 8–13 and 17–22): which earlier receives a send just added should be tried
 * with, from this graph and from no other.
 *
 * Whether an event may be deleted depends on the event and the send alone, not on the receive revisited. So one scan from the
 * last inserted event backwards serves all receives and stops at the first event that fails. The scan meets a deleted send
 * before any receive inserted earlier that reads it; such a send fails its own condition, so the tiebreaker is never asked
 * on a part of the graph in which a receive reads a send that is not there.
 */
import { isUnread, mayRead } from './consistency/consistency.ts'
import { isIn, matching, type Part } from './consistency/part.ts'
import { type GraphEvent, inPrefix } from './graph.ts'

const none: readonly GraphEvent[] = []

/** The receives that `send`, the last event of the graph, revisits. */
export function backwardRevisits(order: readonly GraphEvent[], send: GraphEvent): readonly GraphEvent[] {
  const earliest = earliestRevisitable(send)
  if (earliest === undefined) return none
  const revisits: GraphEvent[] = []
  for (let stamp = send.stamp - 1; stamp >= earliest.stamp; stamp--) {
    const event = order[stamp] as GraphEvent
    if (inPrefix(event, send)) continue
    const part = { stamp, send }
    if (!mayBeDeleted(event, part)) break
    if (isRevisitable(event, send) && mayRead(event, send, part)) revisits.push(event)
  }
  return revisits
}

/** Receives of the destination outside the send's causal prefix are a suffix of its events; the first one that matches. */
function earliestRevisitable(send: GraphEvent): GraphEvent | undefined {
  const events = send.destination?.events ?? none
  let earliest: GraphEvent | undefined
  for (let at = events.length - 1; at >= 0; at--) {
    const event = events[at] as GraphEvent
    if (inPrefix(event, send)) break
    if (isRevisitable(event, send)) earliest = event
  }
  return earliest
}

function isRevisitable(event: GraphEvent, send: GraphEvent): boolean {
  return (
    (event.kind === 'receive' || event.kind === 'poll') && event.process === send.destination && matching(event, send)
  )
}

/** REVISITCONDITION: the event is as it would be had it been added without any backward revisit and by the tiebreaker. */
function mayBeDeleted(event: GraphEvent, part: Part): boolean {
  switch (event.kind) {
    case 'poll':
      return event.source === undefined
    case 'choose':
      return event.option === 0
    case 'receive':
      return readsTiebreaker(event, part)
    case 'send':
      // A reader inserted earlier was revisited by this send.
      return event.reader === undefined || event.reader.stamp > event.stamp
    default:
      return true
  }
}

/** Whether a receive reads the first send, in the fixed order of events, that it could consistently read in this part. */
function readsTiebreaker(receive: GraphEvent, part: Part): boolean {
  const source = receive.source as GraphEvent
  if (!isIn(part, source)) return false
  for (const send of receive.process.inbox) {
    // The revisiting send itself was not there when the receive would have been added.
    if (send === part.send || !precedes(send, source) || !isUnread(send, receive, part)) continue
    if (matching(receive, send) && mayRead(receive, send, part)) return false
  }
  return true
}

/** A fixed total order on events: the tiebreaker of the revisit condition. */
function precedes(left: GraphEvent, right: GraphEvent): boolean {
  return left.process === right.process ? left.index < right.index : left.process.rank < right.process.rank
}
