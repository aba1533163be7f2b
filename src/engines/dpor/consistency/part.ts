/** Parts of a graph: the revisit condition asks about restrictions of the graph without ever building one. */
import { takes, takesFrom } from '../../../semantics/waiting.ts'
import { type GraphEvent, inPrefix } from '../graph.ts'

/** Events inserted up to `stamp`, and the causal prefix of `send` if there is one. */
export interface Part {
  readonly stamp: number
  readonly send: GraphEvent | undefined
}

export const wholeGraph: Part = { stamp: Number.POSITIVE_INFINITY, send: undefined }

export function isIn(part: Part, event: GraphEvent): boolean {
  return event.stamp <= part.stamp || (part.send !== undefined && inPrefix(event, part.send))
}

/** Whether the receive takes messages of the sender, and its filter the message. */
export function matching(receive: GraphEvent, send: GraphEvent): boolean {
  const { operation } = receive
  if (operation === undefined) return true
  if (operation.detail !== undefined && !takesFrom(operation, send.from)) return false
  if (operation.where === undefined) return true
  return takes(receive.process.id, operation, send.payload as never, send.from)
}
