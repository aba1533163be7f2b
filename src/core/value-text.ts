/** Values as people read them: `Vote{term: 1}` for tagged records, JavaScript-like text for the rest. */

import { grouped } from './grouped.ts'
import { isSignature } from './signed.ts'
import { Address, type Value } from './value.ts'

/** Of a text that is longer, nobody can guess how it goes on, and it is said how much there is. */
const guessed = 1_000
/** So that the number is not cut off where a line ends; and how wide there must be room for both. */
const [keptOfLong, wideEnough] = [40, 80]

/** Text of a value, elided with `…` beyond `width` characters. */
export function showValue(value: Value, width = Number.POSITIVE_INFINITY): string {
  const text = show(value)
  if (text.length <= width) return text
  if (text.length <= guessed || width < wideEnough) return `${beginningOf(text, Math.max(1, width - 1))}…`
  const kept = beginningOf(text, keptOfLong)
  return `${kept}… ${grouped(text.length - kept.length)} more characters`
}

/** Not cut between the two halves of a character outside the basic plane. */
export function beginningOf(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')
}

function show(value: Value): string {
  return typeof value === 'object' && value !== null ? showObject(value) : primitiveText(value)
}

/** Text of whatever a caller passed or threw: reading it may fail, or never end, and a message must not. */
export function anyText(value: unknown): string {
  try {
    return typeof value === 'bigint' ? `${value}n` : (JSON.stringify(value) ?? String(value))
  } catch {
    return `a thing of type ${typeof value}`
  }
}

/** As JavaScript writes it. */
export function primitiveText(value: undefined | null | boolean | number | bigint | string): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'bigint') return `${value}n`
  return Object.is(value, -0) ? '-0' : String(value)
}

function showObject(value: object): string {
  if (value instanceof Address) return value.id
  if (Array.isArray(value)) return `[${value.map((item) => show(item as Value)).join(', ')}]`
  if (value instanceof Set) return `Set{${[...value].map((item) => show(item as Value)).join(', ')}}`
  if (value instanceof Map) {
    return `Map{${[...value].map(([key, item]) => `${show(key as Value)}: ${show(item as Value)}`).join(', ')}}`
  }
  if (isSignature(value)) return `signed(${value.by}, ${show(value.message)})`
  const { kind, ...fields } = value as { readonly [key: string]: Value }
  const tagged = typeof kind === 'string' && isPlainWord(kind)
  const shown = Object.entries(tagged ? fields : (value as { readonly [key: string]: Value }))
  const [[only, content] = []] = shown
  if (tagged && shown.length === 1 && only === '') return `${kind}(${show(content)})`
  const inside = shown.map(([key, item]) => `${isPlainWord(key) ? key : JSON.stringify(key)}: ${show(item)}`).join(', ')
  if (tagged) return shown.length === 0 ? kind : `${kind}{${inside}}`
  return `{${inside}}`
}

/** Words that need no quotes to be told from what stands around them. */
function isPlainWord(text: string): boolean {
  return /^[\p{L}\p{N}_$][\p{L}\p{N}_$.-]*$/u.test(text)
}
