/** Functions of the program as emitted code makes them, from generators: names, lengths, calls and kinds as the program would see them. */
import { isLowered } from '../core/lowered-function.ts'
import { generatorPrototype, Yielded } from './async-generator.ts'
import { becomeAsync, becomeAsyncGenerator } from './function-kinds.ts'

export type GeneratorBody = (...args: never[]) => Iterator<unknown, unknown, unknown>
type AsyncFunction = (...args: unknown[]) => unknown

/** What a call of such a function does. */
export interface Calls {
  call(body: GeneratorBody, self: unknown, args: ArrayLike<unknown>): unknown
  /** `owner` has the `prototype` of what is made. */
  generate(body: GeneratorBody, owner: object, self: unknown, args: ArrayLike<unknown>): object
}

type Wrap = (body: GeneratorBody, name?: PropertyKey) => AsyncFunction

export class LoweredFunctions {
  /** An async function expression or a method of an object literal. */
  readonly wrapped: Wrap
  /** An async generator expression or a method. */
  readonly wrappedGenerator: Wrap
  /** An async arrow function; `selfOf` gives the `this` around it, if it uses that. */
  readonly arrow: (body: GeneratorBody, selfOf: (() => unknown) | undefined, name?: PropertyKey) => AsyncFunction

  constructor({ call, generate }: Calls) {
    this.wrapped = (body, name) => {
      // A method, because async functions are no constructors either.
      const { made } = {
        made(this: unknown): unknown {
          // biome-ignore lint/complexity/noArguments: a rest parameter would copy what is only passed on
          return call(body, this, arguments)
        },
      }
      return becomeAsync(disguised(made, body, name))
    }
    this.wrappedGenerator = (body, name) => {
      const { made } = {
        made(this: unknown): unknown {
          // biome-ignore lint/complexity/noArguments: a rest parameter would copy what is only passed on
          return generate(body, made, this, arguments)
        },
      }
      Object.defineProperty(made, 'prototype', { value: generatorPrototype(), writable: true })
      return becomeAsyncGenerator(disguised(made, body, name))
    }
    this.arrow = (body, selfOf, name) => becomeAsync(disguised((...args) => call(body, selfOf?.(), args), body, name))
  }

  /**
   * What a declared function becomes when its scope is entered: until then, what the language hoisted can be called, as modules that
   * import each other do.
   */
  readonly declared = (hoisted: object, body: GeneratorBody, name: string): object =>
    isLowered(hoisted) ? hoisted : this.wrapped(body, name)

  readonly declaredGenerator = (hoisted: object, body: GeneratorBody, name: string): object =>
    isLowered(hoisted) ? hoisted : this.wrappedGenerator(body, name)

  /** A private method that is read and not called, as one function for all objects of the class. */
  readonly read = (body: GeneratorBody, name: string): object => once(body, () => this.wrapped(body, name))

  readonly readGenerator = (body: GeneratorBody, name: string): object =>
    once(body, () => this.wrappedGenerator(body, name))

  /** A named function expression that mentions its own name, which must be the function and not its generator. */
  readonly recursive = (makeBody: (self: AsyncFunction) => GeneratorBody, name: string): AsyncFunction =>
    recursively(this.wrapped, makeBody, name)

  readonly recursiveGenerator = (makeBody: (self: AsyncFunction) => GeneratorBody, name: string): AsyncFunction =>
    recursively(this.wrappedGenerator, makeBody, name)

  /** Wraps async methods that were emitted as generator methods; runs once per class, before anything can call them. */
  readonly methods = (owner: object, keys: readonly PropertyKey[]): void => wrapAll(this.wrapped, owner, keys)

  readonly generatorMethods = (owner: object, keys: readonly PropertyKey[]): void =>
    wrapAll(this.wrappedGenerator, owner, keys)
}

const readMethods = new WeakMap<GeneratorBody, object>()

function once(body: GeneratorBody, make: () => object): object {
  const made = readMethods.get(body) ?? make()
  readMethods.set(body, made)
  return made
}

/** Names of methods that are computed, kept until the class has its methods: those of the class evaluated last are on top. */
const keptKeys: PropertyKey[] = []

export function keep(key: unknown): PropertyKey {
  const property = typeof key === 'symbol' ? key : `${key as string}`
  keptKeys.push(property)
  return property
}

export function kept(count: number): readonly PropertyKey[] {
  return keptKeys.splice(keptKeys.length - count, count)
}

/** `yield value` in an async generator, when the value has been awaited. */
export function yielded(value: unknown): Yielded {
  return new Yielded(value, false)
}

/** The value of an await that begins a statement: a parenthesis there would continue the line before. */
export function value<T>(result: T): T {
  return result
}

function recursively(wrap: Wrap, makeBody: (self: AsyncFunction) => GeneratorBody, name: string): AsyncFunction {
  const inner: { body?: GeneratorBody } = {}
  const self = wrap(function (this: unknown, ...args) {
    return Reflect.apply(inner.body as GeneratorBody, this, args)
  }, name)
  inner.body = makeBody(self)
  return disguised(self, inner.body, name)
}

function wrapAll(wrap: Wrap, owner: object, keys: readonly PropertyKey[]): void {
  for (const key of keys) {
    const body = (owner as { readonly [key: PropertyKey]: unknown })[key] as GeneratorBody
    Object.defineProperty(owner, key, { value: wrap(body, body.name), writable: true, configurable: true })
  }
}

/** Name and number of parameters as the user wrote them: `spawn(body.name, body)` is a fair thing to write. */
function disguised(outer: AsyncFunction, body: GeneratorBody, name: PropertyKey | undefined): AsyncFunction {
  const shown = typeof name === 'symbol' ? symbolName(name) : (name ?? body.name)
  Object.defineProperty(outer, 'name', { value: shown, configurable: true })
  Object.defineProperty(outer, 'length', { value: body.length, configurable: true })
  return outer
}

function symbolName({ description }: symbol): string {
  return description === undefined ? '' : `[${description}]`
}
