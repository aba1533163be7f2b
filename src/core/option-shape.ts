/**
 * What users may pass as options: a table with what each must be. JavaScript passes anything, and nothing of it may be ignored: a name
 * that is not in the table, a value of another kind and properties that are inherited are all refused, with the nearest right name.
 */

import type { Diagnostic } from './diagnostic.ts'
import type { DiagnosticCode } from './diagnostic-codes.ts'
import { nearestName, suggestion } from './did-you-mean.ts'
import { functionText } from './function-text.ts'
import { isInstance } from './own-error.ts'
import { isForeignProxy } from './plain-value.ts'
import { mistake } from './running.ts'

/** What one option must be, in the reader's words. */
export interface Shape {
  readonly words: string
  fits(value: unknown): boolean
  /** It cannot be left out. */
  readonly isNeeded?: boolean
  /** What is wrong with something of the right kind, in words. */
  wrong?(value: unknown): string | undefined
  /** All that fits, if that can be listed. */
  readonly values?: readonly string[]
}

/** One line for each option that there is. */
export type Shapes<Options> = { readonly [name in keyof Required<Options>]: Shape }

/** A shape of its own. */
export function shape(words: string, fits: (value: unknown) => boolean): Shape {
  return { words, fits }
}

export const shapes = {
  text: shape('a text', (value) => typeof value === 'string'),
  texts: shape('a list of texts', (value) => isList(value) && value.every((one) => typeof one === 'string')),
  list: shape('a list', isList),
  record: shape('an object', isPlainObject),
  /** Of any class. */
  object: shape('an object', isObject),
  flag: shape('true or false', (value) => typeof value === 'boolean'),
  count: shape('a whole number above 0', (value) => Number.isSafeInteger(value) && Number(value) > 0),
  number: shape('a number', (value) => typeof value === 'number' && !Number.isNaN(value)),
  integer: shape('a whole number', (value) => Number.isSafeInteger(value)),
  func: shape('a function', isFunction),
  /** Decided by those who read it, in better words; what is needed has words of its own. */
  anything: shape('anything', () => true),
} as const

export function oneOf(...values: readonly string[]): Shape {
  return { ...shape(`one of ${values.join(', ')}`, (value) => values.some((known) => known === value)), values }
}

export function either(left: Shape, right: Shape): Shape {
  return shape(`${left.words} or ${right.words}`, (value) => left.fits(value) || right.fits(value))
}

export function needed(one: Shape): Shape {
  return { ...one, isNeeded: true }
}

/** What is wrong with options, in words. */
export interface ShapeProblem {
  readonly message: string
  readonly hint: string
}

interface Told {
  /** Whose options they are: `program "bank"`; nothing if there is nobody to name. */
  readonly of?: string
  /** What one of them is called. */
  readonly noun?: 'option' | 'part'
  /** They may be an instance of a class, which has fields of its own. */
  readonly isInstance?: boolean
}

/** Refuses what does not fit, at the line that passed it. */
export function checkShape(
  given: unknown,
  table: { readonly [name: string]: Shape },
  told: Told & { readonly code?: DiagnosticCode; readonly stack?: string | undefined },
): void {
  const [first, ...others] = shapeProblems(given, table, told).map((problem) => {
    return { code: told.code ?? ('E107' as const), stack: told.stack, ...problem }
  })
  if (first !== undefined) mistake(first, ...others)
}

/** An argument that nobody reads says something that is not heard; `call` is how it is written with all that it takes. */
export function checkNoMore(extra: readonly unknown[], call: string, code?: DiagnosticCode): void {
  const [problem] = furtherArguments(extra, call, code)
  if (problem !== undefined) mistake(problem)
}

export function furtherArguments(
  extra: readonly unknown[],
  call: string,
  code: DiagnosticCode = 'E107',
): readonly Diagnostic[] {
  const [first] = extra.filter((argument) => argument !== undefined)
  if (first === undefined) return []
  const message = `${call} takes no further argument and got ${shown(first)}`
  return [{ code, message, hint: 'leave it out: nothing would be done about it' }]
}

/** For what runs in production: an error, as of any constructor that is given something else. */
export function requireShape(given: unknown, table: { readonly [name: string]: Shape }, of: string): void {
  const [problem] = shapeProblems(given, table, { of })
  if (problem !== undefined) throw new TypeError(`${problem.message}; ${problem.hint}`)
}

