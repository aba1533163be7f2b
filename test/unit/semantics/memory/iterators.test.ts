import { describe, expect, test } from 'vitest'
import { loadText, requestOf } from '../../../agreement/object-agreement.ts'
import { compare, forgetting, full, reduced } from '../../../agreement/object-compare.ts'
import { clientOf, search } from '../../../agreement/object-search.ts'

/** What can be iterated and how, and what is done with the iterator: everything runs in Node and under check. */
const sources = { list: ['values', 'keys', 'entries'], map: ['keys', 'values', 'entries'], set: ['values', 'entries'] }
const uses = {
  next: 'return JSON.stringify([it.next(), it.next()])',
  end: 'for (const each of it) void each; return JSON.stringify([it.next(), it.next(), [...it]])',
  rest: 'it.next(); return JSON.stringify([...it])',
  taken: 'const [a] = it; const [b, c] = it; return JSON.stringify([a, b, c])',
  restTaken: 'const [a, ...b] = it; return JSON.stringify([a, b, it.next()])',
  left: 'for (const each of it) { void each; break } return JSON.stringify([...it])',
  copied: 'it.next(); return JSON.stringify([Array.from(it), Array.from(it)])',
  grown: 'it.next(); grow(); return JSON.stringify([...it])',
  endedThenGrown: '[...it]; grow(); return JSON.stringify(it.next())',
  shrunk: 'it.next(); it.next(); shrink(); return JSON.stringify([...it])',
  emptied: 'it.next(); empty(); grow(); return JSON.stringify([...it])',
  looks: 'return [String(it), Object.keys(it).length, typeof it.next, typeof it.return, it.return?.(1)].join()',
  itself: 'return [it[Symbol.iterator]() === it, it === it[Symbol.iterator]()[Symbol.iterator]()].join()',
}

const changes = {
  list:
    'const grow = () => { t.list.push(9) }, shrink = () => { t.list.shift() }, ' +
    'empty = () => { t.list.length = 0 };',
  map:
    "const grow = () => { t.map.set('z', 9) }, shrink = () => { t.map.delete('a') }, " +
    'empty = () => { t.map.clear() };',
  set: "const grow = () => { t.set.add('z') }, shrink = () => { t.set.delete('a') }, empty = () => { t.set.clear() };",
}

const generated = Object.entries(sources).flatMap(([source, makers]) =>
  Object.entries(uses).flatMap(([use, text], index): readonly [string, string][] => {
    // Each use with one maker in turn, and `next` with all.
    const chosen = use === 'next' ? makers : [makers[index % makers.length] as string]
    const change = changes[source as keyof typeof changes]
    return chosen.map((maker) => [
      `${source}_${maker}_${use}`,
      `const t = this; ${change} void [grow, shrink, empty]; const it = t.${source}.${maker}(); ${text}`,
    ])
  }),
)

