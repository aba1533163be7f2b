/**
 * Values in the text of a client, and the reader they are read with: what JSON5 has, and `undefined`, `1n`, `new
 * Map([…])`, `new Set([…])`, so that every value an operation may be called with can be printed and read back.
 */
import { DiagnosticError } from '../../core/diagnostic.ts'
import { invariant } from '../../core/invariant.ts'
import { Address, type Value } from '../../core/value.ts'
import { primitiveText } from '../../core/value-text.ts'
import { clientMistake } from './client-mistake.ts'

/** The text and how far it was read. Whatever is read next begins after white space. */
export class ClientReader {
  readonly text: string
  readonly file: string | undefined
  at = 0

  constructor(text: string, file: string | undefined) {
    this.text = text
    this.file = file
    this.#skip()
  }

  /** Reads a fixed piece of text if it comes next. */
  took(piece: string): boolean {
    if (!this.text.startsWith(piece, this.at)) return false
    this.at += piece.length
    this.#skip()
    return true
  }

  /** Reads what a sticky pattern matches if it matches here. */
  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)?.[0]
    if (found === undefined) return undefined
    this.at += found.length
    this.#skip()
    return found
  }

  expect(piece: string, where: string, hint?: string): void {
    if (!this.took(piece)) this.fail(`expected ${piece} ${where}, found ${this.next()}`, hint)
  }

  /** What comes next, as it is named in messages. */
  next(): string {
    const [word] = /^(?:\|\||[\p{ID_Continue}$]+|.)/su.exec(this.text.slice(this.at)) ?? []
    return word ?? 'the end'
  }

  get ended(): boolean {
    return this.at === this.text.length
  }

  fail(message: string, hint?: string, at = this.at): never {
    const { text, file } = this
    throw new DiagnosticError(clientMistake({ message: `the client cannot be read: ${message}`, hint, at, text, file }))
  }

  #skip(): void {
    while (/\s/.test(this.text.charAt(this.at))) this.at++
  }
}

export const identifier = /[\p{ID_Start}_$][\p{ID_Continue}$\u200c\u200d]*/uy

