/** Iterators of the language itself: their position can be neither seen nor taken back. */
import { anyIterator, generatorOf } from './generator-objects.ts'
import { positionOf } from './views.ts'

/** An iterator of the language itself, as constructors and code outside of the check make them. */
export function isNativeIterator(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || positionOf(value) !== undefined) return false
  if (generatorOf(value) !== undefined) return false
  return Object.prototype.isPrototypeOf.call(anyIterator, value)
}
