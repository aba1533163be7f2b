/** What is known about the operations of an instance before anything is called. */
import { bodyOf } from './functions.ts'

/** True if the operation is a method of the user's that is async, or returns a promise without being declared so. */
export function hasPromises(instance: object, name: string): boolean {
  return bodyOf((instance as { readonly [name: string]: unknown })[name])?.speaksOfPromises === true
}
