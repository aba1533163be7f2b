/**
 * Which sends a receive may read so that the graph stays consistent (Must, Definitions 3.3–3.8). The receive is always the
 * last event of its process in the part of the graph that is looked at, so a read is inconsistent only if another unread
 * matching send of the same network comes before the one read; each network says what "before" means.
 */
import type { NetworkName } from '../../../core/operation.ts'
import { type GraphEvent, inPrefix } from '../graph.ts'
import { reaches } from './mailbox.ts'
import { isIn, matching, type Part, wholeGraph } from './part.ts'

/** The sends a receive that is about to be added may read, in insertion order. */
export function readable(receive: GraphEvent): GraphEvent[] {
  const unread: GraphEvent[] = []
  for (const send of receive.process.inbox) if (send.reader === undefined && matching(receive, send)) unread.push(send)
  if (unread.length < 2) return unread
  const first: GraphEvent[] = []
  for (const send of unread) if (isFirst(send, unread, receive)) first.push(send)
  return first
}

function isFirst(send: GraphEvent, unread: readonly GraphEvent[], receive: GraphEvent): boolean {
  for (const other of unread) if (other !== send && isBefore(other, send, receive, wholeGraph)) return false
  return true
}

/** Whether it is consistent for the receive to read the send, in a part of the graph that contains both. */
export function mayRead(receive: GraphEvent, send: GraphEvent, part: Part): boolean {
  for (const other of receive.process.inbox) {
    if (other === send || other.network !== send.network) continue
    if (isUnread(other, receive, part) && isBefore(other, send, receive, part) && matching(receive, other)) return false
  }
  return true
}

/** Whether a send in the inbox is there to be read by `receive` in this part of the graph. */
export function isUnread(send: GraphEvent, receive: GraphEvent, part: Part): boolean {
  if (!isIn(part, send)) return false
  const { reader } = send
  return reader === undefined || reader === receive || !isIn(part, reader)
}

/** Both are unread, match and go to the same process. */
function isBefore(earlier: GraphEvent, later: GraphEvent, receive: GraphEvent, part: Part): boolean {
  const network = later.network as NetworkName
  if (earlier.network !== network) return false
  switch (network) {
    case 'bag':
      return false
    case 'fifo':
    // To its queue, that is (`sender-queue.ts`).
    case 'sender-queue':
      return earlier.process === later.process && earlier.index < later.index
    case 'causal':
      return inPrefix(earlier, later)
    case 'mailbox':
      return reaches(earlier, later, receive, part)
  }
}
