/** Functions of the user as generators: how a callable is tied to its body, and closures to what they captured. */

import { Given } from '../../core/stamp.ts'
import { Settling } from '../../jobs/settling.ts'
import { ownSites } from './code.ts'

/** A function of the user after rewriting: it yields where it stops. */
export type Body = (this: unknown, ...args: unknown[]) => Generator<unknown, unknown, unknown>

export interface FunctionBody {
  readonly body: Body
  readonly isAsync: boolean
  /** Whether it is async, or says something of promises. */
  readonly speaksOfPromises?: boolean
}

/** What makes two closures equal in a canonical state: where they were made, and what they hold. */
export interface Closure {
  readonly site: number
  readonly captured: readonly unknown[]
}

/** What only we know of a function: programs ask for the keys that it has. */
class Known extends Given {
  readonly #body: FunctionBody
  #closure: Closure | undefined

  constructor(callable: object, body: FunctionBody) {
    super(callable)
    this.#body = body
  }

  static bodyOf(callable: object): FunctionBody | undefined {
    return #body in callable ? callable.#body : undefined
  }

  static closureOf(callable: object): Closure | undefined {
    return #body in callable ? callable.#closure : undefined
  }

  static keep(callable: object, closure: Closure): void {
    if (#body in callable) callable.#closure = closure
  }
}

export function bodyOf(callable: unknown): FunctionBody | undefined {
  return typeof callable === 'function' ? Known.bodyOf(callable) : undefined
}

export function closureOf(callable: unknown): Closure | undefined {
  if (typeof callable !== 'function') return undefined
  const closure = Known.closureOf(callable)
  if (closure !== undefined) return closure
  const captured = Settling.heldBy(callable)
  return captured && { site: ownSites.promises, captured }
}

export function tagBody(callable: object, body: FunctionBody): void {
  new Known(callable, body)
}

/** Of a function that has its body. */
export function tagClosure(callable: object, closure: Closure): void {
  Known.keep(callable, closure)
}

/** Whether a property of this name is ours: it holds what computes another one, or what a literal uses of the functions around it. */
export function isOurKey(key: PropertyKey): boolean {
  return typeof key === 'symbol' && (ourKeys.has(key) || Symbol.keyFor(key)?.startsWith(capturedIn) === true)
}

const capturedIn = 'captured in '
const ourKeys = new Set<symbol>()

/** Names of properties that some class computes; checked before every access, so that most cost one look. */
const accessorNames = new Set<PropertyKey>()
const getters = new Map<PropertyKey, symbol>()
const setters = new Map<PropertyKey, symbol>()

export function getter(name: PropertyKey): symbol {
  return accessorSymbol(getters, name, 'get')
}

export function setter(name: PropertyKey): symbol {
  return accessorSymbol(setters, name, 'set')
}

/** The generator that computes a property of the object, if its class does so. */
export function getterOf(object: object, name: PropertyKey): Body | undefined {
  return accessorOf(getters, object, name)
}

export function setterOf(object: object, name: PropertyKey): Body | undefined {
  return accessorOf(setters, object, name)
}

function accessorOf(symbols: ReadonlyMap<PropertyKey, symbol>, object: object, name: PropertyKey): Body | undefined {
  if (!accessorNames.has(name)) return undefined
  const symbol = symbols.get(name)
  // A field of the object's own hides what its class computes; a literal computes it itself.
  if (symbol === undefined) return undefined
  // A copy of a literal has what it computed as a field, beside what computes it.
  const own = Object.getOwnPropertyDescriptor(object, name)
  if (own !== undefined && ('value' in own || !Object.hasOwn(object, symbol))) return undefined
  return (object as { readonly [key: symbol]: Body | undefined })[symbol]
}

function accessorSymbol(symbols: Map<PropertyKey, symbol>, name: PropertyKey, kind: string): symbol {
  accessorNames.add(name)
  let symbol = symbols.get(name)
  if (symbol === undefined) {
    symbol = Symbol(`${kind} ${String(name)}`)
    symbols.set(name, symbol)
    ourKeys.add(symbol)
  }
  return symbol
}
