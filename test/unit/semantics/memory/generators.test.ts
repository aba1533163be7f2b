import { describe, expect, test } from 'vitest'
import { loadText, requestOf } from '../../../agreement/object-agreement.ts'
import { compare, forgetting, full, reduced } from '../../../agreement/object-compare.ts'
import { clientOf, search } from '../../../agreement/object-search.ts'
import { longIf } from '../../../amount.ts'
import { loadNative } from '../../frontends/access/miniature-runtime.ts'

/** Sync generators: each method gives a text of all that happened, as in Node. */
const written: { readonly [name: string]: string } = {
  toTheEnd: 'const s: any[] = []; for (const x of upTo(3, s)) s.push(x); return s.join()',
  left: 'const s: any[] = []; for (const x of upTo(9, s)) { s.push(x); if (x === 2) break } return s.join()',
  leftByReturn: 'const s: any[] = []; const f = () => { for (const x of upTo(9, s)) return x }; return f() + s.join()',
  leftByThrow:
    'const s: any[] = []; try { for (const x of upTo(9, s)) throw 7 } catch (e) { s.push(e) } return s.join()',
  copied: 'return [...upTo(4, [])].join() + Math.max(...upTo(3, []))',
  native:
    'return Array.from(upTo(4, [])).join() + new Set(upTo(3, [])).size + JSON.stringify(Object.fromEntries(pairs()))',
  pattern: 'const s: any[] = []; const [a, b] = upTo(9, s); return a + b + s.join()',
  byHand: `const s: any[] = []; const g = upTo(2, s)
    return [g.next(), g.next('x'), g.next('y'), g.next(), s].map((one) => JSON.stringify(one)).join()`,
  echoes: `const g = echo(); return [g.next('a'), g.next('b'), g.next('c'), g.return('d'), g.next('e')].map(show).join()`,
  thrownInto: `const g = echo(); g.next(); g.next(); return [g.throw('a'), g.next('b'), g.throw('c'), g.next()].map(show).join()`,
  thrownOut: `const g = echo(); g.next(); try { g.throw('out') } catch (e) { return show([e, g.next()]) }`,
  unbegun: `const g = echo(); const a = g.return(5); const h = echo(); let e; try { h.throw(6) } catch (x) { e = x }
    return show([a, g.next(), e, h.next()])`,
  cleansUp: `const s: any[] = []; const g = careful(s); g.next(); return show([g.return(1), g.return(2), g.next(), s])`,
  returnsInFinally: `const g = (function* () { try { yield 1 } finally { return 2 } })(); g.next(); return show([g.return(9), g.next()])`,
  yieldsInFinally: `const g = (function* () { try { yield 1 } finally { yield 2; yield 3 } })()
    return show([g.next(), g.return(9), g.next(), g.next(), g.next()])`,
  closesInner: `const s: any[] = []; const g = (function* () { for (const x of upTo(9, s)) yield x })()
    g.next(); g.next(); return show([g.return(4), s])`,
  closesInnerOnThrow: `const s: any[] = []; const g = (function* () { for (const x of upTo(9, s)) { try { yield x } catch { yield 'c' } } })()
    return show([g.next(), g.throw(1), g.next(), s])`,
  delegates: `const s: any[] = []; const g = (function* () { const r = yield* upTo(2, s); yield r; yield* [7, 8]; yield* new Set([9]) })()
    return show([...g]) + s.join()`,
  delegatesBack: `const s: any[] = []; const g = (function* (): any { try { return yield* echo() } finally { s.push('f') } })()
    return show([g.next(), g.next('a'), g.throw('b'), g.return('c'), g.next(), s])`,
  delegatesReturnOfCollection: `const s: any[] = []; const g = (function* () { try { yield* [1, 2] } finally { s.push('f') } })()
    return show([g.next(), g.return('c'), g.next(), s])`,
  delegatesThrowOfCollection: `const g = (function* () { try { yield* [1, 2] } catch (e: any) { yield e.name } })()
    return show([g.next(), g.throw('c'), g.next()])`,
  delegatesWithoutMethods: `const it: any = { [Symbol.iterator]: () => it, next: (v: any) => ({ done: v === 'end', value: v }) }
    const g = (function* () { return yield* it })(); return show([g.next(), g.next('x'), g.next('end'), g.next()])`,
  nestedInExpressions: `const g = (function* (): any { return [yield (yield 1), (yield 2) + (yield 3)] })()
    return show([g.next(), g.next('a'), g.next('b'), g.next(3), g.next(4)])`,
  reentrant: `let g: any; g = (function* () { yield 1; try { g.next() } catch (e: any) { yield e.message } })()
    return show([g.next(), g.next(), g.next()])`,
  fails: `const g = (function* () { yield 1; throw 2 })(); g.next(); let e; try { g.next() } catch (x) { e = x } return show([e, g.next()])`,
  parameters: `let n = 0; const f = function* (a = ++n, { b } = { b: a + 1 }, ...c: any[]): any { yield [a, b, c, n] }
    const g = f(); n = 10; return show([g.next(), f(5, { b: 6 }, 7, 8).next(), n])`,
  parametersFail: `const f = function* (a: any = missing()): any { yield a }; try { f() } catch (e: any) { return e.message }`,
  givenArguments:
    'function* f(this: any): any { yield arguments.length; yield arguments[1] } return [...(f as any)(1, 2, 3)].join()',
  method: 'return [...this.each(3)].join() + [...(this as any).priv()].join() + [...Bag.all()].join()',
  iterable: 'return [...(this as any)].join() + Array.from(this as any).length',
  literal:
    'const o = { *two() { yield 1; yield this }, n: 0 }; const [a, b] = o.two(); return show([a, b === (o as any)])',
  isObject:
    'const g: any = upTo(1, []); g.mark = 5; return show([g.mark, String(g), typeof g.next, g[Symbol.iterator]() === g])',
  inALoopOfCalls:
    'const g = upTo(3, []); let all = ""; for (;;) { const { done, value } = g.next(); if (done) break; all += value } return all',
  callbacks: 'const g = upTo(3, []); return [0, 0, 0].map(() => g.next().value).join()',
}

