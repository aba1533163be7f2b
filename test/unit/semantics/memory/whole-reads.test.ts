/** Whatever reads a whole collection is an access: others can come before it and after it, and searches know that they depend on it. */
import { afterAll, describe, expect, test } from 'vitest'
import { guardDeterminism } from '../../../../src/check/guard.ts'
import { loadText, requestOf } from '../../../agreement/object-agreement.ts'
import { compare, full, reduced } from '../../../agreement/object-compare.ts'
import { clientOf, search } from '../../../agreement/object-search.ts'

/** Each gives how many elements, entries or fields there are; the first is the loop that the others stand for. */
const forms = {
  loop: 'let n = 0; for (let i = 0; i < this.list.length; i++) n++; return n',
  forOf: 'let n = 0; for (const _ of this.list) n++; return n',
  all: 'return (await Promise.all(this.list)).length',
  allOfMap: 'return (await Promise.all(this.map.values())).length',
  allOfSet: 'return (await Promise.all(this.set)).length',
  allSettled: 'return (await Promise.allSettled(this.list)).length',
  any: 'const list = this.list; try { await Promise.any(list); return list.length } catch (e) { return e.errors.length }',
  spread: 'return [...this.list].length',
  spreadCall: 'return Math.max(0, ...this.list.map((_, i) => i + 1))',
  from: 'return Array.from(this.list).length',
  fromMapped: 'return Array.from(this.list, (each) => each).length',
  fromMap: 'return Array.from(this.map).length',
  of: 'return Array.of(...this.list).length',
  clone: 'return structuredClone(this.list).length',
  stringify: 'return JSON.parse(JSON.stringify(this.list)).length',
  stringifyOuter: 'return JSON.parse(JSON.stringify(this.outer)).list.length',
  cloneOuter: 'return structuredClone(this.outer).list.length',
  entries: 'return Object.entries(this.record).length',
  keys: 'return Object.keys(this.record).length',
  values: 'return Object.values(this.record).length',
  assign: 'return Object.keys(Object.assign({}, this.record)).length',
  spreadObject: 'return Object.keys({ ...this.record }).length',
  forIn: 'let n = 0; for (const key in this.record) n++; return n',
  ownKeys: 'return Reflect.ownKeys(this.record).length',
  names: 'return Object.getOwnPropertyNames(this.record).length',
  newMap: 'return new Map(this.map).size',
  newSet: 'return new Set(this.list).size',
  newUint8: 'return new Uint8Array(this.list).length',
  concat: 'return [].concat(this.list).length',
  concatTwo: 'return this.none.concat(this.list).length',
  flat: 'return this.lists.flat().length',
  join: 'return this.list.join("").length',
  joinNested: 'return this.lists.join("").replaceAll(",", "").length',
  string: 'return String(this.list).replaceAll(",", "").length',
  toString: 'return this.list.toString().replaceAll(",", "").length',
  destructured: 'const [...rest] = this.list; return rest.length',
  argument: 'return ((...all) => all.length)(...this.list)',
  fromEntries: 'return Object.keys(Object.fromEntries(this.map)).length',
  reduced: 'return this.list.reduce((n) => n + 1, 0)',
  apply: 'return Math.max.apply(null, [0].concat(this.list.map((_, i) => i + 1)))',
  reflectApply: 'return ((...all) => all.length).apply(null, this.list)',
  typedSet: 'const t = new Uint8Array(4); t.set(this.list); return Math.max(t[0], t[1])',
  pushApply: 'const own = []; own.push.apply(own, this.list); return own.length',
  sorted: 'return this.list.toSorted().length',
}

/** Where no access can be seen to begin. */
const refusals = {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a program
  template: ['return `${this.list}`', 'an array that others can change is converted without a call'],
  plus: ['return "" + this.lists', 'an array that others can change is converted without a call'],
  looseEqual: ['return this.list == ""', 'an array that others can change is converted without a call'],
  number: ['return +this.list', 'an array that others can change is converted without a call'],
  bound: [
    'const push = this.list.push.bind(this.list); return push(1)',
    'push.bind(…) of a function of the language cannot be checked',
  ],
} as const

const bodies = Object.entries(forms).concat(Object.entries(refusals).map(([name, [body]]) => [name, body]))
const sources = bodies.map(
  ([name, body]) => `
export class C_${name} {
  constructor() {
    this.list = []
    this.none = []
    this.lists = [this.list]
    this.outer = { list: this.list }
    this.map = new Map()
    this.set = new Set()
    this.record = {}
  }
  add() { ${adding(body)}(1); ${adding(body)}(2) }
  put(n) { this.record['k' + n] = 1 }
  enter(n) { this.map.set(n, 1) }
  join(n) { this.set.add(n) }
  own() { const own = [1, 2]; const text = own + ''; this.list.push(own); return text }
  async read() { ${body} }
}`,
)

function adding(body: string): string {
  if (body.includes('record')) return 'this.put'
  return body.includes('this.map')
    ? 'this.enter'
    : body.includes('this.set')
      ? 'this.join'
      : '((n) => this.list.push(n))'
}

afterAll(guardDeterminism())

const loaded = await loadText(sources.join('\n'))

describe('a read between two writes', () => {
  test.each(Object.keys(forms))('%s', (name) => {
    const client = '{ add() } || { read() }'
    const request = { ...requestOf(loaded, `C_${name}`, client), criterion: 'outcomes', granularity: 'access' } as const
    const found = compare({ request, client: clientOf(client), variants: reduced, seed: 1, mostTransitions: 100_000 })
    expect(found).toMatchObject({ kind: 'agree', truth: { outcomes: ['u || n0', 'u || n1', 'u || n2'] } })
  })
})

test.each(Object.entries(refusals))('%s is refused', (name, [, message]) => {
  const client = '{ read() }'
  const request = { ...requestOf(loaded, `C_${name}`, client), granularity: 'access' } as const
  expect(() => search(request, clientOf(client), full)).toThrow(message)
})

test('an array that nobody else has is converted', () => {
  const client = '{ own() }'
  const request = { ...requestOf(loaded, 'C_loop', client), granularity: 'access' } as const
  expect(search(request, clientOf(client), full)).toMatchObject({ endings: { outcomes: ['"1,2"'] } })
})
