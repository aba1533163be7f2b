/** What callers can tell apart has different texts, and nothing else has. */
import { describe, expect, test } from 'vitest'
import { resultText } from '../../../../src/semantics/memory/result-text.ts'
import { loadText, requestOf } from '../../../agreement/object-agreement.ts'
import { full } from '../../../agreement/object-compare.ts'
import { clientOf, search } from '../../../agreement/object-search.ts'

class Granted {}
class Denied {}
class Kept {
  readonly k: number
  constructor(k: number) {
    this.k = k
  }
}
class Missing extends Error {}
class Refused extends Error {}

const circular: unknown[] = []
circular.push(circular)
const message = (text: unknown) => Object.assign(new Error('x'), { message: text })

/** No two of these are alike. */
const different: readonly unknown[] = [
  ...[undefined, null, true, false, 0, -0, 1, Number.NaN, 1n, '', '1', 'n1', 'undefined', '[hole]', '[circular]'],
  ...[new Granted(), new Denied(), {}, Object.create(null), new Kept(1), new Kept(2), { k: 1 }, { k: undefined }],
  ...[{ ok: new Kept(1) }, { ok: { k: 1 } }, new Missing('x'), new Refused('x'), new Error('x'), new Error('y')],
  ...['Error: x', message({ n: 1 }), message({ n: 2 }), new Error('x', { cause: 1 }), new TypeError('x')],
  ...[new Date(0), new Date(1), new Date(Number.NaN), '1970-01-01T00:00:00.000Z', 'Invalid Date'],
  // biome-ignore lint/suspicious/noSparseArray: holes are what is compared
  ...[[], [,], [undefined], ['[hole]'], [1], { 0: 1 }, Object.assign([1], { more: 1 }), [[1]], ['1']],
  ...[/a/, /a/g, '/a/', ['/a/', { lastIndex: 0 }], Object.assign(/a/g, { lastIndex: 1 })],
  ...[Symbol.for('x'), Symbol('x'), Symbol('y'), 'Symbol(x)', { [Symbol.for('k')]: 1 }, { 'Symbol(k)': 1 }],
  ...[circular, ['[circular]'], new Uint8Array([5]), new Int8Array([5]), { 0: 5 }, new ArrayBuffer(1), [0]],
  ...[Object(1), Object('1'), Object(2), Object.create({ n: 1 }), Object.create({ n: 2 })],
  ...[new Map([[1, 2]]), new Map([[2, 1]]), [[1, 2]], new Set([1]), new Set(['1']), new Set(), new Map()],
  Object.defineProperty({}, 'n', { value: 1, enumerable: false }),
  { n: 1 },
]

test('what differs has another text', () => {
  const texts = different.map(resultText)
  const twice = texts.flatMap((text, at) =>
    texts.indexOf(text) === at ? [] : [[different[texts.indexOf(text)], different[at], text]],
  )
  expect(twice).toEqual([])
})

test.each([
  [
    { a: 1, b: 2 },
    { b: 2, a: 1 },
  ],
  [new Set([1, 2]), new Set([2, 1])],
  [
    new Map([
      [1, { a: 1 }],
      [2, { a: 2 }],
    ]),
    new Map([
      [2, { a: 2 }],
      [1, { a: 1 }],
    ]),
  ],
  [new Kept(1), new Kept(1)],
  [[{}, {}], new Array(2).fill({})],
  [new Error('x'), new Error('x')],
] as readonly (readonly [unknown, unknown])[])('orders, and which parts are one, do not count: %o', (one, other) => {
  expect(resultText(one)).toBe(resultText(other))
})

describe('clients of classes', () => {
  const body = (result: string): string =>
    `#n = 0; async go(): Promise<any> { const n = this.#n; await this.io(); this.#n = n + 1; ${result} } async io() {}`
  async function outcomes(result: string): Promise<number | string> {
    const source = `class Granted {}\nclass Denied {}\nexport class Door { ${body(result)} }`
    const client = '{ go() } || { go() }'
    try {
      const request = { ...requestOf(await loadText(source), 'Door', client), granularity: 'await' as const }
      const found = search(request, clientOf(client), full)
      return found.kind === 'ended' ? found.endings.outcomes.length : found.kind
    } catch (error) {
      return (error as { readonly diagnostic: { readonly message: string } }).diagnostic.message
    }
  }

  // One after the other gives two of them, in two orders; at once both give the first.
  test.each([
    'return n === 0 ? new Granted() : new Denied()',
    "return n === 0 ? new Error('x') : 'Error: x'",
    "throw n === 0 ? new (class A extends Error {})('x') : new (class B extends Error {})('x')",
    'return new Date(n === 0 ? Number.NaN : 0)',
    "throw Object.assign(new Error('x'), { name: n === 0 ? Symbol('s') : 'Error' })",
  ])('%s', async (result) => {
    expect(await outcomes(result)).toBe(3)
  })

  test.each([
    ["return { get value(): number { throw new Error('empty') } }", /an object with a getter or a setter \(value\)/],
    ["return new Blob(['a'])", /an object \(Blob\), which does not show what it is/],
    ["return new Intl.NumberFormat('en')", /which does not show what it is/],
  ])('%s is refused', async (result, message) => {
    expect(await outcomes(result)).toMatch(message)
  })
})
