/** Who waits for a promise: what decides whether something that is pending keeps a program from its end, and who is stuck. */
import { type ControlledPromise, core } from './promise-core.ts'

/**
 * Whether anything would happen if it settled, beyond that other promises settle for which nobody waits: a receive that lost
 * `Promise.race` is not awaited any more.
 */
export function isAwaited(promise: ControlledPromise, seen: Set<object> = new Set()): boolean {
  if (seen.has(promise)) return false
  seen.add(promise)
  return core.reactionsOf(promise).some(({ leadsTo }) => {
    if (leadsTo === undefined || !core.isPromise(leadsTo)) return true
    return core.stateOf(leadsTo) === 'pending' && isAwaited(leadsTo, seen)
  })
}
