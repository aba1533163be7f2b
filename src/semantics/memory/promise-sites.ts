/** Where promises were made, for people who ask why one is never settled. */
import { Capability } from '../../jobs/capability.ts'
import { core } from '../../jobs/promise-core.ts'
import { type Callers, placeOfSite, userSite } from './code.ts'

const sites = new WeakMap<object, number>()

/** What code has made at a site. */
export function noteMaking(answer: object, site: number, callers: Callers | undefined): void {
  const promise = answer instanceof Capability ? answer.promise : answer
  if (!core.isPromise(promise) || sites.has(promise)) return
  const own = userSite(site, callers)
  if (placeOfSite(own) !== undefined) sites.set(promise, own)
}

/** A promise of a constructor or of an initializer. */
export function promiseMade(site: number, promise: object): object {
  noteMaking(promise, site, undefined)
  return promise
}

/** The site of the user's at which it was made, if that is known. */
export function makingOf(promise: object): number | undefined {
  return sites.get(promise)
}
