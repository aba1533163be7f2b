/** Values as bytes of JSON and back, for frames, files and the control channel. What is read is checked, and nothing here throws. */
import { parsedJson } from '../artifact/artifact.ts'
import { freezeValue, type Value } from '../core/value.ts'
import { type Json, valueFromJson, valueToJson } from '../core/value-json.ts'

export function valueBytes(value: Value): Buffer {
  return Buffer.from(JSON.stringify(valueToJson(value)))
}

/** Undefined if the bytes are not one. */
export function valueOfBytes(bytes: Buffer): { readonly value: Value } | undefined {
  const json = jsonOfBytes(bytes)
  return json === undefined ? undefined : valueOfJson(json.json)
}

/** Frozen; undefined if it is not one or is nested too deep. */
export function valueOfJson(json: unknown): { readonly value: Value } | undefined {
  try {
    const value = valueFromJson(json as Json)
    return freezeValue(value) === undefined ? { value } : undefined
  } catch {
    // `{ "#bigint": "x" }`, or nesting that exhausts the stack.
    return undefined
  }
}

export function jsonOfBytes(bytes: Buffer): { readonly json: unknown } | undefined {
  return strangersJson(bytes.toString('utf8'))
}

/** Addresses are of processes; each one that is read is remembered for ever, which a stranger must not cause. */
export function strangersJson(text: string): { readonly json: unknown } | undefined {
  const parsed = jsonOfText(text)
  return parsed === undefined || hasAddress(parsed.json) ? undefined : parsed
}

export function jsonOfText(text: string): { readonly json: unknown } | undefined {
  const parsed = parsedJson(text)
  return 'why' in parsed ? undefined : parsed
}

export function fieldsOf(json: unknown): { readonly [name: string]: unknown } | undefined {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
    ? (json as { readonly [name: string]: unknown })
    : undefined
}

export function isCount(json: unknown): json is number {
  return Number.isSafeInteger(json) && (json as number) >= 0
}

/** Nesting may be deeper than the stack. However a name is escaped in the text, here it is what it means. */
function hasAddress(json: unknown): boolean {
  const left: unknown[] = [json]
  while (left.length > 0) {
    const one = left.pop()
    if (typeof one !== 'object' || one === null) continue
    if (Object.hasOwn(one, '#address')) return true
    for (const item of Object.values(one)) left.push(item)
  }
  return false
}
