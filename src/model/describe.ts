/** Values that users passed, as diagnostics call them. */
import { CompositeOperation, Operation } from '../core/operation.ts'
import { isClass, shown } from '../core/option-shape.ts'
import { Address } from '../core/value.ts'

/** What a user passed, in the words of a diagnostic. */
export function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (value instanceof Operation) return `the operation ${value.kind}(…) itself`
  if (value instanceof CompositeOperation) return `the operation ${value.name}(…) itself`
  if (value instanceof Address) return `the address of ${value.id}`
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : 'an array'
  if (typeof value === 'function') return isClass(value) ? 'a class' : 'a function'
  if (typeof value === 'object' && classNameOf(value) === 'Promise') return 'a promise'
  if (typeof value === 'object') return `an object (${classNameOf(value)})`
  return `a ${typeof value} (${typeof value === 'string' ? shown(value).slice(1, -1) : String(value)})`
}

function classNameOf(value: object): string {
  const prototype: unknown = Object.getPrototypeOf(value)
  const { name } = Object(prototype === null ? undefined : Reflect.get(prototype as object, 'constructor')) as {
    readonly name?: unknown
  }
  return typeof name === 'string' && name !== '' ? name : 'no prototype'
}
