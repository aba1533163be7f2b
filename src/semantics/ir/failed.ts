/** What an IR program does wrong by itself, with the place of the expression or the instruction that did. */
import type { Place } from '../../core/diagnostic.ts'
import type { IrFailure } from '../../ir/ir.ts'

export class Failed extends Error {
  override readonly name = 'Failed'
  readonly failure: IrFailure
  readonly place: Place

  constructor(failure: IrFailure, what: string, place: Place) {
    super(what)
    this.failure = failure
    this.place = place
  }
}

export function fail(failure: IrFailure, what: string, place: Place): never {
  throw new Failed(failure, what, place)
}
