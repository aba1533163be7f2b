/** Our own mistakes: they throw, are caught only at the top of the command line, and never reach a verdict. */

/** A defect of this tool, never of the user's program. */
export class InternalError extends Error {
  override readonly name = 'InternalError'
}

/** States what must hold; the sentence is what a maintainer reads when it does not. */
export function invariant(condition: unknown, whatMustHold: string): asserts condition {
  if (!condition) throw new InternalError(`this must hold: ${whatMustHold}`)
}

/** Ends an exhaustive `switch`. */
export function unreachable(value: never, whatItWas: string): never {
  throw new InternalError(`unknown ${whatItWas}: ${JSON.stringify(value)}`)
}
