/** What reports about recorded histories are made of. */
import type { Place } from '../core/diagnostic.ts'
import type { BudgetName } from '../core/verdict.ts'
import type { HistoryPicture } from './history-picture.ts'

export interface HistoryCounts {
  readonly calls: number
  readonly processes: number
  /** Calls that never returned. */
  readonly pending: number
  /** Calls that were recorded as failed: they did not happen, and are not among the calls. */
  readonly failed: number
  /** Parts that were checked each by itself, such as keys of a map. */
  readonly parts: number
  /** Steps of the specification that were tried. */
  readonly steps: number
}

export type HistoryVerdict =
  | { readonly kind: 'verified'; readonly counts: HistoryCounts }
  | {
      readonly kind: 'violated'
      readonly counts: HistoryCounts
      /** The part that has no linearization. */
      readonly picture: HistoryPicture
      /** Where the call that cannot be placed stands in the file. */
      readonly place: Place | undefined
    }
  | { readonly kind: 'incomplete'; readonly counts: HistoryCounts; readonly because: BudgetName }

export interface ReportedHistory {
  readonly kind: 'history'
  /** The name of the specification it was checked against. */
  readonly program: string
  /** The file of the history, as the user would type it. */
  readonly file: string
  readonly verdict: HistoryVerdict
  readonly seconds: number
  /** Draws the whole history. */
  readonly htmlCommand?: string | undefined
}
