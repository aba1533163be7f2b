/**
 * Private members as the language keeps them: a private field holds a box, which is an object of the heap like any other. So nobody but
 * the class can reach it, `#n in object` and most errors are the language's, and keys and copies know nothing of it.
 */
import { holdBox, PrivateBox } from './boxes.ts'
import { fn, runAccessor } from './callables.ts'
import { type Body, getter, setter } from './functions.ts'

/** What a private field holds in the beginning. */
export function box(owner: object, key: string, value: unknown): object {
  const made = new PrivateBox()
  ;(made as { [key: string]: unknown })[key] = value
  holdBox(owner, made)
  return made
}

const callables = new WeakMap<Body, () => unknown>()

/** The function that a private method is, the same each time. */
export function method(body: Body, flags: number): unknown {
  let callable = callables.get(body)
  if (callable === undefined) {
    callable = fn(body, flags)
    callables.set(body, callable)
  }
  return callable
}

const accessors = new WeakMap<object, Map<string, PrivateAccessor>>()

/** What stands for a private accessor, or a method that is written to, where a member is read or written: the same each time. */
export function computed(key: string, owner: object, get: Body | undefined, set: Body | undefined): object {
  const known = accessors.get(owner) ?? new Map<string, PrivateAccessor>()
  accessors.set(owner, known)
  const found = known.get(key) ?? new PrivateAccessor(key, owner, get, set)
  known.set(key, found)
  return found
}

/** Its fields are what a state holds of it while an operation waits. */
class PrivateAccessor {
  readonly owner: object
  readonly get: Body | undefined
  readonly set: Body | undefined

  constructor(key: string, owner: object, get: Body | undefined, set: Body | undefined) {
    this.owner = owner
    this.get = get
    this.set = set
    Object.defineProperties(this, {
      [getter(key)]: { value: readBy },
      [setter(key)]: { value: writeBy },
      [key]: {
        get: () => runAccessor(this, readBy, []),
        set: (value: unknown) => runAccessor(this, writeBy, [value]),
      },
    })
  }
}

function* readBy(this: unknown): Generator<unknown, unknown, unknown> {
  const { owner, get } = this as PrivateAccessor
  if (get === undefined) throw new TypeError('a private member was defined without a getter')
  return yield* Reflect.apply(get, owner, [])
}

function* writeBy(this: unknown, value: unknown): Generator<unknown, unknown, unknown> {
  const { owner, set } = this as PrivateAccessor
  if (set === undefined) throw new TypeError('a private member was defined without a setter')
  return yield* Reflect.apply(set, owner, [value])
}