/** Async generators and loops with await. */
const waiting: { readonly [name: string]: string } = {
  forAwait: 'const s: any[] = []; for await (const x of later(3, s)) s.push(x); return s.join()',
  forAwaitLeft:
    'const s: any[] = []; for await (const x of later(9, s)) { s.push(x); if (x === 2) break } return s.join()',
  forAwaitReturned: `const s: any[] = []; const f = async () => { for await (const x of later(9, s)) return x }; return (await f()) + s.join()`,
  forAwaitThrown: `const s: any[] = []; try { for await (const x of later(9, s)) throw 7 } catch (e) { s.push(e) } return s.join()`,
  forAwaitOfSync: `const s: any[] = []; for await (const x of upTo(3, s)) s.push(x); for await (const x of [Promise.resolve(5), 6]) s.push(x)
    return s.join()`,
  forAwaitOfSyncLeft: `const s: any[] = []; for await (const x of upTo(3, s)) break; for await (const x of [1]) break; return s.join()`,
  forAwaitOfRejected: `const s: any[] = []; const f = function* () { try { yield Promise.reject(4); yield 2 } finally { s.push('closed') } }
    try { for await (const x of f()) s.push(x) } catch (e) { s.push('e' + e) } return s.join()`,
  forAwaitOfFailing: `const s: any[] = []; const f = function* () { try { yield 1; throw 3 } finally { s.push('closed') } }
    try { for await (const x of f()) s.push(x) } catch (e) { s.push('e' + e) } return s.join()`,
  forAwaitByHand: `const s: any[] = []; let n = 0
    const it: any = { [Symbol.asyncIterator]: () => it, next: async () => ({ done: n > 1, value: n++ }), return: async () => { s.push('r'); return {} } }
    for await (const x of it) s.push(x); n = 0; for await (const x of it) break; return s.join()`,
  forAwaitWrongReturn: `const it: any = { [Symbol.asyncIterator]: () => it, next: async () => ({ done: false, value: 1 }), return: async () => 5 }
    try { for await (const x of it) break } catch (e: any) { return e.name }`,
  forAwaitOfNothing: `try { for await (const x of undefined as any) break } catch (e: any) { return e.name }`,
  asyncByHand: `const s: any[] = []; const g = later(2, s); return show([await g.next(), await g.next('x'), await g.next('y'), await g.next(), s])`,
  asyncQueue: `const s: any[] = []; const g = later(2, s); const all = [g.next('a'), g.next('b'), g.next('c'), g.return('d'), g.next('e')]
    return show([await Promise.all(all), s])`,
  asyncReturnAtYield: `const s: any[] = []; const g = later(9, s); await g.next(); return show([await g.return(Promise.resolve(5)), s])`,
  asyncReturnRejected: `const g = (async function* (): any { try { yield 1 } catch (e) { yield 'c' + e } })()
    return show([await g.next(), await g.return(Promise.reject(6)), await g.next()])`,
  asyncUnbegun: `const s: any[] = []; const g = later(2, s); const h = later(2, s); let e; try { await h.throw(3) } catch (x) { e = x }
    return show([await g.return(Promise.resolve(1)), await g.next(), e, await h.next(), s])`,
  asyncReturnValueAwaited: `const g = (async function* (): any { try { return Promise.reject(8) } catch (e) { return Promise.resolve('c' + e) } })()
    return show([await g.next(), await g.next()])`,
  asyncYieldsRejected: `const g = (async function* (): any { try { yield Promise.reject(8) } catch (e) { yield e } })(); return show(await g.next())`,
  asyncThrows: `const g = (async function* (): any { yield 1; throw 9 })(); await g.next(); let e; try { await g.next() } catch (x) { e = x }
    return show([e, await g.next()])`,
  asyncAwaitsInside: `const g = (async function* (): any { for (const x of [1, 2]) { const y = await Promise.resolve(x * 2); yield y } })()
    let sum = 0; for await (const x of g) sum += x; return sum`,
  asyncYieldsInFinally: `const g = (async function* (): any { try { yield 1 } finally { await null; yield 2 } })()
    return show([await g.next(), await g.return(9), await g.next(), await g.next()])`,
  asyncReturnInFinally: `const g = (async function* (): any { for (;;) { try { yield 1 } finally { return Promise.resolve(2) } } })()
    await g.next(); return show([await g.return(9), await g.next()])`,
  asyncMethod:
    'const s: any[] = []; for await (const x of (this as any).slow(3)) s.push(x); for await (const x of this as any) s.push(x); return s.join()',
  asyncInPromiseCallback: 'const g = later(2, []); return show(await Promise.resolve().then(() => g.next()))',
  asyncIncompatible: 'const g: any = later(1, []); try { await g.next.call({}) } catch (e: any) { return e.name }',
}

