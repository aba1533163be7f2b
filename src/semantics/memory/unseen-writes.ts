/** Writes to what no state holds: refused, as what they change would be neither compared nor taken back. */
import { bodyOf, closureOf } from './functions.ts'
import { isIntrinsic, isPrototype } from './intrinsics.ts'
import { machine } from './process.ts'
import { refuse } from './search-error.ts'
import { isHeapObject } from './statics.ts'

export function refuseUnseenWrite(object: object, key: PropertyKey, value: unknown): void {
  if (!machine.isChecking) return
  if (key === '__proto__' || isIntrinsic(object) || isPrototype(object)) refuseWrite(object, key)
  if (typeof object !== 'function') return
  const isNative = typeof value === 'function' && bodyOf(value) === undefined && closureOf(value) === undefined
  if (isNative || !isHeapObject(object)) refuseWrite(object, key)
}

export function refuseWrite(object: object, key: PropertyKey): never {
  refuse({
    code: 'E307',
    message: `a write to ${nameOf(object, key)} cannot be checked: what it changes is neither compared nor taken back`,
    hint: 'keep what changes in a field of the class, or of an object that the class has',
    stack: new Error().stack,
  })
}

function nameOf(object: object, key: PropertyKey): string {
  const name = String(key)
  if (key === '__proto__') return name
  if (typeof object === 'function') return `${name} of the function ${object.name}`
  if (isPrototype(object)) return `${name} of ${object.constructor.name}.prototype`
  return isIntrinsic(object) ? `${name} of an object that all code shares` : name
}
