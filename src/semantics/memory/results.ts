/** What operations returned, as values: copied, since the object may change later, and with nothing that cannot be compared. */

import { type CallResult, thrownWords } from '../../core/history.ts'
import { isError } from '../../core/thrown.ts'
import type { Value } from '../../core/value.ts'
import { showValue } from '../../core/value-text.ts'
import { boxesOf } from './boxes.ts'
import { isBuffer } from './buffers.ts'
import type { ReturnedCall } from './client-process.ts'
import { placeOfSite, shownName } from './code.ts'
import { closureOf } from './functions.ts'
import { heldBy } from './incomparable.ts'
import type { Outcome } from './process.ts'
import { isPromise } from './promise-parts.ts'
import { resultText } from './result-text.ts'
import { positionOf } from './views.ts'

export function returnedCall(outcome: Outcome): ReturnedCall {
  const raw = outcome.kind === 'returned' ? outcome.value : undefined
  const result: CallResult =
    outcome.kind === 'returned'
      ? { kind: 'returned', value: asValue(outcome.value) }
      : { kind: 'threw', error: errorText(outcome.error) }
  const text = outcome.kind === 'returned' ? resultText(outcome.value) : `!${resultText(outcome.error)}`
  return { raw, result, text }
}

export function showResult(result: CallResult): string {
  if (result.kind === 'returned') return showValue(result.value)
  return result.kind === 'threw' ? thrownWords(result.error) : '?'
}

export function errorText(error: unknown): string {
  if (!isError(error)) return showValue(asValue(error))
  const hidden = hiddenIn(error, [error])
  return `${nameOf(error)}${hidden === undefined ? '' : ` ${showValue(hidden)}`}`
}

function nameOf(error: Error): string {
  return `${read(error, 'name')}: ${read(error, 'message')}`
}

/** A getter may throw, and what it gives may be no text. */
function read(error: Error, name: 'name' | 'message'): string {
  try {
    const found: unknown = error[name]
    return typeof found === 'object' && found !== null ? showValue(asValue(found, [error])) : String(found)
  } catch {
    return '?'
  }
}

/** For people: objects of classes are taken for their fields. What counts for comparing is `result-text.ts`. */
export function asValue(raw: unknown, around: readonly unknown[] = []): Value {
  if (typeof raw === 'function') return functionValue(raw, around)
  if (typeof raw === 'symbol') return String(raw)
  if (typeof raw !== 'object' || raw === null) return raw as Value
  if (around.includes(raw)) return '[circular]'
  const inside = [...around, raw]
  const contents = contentsOf(raw, inside)
  const hidden = hiddenIn(raw, inside)
  if (hidden === undefined) return contents
  const isPlain =
    typeof contents === 'object' && contents !== null && Object.getPrototypeOf(contents) === Object.prototype
  return isPlain ? { ...contents, ...hidden } : [contents, hidden]
}

/** Where it stands and what it holds; objects that it holds are not said, as they change. */
function functionValue(callable: { readonly name: string }, around: readonly unknown[]): Value {
  const { site, captured = [] } = closureOf(callable) ?? {}
  if (around.includes(callable)) return '[circular]'
  const held = captured.map(heldBy).filter((part) => typeof part !== 'object' || part === null)
  const { line, column } = (site === undefined ? undefined : placeOfSite(site)) ?? {}
  const name = `function ${callable.name}${line === undefined ? '' : `@${line}:${column}`}`
  if (held.length === 0) return `[${name}]`
  return [`[${name} with]`, ...held.map((part) => asValue(part, [...around, callable]))]
}

/** What the contents do not say. */
function hiddenIn(raw: object, inside: readonly unknown[]): { readonly [name: string]: Value } | undefined {
  const [privates, extras] = [privatesOf(raw, inside), extrasOf(raw, inside)]
  return privates === undefined ? extras : { ...extras, ...privates }
}

/** Fields that are not among the contents: of arrays, Maps and the like, and those that a symbol names or that are not enumerable. */
function extrasOf(raw: object, inside: readonly unknown[]): { readonly [name: string]: Value } | undefined {
  if (isPromise(raw)) return undefined
  const isRecord = !hasContents(raw)
  const extras = Reflect.ownKeys(raw).flatMap((key) => {
    // The stack is made when it is asked for, which may fail.
    if (key === 'stack' && raw instanceof Error) return []
    const field = Object.getOwnPropertyDescriptor(raw, key)
    const isTold = typeof key === 'string' && (isRecord ? field?.enumerable === true : isOfContents(raw, key))
    return isTold || field === undefined || field.get !== undefined
      ? []
      : [[String(key), asValue(field.value, inside)] as const]
  })
  return extras.length === 0 ? undefined : Object.fromEntries(extras)
}

function hasContents(raw: object): boolean {
  const kinds = [Map, Set, Date, Error, RegExp]
  return Array.isArray(raw) || kinds.some((kind) => raw instanceof kind) || positionOf(raw) !== undefined
}

function isOfContents(raw: object, key: string): boolean {
  if (Array.isArray(raw)) return key === 'length' || /^\d+$/.test(key)
  return raw instanceof Error && ['message', 'stack', 'name'].includes(key)
}

/** Private fields, which callers see by what methods give. Classes that extend each other may have fields of one name. */
function privatesOf(raw: object, inside: readonly unknown[]): { readonly [name: string]: Value } | undefined {
  const entries = boxesOf(raw).flatMap((box) => Object.entries(box))
  if (entries.length === 0) return undefined
  const shown = entries.map(([key]) => shownName(key))
  const isClear = new Set([...shown, ...Object.keys(raw)]).size === shown.length + Object.keys(raw).length
  return Object.fromEntries(
    entries.map(([key, value], at) => [isClear ? (shown[at] ?? key) : key, asValue(value, inside)] as const),
  )
}

function contentsOf(raw: object, inside: readonly unknown[]): Value {
  if (Array.isArray(raw)) return Array.from(raw, (item, at) => (at in raw ? asValue(item, inside) : '[hole]'))
  if (raw instanceof Map) return new Map([...raw].map(([key, value]) => [asValue(key, inside), asValue(value, inside)]))
  if (raw instanceof Set) return new Set([...raw].map((item) => asValue(item, inside)))
  if (raw instanceof Date) return Number.isNaN(raw.getTime()) ? 'Invalid Date' : raw.toISOString()
  if (raw instanceof Error) return nameOf(raw)
  if (raw instanceof RegExp) return String(raw)
  if (isBuffer(raw)) return [...new Uint8Array(raw)]
  if (raw instanceof DataView) return [...new Uint8Array(raw.buffer, raw.byteOffset, raw.byteLength)]
  if (isPromise(raw)) return '[promise]'
  // Who has an iterator sees what it will give.
  const position = positionOf(raw)
  if (position !== undefined) return position.remaining().map((item) => asValue(item, inside))
  const told = Object.keys(raw).map((key) => [key, Object.getOwnPropertyDescriptor(raw, key)] as const)
  return Object.fromEntries(
    told.flatMap(([key, field]) =>
      field === undefined || field.get !== undefined ? [] : [[key, asValue(field.value, inside)]],
    ),
  )
}
