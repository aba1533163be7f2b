/**
 * What is thrown can be anything, also a Proxy that has been revoked or whose traps throw: then `instanceof` throws. Our own errors are looked
 * for among whatever user code threw, so that the question is safe to ask of them.
 */

/** As `instanceof`; what cannot be asked is an instance of nothing. */
export function isInstance(value: unknown, of: object): boolean {
  try {
    return Function.prototype[Symbol.hasInstance].call(of, value)
  } catch {
    return false
  }
}

/** Of which `error instanceof …` never throws, whatever the error is. */
export class OwnError extends Error {
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: the class that is asked about, which extends this one
    return isInstance(value, this)
  }
}
