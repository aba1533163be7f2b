/** Objects of the language and the host, which all code shares: what is written to them no check sees, compares or takes back. */
import { isObject } from '../../core/is-object.ts'

interface Owner {
  readonly process?: unknown
  readonly env?: unknown
  readonly [name: string]: unknown
}

/** Whose insides belong to the host: they are left alone, and are what they are only by themselves. */
const surroundings = ['globalThis', 'process', 'console', 'performance', 'navigator', 'crypto', 'Buffer']

let known: ReadonlySet<object> | undefined

/** Collected before user code can have put anything of its own where it would be found. */
export function isIntrinsic(object: object): boolean {
  known ??= collected()
  return known.has(object)
}

function collected(): ReadonlySet<object> {
  const world = globalThis as unknown as Owner
  const found = new Set<object>()
  for (const name of surroundings) add(found, world[name])
  add(found, (world.process as Owner | undefined)?.env)
  const names = Object.getOwnPropertyNames(globalThis).filter(
    (name) => !surroundings.includes(name) && !Object.prototype.propertyIsEnumerable.call(globalThis, name),
  )
  for (const name of names) visit(found, Object.getOwnPropertyDescriptor(globalThis, name)?.value)
  // Those that no name leads to.
  const unnamed = [
    function* () {},
    async function* () {},
    async () => {},
    new Map().keys(),
    [].values(),
    ''.matchAll(/a/g),
  ]
  for (const one of unnamed) visit(found, Object.getPrototypeOf(one))
  return found
}

function add(found: Set<object>, value: unknown): value is object {
  if (!isObject(value) || found.has(value)) return false
  found.add(value)
  return true
}

function visit(found: Set<object>, value: unknown): void {
  if (!add(found, value)) return
  visit(found, Object.getPrototypeOf(value))
  for (const descriptor of Object.values(Object.getOwnPropertyDescriptors(value))) {
    for (const inner of [descriptor.value, descriptor.get, descriptor.set] as unknown[]) visit(found, inner)
  }
}

/** The object that instances of a class or function inherit from. */
export function isPrototype(object: object): boolean {
  if (!Object.hasOwn(object, 'constructor')) return false
  const owner: unknown = object.constructor
  return typeof owner === 'function' && owner.prototype === object
}