/** As `checkNoMore`, for what runs in production. */
export function requireNoMore(extra: readonly unknown[], call: string): void {
  const [problem] = furtherArguments(extra, call)
  if (problem !== undefined) throw new TypeError(`${problem.message}; ${problem.hint}`)
}

/** Options of locks, in production and under check. */
export const sharedLockShapes = { shared: shapes.anything }
export const mutexShapes = { ...sharedLockShapes, reentrant: shapes.flag }

export function shapeProblems(
  given: unknown,
  table: { readonly [name: string]: Shape },
  { of, noun = 'option', isInstance = false }: Told = {},
): readonly ShapeProblem[] {
  const whose = of === undefined ? `${noun}s` : `the ${noun}s of ${of}`
  const known = Object.keys(table)
  if (isForeignProxy(given)) {
    const hint = 'write a plain object: a Proxy may answer differently each time'
    return [{ message: `${whose} are a Proxy`, hint }]
  }
  if (!isObject(given))
    return [{ message: `${whose} are ${shown(given)}, and not an object`, hint: listed(noun, known) }]
  const isPlain = isPlainObject(given)
  if (!isPlain && !isInstance) {
    const hint = 'write a plain object: what it inherits from elsewhere would be overlooked'
    return [{ message: `${whose} are an object with a prototype of its own`, hint }]
  }
  const missing = known.filter((name) => table[name]?.isNeeded === true && given[name] === undefined)
  return [
    ...(isPlain ? Reflect.ownKeys(given) : known).flatMap((key) =>
      propertyProblems(key, given[key], table, { of, noun }),
    ),
    ...missing.map((name) => ({ message: `${whose} lack "${name}"`, hint: `it must be ${table[name]?.words}` })),
  ]
}

function propertyProblems(
  key: string | symbol,
  value: unknown,
  table: { readonly [name: string]: Shape },
  { of, noun = 'option' }: { readonly of: string | undefined; readonly noun: string },
): readonly ShapeProblem[] {
  const name = String(key)
  const expected = typeof key === 'string' && Object.hasOwn(table, key) ? table[key] : undefined
  if (expected === undefined) {
    const message = of === undefined ? `there is no ${noun} "${name}"` : `${of} has no ${noun} "${name}"`
    return [{ message, hint: suggestion(name, Object.keys(table), `${noun}s`) }]
  }
  if (value === undefined || expected.fits(value)) return []
  const what = of === undefined ? name : `"${name}" of ${of}`
  const { words, values } = expected
  const nearest = values === undefined || typeof value !== 'string' ? undefined : nearestName(value, values)
  const hint = nearest === undefined ? `write ${words}` : `did you mean "${nearest}"?`
  const wrong = expected.wrong?.(value)
  const is = wrong ?? (isObject(value) && !isPlainObject(value) ? ofClass(value) : shown(value))
  return [{ message: `${what} is ${is}, but it must be ${words}`, hint }]
}

/** It need not be an object of the kind that is asked for. */
function ofClass(value: object): string {
  return isInstance(value, Promise) ? 'a promise' : 'an object of a class'
}

function listed(noun: string, known: readonly string[]): string {
  return `${noun}s are ${known.join(', ')}`
}

function isObject(value: unknown): value is { readonly [key: string | symbol]: unknown } {
  return typeof value === 'object' && value !== null && !isForeignProxy(value) && !Array.isArray(value)
}

/** Of a Proxy that was revoked even this question throws. */
function isList(value: unknown): value is readonly unknown[] {
  return !isForeignProxy(value) && Array.isArray(value)
}

/** Also one of another realm, where test runners put tests: what counts is that nothing is inherited. */
export function isPlainObject(value: unknown): boolean {
  if (!isObject(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** One that can be called: a class cannot, although `typeof` says the same of both. */
export function isFunction(value: unknown): boolean {
  return typeof value === 'function' && !isClass(value)
}

export function isClass(value: unknown): boolean {
  return typeof value === 'function' && /^class\b/.test(functionText(value))
}

const longestShown = 80

/** A value in the words of a diagnostic. Nothing of it is read: what a getter or a proxy does is not ours to run. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return `"${value.length <= longestShown ? value : `${value.slice(0, longestShown)}…`}"`
  if (isForeignProxy(value)) return 'a Proxy'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'function') return isClass(value) ? 'a class' : 'a function'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}
