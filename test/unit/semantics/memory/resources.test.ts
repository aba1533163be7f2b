/** `using` and `await using` in classes do what they do where a compiler writes them out and Node runs them. */
import { describe, expect, test } from 'vitest'
import { loadText, requestOf } from '../../../agreement/object-agreement.ts'
import { full } from '../../../agreement/object-compare.ts'
import { clientOf, search } from '../../../agreement/object-search.ts'
import { loadNative } from '../../frontends/access/miniature-runtime.ts'

/** Each gives a text of all that happened. */
const atOnce: { readonly [name: string]: string } = {
  toTheEnd: 'const s: any[] = []; { using a = held("a", s); using b = held("b", s); s.push("body") } return show(s)',
  several: 'const s: any[] = []; { using a = held("a", s), b = held("b", s); s.push(a.name + b.name) } return show(s)',
  ofFunction:
    'const s: any[] = []; const f = () => { using a = held("a", s); return s.push("body") }; return show([f(), s])',
  leftByBreak:
    'const s: any[] = []; for (const x of [1, 2, 3]) { using a = held(x, s); if (x === 2) break } return show(s)',
  leftByContinue:
    'const s: any[] = []; for (const x of [1, 2]) { using a = held(x, s); if (x === 1) continue; s.push("x") } return show(s)',
  leftByLabel:
    'const s: any[] = []; out: { using a = held("a", s); { using b = held("b", s); break out } } return show(s)',
  thrown: 'const s: any[] = []; try { using a = held("a", s); throw 7 } catch (e) { s.push(e) } return show(s)',
  disposalFails:
    'const s: any[] = []; try { using a = held("a", s), b = failing("b", s) } catch (e: any) { s.push(e.message) } return show(s)',
  bothFail: `const s: any[] = []; try { using a = failing("a", s), b = failing("b", s); throw new Error("body") }
    catch (e: any) { s.push(e.name, e.message, e.error.message, e.suppressed.name, e.suppressed.error.message, e.suppressed.suppressed.message) } return show(s)`,
  laterOneMissing:
    'const s: any[] = []; try { using a = held("a", s); using b = {} as any } catch (e: any) { s.push(e.name) } return show(s)',
  initializerFails:
    'const s: any[] = []; try { using a = held("a", s); using b = missing() } catch (e: any) { s.push(e.message) } return show(s)',
  nothing:
    'const s: any[] = []; { using a = null, b = undefined; using c = held("c", s); s.push(a, b) } return show(s)',
  number: 'try { using a = 5 as any; return "fine" } catch (e: any) { return e.name }',
  methodIsReadAtOnce:
    'const s: any[] = []; { using a: any = held("a", s); a[Symbol.dispose] = () => s.push("other") } return show(s)',
  nested:
    'const s: any[] = []; { using a = held("a", s); { using a = held("b", s); s.push(a.name) } s.push(a.name) } return show(s)',
  captured: 'const s: any[] = []; let f: any; { using a = held("a", s); f = () => a.name } return show([f(), s])',
  ofDirective:
    'const s: any[] = []; const f = function (this: any) { "use strict"; using a = held("a", s); return this === undefined }; return show([f(), s])',
  ofTyped: 'const s: any[] = []; { using a: { name: unknown } = held("a", s); s.push(a.name) } return show(s)',
  inGenerator: `const s: any[] = []; const g = (function* () { using a = held("a", s); yield 1; yield 2 })(); g.next()
    return show([g.return(5 as any), s])`,
  functionsInBlock: 'const s: any[] = []; { using a = held(f(), s); function f() { return "f" } } return show(s)',
  fromThis: 'const s: any[] = []; { using a = (this as any).lend(s); s.push("body") } return show(s)',
  overLines: `const s: any[] = []
    {
      using a = held("a", s), // the first one
        b = held("b", s)
      s.push(a.name, b.name)
    }
    return show(s)`,
  asAName: 'const using = 5; let f = (using: number) => using; return show([using, f(6)])',
}

