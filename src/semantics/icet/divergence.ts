/** A program does what its term does not: a defect of the translation, never of the program. */
import type { Place } from '../../core/diagnostic.ts'
import { InternalError } from '../../core/invariant.ts'

export interface Difference {
  readonly process: string
  /** What the program does. */
  readonly did: string
  /** What the term would do. */
  readonly would: string
  /** Where the term stands. */
  readonly place: Place | undefined
  /** What the program did then, counted among the events of the process, and where that stands. */
  readonly event?: number | undefined
  readonly ranAt?: Place | undefined
}

export class Divergence extends InternalError {
  readonly difference: Difference

  constructor(difference: Difference) {
    const { process, did, would, place, ranAt } = difference
    const happened = `"${process}" ${did}${textOf(ranAt)}`
    super(
      `the program that was proved is not the one that runs: ${happened}, and the term would ${would}${textOf(place)}`,
    )
    this.difference = difference
  }
}

function textOf(place: Place | undefined): string {
  return place === undefined ? '' : ` (${place.file}:${place.line}:${place.column})`
}
