/** How much of what could be generated without end a test generates. */

/** Everything runs with `SLOW=1`, and so in `npm run soak -- --what tests`; otherwise what takes long is left out. */
export const isSlow = process.env.SLOW === '1'

/** The first `quick` of what is generated are enough for every change; `all` of it is for a soak. */
export function amount({ quick, all }: { readonly quick: number; readonly all: number }): number {
  return isSlow ? all : quick
}
