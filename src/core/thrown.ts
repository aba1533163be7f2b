/** What user code threw, in words: anything can be thrown, and reading it may fail as well. */
import { InternalError } from './invariant.ts'
import { isClass } from './option-shape.ts'
import { isForeignProxy } from './plain-value.ts'
import { type Value, valueProblem } from './value.ts'
import { anyText, primitiveText, showValue } from './value-text.ts'

export interface Thrown {
  /** An assertion library says what does not hold: its message, with what was expected. */
  readonly isAssertion: boolean
  /** Of an assertion its message; of an error `TypeError: x is not a function`; anything else as it is: `5`, `{code: 1}`. */
  readonly message: string
  /** The same where nobody says that it was thrown: `threw 5`. */
  readonly sentence: string
  readonly stack: string | undefined
}

export function thrownBy(error: unknown): Thrown {
  if (error instanceof InternalError) throw error
  const { name, message, stack } = fieldsOf(error)
  const isAssertion = isAssertionError(error)
  if (isAssertion) return thrown(withDifference(message ?? '', fieldsOf(error)))
  return isError(error) ? thrown(`${name ?? 'Error'}: ${message ?? ''}`) : thrown(cut(anythingText(error)), 'threw ')

  function thrown(words: string, before = ''): Thrown {
    const clear = withoutColours(words)
    return { isAssertion, message: clear, sentence: before + clear, stack }
  }
}

/** What a condition of the user's threw, as what is wrong. */
export function thrownIn(what: string, name: string, error: unknown): Pick<Thrown, 'message' | 'stack'> {
  const { isAssertion, sentence, stack } = thrownBy(error)
  if (isAssertion) return { message: sentence, stack }
  return {
    message: isError(error) ? `exception in ${what} "${name}": ${sentence}` : `${what} "${name}" ${sentence}`,
    stack,
  }
}

/** Where it was thrown, then where the code that threw was given: if only ours is on one stack, the other has a place of the user's. */
export function stackOrGiven(thrown: string | undefined, given: string | undefined): string | undefined {
  return thrown === undefined || given === undefined ? (thrown ?? given) : `${thrown}\n${given}`
}

interface Fields {
  readonly name: string | undefined
  readonly message: string | undefined
  readonly stack: string | undefined
  readonly actual: unknown
  readonly expected: unknown
}

/** Those of node:assert, chai, vitest and jest. */
function isAssertionError(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  try {
    return fieldsOf(error).name === 'AssertionError' || 'matcherResult' in error
  } catch {
    return false
  }
}

function fieldsOf(error: unknown): Fields {
  return {
    name: textOf(error, 'name'),
    message: textOf(error, 'message'),
    stack: textOf(error, 'stack'),
    actual: read(error, 'actual'),
    expected: read(error, 'expected'),
  }
}

function textOf(error: unknown, field: string): string | undefined {
  const value = read(error, field)
  return typeof value === 'string' ? value : undefined
}

/** A getter may throw. */
function read(error: unknown, field: string): unknown {
  try {
    return (Object(error) as { readonly [field: string]: unknown })[field]
  } catch {
    return undefined
  }
}

/** Also one of another realm, where test runners put tests. */
export function isError(error: unknown): error is Error {
  try {
    return error instanceof Error || Object.prototype.toString.call(error) === '[object Error]'
  } catch {
    return false
  }
}

/** Where an error comes from, if one was thrown that says so. */
export function stackOf(error: unknown): string | undefined {
  return isError(error) ? textOf(error, 'stack') : undefined
}

/** What is no error, as it is: whoever throws 5 is told of 5. */
function anythingText(error: unknown): string {
  if (isForeignProxy(error)) return 'a Proxy'
  if (typeof error === 'function') return isClass(error) ? 'a class' : 'a function'
  if (typeof error === 'symbol') return String(error)
  if (typeof error !== 'object' || error === null) return primitiveText(error as null)
  try {
    return valueProblem(error) === undefined ? showValue(error as Value) : instanceText(error)
  } catch {
    return 'an object'
  }
}

function instanceText(error: object): string {
  const { name } = Object((error as { readonly constructor?: unknown }).constructor) as { readonly name?: unknown }
  const isNamed = typeof name === 'string' && name !== '' && name !== 'Object'
  return `${isNamed ? `an instance of ${name}` : 'an object'}: ${anyText(error)}`
}

/** Messages of node:assert and jest show the difference themselves, those of chai and vitest leave it to the test runner. */
function withDifference(message: string, { actual, expected }: Fields): string {
  if (message.includes('\n') || (actual === undefined && expected === undefined)) return message
  return `${message}\n+ actual:   ${plain(actual)}\n- expected: ${plain(expected)}`
}

const longest = 300

function plain(value: unknown): string {
  return cut(typeof value === 'string' ? value : anyText(value))
}

function cut(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}

function withoutColours(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal begin with one
  return text.replace(/\u001b\[[0-9;]*m/g, '')
}
