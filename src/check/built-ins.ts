/**
 * The language's own objects. They are one for all files and for allways itself, so a file that changes them would have others checked by
 * something else. What a file has changed while it was loaded, or a program while it was checked, is put back, and named.
 */
import { isTrap } from './guard-traps.ts'

interface Property {
  readonly owner: object
  readonly shown: string
  readonly key: PropertyKey
  readonly descriptor: PropertyDescriptor
}

interface Standard {
  readonly owner: object
  readonly name: string
  /** One property more would be met wherever a value is read. */
  readonly isPrototype: boolean
}

/** A list that needs none of the objects that may be broken. */
interface Changes {
  readonly shown: string
  readonly before: Changes | undefined
}

// As they are before any file is loaded.
const { apply, getOwnPropertyDescriptor, defineProperty, deleteProperty, ownKeys } = Reflect
const { is } = Object
const { has } = Set.prototype

export interface BuiltIns {
  isChanged(): boolean
  /** Puts back what has changed since, and says what that was: 'Array.prototype.map'. */
  putBack(): readonly string[]
}

/** As they are now. Names of the host's are left out where others may exchange them meanwhile, as test runners do. */
export function builtIns({ withGlobals }: { readonly withGlobals: boolean }): BuiltIns {
  const standard = standardObjects()
  const globals = withGlobals ? [{ owner: globalThis, name: '', isPrototype: false }] : []
  const properties = [...standard, ...globals].flatMap(propertiesOf)
  const prototypes = standard
    .filter(({ isPrototype }) => isPrototype)
    .map(({ owner, name }) => ({ owner, name, keys: new Set(ownKeys(owner)) }))
  const look = (isPutBack: boolean): Changes | undefined => {
    let changes: Changes | undefined
    for (let at = 0; at < prototypes.length; at++) {
      const { owner, name, keys } = prototypes[at] as (typeof prototypes)[number]
      const now = ownKeys(owner)
      for (let index = 0; index < now.length; index++) {
        const key = now[index] as PropertyKey
        if (apply(has, keys, [key]) || (isPutBack && !deleteProperty(owner, key))) continue
        changes = { shown: pathOf(name, key), before: changes }
      }
    }
    for (let at = 0; at < properties.length; at++) {
      const { owner, shown, key, descriptor } = properties[at] as Property
      if (isAsBefore(getOwnPropertyDescriptor(owner, key), descriptor)) continue
      if (!isPutBack || defineProperty(owner, key, descriptor)) changes = { shown, before: changes }
    }
    return changes
  }
  return { isChanged: () => look(false) !== undefined, putBack: () => listed(look(true)) }
}

function listed(changes: Changes | undefined): readonly string[] {
  const shown: string[] = []
  for (let one = changes; one !== undefined; one = one.before) shown.unshift(one.shown)
  return shown
}

function isAsBefore(now: PropertyDescriptor | undefined, before: PropertyDescriptor): boolean {
  return now !== undefined && is(now.value, before.value) && is(now.get, before.get) && is(now.set, before.set)
}

/** Constructors, their prototypes and what only values lead to; the host's own globals are made as they are asked for. */
function standardObjects(): readonly Standard[] {
  const found: Standard[] = []
  const add = (owner: object, name: string): void => {
    found.push({ owner, name, isPrototype: name.endsWith('prototype') })
  }
  for (const name of standardNames) {
    const value = (globalThis as unknown as { readonly [name: string]: { readonly prototype?: unknown } | undefined })[
      name
    ]
    if (value === undefined) continue
    add(value, name)
    if (typeof value.prototype === 'object' && value.prototype !== null) add(value.prototype, `${name}.prototype`)
  }
  add(Function.prototype, 'Function.prototype')
  const hidden: readonly (readonly [string, object])[] = [
    ['iterator', Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]())) as object],
    ['array iterator', Object.getPrototypeOf([][Symbol.iterator]()) as object],
    ['generator', Object.getPrototypeOf(function* () {}).prototype as object],
    ['async generator', Object.getPrototypeOf(async function* () {}).prototype as object],
    ['typed array', Object.getPrototypeOf(Uint8Array.prototype) as object],
  ]
  for (const [name, owner] of hidden) if (!found.some((one) => one.owner === owner)) add(owner, `${name} prototype`)
  return found
}

const standardNames = [
  ...['Object', 'Array', 'String', 'Number', 'Boolean', 'Symbol', 'BigInt', 'Date', 'RegExp', 'Promise', 'Proxy'],
  ...['Map', 'Set', 'WeakMap', 'WeakSet', 'WeakRef', 'ArrayBuffer', 'SharedArrayBuffer', 'DataView', 'Uint8Array'],
  ...['Error', 'TypeError', 'RangeError', 'SyntaxError', 'ReferenceError', 'AggregateError', 'Iterator'],
  ...['Math', 'JSON', 'Reflect', 'Atomics', 'Intl'],
]

/** Numbers that the host keeps here, such as the limit of stacks, are set by everybody. */
function propertiesOf({ owner, name }: Standard): readonly Property[] {
  return ownKeys(owner).flatMap((key) => {
    const descriptor = getOwnPropertyDescriptor(owner, key)
    const isKept = descriptor !== undefined && typeof (descriptor.value ?? descriptor.get) !== 'number'
    const isLazy = owner === globalThis && descriptor?.get !== undefined && !isTrap(descriptor.get)
    return isKept && !isLazy ? [{ owner, shown: pathOf(name, key), key, descriptor }] : []
  })
}

function pathOf(name: string, key: PropertyKey): string {
  if (typeof key === 'symbol') return `${name}[${key.description}]`
  return name === '' ? String(key) : `${name}.${String(key)}`
}
