/** `Promise.all`, `allSettled`, `any` and `race` (ECMA-262 §27.2.4.1–3 and §27.2.4.5), for any constructor of promises. */
import { Capability, type PromiseConstructorLike } from './capability.ts'
import { iterated } from './iteration.ts'
import { currentLoop, type Undoable } from './loop.ts'
import { react } from './promise-core.ts'
import { Settling } from './settling.ts'

export type CombinationName = 'all' | 'allSettled' | 'any' | 'race'

type Callback = (value: unknown) => void

/** Asks the constructor's own `resolve`, once, and the public `then` of what it gives for each element. */
export function combine(name: CombinationName, factory: PromiseConstructorLike, iterable: unknown): object {
  const capability = new Capability(factory)
  try {
    const { resolve } = factory as { readonly resolve?: unknown }
    if (typeof resolve !== 'function') throw new TypeError('resolve is not a function')
    const combination = new Combination(capability)
    const callbacks = callbacksOf[name]
    // An error in the body closes the iterator, one of the iterator itself does not: as `for` does it.
    for (const element of iterated(iterable)) {
      const next = Reflect.apply(resolve, factory, [element]) as object
      react(next, ...callbacks(combination))
    }
    if (name !== 'race') combination.heard(name)
  } catch (error) {
    capability.reject(error)
  }
  return capability.promise
}

/** What is known of the elements so far. */
class Combination implements Undoable {
  readonly capability: Capability
  readonly of: object
  values: unknown[] = []
  /** Elements to hear of, and one for the iteration itself. */
  remaining = 1

  constructor(capability: Capability) {
    this.capability = capability
    this.of = capability.promise
  }

  /** A callback for the next element, which may be called only once; a pair of them shares the flag. */
  element(name: 'all' | 'allSettled' | 'any'): (shown: (value: unknown) => unknown) => Callback {
    const index = this.values.length
    this.values.push(undefined)
    this.remaining++
    let isCalled = false
    // Resolving element functions have no name.
    return (shown) => {
      const held = (): readonly unknown[] => [name, shown.name, index, isCalled, this.remaining, this.values]
      return this.#settling(held, (value) => {
        if (isCalled) return currentLoop.journal?.ignored(this.of)
        currentLoop.journal?.changing({
          of: this.of,
          saved: () => () => {
            isCalled = false
          },
        })
        isCalled = true
        currentLoop.journal?.changing(this)
        this.values[index] = shown(value)
        this.heard(name)
      })
    }
  }

  #settling(held: () => readonly unknown[], element: Callback): Callback {
    new Settling(element, this.of, { held })
    return element
  }

  heard(name: 'all' | 'allSettled' | 'any'): void {
    currentLoop.journal?.changing(this)
    if (--this.remaining > 0) return
    if (name !== 'any') this.capability.resolve(this.values)
    else this.capability.reject(new AggregateError(this.values, 'All promises were rejected'))
  }

  saved(): () => void {
    const [values, remaining] = [[...this.values], this.remaining]
    return () => {
      // The same array: it may be what the promise was resolved with.
      this.values.splice(0, this.values.length, ...values)
      this.remaining = remaining
    }
  }
}

const callbacksOf: Readonly<Record<CombinationName, (combination: Combination) => readonly [Callback, Callback]>> = {
  all: (combination) => [combination.element('all')(asItIs), combination.capability.reject],
  allSettled: (combination) => {
    const element = combination.element('allSettled')
    return [element(fulfilled), element(rejected)]
  },
  any: (combination) => [combination.capability.resolve, combination.element('any')(asItIs)],
  race: ({ capability }) => [capability.resolve, capability.reject],
}

function asItIs(value: unknown): unknown {
  return value
}

function fulfilled(value: unknown): unknown {
  return { status: 'fulfilled', value }
}

function rejected(reason: unknown): unknown {
  return { status: 'rejected', reason }
}
