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
}

export class Divergence extends InternalError {
  readonly difference: Difference

  constructor(difference: Difference) {
    const { process, did, would, place } = difference
    const at = place === undefined ? '' : ` (${place.file}:${place.line}:${place.column})`
    super(`the program that was proved is not the one that runs: "${process}" ${did}, and the term would ${would}${at}`)
    this.difference = difference
  }
}
