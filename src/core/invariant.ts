/** Our own mistakes: they throw, are caught only at the top of the command line, and never reach a verdict. */

import { OwnError } from './own-error.ts'
import { running } from './running.ts'

/** The first one that was thrown while code of the user ran, since somebody looked: kept here because that code may catch it. */
const thrown: { first: InternalError | undefined } = { first: undefined }

/** A defect of this tool, never of the user's program. */
export class InternalError extends OwnError {
  override readonly name = 'InternalError'

  constructor(message: string) {
    super(message)
    if (running.process !== undefined) thrown.first ??= this
  }
}

/** One that user code may have caught is thrown again. */
export function throwDefect(): void {
  const { first } = thrown
  thrown.first = undefined
  if (first !== undefined) throw first
}

/** The next check must not meet it. */
export function forgetDefect(): void {
  thrown.first = undefined
}

/** States what must hold; the sentence is what a maintainer reads when it does not. */
export function invariant(condition: unknown, whatMustHold: string): asserts condition {
  if (!condition) throw new InternalError(`this must hold: ${whatMustHold}`)
}

/** Ends an exhaustive `switch`. */
export function unreachable(value: never, whatItWas: string): never {
  throw new InternalError(`unknown ${whatItWas}: ${JSON.stringify(value)}`)
}
