/**
 * Values that tell which fields are read of them that they do not have: JavaScript answers `undefined`, and what is compared with that may hold for ever.
 * Fields are named by the way to them, from the whole value on; a place in a list is any of its places.
 */
import { ownView } from './plain-value.ts'

type Container = { readonly [key: string]: unknown }

/** A field that was read and is not there. */
export interface LackedField {
  readonly way: readonly string[]
  /** Fields that stand where it would. */
  readonly beside: readonly string[]
}

const anyPlace = '*'

/**
 * Looks like the value, which must be a copy that may be changed: what is frozen shows nothing but itself. `found` is told of the way to each field
 * that is read and there.
 */
export function telling(
  value: unknown,
  tell: (lacked: LackedField) => void,
  found: (way: readonly string[]) => void = () => {},
): unknown {
  const views = new Map<object, unknown>()
  const viewOf = (part: unknown, way: readonly string[]): unknown => {
    if (!isPlain(part)) return part
    const known = views.get(part)
    if (known !== undefined) return known
    const view: object = new Proxy(part, {
      get: (record, key) => {
        if (typeof key === 'symbol') return Reflect.get(record, key)
        const below = [...way, Array.isArray(record) ? anyPlace : key]
        if (Object.hasOwn(record, key)) {
          found(below)
          return viewOf(record[key], below)
        }
        if (!(key in record || Array.isArray(record) || isAskedByPrinters(key)))
          tell({ way: below, beside: Object.keys(record) })
        return Reflect.get(record, key)
      },
      // As of a copy, or of a text of all of it.
      ownKeys: (record) => {
        if (!Array.isArray(record)) for (const key of Object.keys(record)) found([...way, key])
        return Reflect.ownKeys(record)
      },
    })
    views.set(part, ownView(view))
    return view
  }
  return viewOf(value, [])
}

/** The ways to all fields of a value. */
export function* waysIn(value: unknown, way: readonly string[] = []): Generator<readonly string[], void> {
  if (!isPlain(value)) return
  for (const [key, part] of Object.entries(value)) {
    const below = [...way, Array.isArray(value) ? anyPlace : key]
    if (!Array.isArray(value)) yield below
    yield* waysIn(part, below)
  }
}

/** Of anything, by what compares and prints. */
export function isAskedByPrinters(key: string): boolean {
  return /^(\$\$|@@|then$|toJSON$|asymmetricMatch$|nodeType$|tagName$|inspect$)/.test(key)
}

/** Lists and records; collections are asked by methods. */
function isPlain(value: unknown): value is Container {
  if (Array.isArray(value)) return true
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}
