/** Functions of the user as values: callable by native code, and known to the runtime as generators. */
import { DiagnosticError } from '../../core/diagnostic.ts'
import { becomeAsync, becomeAsyncGenerator, becomeFunction, becomeGenerator } from '../../jobs/function-kinds.ts'
import { placeOfSite } from './code.ts'
import { type Body, bodyOf, tagBody, tagClosure } from './functions.ts'
import { generatorPrototypes } from './generator-objects.ts'
import { newGenerator } from './generators.ts'
import { made } from './made.ts'
import { machine } from './process.ts'
import { settledPromise } from './promises.ts'
import { refuse } from './search-error.ts'
import { canSpawn, spawn } from './spawning.ts'
import { given } from './stamps.ts'

const asyncFlag = 1
const promisesFlag = 2
const generatorFlag = 4
const asyncGeneratorFlag = 8
/** Parameters do more than take what they are given. */
const stepsFlag = 16
/** An arrow function or a method, which `new` refuses and which has no `prototype`; async functions have none either. */
const plainFlag = 32

/** A function outside of all functions. */
export function fn(body: Body, flags: number, name = body.name): (...args: unknown[]) => unknown {
  if ((flags & generatorFlag) !== 0) return generatorFunction(body, flags, name)
  const isAsync = (flags & asyncFlag) !== 0
  const callable = isAsync || (flags & plainFlag) !== 0 ? plain(body, isAsync) : constructing(body)
  Object.defineProperty(callable, 'name', { value: name })
  Object.defineProperty(callable, 'length', { value: body.length })
  tagBody(callable, { body, isAsync, speaksOfPromises: (flags & promisesFlag) !== 0 })
  return isAsync ? becomeAsync(callable) : becomeFunction(callable)
}

type Callable = (...args: unknown[]) => unknown

function constructing(body: Body): Callable {
  return function (this: unknown, ...args: unknown[]): unknown {
    const value = runPlainly(body, this, args, false)
    return new.target === undefined ? value : given(value)
  }
}

function plain(body: Body, isAsync: boolean): Callable {
  const { made: callable } = {
    made(this: unknown, ...args: unknown[]): unknown {
      return runPlainly(body, this, args, isAsync)
    },
  }
  return callable
}

/** Calling it runs nothing of its body. */
function generatorFunction(body: Body, flags: number, name: string): (...args: unknown[]) => unknown {
  const call: Body = function* (this: unknown, ...args) {
    return yield* newGenerator(of, this, args)
  }
  Object.defineProperty(call, 'length', { value: body.length })
  const callable = fn(call, plainFlag + (flags & promisesFlag), name)
  const [isAsync, takesSteps] = [asyncGeneratorFlag, stepsFlag].map((flag) => (flags & flag) !== 0)
  const of = { callable, body, isAsync: isAsync === true, takesSteps: takesSteps === true }
  const prototype = Object.create(of.isAsync ? generatorPrototypes.ofAsync : generatorPrototypes.ofSync) as object
  Object.defineProperty(callable, 'prototype', { value: prototype, writable: true })
  return of.isAsync ? becomeAsyncGenerator(callable) : becomeGenerator(callable)
}

/** A function inside of another one, with what it uses of it. */
export function closure(
  site: number,
  body: Body,
  captured: readonly unknown[],
  ...given: [flags: number, name?: string]
): unknown {
  const callable = fn(body, ...given)
  tagClosure(callable, { site, captured })
  return made(site, callable)
}

/** Stands at the beginning of functions that the front end could not make checkable; some cannot even be run. */
export function refused(site: number, message: string, hint: string, always: boolean): void {
  if (!machine.isChecking && !always) return
  refuse({ code: 'E307', message, hint, place: placeOfSite(site), stack: new Error().stack })
}

type Key = readonly [key: PropertyKey, flags: number]

/** Wraps the generator methods of a class; runs once, before anything can call them. */
export function methods(
  owner: abstract new (...args: never[]) => object,
  keys: readonly Key[],
  statics: readonly Key[],
  name?: string,
): void {
  // Bundling may have given the class another one; a static method or getter of that name is the user's.
  if (name !== undefined && typeof Object.getOwnPropertyDescriptor(owner, 'name')?.value === 'string') {
    Object.defineProperty(owner, 'name', { value: name, configurable: true })
  }
  // From the end: of two methods with one name, the last one counts.
  for (const [key, flags] of keys.toReversed()) wrap(owner.prototype as object, key, flags)
  for (const [key, flags] of statics.toReversed()) wrap(owner, key, flags)
}

function wrap(owner: object, key: PropertyKey, flags: number): void {
  const body = (owner as { readonly [key: PropertyKey]: Body })[key] as Body
  if (bodyOf(body) !== undefined) return
  Object.defineProperty(owner, key, { value: fn(body, flags), writable: true, configurable: true })
}

/** A getter or setter that native code or a constructor uses. It is found by way of the object that is read. */
export function runAccessor(self: unknown, body: Body | undefined, args: readonly unknown[]): unknown {
  if (body === undefined)
    refuse({
      code: 'E307',
      message: 'a getter or setter of an object literal is run for another object',
      hint: 'write the object as a class',
      stack: new Error().stack,
    })
  return runPlainly(body, self, args, false)
}

/** Runs a body to its end in one go. Every operation outside of a process answers at once, so nothing can stop it. */
function runPlainly(body: Body, self: unknown, args: readonly unknown[], isAsync: boolean): unknown {
  if (isAsync && canSpawn() && machine.isChecking) return spawn({ body, self, args })
  const { process, heap } = machine
  const touched = heap?.touched.length ?? 0
  machine.process = undefined
  try {
    const { done, value } = Reflect.apply(body, self, [...args]).next()
    if (done !== true)
      refuse({
        code: 'E303',
        message: 'a method waits in a constructor or callback',
        hint: 'wait in a method that clients call, and before the callback',
      })
    if (process?.isActing === false && (heap?.touched.length ?? 0) > touched) refuseConversion(body)
    return isAsync ? settledPromise('fulfilled', value) : value
  } catch (error) {
    if (!isAsync || error instanceof DiagnosticError) throw error
    return settledPromise('rejected', error)
  } finally {
    machine.process = process
  }
}

/** The language itself called a function, as it does to turn an object into a text or number: no access can be seen to begin. */
function refuseConversion({ name }: Body): never {
  refuse({
    code: 'E307',
    message: `${name === '' ? 'a function' : `${name}()`} accesses shared state, and is called where a value is converted`,
    hint: 'call it by its name, and convert what it returns',
    stack: new Error().stack,
  })
}
