/** Frames of the search: where it branched, and what is left to try there. */
import type { GraphEvent, Revisited } from './graph.ts'

/** What is left to try; alternatives from `next` on. `share` is that of the search which each of them stands for. */
export type BranchFrame =
  | {
      readonly kind: 'read'
      readonly event: GraphEvent
      readonly options: readonly (GraphEvent | undefined)[]
      next: number
      readonly share: number
    }
  | {
      readonly kind: 'choose'
      readonly event: GraphEvent
      /** Positions of the options that are tried. */
      readonly options: readonly number[]
      next: number
      readonly share: number
    }
  | {
      readonly kind: 'revisit'
      readonly event: GraphEvent
      readonly receives: readonly GraphEvent[]
      next: number
      readonly share: number
    }
  | { readonly kind: 'restore'; readonly revisited: Revisited }

export type Branching = Exclude<BranchFrame, { kind: 'restore' }>

/** How many alternatives a frame began with; for a revisit, beside leaving the graph as it is. */
export function alternatives(frame: Branching): number {
  switch (frame.kind) {
    case 'read':
      return frame.options.length
    case 'choose':
      return frame.options.length
    case 'revisit':
      return frame.receives.length
  }
}
