/**
 * Results as text: equal for results that callers cannot tell apart, and only for those. Orders of fields, of entries of a Map and of elements of a Set do not
 * count, nor whether two parts are one object. What has no text is refused before (`incomparable.ts`).
 */
import { encodeValue, type Value } from '../../core/value.ts'
import { boxesOf } from './boxes.ts'
import { isBuffer } from './buffers.ts'
import { placeOfSite } from './code.ts'
import { closureOf } from './functions.ts'
import { heldBy } from './incomparable.ts'
import { isPromise } from './promise-parts.ts'
import { positionOf } from './views.ts'

export function resultText(raw: unknown): string {
  return textOf(raw, [])
}

function textOf(raw: unknown, around: readonly unknown[]): string {
  if (typeof raw === 'symbol') return symbolText(raw)
  if (typeof raw !== 'function' && (typeof raw !== 'object' || raw === null)) return encodeValue(raw as Value)
  const at = around.indexOf(raw)
  if (at >= 0) return `^${at}`
  const inside = [...around, raw]
  if (typeof raw === 'function') return functionText(raw, inside)
  const fields = [...fieldsOf(raw, inside), ...privatesOf(raw, inside)].sort().join()
  const [made, contents] = [classText(raw, inside), contentsOf(raw, inside)]
  if (made === '') return `{${fields}}`
  return made === ofLists[contents.charAt(0)] && fields === '' ? contents : `$${made}${contents}{${fields}}`
}

/** By how their contents begin: these are said as plain data are. */
const ofLists: { readonly [begin: string]: string } = { '[': '"Array"', M: '"Map"', S: '"Set"' }

function symbolText(symbol: symbol): string {
  const key = Symbol.keyFor(symbol)
  return key === undefined ? `y${JSON.stringify(symbol.description ?? null)}` : `Y${JSON.stringify(key)}`
}

/** Where it stands and what it holds; objects that it holds are not said, as they change. */
function functionText(callable: { readonly name: string }, inside: readonly unknown[]): string {
  const { site, captured = [] } = closureOf(callable) ?? {}
  const { line, column } = (site === undefined ? undefined : placeOfSite(site)) ?? {}
  const held = captured.map(heldBy).filter((part) => typeof part !== 'object' || part === null)
  return `F${JSON.stringify([String(callable.name), line, column])}(${held.map((part) => textOf(part, inside)).join()})`
}

/** What it is an instance of, by the names of classes; an object that stands in the place of a class is said as it is. */
function classText(raw: object, inside: readonly unknown[]): string {
  const names: string[] = []
  let above = Object.getPrototypeOf(raw)
  for (; above !== null && above !== Object.prototype; above = Object.getPrototypeOf(above)) {
    const made = classOf(above)
    if (made === undefined) return `<${textOf(above, inside)}`
    names.push(made)
  }
  return above === null ? `!${names.join('<')}` : names.join('<')
}

function classOf(prototype: object): string | undefined {
  const made = Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value
  if (typeof made !== 'function' || made.prototype !== prototype) return undefined
  const name = Object.getOwnPropertyDescriptor(made, 'name')?.value
  return typeof name === 'string' ? JSON.stringify(name) : '""'
}

/** What is not in fields. */
function contentsOf(raw: object, inside: readonly unknown[]): string {
  const text = (part: unknown): string => textOf(part, inside)
  if (Array.isArray(raw)) return `[${Array.from(raw, (item, at) => (at in raw ? text(item) : '_')).join()}]`
  if (raw instanceof Map) return `M(${[...raw].map(([key, value]) => `${text(key)}:${text(value)}`).sort()})`
  if (raw instanceof Set) return `S(${[...raw].map(text).sort()})`
  if (raw instanceof Date) return `D${raw.getTime()}`
  if (raw instanceof Error) return `E${text(read(raw, 'name'))},${text(read(raw, 'message'))}`
  if (raw instanceof RegExp) return `R${JSON.stringify([raw.source, raw.flags])}`
  if (isBuffer(raw)) return `B${new Uint8Array(raw).join()}`
  if (raw instanceof DataView) return `V${new Uint8Array(raw.buffer, raw.byteOffset, raw.byteLength).join()}`
  if (isPromise(raw)) return 'P'
  const boxed = boxes.find((box) => raw instanceof box)
  if (boxed !== undefined) return `O${text(boxed.prototype.valueOf.call(raw))}`
  // Who has an iterator sees what it will give.
  const position = positionOf(raw)
  return position === undefined ? '' : `I(${position.remaining().map(text).join()})`
}

const boxes = [Number, String, Boolean, BigInt, Symbol] as unknown as readonly {
  new (): object
  readonly prototype: { valueOf(): unknown }
}[]

/** Of an error: what reading it throws, it does not say. */
function read(error: Error, name: 'name' | 'message'): unknown {
  try {
    return error[name]
  } catch {
    return undefined
  }
}

function fieldsOf(raw: object, inside: readonly unknown[]): readonly string[] {
  if (isPromise(raw)) return []
  return Reflect.ownKeys(raw).flatMap((key) => {
    if (Array.isArray(raw) && typeof key === 'string' && (key === 'length' || /^\d+$/.test(key))) return []
    if (raw instanceof Error && key === 'stack') return []
    const { value, enumerable } = Object.getOwnPropertyDescriptor(raw, key) ?? {}
    const name = typeof key === 'symbol' ? symbolText(key) : JSON.stringify(key)
    return [`${enumerable === true ? '' : '-'}${name}:${textOf(value, inside)}`]
  })
}

/** Private fields, which callers see by what methods give. */
function privatesOf(raw: object, inside: readonly unknown[]): readonly string[] {
  return boxesOf(raw).flatMap((box) => Object.entries(box).map(([name, value]) => `#${name}:${textOf(value, inside)}`))
}
