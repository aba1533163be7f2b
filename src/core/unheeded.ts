/** Promises that came where none may: nobody will look at them again, and their rejection must not end the host. */
import { isNativePromise } from './native-promise.ts'

// Not by its own method, which processes may not call.
const { then } = Promise.prototype

export function unheeded<Given>(given: Given): Given {
  if (isNativePromise(given)) Reflect.apply(then, given, [undefined, () => undefined])
  return given
}
