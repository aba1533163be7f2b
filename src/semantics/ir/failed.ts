/** What an IR program does wrong by itself, with the place of the expression or the instruction that did. */

import { cutText } from '../../core/cut-text.ts'
import type { Place } from '../../core/diagnostic.ts'
import { OwnError } from '../../core/own-error.ts'
import type { IrFailure } from '../../ir/ir.ts'

/** A program may make a message of any length, and every trace and report has it. */
const longestMessage = 10_000

export class Failed extends OwnError {
  override readonly name = 'Failed'
  readonly failure: IrFailure
  readonly place: Place

  constructor(failure: IrFailure, what: string, place: Place) {
    super(cutText(what, longestMessage))
    this.failure = failure
    this.place = place
  }
}

export function fail(failure: IrFailure, what: string, place: Place): never {
  throw new Failed(failure, what, place)
}
