/**
 * `--param name=value`: JSON if it is, text otherwise; which of the two a parameter wants is for its default to say. Commas separate
 * several values, of texts too; a text in double quotes may have some.
 */
import { type Diagnostic, failure, type Result, success } from '../core/diagnostic.ts'
import type { Params } from '../core/setting.ts'
import { encodeValue, type Value } from '../core/value.ts'
import { type Json, valueFromJson } from '../core/value-json.ts'

/** One parameter as typed; repeated flags of the same name add values. */
export interface ParamFlag {
  readonly name: string
  readonly texts: readonly string[]
}

export function parseParams(typed: readonly string[]): Result<readonly ParamFlag[]> {
  const malformed = typed.filter((text) => !/^\s*[^=\s][^=]*=/.test(text))
  if (malformed.length > 0) {
    return failure(
      ...malformed.map((text) => {
        const hasName = !/^\s*(=|$)/.test(text)
        return {
          code: 'E107' as const,
          message: `--param ${text} has no ${hasName ? 'value' : 'name'}`,
          hint: hasName ? `write --param ${text}=value` : 'write --param name=value, with the name of a parameter',
        }
      }),
    )
  }
  const flags = new Map<string, string[]>()
  for (const text of typed) {
    const at = text.indexOf('=')
    const name = text.slice(0, at).trim()
    flags.set(name, [...(flags.get(name) ?? []), text.slice(at + 1)])
  }
  return success([...flags].map(([name, texts]) => ({ name, texts })))
}

/** Every combination of values for the parameters that the program has. */
export function paramCombinations(flags: readonly ParamFlag[], defaults: Params): Result<readonly Params[]> {
  let combinations: readonly Params[] = [{}]
  const diagnostics: Diagnostic[] = []
  for (const { name, texts } of flags) {
    if (!Object.hasOwn(defaults, name)) continue
    const all = texts.flatMap((text) => {
      const read = typeof defaults[name] === 'string' ? textsOf(name, text) : success(valuesOf(text, defaults[name]))
      if (!read.ok) diagnostics.push(...read.diagnostics)
      return read.ok ? read.value : []
    })
    // What is said twice is meant once.
    const values = [...new Map(all.map((value) => [encodeValue(value), value])).values()]
    combinations = combinations.flatMap((params) => values.map((value) => ({ ...params, [name]: value })))
  }
  return diagnostics.length > 0 ? failure(...diagnostics) : success(combinations)
}

/** `mode=a,b` is two texts and `mode="a,b"` is one; nothing at all is the empty text. */
function textsOf(name: string, text: string): Result<readonly string[]> {
  const parts: readonly string[] = text.match(/("(?:[^"\\]|\\.)*"|[^,])+|(?<=^|,)(?=,|$)/g) ?? []
  if (parts.length > 1 && parts.includes('')) return failure(emptyPart(name, text))
  const open = parts.find((part) => part.startsWith('"') && typeof jsonOf(part)?.value !== 'string')
  if (open !== undefined) return failure(openQuote(name, open))
  return success(parts.map(stringOf))
}

function emptyPart(name: string, text: string): Diagnostic {
  return {
    code: 'E107',
    message: `--param ${name}=${text} has a comma with no value beside it`,
    hint: `write --param '${name}="",a' for the empty text and a, or --param '${name}="a,b"' for a text with a comma`,
  }
}

function openQuote(name: string, text: string): Diagnostic {
  return {
    code: 'E107',
    message: `--param ${name}: ${text} begins with a quote and is no text in quotes`,
    hint: `quote it for your shell too, as in --param '${name}="a,b"'; a quote in the text is written \\"`,
  }
}

function valuesOf(text: string, byDefault: Value): readonly Value[] {
  const whole = typedValue(text, byDefault)
  if (whole !== undefined) return [whole.value]
  const parts = text.split(',').map((part) => typedValue(part, byDefault))
  const isList = parts.length > 1 && parts.every((part) => part !== undefined)
  return isList ? parts.map((part) => part?.value) : [text]
}

/** `name=3` for a text parameter is the text "3"; `name="3"` is too. */
function stringOf(text: string): string {
  const parsed = jsonOf(text)
  return typeof parsed?.value === 'string' ? parsed.value : text
}

function typedValue(text: string, byDefault: Value): { readonly value: Value } | undefined {
  const bigint = /^\s*(-?\d+)n?\s*$/.exec(text)?.[1]
  if (typeof byDefault === 'bigint' && bigint !== undefined) return { value: BigInt(bigint) }
  try {
    return { value: valueFromJson(JSON.parse(text) as Json) }
  } catch {
    return undefined
  }
}

function jsonOf(text: string): { readonly value: Json } | undefined {
  try {
    return { value: JSON.parse(text) as Json }
  } catch {
    return undefined
  }
}
