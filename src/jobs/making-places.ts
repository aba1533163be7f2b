/** Where promises were made, when places are captured: told of one that nobody settles. */
import { placeCapture } from '../core/operation.ts'

const stacks = new WeakMap<object, string>()

export function noteMaking(promise: object): void {
  const { stack } = placeCapture.enabled ? new Error() : {}
  if (stack !== undefined) stacks.set(promise, stack)
}

export function makingStackOf(promise: object): string | undefined {
  return stacks.get(promise)
}
