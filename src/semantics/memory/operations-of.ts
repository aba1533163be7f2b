/** What is known about the operations of an instance before anything is called. */
import { bodyOf } from './functions.ts'

/** True if the operation is an async method of the user's. */
export function isAsyncOperation(instance: object, name: string): boolean {
  return bodyOf((instance as { readonly [name: string]: unknown })[name])?.isAsync === true
}
