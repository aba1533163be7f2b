/** Damage to a file: to its bytes, to its letters, and to what it says at one place, sealed again if it was sealed. */
import { createHash } from 'node:crypto'
import { sealed } from '../../../src/artifact/artifact.ts'
import type { Random } from '../../../src/core/random.ts'
import type { Genuine } from './genuine.ts'
import { hostileKeys, hostileTexts, hostileValue, type Json, largeValue, numberTexts } from './values.ts'

export interface Damaged {
  readonly bytes: Buffer
  /** What was done. */
  readonly words: string
  /** If one thing stands in the place of another one, and nothing else was done. */
  readonly exchanged?: Exchanged | undefined
}

export interface Exchanged {
  readonly path: readonly (string | number)[]
  readonly from: Json
  readonly by: Json
}

/** One in so many is large, which takes longer. */
const seldom = 40

export function damaged(genuine: Genuine, random: Random): Damaged {
  const kind = random.below(10)
  if (kind < 2) return ofBytes(Buffer.from(genuine.text), random)
  if (kind < 4) return ofLetters(genuine, random)
  return ofContent(genuine, random)
}

function ofBytes(bytes: Buffer, random: Random): Damaged {
  const at = random.below(bytes.length)
  const end = Math.min(bytes.length, at + 1 + random.below(40))
  const copy = Buffer.from(bytes)
  const inserted = (piece: Buffer | string, words: string): Damaged => ({
    bytes: Buffer.concat([bytes.subarray(0, at), Buffer.from(piece), bytes.subarray(at)]),
    words: `${words} at ${at}`,
  })
  const ways: readonly (() => Damaged)[] = [
    () => {
      const bits = 1 + random.below(3)
      for (let bit = 0; bit < bits; bit++) {
        const byte = random.below(copy.length)
        copy[byte] = (copy[byte] as number) ^ (1 << random.below(8))
      }
      return { bytes: copy, words: `${bits} bits flipped` }
    },
    () => ({ bytes: bytes.subarray(0, at), words: `cut off at ${at}` }),
    () => ({ bytes: bytes.subarray(at), words: `the first ${at} bytes missing` }),
    () => ({ bytes: Buffer.concat([bytes.subarray(0, at), bytes.subarray(end)]), words: `${at} to ${end} missing` }),
    () => inserted(bytes.subarray(at, end), 'a piece twice'),
    () => inserted(random.pick(notUtf8), 'no UTF-8'),
    () =>
      inserted(random.pick(['\u0000', '\u001b[2J', '\n', '\r', '\u202e', '\ufeff', '"', '\\', '{', ']']), 'a letter'),
    () => ({ bytes: Buffer.concat([Buffer.from('\ufeff'), bytes]), words: 'a byte order mark' }),
    () => ({ bytes: Buffer.from(bytes.toString('utf8'), 'utf16le'), words: 'UTF-16' }),
    () => ({ bytes: Buffer.concat([bytes, bytes]), words: 'twice' }),
    () => ({ bytes: Buffer.from(bytes.toString('utf8').replaceAll('\n', '\r\n')), words: 'CRLF' }),
    () => ({ bytes: Buffer.from(random.pick(shortTexts)), words: 'something else' }),
  ]
  return random.pick(ways)()
}

const notUtf8 = [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xe2, 0x82]].map((bytes) =>
  Buffer.from(bytes),
)
const shortTexts = [
  '',
  ' ',
  '\n',
  'null',
  '0',
  '[]',
  '{}',
  '""',
  '{"format":1}',
  '\u0000',
  '//',
  '<xml/>',
  '[[[',
  '\n\n\n{}',
]

