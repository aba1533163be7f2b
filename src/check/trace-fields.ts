/** Reading JSON that may be damaged: every wrong or missing field is noted with its path, none throws. */
import { described } from '../artifact/json-schema.ts'
import type { Place } from '../core/diagnostic.ts'
import type { ClassOrigin, ProgramRef, Trace } from '../core/trace.ts'
import { isNestedWithin, type Value } from '../core/value.ts'
import { type Json, valueFromJson, valueToJson } from '../core/value-json.ts'

/** Programs have values that are nested 500 deep at most, and a message is one level more. */
const deepestValue = 510

/** One place in a document. Reading it as something it is not notes a problem and gives a neutral value. */
export class Field {
  readonly path: string
  readonly raw: unknown
  readonly #problems: string[]

  constructor(raw: unknown, path: string, problems: string[]) {
    this.raw = raw
    this.path = path
    this.#problems = problems
  }

  get isPresent(): boolean {
    return this.raw !== undefined
  }

  at(key: string): Field {
    const path = this.path === '' ? key : `${this.path}.${key}`
    const record = isRecord(this.raw) && Object.hasOwn(this.raw, key) ? this.raw[key] : undefined
    return new Field(record, path, this.#problems)
  }

  /** Whether this is an object; its fields can be read either way. */
  object(): boolean {
    return isRecord(this.raw) || this.wrong('an object', false)
  }

  entries(): readonly (readonly [string, Field])[] {
    return this.object() ? Object.keys(this.raw as object).map((key) => [key, this.at(key)] as const) : []
  }

  items(): readonly Field[] {
    if (!Array.isArray(this.raw)) return this.wrong('a list', [])
    return this.raw.map((item, at) => new Field(item, `${this.path}[${at}]`, this.#problems))
  }

  text(): string {
    return typeof this.raw === 'string' ? this.raw : this.wrong('a text', '')
  }

  /** A whole number from 0. */
  count(): number {
    return Number.isSafeInteger(this.raw) && (this.raw as number) >= 0
      ? (this.raw as number)
      : this.wrong('a whole number from 0', 0)
  }

  whole(): number {
    return Number.isSafeInteger(this.raw) ? (this.raw as number) : this.wrong('a whole number', 0)
  }

  /** A number from 0 to 1. */
  share(): number {
    const { raw } = this
    return typeof raw === 'number' && raw >= 0 && raw <= 1 ? raw : this.wrong('a number from 0 to 1', 0)
  }

  flag(): boolean {
    return typeof this.raw === 'boolean' ? this.raw : this.wrong('true or false', false)
  }

  oneOf<T extends string>(allowed: readonly T[]): T {
    const found = allowed.find((name) => name === this.raw)
    return found ?? this.wrong(`one of ${allowed.map((name) => `"${name}"`).join(', ')}`, allowed[0] as T)
  }

  /** A value in the tagged form; one that would be written differently, or is nested deeper than any, was not written by us. */
  value(): Value {
    try {
      const value = valueFromJson(this.raw as Json)
      const isOurs = JSON.stringify(valueToJson(value)) === JSON.stringify(this.raw)
      if (isOurs && isNestedWithin(value, deepestValue)) return value
    } catch {
      // Falls through: a tag with content that is not its own.
    }
    return this.wrong('a value', null)
  }

  /** The number of a line in a source. */
  line(): number {
    return isLine(this.raw) ? this.raw : this.wrong('the number of a line', 0)
  }

  /** Texts by the numbers of their lines. */
  numbered(): ReadonlyMap<number, string> {
    return new Map(
      this.entries().map(([key, text]) => [
        isLine(Number(key)) ? Number(key) : text.wrong('at a line', 0),
        text.text(),
      ]),
    )
  }

  /** 'file:line:column'. */
  place(): Place | undefined {
    const parsed = typeof this.raw === 'string' ? /^(.+):(\d{1,6}):(\d{1,6})$/s.exec(this.raw) : null
    if (parsed === null) return this.wrong('a place (file:line:column)', undefined)
    return { file: parsed[1] as string, line: Number(parsed[2]), column: Number(parsed[3]) }
  }

  /** Notes that this is not what it should be. */
  wrong<T>(expected: string, neutral: T): T {
    this.#problems.push(
      `${this.path === '' ? 'the file' : this.path} must be ${expected}, but is ${described(this.raw)}`,
    )
    return neutral
  }
}

/** What all traces and checkpoints say about what they belong to. */
export function programFromJson(field: Field): ProgramRef {
  const origin = field.at('origin')
  return {
    name: field.at('name').text(),
    file: field.at('file').text(),
    digest: field.at('digest').text(),
    ...(origin.isPresent ? { origin: classFromJson(origin) } : {}),
  }
}

function classFromJson(field: Field): ClassOrigin {
  const kind = field.at('kind').oneOf(['export', 'class'])
  const name = field.at('name').text()
  return kind === 'export' ? { kind, name } : { kind, name, args: textsFromJson(field.at('args')) }
}

export function textsFromJson(field: Field): readonly string[] {
  return field.items().map((item) => item.text())
}

export function originFromJson(field: Field): Trace['foundBy'] {
  return {
    engine: field.at('engine').text(),
    seed: field.at('seed').whole(),
    version: field.at('version').text(),
  }
}

export function isRecord(raw: unknown): raw is { readonly [key: string]: unknown } {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw)
}

/** Reports count up to it, and make room for so many: no source has more. */
const mostLines = 1_000_000

function isLine(raw: unknown): raw is number {
  return Number.isSafeInteger(raw) && (raw as number) >= 0 && (raw as number) < mostLines
}