const helpers = `
const show = (value: any): string => JSON.stringify(value)
function missing(): any { throw new Error('missing') }
function* upTo(n: number, seen: any[]): any { try { for (let i = 1; i <= n; i++) seen.push(yield i); return 'end' } finally { seen.push('closed') } }
function* echo(): any { let got: any = yield 'first'; for (;;) { try { got = yield got } catch (e) { if (e === 'out') throw e; got = 'caught ' + e } } }
function* careful(seen: any[]): any { try { yield 1 } finally { seen.push('a'); try { yield 2 } finally { seen.push('b') } } }
async function* later(n: number, seen: any[]): any {
  try { for (let i = 1; i <= n; i++) { await null; seen.push(yield i) } return 'end' } finally { await 0; seen.push('closed') }
}
function* pairs(): any { yield ['a', 1]; yield ['b', 2] }`
const body = Object.entries(written).map(([name, text]) => `  ${name}(): any { ${text} }`)
const asyncBody = Object.entries(waiting).map(([name, text]) => `  async ${name}(): Promise<any> { ${text} }`)
const text = `${helpers}
export class Bag {
  static *all() { yield 1 }
  *each(n: number) { for (let i = 0; i < n; i++) yield i }
  *#own() { yield 'own' }
  priv() { return this.#own() }
  *[Symbol.iterator]() { yield* this.each(2) }
  async *slow(n: number) { for (let i = 0; i < n; i++) { await null; yield i } }
  async *[Symbol.asyncIterator]() { yield 'a'; yield Promise.resolve('b') }
${[...body, ...asyncBody].join('\n')}
}
export const make = () => new Bag()`
const loaded = await loadText(`${text}
export class Counting {
  n = 0;
  *three() { for (let i = 0; i < 2; i++) { const n = this.n; this.n = n + 1; yield n } }
  sum() { let sum = 0; for (const x of this.three()) sum += x; return sum }
  first() { for (const x of this.three()) return x; return -1 }
}
export class Kept {
  ids = this.count();
  *count(): any { for (let i = 0; ; i++) { const add = yield i; if (add) i += add } }
  take() { try { return this.ids.next().value } catch (e: any) { return e.message } }
  skip() { return this.ids.next(5).value }
  end() { return this.ids.return(7).value }
}
export class Feed {
  n = 0
  feed = this.items()
  async *items(): any { try { for (;;) { const n = this.n; await null; this.n = n + 1; yield n } } finally { this.n = 50 } }
  async pull() { return (await this.feed.next()).value }
  async stop() { return JSON.stringify(await this.feed.return(8)) }
  async bump() { this.n += 10; return this.n }
  async own() { let all = ''; for await (const x of this.items()) { all += x; if (all.length > 1) break } return all }
}
export class Begun {
  ids = this.count()
  constructor() { this.ids.next() }
  *count(): any { const n = this.ids; yield 1; yield 2 }
  take() { return this.ids.next().value }
  given() { return this.count() }
}
export class CountingWithout {
  n = 0
  sum() { let sum = 0; for (let i = 0; i < 2; i++) { const n = this.n; this.n = n + 1; sum += n } return sum }
  first() { const n = this.n; this.n = n + 1; return n }
}
export class ListsWithout {
  list: number[][] = []
  grow() { const a: number[] = []; this.list.push(a); a.push(2); a.push(1); return a.length }
  async later() { const a: number[] = []; this.list.push(a); await null; a.push(1); return a.length }
  read() { return this.list.map((one) => one.length).join() }
}
export class SpunWithout {
  n = 0
  until() { for (;;) { const n = this.n; if (n > 0) return n } }
  set() { this.n = 3; return 0 }
}
export class Lists {
  list: number[][] = [];
  *each() { const own: number[] = []; this.list.push(own); yield own; own.push(1); yield own }
  grow() { const g = this.each(); const a: any = g.next().value; a.push(2); g.next(); return a.length }
  async later() { const g = this.each(); const a: any = g.next().value; await null; g.next(); return a.length }
  read() { return this.list.map((one) => one.length).join() }
}
export class Spun {
  n = 0;
  *tries(): any { for (;;) { const n = this.n; yield n } }
  until() { for (const n of this.tries()) if (n > 0) return n }
  set() { this.n = 3; return 0 }
}`)
const native = (loadNative(text).make as () => { readonly [name: string]: () => unknown })()

