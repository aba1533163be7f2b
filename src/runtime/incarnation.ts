/**
 * Lives of a machine are numbered by when they began, and each number is larger than the one before. Others listen to the latest
 * life alone: one that seems to begin in the far future would lock all later ones out until then, so nobody listens to it.
 */

const mostAhead = 24 * 3600 * 1000

export function isFutureLife(incarnation: number, now: number): boolean {
  return incarnation > now + mostAhead
}

/** After a life that nobody listened to, because the clock ran ahead, the present is late enough. */
export function nextLife(before: number, now: number): number {
  return isFutureLife(before, now) ? now : Math.max(now, before + 1)
}
