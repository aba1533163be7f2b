/** Which objects are part of the state, and what functions hold. */
import { boxesOf } from './boxes.ts'
import { bodyOf, closureOf } from './functions.ts'
import { isIntrinsic } from './intrinsics.ts'

/** Objects whose contents are part of the state: not functions without captured variables, not what all code shares, such as Math. */
export function isHeapObject(value: unknown): value is object {
  if (typeof value === 'function') {
    return closureOf(value) !== undefined || staticKeys(value).length > 0 || boxesOf(value).length > 0
  }
  return typeof value === 'object' && value !== null && !isIntrinsic(value)
}

const statics = new WeakMap<object, readonly PropertyKey[]>()

/** What functions have by themselves. */
const ofFunctions = new Set<PropertyKey>(['length', 'name', 'prototype', 'arguments', 'caller'])

/** Own fields of a class object or function: what is written to it goes through `noteStatics`. */
export function staticKeys(value: object): readonly PropertyKey[] {
  let keys = statics.get(value)
  if (keys === undefined) {
    keys = Reflect.ownKeys(value).filter((key) => {
      if (ofFunctions.has(key)) return false
      const descriptor = Object.getOwnPropertyDescriptor(value, key)
      return descriptor !== undefined && 'value' in descriptor && isStatic(descriptor)
    })
    statics.set(value, keys)
  }
  return keys
}

/** Functions of the user are values like others, and may be closures that hold something. */
function isStatic({ value, writable }: PropertyDescriptor): boolean {
  return (
    typeof value !== 'function' ||
    (writable === true && (bodyOf(value) !== undefined || closureOf(value) !== undefined))
  )
}

/** A field was added, replaced or taken away. */
export function noteStatics(value: object): void {
  if (typeof value === 'function') statics.delete(value)
}