const written: { readonly [name: string]: string } = {
  symbolOfList: 'return JSON.stringify(this.list[Symbol.iterator]().next())',
  symbolOfMap: 'return JSON.stringify(this.map[Symbol.iterator]().next())',
  symbolOfSet: 'return JSON.stringify(this.set[Symbol.iterator]().next())',
  keysOfSet: 'return JSON.stringify([...this.set.keys()])',
  holes: 'delete this.list[1]; return JSON.stringify([...this.list.values(), ...this.list.keys()])',
  oldest: 'const oldest = this.map.keys().next().value; this.map.delete(oldest); return [...this.map.keys()].join()',
  kept: 'this.it = this.map.keys(); this.it.next(); return [...this.it].join()',
  inObject: 'const o = { it: this.set.values() }; o.it.next(); return [...o.it].join()',
  readded:
    'const met = []; for (const k of this.map.keys()) { met.push(k); ' +
    'if (met.length < 5) { this.map.delete(k); this.map.set(k, 0) } } return met.join()',
  readdedAlone:
    "this.set.clear(); this.set.add('a'); const it = this.set.values(); it.next(); " +
    "this.set.delete('a'); this.set.add('a'); return JSON.stringify(it.next())",
  readdedBefore:
    "const it = this.map.entries(); it.next(); it.next(); this.map.delete('a'); " +
    "this.map.set('a', 7); return JSON.stringify([...it])",
  replaced: "const it = this.map.entries(); this.map.set('a', 7); return JSON.stringify([...it])",
  zeroes: 'const s = new Set([0, 1]); const it = s.values(); it.next(); s.delete(-0); return [...it].join()',
  two: 'const a = this.list.values(), b = this.list.values(); a.next(); return [a.next().value, b.next().value].join()',
  shared:
    'const it = this.list.values(); const met = []; ' +
    'for (const x of it) met.push(x, it.next().value); return met.join()',
  nested: 'let n = 0; for (const a of this.set) for (const b of this.set.keys()) if (a !== b) n++; return n',
  mapOfIterator: 'const it = this.map.entries(); it.next(); return [...new Map(it).keys()].join()',
  setOfIterator: 'const it = this.list.values(); it.next(); return new Set(it).size',
  fromEntries: 'return JSON.stringify(Object.fromEntries(this.map.entries()))',
  fromMapped: 'return Array.from(this.map.values(), (each) => each * 2).join()',
  spreadArguments: 'return Math.max(...this.map.values())',
  tagged: 'return [this.list.keys(), this.map.keys(), this.set.keys()].map((it) => it[Symbol.toStringTag]).join()',
  text: "const it = 'añ😀'[Symbol.iterator](); it.next(); return JSON.stringify([it.next(), [...it]])",
  matches: "const it = 'a1b2'.matchAll(/\\d/g); it.next(); return [...it].map((each) => each[0] + each.index).join()",
  typed: 'const it = new Int32Array([5, 6]).entries(); it.next(); return JSON.stringify(it.next())',
  missing: 'try { this.list.values().rewind() } catch (error) { return error.name } return 0',
  missingOfMap: 'try { this.map.rewind() } catch (error) { return error.name } return 0',
  closed: 'const it = this.list.values(); const step = () => it.next().value; step(); return step()',
  hasNext: "return ['next' in this.list.values(), 'return' in this.map.keys()].join()",
}

const methods: { readonly [name: string]: string } = { ...Object.fromEntries(generated), ...written }

