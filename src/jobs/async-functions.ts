/** Functions of the program as emitted code makes them, from generators: names, lengths and calls as the program would see them. */
import { call, type GeneratorBody } from './activity.ts'
import { generate, generatorPrototype, Yielded } from './async-generator.ts'

type AsyncFunction = (...args: unknown[]) => unknown

/** An async function expression or a method of an object literal. */
export function wrapped(body: GeneratorBody, name?: PropertyKey): AsyncFunction {
  // A method, because async functions are no constructors either.
  const { made } = {
    made(this: unknown): unknown {
      // biome-ignore lint/complexity/noArguments: a rest parameter would copy what is only passed on
      return call(body, this, arguments)
    },
  }
  return disguised(made, body, name)
}

/** An async generator expression or a method. */
export function wrappedGenerator(body: GeneratorBody, name?: PropertyKey): AsyncFunction {
  const { made } = {
    made(this: unknown): unknown {
      // biome-ignore lint/complexity/noArguments: a rest parameter would copy what is only passed on
      return generate(body, made, this, arguments)
    },
  }
  Object.defineProperty(made, 'prototype', { value: generatorPrototype(), writable: true })
  return disguised(made, body, name)
}

/** A named function expression that mentions its own name, which must be the function and not its generator. */
export function recursive(makeBody: (self: AsyncFunction) => GeneratorBody, name: string): AsyncFunction {
  return recursively(wrapped, makeBody, name)
}

export function recursiveGenerator(makeBody: (self: AsyncFunction) => GeneratorBody, name: string): AsyncFunction {
  return recursively(wrappedGenerator, makeBody, name)
}

/** An async arrow function; `selfOf` gives the `this` around it, if it uses that. */
export function arrow(body: GeneratorBody, selfOf: (() => unknown) | undefined, name?: PropertyKey): AsyncFunction {
  return disguised((...args) => call(body, selfOf?.(), args), body, name)
}

/** Wraps async methods that were emitted as generator methods; runs once per class, before anything can call them. */
export function methods(owner: object, keys: readonly PropertyKey[]): void {
  wrapAll(wrapped, owner, keys)
}

export function generatorMethods(owner: object, keys: readonly PropertyKey[]): void {
  wrapAll(wrappedGenerator, owner, keys)
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

type Wrap = (body: GeneratorBody, name?: PropertyKey) => AsyncFunction

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

/** Name and number of parameters as the user wrote them. */
function disguised(outer: AsyncFunction, body: GeneratorBody, name: PropertyKey | undefined): AsyncFunction {
  const shown = typeof name === 'symbol' ? `[${name.description ?? ''}]` : (name ?? body.name)
  Object.defineProperty(outer, 'name', { value: shown, configurable: true })
  Object.defineProperty(outer, 'length', { value: body.length, configurable: true })
  return outer
}
