/** What transformed classes call (`allways/access`); see `operate.ts`. */
import { conversions } from '../../core/running.ts'
import { callbackMethod } from './callbacks.ts'
import { callBackBy } from './class-loop.ts'
import { arrayConverted } from './conversions.ts'
import { equipGenerators } from './generator-methods.ts'
import { jobOperation } from './job-functions.ts'
import { standIns } from './operate.ts'
import { phasedBody } from './phased-locks.ts'
import { callbacks, executorBody } from './promise-callbacks.ts'

export { closeAsync, iterateAsync, nextAsync } from './async-iteration.ts'
export { closure, fn, methods, refused, runAccessor } from './callables.ts'
export { module, moduleRoots as roots, showNames as names } from './code.ts'
// The same names as in production: under check a bundle takes `allways/sync` from here.
export { Atomic } from './controlled-atomic.ts'
export { Mutex, ReadWriteLock, Semaphore } from './controlled-sync.ts'
export { delegate } from './delegation.ts'
export { getter, setter } from './functions.ts'
export { close } from './hand-written.ts'
export { go } from './invoke.ts'
export { iterate, iterateKeys, next, pick, spread, spreadObject, take } from './iteration.ts'
export { dateNow, jobs, performanceNow } from './job-functions.ts'
export { cell, made } from './made.ts'
export {
  apply,
  applyAwait,
  call,
  callAwait,
  del,
  get,
  has,
  invoke,
  invokeAwait,
  make,
  pause,
  plainApply,
  plainCall,
  plainInvoke,
  set,
  tick,
} from './operate.ts'
export { plainDelete, plainGet, plainPlace, plainSet } from './plain.ts'
export { box, computed, method } from './private-members.ts'
export { stop } from './process.ts'
export { promiseMade } from './promise-sites.ts'
export { given, stamped } from './stamps.ts'
export { begun, yields } from './yields.ts'

equipGenerators()
conversions.ofArray = arrayConverted
callBackBy(callbacks)
standIns.find = callbackMethod
standIns.job = jobOperation
standIns.executor = executorBody
standIns.phased = phasedBody
