import { describe, expect, test } from 'vitest'
import { loadText, requestOf } from '../../../agreement/object-agreement.ts'
import { compare, forgetting, full, reduced } from '../../../agreement/object-compare.ts'
import { clientOf, search } from '../../../agreement/object-search.ts'
import { loadNative } from '../../frontends/access/miniature-runtime.ts'

/** An iterator of the user's that notes whatever is asked of it. `t` says where it fails, and what its \`return\` gives. */
const helpers = `
const names = ['iterator', 'next', 'step', 'done', 'value', 'get return', 'return']
function source(seen: string[], t: any = {}): any {
  const note = (what: string): void => { seen.push(what); if (t.fails === what) throw new Error(what) }
  let n = 0
  return {
    [Symbol.iterator]() {
      note('iterator')
      return t.iterator ?? {
        get next() { note('next'); return () => { note('step'); n++; const at = n; return t.result ?? {
          get done() { note('done'); return at > 3 }, get value() { note('value'); return at } } } },
        get return() { note('get return'); return 'method' in t ? t.method : () => { note('return'); return t.given ?? {} } },
      }
    },
  }
}
function loops(use: any, t: any): string {
  const seen: string[] = []
  try { seen.push('gave ' + use(source(seen, t), seen)) } catch (error: any) { seen.push(error.name + ' ' + error.message) }
  return seen.join()
}
function eachFailing(use: any, t: any = {}): string {
  return [undefined, ...names].map((fails) => loops(use, { ...t, fails })).join(' / ')
}`

const written: { readonly [name: string]: string } = {
  toTheEnd: 'return eachFailing((it: any, seen: any) => { for (const x of it) seen.push(x); return 0 })',
  left: 'return eachFailing((it: any) => { for (const x of it) break; return 0 })',
  returned: 'return eachFailing((it: any) => { for (const x of it) return x; return 0 })',
  thrown: `return eachFailing((it: any) => { for (const x of it) throw new Error('mine'); return 0 })`,
  goesOn:
    'return eachFailing((it: any, seen: any) => { for (const x of it) { if (x < 2) continue; seen.push(x) } return 0 })',
  outerGoesOn: `return eachFailing((it: any, seen: any) => {
    outer: for (const a of [1, 2]) { for (const x of it) { seen.push(x); continue outer } } return 0 })`,
  ownLabel: `return eachFailing((it: any, seen: any) => {
    own: for (const x of it) { for (;;) { seen.push(x); if (x < 2) continue own; break own } } return 0 })`,
  nested: `return eachFailing((it: any, seen: any) => {
    for (const x of it) for (const y of source(seen)) { seen.push(x + y); return y } return 0 })`,
  finallyInside: `return eachFailing((it: any, seen: any) => {
    for (const x of it) { try { return x } finally { seen.push('finally') } } return 0 })`,
  caught: `return eachFailing((it: any, seen: any) => {
    for (const x of it) try { throw x } catch (e) { seen.push('caught' + e); if (e === 2) break } return 0 })`,
  boundPattern:
    'return eachFailing((it: any) => { for (const { missing } of [[it]] as any) { for (const { a: { b } } of it) return b } })',
  boundMember:
    'return eachFailing((it: any, seen: any) => { const o: any = {}; for (o.x of it) { if (o.x === 2) break } return o.x })',
  pattern: 'return eachFailing((it: any) => { const [a, b] = it; return a + b })',
  patternToTheEnd: 'return eachFailing((it: any) => { const [a, b, c, d] = it; return a + b + c + d })',
  patternOfNone: 'return eachFailing((it: any) => { const [] = it; return 0 })',
  patternWithRest: 'return eachFailing((it: any) => { const [a, ...b] = it; return a + b.join() })',
  spread: 'return eachFailing((it: any) => [...it, 9].join())',
  spreadCall: 'return eachFailing((it: any) => Math.max(...it))',
  noReturn: 'return eachFailing((it: any) => { for (const x of it) break; return 0 }, { method: null })',
  wrongReturn: `return [5, {}].map((method) => loops((it: any) => { for (const x of it) break; return 0 }, { method }).slice(0, 40)).join()`,
  wrongReturnThrown: `return [5, {}].map((method) => loops((it: any) => { for (const x of it) throw 1 }, { method })).join()`,
  givesNoObject: 'return loops((it: any) => { for (const x of it) break; return 0 }, { given: 5 })',
  givesNoObjectThrown: `return loops((it: any) => { for (const x of it) throw new Error('mine') }, { given: 5 })`,
  noResult: 'return loops((it: any) => { for (const x of it) break; return 0 }, { result: 5 })',
  noIterator: 'return loops((it: any) => { for (const x of it) break; return 0 }, { iterator: 5 })',
  ofCollection:
    'return loops((it: any, seen: any) => { for (const x of it) seen.push(x); return 0 }, { iterator: [7, 8].values() })',
  goesOnLater: `const seen: any[] = []; const it = source(seen)[Symbol.iterator](); it[Symbol.iterator] = () => it
    for (const x of it) { seen.push(x); break } for (const x of it) { seen.push(x); break } return seen.join()`,
}
const body = Object.entries(written).map(([name, text]) => `  ${name}() { ${text} }`)
const text = `${helpers}\nexport class Bag {\n${body.join('\n')}\n}\nexport const make = () => new Bag()`