describe('async generators and loops with await do what they do in Node', () => {
  test.each(Object.keys(waiting))('%s', async (name) => {
    const request = requestOf(loaded, 'Bag', `{ ${name}() }`)
    const result = await native[name]?.()
    expect(search({ ...request, granularity: 'await' }, clientOf(`{ ${name}() }`), full)).toMatchObject({
      endings: { outcomes: [typeof result === 'number' ? `n${result}` : JSON.stringify(result)] },
    })
  })
})

describe('generators do what they do in Node', () => {
  test.each(Object.keys(written))('%s', (name) => {
    const request = requestOf(loaded, 'Bag', `{ ${name}() }`)
    const result = native[name]?.()
    expect(search(request, clientOf(`{ ${name}() }`), full)).toMatchObject({
      endings: { outcomes: [JSON.stringify(result)] },
    })
  })
})

describe('what they do is stepped through, and taken back', () => {
  function outcomes(name: string, client: string, granularity: 'access' | 'await'): readonly string[] {
    const request = { ...requestOf(loaded, name, client), criterion: 'outcomes' as const, granularity }
    const variants = [...reduced, ...forgetting]
    const compared = compare({ request, client: clientOf(client), variants, seed: 1, mostTransitions: 20_000 })
    if (compared.kind !== 'agree') throw new Error(JSON.stringify(compared))
    return compared.truth.outcomes
  }

  // The same without generators, written by hand, takes the same steps.
  test.each([
    ['Counting', '{ sum() } || { sum() }', 12],
    ['Counting', '{ first(); first() } || { sum() }', 13],
    ['Lists', '{ grow() } || { later(); read() }', 0],
    ['Spun', '{ until() } || { set() }', 0],
  ])('%s %s', longIf(true, true), (name, client, count) => {
    const found = outcomes(name, client, 'access')
    expect(found).toEqual(outcomes(`${name}Without`, client, 'access'))
    if (count > 0) expect(found).toHaveLength(count)
  })

  // By the calls that come before each in one order or another.
  test('a generator that calls share goes on where the last one left it', () => {
    expect(outcomes('Kept', '{ take(); take() } || { take() }', 'await')).toEqual([
      'n0; n1 || n2',
      'n0; n2 || n1',
      'n1; n2 || n0',
    ])
    expect(outcomes('Kept', '{ take(); skip() } || { end() }', 'await')).toEqual([
      'n0; n6 || n7',
      'n0; u || n7',
      'u; u || n7',
    ])
  })

  test('between two of its accesses, another thread finds it running', () => {
    const found = outcomes('Kept', '{ take() } || { take() }', 'access')
    const running = '"Generator is already running"'
    expect(found).toEqual([`${running} || n0`, `n0 || ${running}`, 'n0 || n1', 'n1 || n0'])
  })

  test.each([
    ['{ pull(); pull() } || { bump(); pull() }', 9],
    ['{ pull(); stop() } || { pull(); bump() }', 0],
    ['{ own() } || { bump(); pull() }', 0],
  ])('Feed %s', longIf(true, true), (client, count) => {
    const found = outcomes('Feed', client, 'await')
    if (count > 0) expect(found).toHaveLength(count)
    else expect(found.length).toBeGreaterThan(1)
  })
})