/** What JSON.stringify never writes. */
function ofLetters(genuine: Genuine, random: Random): Damaged {
  const { text } = genuine
  const found = (pattern: RegExp): RegExpMatchArray | undefined => {
    const all = [...text.matchAll(pattern)]
    return all.length === 0 ? undefined : random.pick(all)
  }
  const exchanged = (match: RegExpMatchArray | undefined, by: string, words: string): Damaged => {
    if (match === undefined) return ofBytes(Buffer.from(text), random)
    const from = match.index as number
    const shown = `${words} at ${from}`
    return { bytes: Buffer.from(text.slice(0, from) + by + text.slice(from + match[0].length)), words: shown }
  }
  const ways: readonly (() => Damaged)[] = [
    () => {
      const number = random.below(seldom) === 0 ? '9'.repeat(3_000_000) : random.pick(numberTexts)
      return exchanged(found(/-?\d+(\.\d+)?/g), number, `the number ${number.slice(0, 30)}`)
    },
    () => {
      const match = found(/"[^"\\]*"\s*:/g)
      const value = random.pick(['null', '0', '"x"', '{}', '[]'])
      return exchanged(match, `${match?.[0]}${value},${match?.[0]}`, 'a field twice')
    },
    () => exchanged(found(/"[^"\\]*"/g), `"${random.pick(rawLetters)}"`, 'raw letters'),
    () => exchanged(found(/[{}[\],:]/g), random.pick(['{', '}', '[', ']', ',', ':', '']), 'another sign'),
    () => exchanged(found(/[{[]/g), random.below(seldom) === 0 ? '['.repeat(20_000) : '[[', 'nested'),
  ]
  return random.pick(ways)()
}

const rawLetters = [
  '\n',
  '\t',
  '\u0000',
  '\\u0000',
  '\\ud800',
  '\\udc00x',
  '\\u202e',
  '\\x',
  '\\',
  '\u2028',
  '\ud83d\ude00',
]

/** The text of one JSON document, or of a line of several. */
interface Document {
  readonly json: Json
  /** The file with another one in its place. */
  readonly file: (json: Json) => string
}

function ofContent(genuine: Genuine, random: Random): Damaged {
  const document = documentIn(genuine, random)
  if (document === undefined) return ofBytes(Buffer.from(genuine.text), random)
  let { json } = document
  const words: string[] = []
  let exchanged: Exchanged | undefined
  for (let left = 1 + Math.floor(random.below(5) / 3); left > 0; left--) {
    const { path, from } = random.pick(groupsOf(json).map((group) => random.pick(group)))
    // Large ones within large ones would be larger than any text.
    const isLarge = left === 1 && random.below(seldom) === 0
    const [done, say] = isLarge ? largeValue(from, random) : changed(from, random)
    json = withAt(json, path, done)
    exchanged = words.length === 0 && done !== undefined ? { path, from, by: done } : undefined
    words.push(`${say} at ${path.join('.') || 'the top'}`)
  }
  return { bytes: Buffer.from(document.file(json)), words: words.join(', then '), exchanged }
}

function documentIn({ format, text }: Genuine, random: Random): Document | undefined {
  switch (format) {
    case 'key':
      return undefined
    case 'log':
    case 'history': {
      const lines = text.trimEnd().split('\n')
      const at = random.below(lines.length)
      const line = JSON.parse(lines[at] as string) as Json
      return { json: line, file: (json) => `${lines.with(at, stringOf(json)).join('\n')}\n` }
    }
    case 'state': {
      const { format: named, content } = JSON.parse(text) as { readonly format: string; readonly content: string }
      const file = (json: Json): string => {
        const saved = stringOf(json)
        const digest = createHash('sha256').update(saved).digest('hex')
        return JSON.stringify({ format: named, digest, content: saved })
      }
      return { json: JSON.parse(content) as Json, file }
    }
    case 'checkpoint': {
      const { digest: _, ...content } = JSON.parse(text) as { readonly digest: string }
      return { json: content as Json, file: (json) => stringOf(isRecord(json) ? sealed(json) : json) }
    }
    default:
      return { json: JSON.parse(text) as Json, file: stringOf }
  }
}

/** Of one left out: as if there were nothing. */
function stringOf(json: Json): string {
  return JSON.stringify(json) ?? ''
}

interface Place {
  readonly path: readonly (string | number)[]
  readonly from: Json
}

/** Places by what they are: one of a hundred steps is as likely to be damaged as the name of the program. */
function groupsOf(json: Json): readonly (readonly Place[])[] {
  const groups = new Map<string, Place[]>()
  const visit = (from: Json, path: readonly (string | number)[]): void => {
    const key = path.map((part) => (typeof part === 'number' ? '*' : part)).join('\n')
    const group = groups.get(key) ?? []
    groups.set(key, group)
    group.push({ path, from })
    if (Array.isArray(from)) for (const [at, one] of from.entries()) visit(one, [...path, at])
    else if (isRecord(from)) for (const [name, one] of Object.entries(from)) visit(one, [...path, name])
  }
  visit(json, [])
  return [...groups.values()]
}

type Change = readonly [Json, string]

/** One of each kind that JSON has. */
const others: readonly Json[] = [{}, [], '', -1, 1e99, null]

function changed(from: Json, random: Random): Change {
  const ways: readonly (() => Change)[] = [
    () => [undefined, 'nothing'],
    () => [hostileValue(random), 'another value'],
    // In depth: every kind of thing at every place.
    ...Array.from({ length: 3 }, () => (): Change => {
      const other = random.pick(others)
      return [other, `${JSON.stringify(other)}`]
    }),
    ...(Array.isArray(from) ? [() => listChanged(from, random)] : []),
    ...(isRecord(from) ? [() => fieldsChanged(from, random), () => fieldsChanged(from, random)] : []),
    ...(typeof from === 'number' ? [() => numberChanged(from, random), () => numberChanged(from, random)] : []),
    ...(typeof from === 'string' ? [() => textChanged(from, random), () => textChanged(from, random)] : []),
  ]
  return random.pick(ways)()
}

function listChanged(list: readonly Json[], random: Random): Change {
  const at = random.below(list.length + 1)
  const ways: readonly (() => Change)[] = [
    () => [[], 'an empty list'],
    () => [list.toSpliced(at, 1), `without ${at}`],
    () => [[...list.slice(0, at), hostileValue(random), ...list.slice(at)], `one more before ${at}`],
    () => [[...list, ...list], 'twice as many'],
    () => [[...list.slice(0, at), ...list.slice(Math.max(0, at - 1))], `${at - 1} twice`],
    () => [list.toReversed(), 'backwards'],
    () => [{ ...list } as Json, 'an object like a list'],
  ]
  return random.pick(ways)()
}

function fieldsChanged(fields: { readonly [name: string]: Json }, random: Random): Change {
  const names = Object.keys(fields)
  const name = names.length === 0 ? 'x' : random.pick(names)
  const key = random.pick(hostileKeys)
  const entries = Object.entries(fields)
  const ways: readonly (() => Change)[] = [
    () => [Object.fromEntries(entries.filter(([one]) => one !== name)), `without ${name}`],
    () => [Object.fromEntries([...entries, [key, hostileValue(random)]]), `with ${key}`],
    () => [Object.fromEntries(entries.map(([one, value]) => [one === name ? key : one, value])), `${name} as ${key}`],
    () => [Object.fromEntries(entries.toReversed()), 'in another order'],
    () => [Object.values(fields), 'a list of its values'],
  ]
  return random.pick(ways)()
}

function numberChanged(number: number, random: Random): Change {
  const other = random.pick([
    number + 1,
    number - 1,
    -number,
    number + 0.5,
    number * 1e9,
    number * 2,
    1e15,
    2 ** 53,
    1e308,
    99,
  ])
  return [other, `${other}`]
}

function textChanged(text: string, random: Random): Change {
  const at = random.below(text.length + 1)
  const piece = random.pick(hostileTexts)
  const ways: readonly (() => Change)[] = [
    () => [piece, `the text ${JSON.stringify(piece.slice(0, 30))}`],
    () => [text.slice(0, at) + piece + text.slice(at), `${JSON.stringify(piece.slice(0, 30))} inside`],
    () => [text.slice(0, at), `${at} letters`],
    () => [text.toUpperCase(), 'large letters'],
  ]
  return random.pick(ways)()
}

/** `undefined` leaves the place out. */
function withAt(json: Json, path: readonly (string | number)[], value: Json): Json {
  const [first, ...rest] = path
  if (first === undefined) return value
  if (Array.isArray(json)) {
    const next = withAt(json[first as number], rest, value)
    return next === undefined ? json.toSpliced(first as number, 1) : json.with(first as number, next)
  }
  if (!isRecord(json)) return json
  const entries = Object.entries(json).map(([name, one]) => [name, name === first ? withAt(one, rest, value) : one])
  return Object.fromEntries(entries)
}

function isRecord(json: Json): json is { readonly [name: string]: Json } {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}
