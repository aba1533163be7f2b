/** Promises that services make for the process whose code runs. */
import { running } from '../../core/running.ts'
import { type ControlledPromise, pendingPromise } from '../../jobs/promise-core.ts'

/** A promise of its own loop, which begins with it if nothing else has begun it. */
export function pendingHere(): ControlledPromise {
  void running.async?.jobs
  return pendingPromise()
}
