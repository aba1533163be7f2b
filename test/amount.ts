/** How much of what could be generated without end a test generates. */

/** Everything runs with `SLOW=1`, and so in `npm run soak -- --what tests`; otherwise what takes long is left out. */
export const isSlow = process.env.SLOW === '1'

/** The first `quick` of what is generated are enough for every change; `all` of it is for a soak. */
export function amount({ quick, all }: { readonly quick: number; readonly all: number }): number {
  return isSlow ? all : quick
}

/**
 * Seeds for one of several tests that are about the same generated things: quickly each of them draws others, so that together they have
 * what one of them has in a soak.
 */
export function seedsOf<T>(part: T, parts: readonly T[], { quick, all }: { quick: number; all: number }): number[] {
  const first = isSlow ? 0 : Math.floor((parts.indexOf(part) * (all - quick)) / (parts.length - 1))
  return Array.from({ length: amount({ quick, all }) }, (_, index) => first + index)
}
