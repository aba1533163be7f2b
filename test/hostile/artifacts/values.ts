/** What may stand in a file where something else should. */
import type { Random } from '../../../src/core/random.ts'

export type Json = undefined | null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

export const hostileKeys = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '',
  'x',
  '#map',
  '##',
  '0',
  '\u202e',
  'then',
]

export const hostileTexts = [
  '',
  ' ',
  '\n',
  '\u0000',
  '\u001b[31m',
  '\u009b2J',
  '\u202e\u2066',
  '\ud800',
  '\udfff!',
  '\ufeff',
  '\u2028',
  '::error::x',
  '##[group]x',
  '__proto__',
  'constructor',
  'toString',
  '../../../etc/passwd',
  '/dev/zero',
  '/proc/self/environ',
  'x'.repeat(5000),
  'y '.repeat(600),
  '\u0301'.repeat(300),
  '-->',
  '</script>',
  '%%{init}%%',
  '"; end',
  'NaN',
  '1e309',
  '#0',
  '<a href="x">',
  'é😀'.repeat(20),
]

/** In the place of a number, as it is written. */
export const numberTexts = [
  '1e309',
  '-1e309',
  '9007199254740993',
  '18446744073709551616',
  '1e-400',
  '-0',
  '0.1',
  '1.0000000000000000000000001',
  '01',
  '+1',
  '.5',
  'NaN',
  'Infinity',
  '0x10',
  '1_000',
  '9'.repeat(399),
  '9'.repeat(5000),
]

const plain: readonly Json[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  0.5,
  1e9,
  2 ** 53,
  1e308,
  '',
  'x',
  [],
  {},
  [null],
  [[]],
  [{}],
  { x: 1 },
  { '#undefined': true },
  { '#undefined': 7 },
  { '#bigint': '12345678901234567890' },
  { '#bigint': 'x' },
  { '#bigint': '' },
  { '#bigint': 1.5 },
  { '#number': 'NaN' },
  { '#number': '-0' },
  { '#number': '9007199254740993' },
  { '#number': '1' },
  { '#number': {} },
  { '#address': 'nobody' },
  { '#address': 3 },
  { '#set': [1, 1] },
  { '#set': {} },
  { '#map': [[1]] },
  {
    '#map': [
      [1, 2, 3],
      [1, 4],
    ],
  },
  { '#map': 'x' },
  { '#tag': 1 },
  Object.fromEntries([['__proto__', { x: 1 }]]),
  { toString: 1, valueOf: null, constructor: [] },
  { length: 1e9 },
  { toJSON: 'x' },
]

export function hostileValue(random: Random): Json {
  return random.below(4) === 0 ? random.pick(hostileTexts) : random.pick(plain)
}

/** Takes longer, and is drawn less often. */
export function largeValue(from: Json, random: Random): readonly [Json, string] {
  const ways: readonly (() => readonly [Json, string])[] = [
    () => ['x'.repeat(2_000_000), 'two million letters'],
    () => ['\u001b'.repeat(300_000), 'many letters that are escaped'],
    () => [Array.from({ length: 100_000 }, () => 0), 'a long list'],
    () => [Array.from({ length: Math.min(20_000, Math.ceil(4e6 / sizeOf(from))) }, () => from), 'the same many times'],
    () => [Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`k${at}`, at])), 'many fields'],
    () => [nested(1_900), 'nested 1,900 deep'],
    () => [nested(400), 'nested 400 deep'],
    () => [nested(600, true), 'maps nested 600 deep'],
    () => [{ '#bigint': '7'.repeat(90_000) }, 'a large bigint'],
    () => [{ '#bigint': '7'.repeat(3_000_000) }, 'a bigint of 3 million digits'],
  ]
  return random.pick(ways)()
}

function sizeOf(json: Json): number {
  return JSON.stringify(json)?.length ?? 1
}

function nested(depth: number, inMaps = false): Json {
  let value: Json = 1
  for (let level = 0; level < depth; level++) value = inMaps ? { '#map': [[1, value]] } : [value]
  return value
}