const loaded = await loadText(`${text}
export class Tickets {
  given = 0
  once(): any {
    let n = 0
    return { [Symbol.iterator]() { return this }, next: () => ({ done: n > 0, value: n++ }),
      return: () => { this.given++; return { done: true, value: 0 } } }
  }
  async take() { const t = this.given; for (const _ of this.once()) { await null; break } return t }
  async thrown() { try { for (const _ of this.once()) { await null; throw 1 } } catch { return this.given } return -1 }
  first() { const [a] = this.once(); return this.given + a }
  read() { return this.given }
}
export class Shared {
  n = 0;
  [Symbol.iterator]() { return this }
  next() { const value = this.n; this.n = value + 1; return { done: value > 1, value } }
  sum() { let sum = 0; for (const x of this as any) sum += x; return sum }
  all() { return [...(this as any)].join() }
}
export class List extends Array { [Symbol.iterator](): any { return [1].values() } go() { for (const x of this) return x } }
export class Between { go() { let n = 0; const it: any = { [Symbol.iterator]: () => ({ next: () => ({ done: false, value: n++ }) }) }
  const [a = 1, b] = it; return a + b } }
export class Skipped { go() { let n = 0; const it: any = { [Symbol.iterator]: () => ({ next: () => ({ done: false, value: n++ }) }) }
  const [, b] = it; return b } }
export class Computed {
  asked = 0
  async go() { let asked = 0; await ({ get then() { asked++; return (resolve: any) => resolve(0) } }); return asked }
  async none() { let asked = 0; await ({ get then() { asked++; return undefined } }); return asked }
  async of() { let asked = 0; const given = await ({ get then() { asked++; return undefined }, is: 5 }); return given.is + asked }
  async fails() { try { await ({ get then() { throw 7 } }) } catch (error) { return error } return 0 }
  async callable() { const f: any = () => 0; f.then = (resolve: any) => resolve(3); return await f }
}`)

const native = (loadNative(text).make as () => { readonly [name: string]: () => unknown })()

describe('iterators that the user wrote are asked what Node asks them', () => {
  test.each(Object.keys(written))('%s', (name) => {
    const request = requestOf(loaded, 'Bag', `{ ${name}() }`)
    const result = native[name]?.()
    expect(result).toContain('iterator')
    expect(search(request, clientOf(`{ ${name}() }`), full)).toMatchObject({
      endings: { outcomes: [JSON.stringify(result)] },
    })
  })
})

describe('what they do is stepped through', () => {
  test.each([
    [
      'Tickets',
      '{ take(); read() } || { take(); read() }',
      [
        'n0; n1 || n0; n2',
        'n0; n1 || n1; n2',
        'n0; n2 || n0; n1',
        'n0; n2 || n0; n2',
        'n0; n2 || n1; n2',
        'n1; n2 || n0; n1',
        'n1; n2 || n0; n2',
      ],
    ],
    ['Tickets', '{ thrown() } || { first() }', ['n1 || n2', 'n2 || n1']],
    [
      'Shared',
      '{ sum() } || { sum() }',
      ['n0 || n1', 'n0 || n2', 'n1 || n0', 'n1 || n1', 'n1 || n2', 'n2 || n0', 'n2 || n1'],
    ],
    ['Shared', '{ all() }', ['"0,1"']],
    // A `then` that is computed is asked for once.
    ['Computed', '{ go(); none(); of(); fails(); callable() }', ['n1; n1; n6; n7; n3']],
  ])('%s %s', (name, client, outcomes) => {
    const request = { ...requestOf(loaded, name, client), criterion: 'outcomes' as const }
    const variants = [...reduced, ...forgetting]
    const compared = compare({ request, client: clientOf(client), variants, seed: 1, mostTransitions: 20_000 })
    expect(compared).toMatchObject({ kind: 'agree', truth: { outcomes } })
  })
})

describe('what is not modelled is refused with its place', () => {
  test.each(['List', 'Between', 'Skipped'])('%s', (name) => {
    const place = expect.objectContaining({ line: expect.any(Number) })
    expect(() => search(requestOf(loaded, name, '{ go() }'), clientOf('{ go() }'), full)).toThrow(
      expect.objectContaining({ diagnostic: expect.objectContaining({ code: 'E307', place }) }),
    )
  })
})