describe('what cannot be made exact is refused at its place', () => {
  test.each([
    ['Begun', 'take', 'E307', /ran in a constructor/],
    ['Begun', 'given', 'E305', /returns a generator/],
  ])('%s.%s', (name, call, code, message) => {
    const client = `{ ${call}() }`
    const found = () => search(requestOf(loaded, name, client), clientOf(client), full)
    expect(found).toThrow(
      expect.objectContaining({
        diagnostic: expect.objectContaining({ code, message: expect.stringMatching(message) }),
      }),
    )
  })
})

describe('while modules are loaded, generators work as they are written', () => {
  const sources: readonly string[] = [
    'function* f(a: number, { b = 2 }: any = {}, ...rest: number[]): Generator<number> { yield a; yield b; yield* rest }\nexport const all = [...f(1, {}, 3, 4)]',
    'let n = 1; const up = () => { n++ }; function* f() { up(); yield n; n = 10; yield n }\nexport const all = [...f(), n]',
    'function* f(n: number) { const twice = () => { n *= 2; return n }; yield twice(); var m = n; yield m }\nexport const all = [...f(3)]',
    'class C { #n = 5; *[Symbol.iterator]() { yield this.#n; const add = () => this.#n++; add(); yield this.#n } }\nexport const all = [...new C()]',
    'class C { static *count() { for (let i = 0; i < 2; i++) yield i }\n*all() { yield* C.count(); yield arguments.length } }\nexport const all = [...new C().all()]',
    'const o = { name: "o", *each() { try { yield this.name } finally { done.push(1) } } }; const done: number[] = []\nexport const all = [...o.each(), ...done]',
    'const f = function* self(n: number): any { if (n > 0) { yield n; yield* self(n - 1) } }\nexport const all = [...f(3)]',
    'export const all = [...early(2)]\nfunction* early(n: number) { yield n; const got: unknown = yield 7; yield got }',
    'function* outer() { function* inner() { yield 1 } class K { m() { return [...inner()] } } yield new K().m() }\nexport const all = [...outer()]',
    'export function* f(x = [1, 2]) { const [a, b] = x; switch (a) { case 1: yield "one"; break; default: yield "other" } l: for (const y of x) { for (;;) { if (y) continue l } } return b }\nconst g = f(); export const all = [g.next(), g.next(), g.next()]',
  ]
  test.each(sources)('%s', async (source) => {
    const given = 'export class Given { all() { return JSON.stringify(all) } }'
    const request = requestOf(await loadText(`${source}\n${given}`), 'Given', '{ all() }')
    const result = JSON.stringify(loadNative(source).all)
    expect(search(request, clientOf('{ all() }'), full)).toMatchObject({
      endings: { outcomes: [JSON.stringify(result)] },
    })
  })
})
