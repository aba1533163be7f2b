/**
 * What a plain value is, and the only place that says so: records, lists, `Map` and `Set` with nothing but what every reader, copy and
 * text of them shows. A field that a symbol names, that is not enumerable or computed, a list with holes, and fields of a list, `Map`
 * or `Set` would be lost on the way, and what depends on them would be another program.
 */

/** Why something is not a value, and where inside it. */
export interface ValueProblem {
  readonly path: string
  readonly found: string
}

/**
 * Whether an object answers with something else than it holds, which only the host can see: it may answer differently every time. Our own
 * views of values are taken for what they show.
 */
export const proxies: { isForeign: ((part: unknown) => boolean) | undefined } = { isForeign: undefined }

const own = new WeakSet()

/** A view of a value that is one of ours. */
export function ownView<View extends object>(view: View): View {
  own.add(view)
  return view
}

export function isOwnView(part: unknown): boolean {
  return own.has(part as object)
}

export function isForeignProxy(value: unknown): boolean {
  return proxies.isForeign?.(value) === true
}

export type PlainKind = 'record' | 'list' | 'map' | 'set'

/** What an object is as a part of a value, or why it is none; of what is in it nothing is said. */
export function plainKind(part: object): PlainKind | ValueProblem {
  if (isForeignProxy(part)) return { path: '', found: 'a Proxy' }
  const prototype: unknown = Object.getPrototypeOf(part)
  if (prototype === Object.prototype || prototype === null) return fieldsProblem(part) ?? 'record'
  if (prototype === Array.prototype) return itemsProblem(part as readonly unknown[]) ?? 'list'
  if (prototype === Map.prototype) return collectionProblem(part, 'a Map') ?? 'map'
  if (prototype === Set.prototype) return collectionProblem(part, 'a Set') ?? 'set'
  return { path: '', found: describeInstance(part) }
}

/** Names and symbols are asked for apart: `Reflect.ownKeys` takes three times as long as both. */
function fieldsProblem(record: object): ValueProblem | undefined {
  if (Object.getOwnPropertySymbols(record).length > 0)
    return { path: '', found: 'an object with a field that is named by a symbol' }
  for (const key of Object.getOwnPropertyNames(record)) {
    const field = Object.getOwnPropertyDescriptor(record, key)
    if (field?.enumerable !== true) return { path: `.${key}`, found: 'a field that is not enumerable' }
    if (isComputed(field)) return { path: `.${key}`, found: 'a field with a getter or a setter' }
  }
  return undefined
}

/** Each place is looked at, so that a place that was left out cannot make up for a field. */
function itemsProblem(list: readonly unknown[]): ValueProblem | undefined {
  for (let at = 0; at < list.length; at++) {
    const item = Object.getOwnPropertyDescriptor(list, at)
    if (item?.enumerable !== true) return extraOrHole
    if (isComputed(item)) return { path: `[${at}]`, found: 'an item with a getter or a setter' }
  }
  // "length" is the one more.
  const isBare = Object.getOwnPropertyNames(list).length === list.length + 1
  return isBare && Object.getOwnPropertySymbols(list).length === 0 ? undefined : extraOrHole
}

const extraOrHole: ValueProblem = { path: '', found: 'an array with holes or with properties of its own' }

function collectionProblem(collection: object, what: string): ValueProblem | undefined {
  const isBare =
    Object.getOwnPropertySymbols(collection).length === 0 &&
    Object.getOwnPropertyNames(collection).every((name) => {
      const refusal = refusals.get(name)
      return refusal !== undefined && Object.getOwnPropertyDescriptor(collection, name)?.value === refusal
    })
  return isBare ? undefined : { path: '', found: `${what} with properties of its own` }
}

function isComputed({ get, set }: PropertyDescriptor): boolean {
  return get !== undefined || set !== undefined
}

function describeInstance(value: object): string {
  const name = (value.constructor as { name?: string } | undefined)?.name
  if (name === 'Promise') return 'a promise'
  return name ? `an instance of ${name}` : 'an object with a prototype of its own'
}

/** What a collection that is closed has in the place of its methods that change it. */
const refusals = new Map(
  ['set', 'add', 'delete', 'clear'].map((name) => {
    const refuse = (): never => {
      throw new TypeError(`Cannot ${name}: this collection was sent in a message and is frozen`)
    }
    return [name, refuse] as const
  }),
)

/** `Object.freeze` does not stop `map.set`: the methods are covered on this one instance. */
export function closeCollection(collection: object, kind: 'map' | 'set'): void {
  // Who froze it already meant it not to change; its methods cannot be covered any more.
  if (!Object.isExtensible(collection)) return
  for (const name of kind === 'map' ? ['set', 'delete', 'clear'] : ['add', 'delete', 'clear'])
    Object.defineProperty(collection, name, { value: refusals.get(name), configurable: false })
}