const numeral = /[+-]?(?:0[xX][\da-fA-F]+|(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?|Infinity|NaN)/y
const deepest = 100

export function readValue(reader: ClientReader, depth = 0): Value {
  if (depth > deepest) reader.fail(`the value is nested more than ${deepest} levels deep`)
  const next = reader.text.charAt(reader.at)
  if (next === '[') return readItems(reader, depth)
  if (next === '{') return readFields(reader, depth)
  if (next === '"' || next === "'") return readString(reader)
  if (/[-+.\d]/.test(next)) return readNumber(reader)
  return readWord(reader, depth)
}

function readItems(reader: ClientReader, depth: number): readonly Value[] {
  return readList(reader, ['[', ']'], 'an array', () => readValue(reader, depth + 1))
}

/** Items between brackets with commas between them; one may follow the last. */
export function readList<T>(
  reader: ClientReader,
  [open, close]: readonly [string, string],
  what: string,
  item: () => T,
): T[] {
  reader.expect(open, `before ${what}`)
  const items: T[] = []
  while (!reader.took(close)) {
    if (reader.ended) reader.fail(`expected ${close} at the end of ${what}, found the end`)
    items.push(item())
    if (!reader.took(',') && reader.text.charAt(reader.at) !== close)
      reader.fail(`expected , or ${close} in ${what}, found ${reader.next()}`)
  }
  return items
}

function readFields(reader: ClientReader, depth: number): Value {
  const fields = readList(reader, ['{', '}'], 'an object', () => {
    const key = readKey(reader)
    reader.expect(':', `after the key ${key}`)
    return [key, readValue(reader, depth + 1)] as const
  })
  return Object.fromEntries(fields)
}

function readKey(reader: ClientReader): string {
  if (/["']/.test(reader.text.charAt(reader.at))) return readString(reader)
  return (
    reader.match(identifier) ??
    reader.match(/\d+/y) ??
    reader.fail(`expected a key of an object, found ${reader.next()}`)
  )
}

function readNumber(reader: ClientReader): Value {
  const start = reader.at
  const written = /[-+.\p{ID_Continue}$]*/uy
  written.lastIndex = start
  const whole = written.exec(reader.text)?.[0] as string
  if (/^[+-]?(?:0|[1-9]\d*)n$/.test(whole)) {
    reader.match(written)
    const digits = whole.replace(/^\+/, '').slice(0, -1)
    return BigInt(digits)
  }
  numeral.lastIndex = start
  if (numeral.exec(reader.text)?.[0] !== whole) reader.fail(`${whole} is not a number`)
  reader.match(numeral)
  // Number() does not take the sign of hexadecimal numbers.
  const magnitude = Number(whole.replace(/^[+-]/, ''))
  return whole.startsWith('-') ? -magnitude : magnitude
}

const words: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['undefined', undefined],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
])

function readWord(reader: ClientReader, depth: number): Value {
  const start = reader.at
  const word = reader.match(identifier)
  if (word === undefined) reader.fail(`expected a value, found ${reader.next()}`)
  if (words.has(word)) return words.get(word)
  if (word === 'new') return readCollection(reader, depth)
  return reader.fail(`${word} is not a value`, `a text stands in quotes: "${word}"`, start)
}

function readCollection(reader: ClientReader, depth: number): Value {
  const start = reader.at
  const name = reader.match(identifier)
  if (name !== 'Map' && name !== 'Set') reader.fail('only Map and Set can follow new', undefined, start)
  const content = readList(reader, ['(', ')'], `the content of a ${name}`, () => readValue(reader, depth + 1))
  const items = content.length === 0 ? [] : content[0]
  if (content.length > 1 || !Array.isArray(items)) reader.fail(`a ${name} is made from one array`, undefined, start)
  if (name === 'Set') return new Set<Value>(items)
  const entries = items.map((entry): [Value, Value] =>
    Array.isArray(entry) && entry.length === 2
      ? [entry[0], entry[1]]
      : reader.fail('a Map is made from pairs', 'as in new Map([["key", 1]])', start),
  )
  return new Map(entries)
}

const escapes: { readonly [letter: string]: string } = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  '0': '\0',
}

/** A string in ' or " with the escapes of JavaScript. */
export function readString(reader: ClientReader): string {
  const start = reader.at
  const quoted = reader.match(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/suy)
  if (quoted === undefined) reader.fail('the string has no end', `it begins with ${reader.text.charAt(start)}`, start)
  return quoted.slice(1, -1).replace(/\\(?:u\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|(.))/gsu, unescaped)

  function unescaped(whole: string, braced?: string, four?: string, two?: string, letter = ''): string {
    const code = braced ?? four ?? two
    if (code !== undefined && Number.parseInt(code, 16) <= 0x10ffff)
      return braced === undefined
        ? String.fromCharCode(Number.parseInt(code, 16))
        : String.fromCodePoint(Number.parseInt(code, 16))
    if (code !== undefined || /[ux\d]/.test(letter.replace('0', '')))
      reader.fail(`${whole} is not an escape`, undefined, start)
    return escapes[letter] ?? letter
  }
}

/**
 * Text that `readValue` reads as the same value. Strings stand in ", so that single quotes can protect it in a shell.
 */
export function printValue(value: Value): string {
  return typeof value === 'object' && value !== null ? printObject(value) : primitiveText(value)
}

function printObject(value: object): string {
  invariant(!(value instanceof Address), 'operations of an object are not called with addresses of processes')
  if (Array.isArray(value)) return `[${value.map((item: Value) => printValue(item)).join(', ')}]`
  if (value instanceof Set) return `new Set(${printValue([...value] as Value[])})`
  if (value instanceof Map) return `new Map(${printValue([...value] as Value[])})`
  const fields = Object.entries(value as { readonly [key: string]: Value })
  return `{${fields.map(([key, item]) => `${printName(key)}: ${printValue(item)}`).join(', ')}}`
}

/** A key or the name of an operation: in quotes unless it is an identifier. */
export function printName(name: string): string {
  identifier.lastIndex = 0
  return identifier.exec(name)?.[0] === name ? name : JSON.stringify(name)
}