const fields = "list = [1, 2, 3]; map = new Map([['a', 1], ['b', 2], ['c', 3]]); set = new Set(['a', 'b', 'c']); it = 0"
const typedFields = fields.replaceAll(/(\w+) = (?=\[1|new|0$)/g, '$1: any = ')
const body = Object.entries(methods).map(([name, text]) => `  ${name}() { ${text} }`)
const typedBody = body.map((text) => text.replaceAll('met = []', 'met: any = []'))

const loaded = await loadText(`import { Mutex } from 'allways/sync'
export class Bag {
  ${typedFields}
  position: any = undefined
${typedBody.join('\n')}
  begin() { this.position = this.map.keys(); return 0 }
  step() { return this.position === undefined ? 'none' : this.position.next().value ?? 'end' }
  visit() { const it = this.map.keys(); const a = it.next().value; const b = it.next().value; return '' + a + b }
  drop() { this.map.delete('a'); return 0 }
  again() { this.map.delete('a'); this.map.set('a', 9); return 0 }
  rest() { const it = this.list.values(); it.next(); return [...it].join() }
  push() { this.list.push(9); return 0 }
  async waits() { const it = this.map.keys(); await it.next(); const second = await it.next(); return second.value }
  async five() { await null; return 5 }
  async cached() { this.map.set('p', this.five()); const found = await this.map.get('p'); return found + 1 }
  async count() { const n = await this.map.get('a'); this.map.set('a', n + 1); return n }
  bound() { const it = this.map.keys(); const next = it.next.bind(it); next(); return it.next().value }
  borrowed() { return Map.prototype.keys.call(this.map).next().value }
  lock: any = new Mutex()
  missingOfLock() { try { return this.lock.rewind() } catch { return 'caught' } }
}
export class Keeper { kept: any = new Map([['a', 1]]).keys(); first() { return this.kept.next().value ?? 'none' } }
export class Named { static last: any; who() { Named.last = this; return Named.name + this.constructor.name } }
export class Twice { who() { return 'first' } who() { return 'last' } }
export class Getter { static get name() { return 'mine' } who() { return Getter.name } }`)

const Native = new Function(`return class { ${fields}\n${body.join('\n')} }`)() as new () => {
  readonly [name: string]: () => unknown
}

describe('iterators do under check what they do in Node', () => {
  test('there are as many as are meant', () => expect(Object.keys(methods)).toHaveLength(73))

  test.each(Object.keys(methods))('%s', (name) => {
    const request = requestOf(loaded, 'Bag', `{ ${name}() }`)
    const result = new Native()[name]?.()
    const text = typeof result === 'number' ? `n${result}` : JSON.stringify(result)
    expect(search(request, clientOf(`{ ${name}() }`), full)).toMatchObject({ endings: { outcomes: [text] } })
  })
})

describe('every next() is an access, and its position is state that goes back', () => {
  test.each([
    ['{ visit() } || { drop() }', ['"ab" || n0', '"bc" || n0']],
    ['{ visit() } || { again() }', ['"ab" || n0', '"bc" || n0']],
    ['{ begin(); step() } || { step() }', ['n0; "a" || "b"', 'n0; "a" || "none"', 'n0; "b" || "a"']],
    ['{ begin(); step() } || { begin(); step() }', ['n0; "a" || n0; "a"', 'n0; "a" || n0; "b"', 'n0; "b" || n0; "a"']],
    ['{ begin(); step(); step() } || { drop() }', ['n0; "a"; "b" || n0', 'n0; "b"; "c" || n0']],
    ['{ waits() } || { drop() }', ['"b" || n0', '"c" || n0']],
    ['{ cached() } || { cached() }', ['n6 || n6']],
    ['{ count() } || { count() }', ['n1 || n1', 'n1 || n2', 'n2 || n1']],
    ['{ bound() } || { drop() }', ['"b" || n0', '"c" || n0']],
    ['{ rest() } || { push() }', ['"2,3" || n0', '"2,3,9" || n0']],
  ])('%s', (client, outcomes) => {
    const request = { ...requestOf(loaded, 'Bag', client), criterion: 'outcomes' as const }
    const variants = [...reduced, ...forgetting]
    const compared = compare({ request, client: clientOf(client), variants, seed: 1, mostTransitions: 5_000 })
    expect(compared).toMatchObject({ kind: 'agree', truth: { outcomes } })
  })
})

describe('what is not modelled is refused', () => {
  test.each([
    ['Bag', '{ borrowed() }', 'E307'],
    ['Bag', '{ missingOfLock() }', 'E307'],
  ])('%s %s', (name, client, code) => {
    expect(() => search(requestOf(loaded, name, client), clientOf(client), full)).toThrow(
      expect.objectContaining({ diagnostic: expect.objectContaining({ code }) }),
    )
  })
})

test('an iterator that a constructor has made goes on where it was', () => {
  const client = '{ first() } || { first() }'
  expect(search(requestOf(loaded, 'Keeper', client), clientOf(client), full)).toMatchObject({
    endings: { outcomes: ['"a" || "none"', '"none" || "a"'] },
  })
})

test.each([
  ['Named', '"NamedNamed"'],
  ['Getter', '"mine"'],
  ['Twice', '"last"'],
])('a class has its name, and the last of two methods with one name: %s', (name, text) => {
  const request = requestOf(loaded, name, '{ who() }')
  expect(search(request, clientOf('{ who() }'), full)).toMatchObject({ endings: { outcomes: [text] } })
})
