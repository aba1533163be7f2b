/** What user code threw, in words: anything can be thrown, and reading it may fail as well. */
import { anyText } from './value-text.ts'

export interface Thrown {
  /** An assertion library says what does not hold: its message, with what was expected. */
  readonly isAssertion: boolean
  /** Of an assertion its message; of anything else `TypeError: x is not a function`. */
  readonly message: string
  readonly stack: string | undefined
}

export function thrownBy(error: unknown): Thrown {
  const { name, message, stack } = fieldsOf(error)
  const isAssertion = isAssertionError(error)
  const words = isAssertion ? withDifference(message ?? '', fieldsOf(error)) : described(error, name, message)
  return { isAssertion, message: withoutColours(words), stack }
}

/** What a condition of the user's threw, as what is wrong. */
export function thrownIn(what: string, name: string, error: unknown): Pick<Thrown, 'message' | 'stack'> {
  const { isAssertion, message, stack } = thrownBy(error)
  return { message: isAssertion ? message : `exception in ${what} "${name}": ${message}`, stack }
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
  return fieldsOf(error).name === 'AssertionError' || 'matcherResult' in error
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

function described(error: unknown, name: string | undefined, message: string | undefined): string {
  return error instanceof Error ? `${name ?? 'Error'}: ${message ?? ''}` : `Error: ${plain(error)}`
}

/** Messages of node:assert and jest show the difference themselves, those of chai and vitest leave it to the test runner. */
function withDifference(message: string, { actual, expected }: Fields): string {
  if (message.includes('\n') || (actual === undefined && expected === undefined)) return message
  return `${message}\n+ actual:   ${plain(actual)}\n- expected: ${plain(expected)}`
}

const longest = 300

function plain(value: unknown): string {
  const text = typeof value === 'string' ? value : anyText(value)
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}

function withoutColours(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal begin with one
  return text.replace(/\u001b\[[0-9;]*m/g, '')
}
