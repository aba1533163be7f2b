/** Where the search comes back to. */
import type { GraphEvent, Revisited } from './graph.ts'

/** What is left to try; alternatives from `next` on. `weight` is the share of the search that the frame stands for. */
export type Frame =
  | {
      readonly kind: 'read'
      readonly event: GraphEvent
      readonly options: readonly (GraphEvent | undefined)[]
      next: number
      readonly weight: number
    }
  | {
      readonly kind: 'choose'
      readonly event: GraphEvent
      readonly options: number
      next: number
      readonly weight: number
    }
  | {
      readonly kind: 'revisit'
      readonly event: GraphEvent
      readonly receives: readonly GraphEvent[]
      next: number
      readonly weight: number
    }
  | { readonly kind: 'restore'; readonly revisited: Revisited }

/** How many alternatives a frame began with; for a revisit, beside leaving the graph as it is. */
export function alternatives(frame: Exclude<Frame, { kind: 'restore' }>): number {
  switch (frame.kind) {
    case 'read':
      return frame.options.length
    case 'choose':
      return frame.options
    case 'revisit':
      return frame.receives.length
  }
}