const waiting: { readonly [name: string]: string } = {
  awaited: 'const s: any[] = []; { await using a = slow("a", s); s.push("body") } return show(s)',
  mixed:
    'const s: any[] = []; { using a = held("a", s); await using b = slow("b", s); using c = held("c", s); s.push("body") } return show(s)',
  plainOne: 'const s: any[] = []; { await using a = held("a", s); s.push("body") } return show(s)',
  plainOneFails:
    'const s: any[] = []; try { await using a = failing("a", s); s.push("body") } catch (e: any) { s.push(e.message) } return show(s)',
  slowOneFails: `const s: any[] = []; try { await using a = slow("a", s); await using b = slowFailing("b", s); throw new Error("body") }
    catch (e: any) { s.push(e.name, e.error.message, e.suppressed.message) } return show(s)`,
  missing: 'const s: any[] = []; try { await using a = {} as any } catch (e: any) { s.push(e.name) } return show(s)',
  returned:
    'const s: any[] = []; const f = async () => { await using a = slow("a", s); return s.push("body") }; return show([await f(), s])',
  plainUsingInAsync: 'const s: any[] = []; { using a = held("a", s); await null; s.push("body") } return show(s)',
  takingALock: 'const s: any[] = []; { using a = await Promise.resolve(held("a", s)); s.push("body") } return show(s)',
  inAsyncGenerator: `const s: any[] = []; const g = (async function* () { await using a = slow("a", s); yield 1; yield 2 })(); await g.next()
    return show([await g.return(5 as any), s])`,
}

/** What Node does is one of the orders at awaits: of as many jobs as the language has, which a compiler that writes it out may not know. */
const unheld: { readonly [name: string]: readonly [body: string, inNode: string] } = {
  ofNothing: [
    'const s: any[] = []; later(s); { await using a = null; s.push("body") } s.push("after"); return show(s)',
    '["body",1,"after"]',
  ],
  ofNothingAndPlain: [
    'const s: any[] = []; later(s); { using b = held("b", s); await using a = undefined } s.push("after"); return show(s)',
    '[1,"-b","after"]',
  ],
}

const helpers = `
const show = (value: any): string => JSON.stringify(value)
function missing(): any { throw new Error('missing') }
const held = (name: any, s: any[]) => ({ name, [Symbol.dispose]() { s.push('-' + this.name) } })
const failing = (name: any, s: any[]) => ({ name, [Symbol.dispose]() { s.push('-' + name); throw new Error('no ' + name) } })
const slow = (name: any, s: any[]) => ({ name, async [Symbol.asyncDispose]() { s.push('<' + name); await null; s.push('>' + name) } })
const slowFailing = (name: any, s: any[]) => ({ name, async [Symbol.asyncDispose]() { await null; throw new Error('no ' + name) } })
const later = async (s: any[]) => { await null; s.push(1); await null; s.push(2); await null; s.push(3) }
`
const text = `${helpers}
export class Holder {
  name = 'lent'
  lend(s: any[]) { return { [Symbol.dispose]: () => { s.push('-' + this.name) } } }
${Object.entries(atOnce)
  .map(([name, body]) => `  ${name}(): any { ${body} }`)
  .join('\n')}
${Object.entries(waiting)
  .map(([name, body]) => `  async ${name}(): Promise<any> { ${body} }`)
  .join('\n')}
${Object.entries(unheld)
  .map(([name, [body]]) => `  async ${name}(): Promise<any> { ${body} }`)
  .join('\n')}
}
export const make = () => new Holder()`
const loaded = await loadText(text)
const native = (loadNative(text).make as () => { readonly [name: string]: () => unknown })()

describe('resources are disposed of as in Node', () => {
  test.each([...Object.keys(atOnce), ...Object.keys(waiting)])('%s', async (name) => {
    const client = `{ ${name}() }`
    const result = await native[name]?.()
    const found = search({ ...requestOf(loaded, 'Holder', client), granularity: 'await' }, clientOf(client), full)
    expect(found).toMatchObject({ endings: { outcomes: [JSON.stringify(result)] } })
  })

  test.each(Object.entries(unheld))('%s', (name, [, inNode]) => {
    const client = `{ ${name}() }`
    const found = search({ ...requestOf(loaded, 'Holder', client), granularity: 'await' }, clientOf(client), full)
    expect(found).toMatchObject({ endings: { outcomes: expect.arrayContaining([JSON.stringify(inNode)]) } })
  })
})
