/** `structuredClone` (HTML §2.7.3): that of the host, which has to be told that a promise of ours is one. */
import { core } from '../promise-core.ts'

export function cloned(value: unknown, options?: Parameters<typeof structuredClone>[1]): unknown {
  refusePromises(value, new Set())
  return structuredClone(value, options)
}

function refusePromises(value: unknown, seen: Set<unknown>): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return
  seen.add(value)
  if (core.isPromise(value)) throw new DOMException('#<Promise> could not be cloned.', 'DataCloneError')
  if (value instanceof Map) for (const entry of value) refusePromises(entry, seen)
  else if (value instanceof Set) for (const element of value) refusePromises(element, seen)
  else if (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype) {
    for (const part of Object.values(value)) refusePromises(part, seen)
  }
}
