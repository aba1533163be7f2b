/** Promises of any constructor, by their resolving functions: ECMA-262 §27.2.1.1 and §27.2.1.5, and §7.3.22 for species. */
import { functionText } from '../core/function-text.ts'
import { isObject } from '../core/is-object.ts'

export type PromiseConstructorLike = new (executor: (resolve: unknown, reject: unknown) => void) => object

type Settling = (value: unknown) => void

/** A promise and what settles it (§27.2.1.1), of a constructor that is not ours. */
export class Capability {
  readonly promise: object
  #resolve: unknown = undefined
  #reject: unknown = undefined

  /** NewPromiseCapability (§27.2.1.5). */
  constructor(factory: unknown) {
    if (!isConstructor(factory)) throw new TypeError(`${shown(factory)} is not a constructor`)
    this.promise = new factory((resolve, reject) => {
      if (this.#resolve !== undefined || this.#reject !== undefined) {
        throw new TypeError('Promise executor has already been invoked with non-undefined arguments')
      }
      this.#resolve = resolve
      this.#reject = reject
    })
    if (typeof this.#resolve !== 'function' || typeof this.#reject !== 'function') {
      throw new TypeError('Promise resolve or reject function is not callable')
    }
  }

  get resolve(): Settling {
    return this.#resolve as Settling
  }

  get reject(): Settling {
    return this.#reject as Settling
  }
}

/** SpeciesConstructor (§7.3.22): what `then` and `finally` make. */
export function speciesOf(promise: object, fallback: PromiseConstructorLike): PromiseConstructorLike {
  const factory: unknown = promise.constructor
  if (factory === undefined) return fallback
  if (!isObject(factory)) throw new TypeError('The .constructor property is not an object')
  const species = (factory as { readonly [Symbol.species]: unknown })[Symbol.species]
  if (species === undefined || species === null || species === fallback) return fallback
  if (isConstructor(species)) return species
  throw new TypeError('object.constructor[Symbol.species] is not a constructor')
}

/** Asking is slow, and the answer never changes. */
const constructors = new WeakSet<object>()

function isConstructor(value: unknown): value is PromiseConstructorLike {
  if (typeof value !== 'function') return false
  if (constructors.has(value)) return true
  try {
    // The trap keeps the constructor itself from running; without [[Construct]] there is no trap to call.
    Reflect.construct(new Proxy(value, { construct: () => ({}) }), [])
    constructors.add(value)
    return true
  } catch {
    return false
  }
}

/** A value as V8 shows it in messages. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return value
  if (!isObject(value)) return String(value)
  if (typeof value === 'function') return functionText(value)
  if (value instanceof Error) return String(value)
  if (value.toString !== Object.prototype.toString) return Object.prototype.toString.call(value)
  const maker: unknown = value.constructor
  return `#<${typeof maker === 'function' && maker.name !== '' ? maker.name : 'Object'}>`
}
