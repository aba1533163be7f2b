/** A call of a client, as a body: calls the operation and waits for what it promises. */
import { type Body, bodyOf } from './functions.ts'
import { go } from './invoke.ts'
import { invoke, pause } from './operate.ts'
import { stop } from './process.ts'
import { isPromise } from './promise-parts.ts'

const site = -400

/** Told when an operation that is not async gives a promise. */
export const promised: { told: (() => void) | undefined } = { told: undefined }

export const callBody: Body = function* (object, operation, args) {
  const instance = object as { readonly [name: string]: unknown }
  const name = operation as string
  const values = args as readonly unknown[]
  const body = bodyOf(instance[name])
  let result: unknown
  if (body === undefined) {
    result = invoke(site, [], instance, name, values)
    if (result === stop) result = yield* go()
  } else {
    // Inside of the call even if it is async: what follows its last await belongs to it.
    result = yield* Reflect.apply(body.body, instance, [...values])
  }
  if (isPromise(result)) promised.told?.()
  while (isPromise(result)) {
    result = pause(site - 1, [], result)
    if (result === stop) result = yield* go()
  }
  return result
}
