/** Clients whose logs hang on how many jobs something takes, or on what Node ends, which generated classes seldom do. */
import type { AsyncClass } from '../async-classes/generate.ts'

interface Written {
  readonly body: string
  readonly client: readonly (readonly string[])[]
}

const one = (body: string, ...client: readonly (readonly string[])[]): Written => ({ body, client })

const bodies: readonly Written[] = [
  one('async a() { void this.fails(); return 1 } async fails() { throw new Error("no") }', ['a', 'a'], ['a']),
  one(
    'async a() { const p = this.fails(); await null; try { await p } catch { return 2 } } async fails() { throw 1 }',
    ['a'],
    ['a'],
  ),
  one(
    'async a() { const p = this.fails(); p.catch(() => {}); await null; await null; return p } async fails() { throw 1 }',
    ['a'],
    ['a'],
  ),
  one('async a() { queueMicrotask(() => { throw new TypeError("x") }); await null; return 1 }', ['a'], ['a']),
  one('a() { throw new RangeError("at once") } async b() { await null; return 3 }', ['a', 'b'], ['b', 'a']),
  one('n = 0; a() { return ++this.n } async b() { await null; return this.n }', ['a', 'a', 'a'], ['b', 'b']),
  one(
    'async a() { return this.b() } async b() { return 1 } async c() { await null; await null; return 2 }',
    ['a'],
    ['c'],
    ['b'],
  ),
  one(
    'async a() { return { then: (done) => done(4) } } async b() { for (let i = 0; i < 4; i++) await i; return 5 }',
    ['a'],
    ['b'],
  ),
  one(
    'async a() { let s = 0; for await (const x of this.g()) s += x; return s } async *g() { yield 1; yield* [2, 3] } async b() { for (let i = 0; i < 9; i++) await i; return 5 }',
    ['a', 'b'],
    ['b'],
  ),
  one(
    't = ""; async a() { process.nextTick(() => { this.t += "t" }); queueMicrotask(() => { this.t += "m" }); await null; return this.t }',
    ['a', 'a'],
    ['a'],
  ),
  one(
    'q = []; async a() { await new Promise((done) => this.q.push(done)); return 1 } async b() { await null; this.q.shift()?.(); return 2 }',
    ['a'],
    ['b', 'b'],
  ),
  one(
    'async a() { return Promise.all([this.b(), 1]).then((x) => x.length) } async b() { await null } async c() { return Promise.race([this.b(), null]) }',
    ['a'],
    ['c', 'c'],
  ),
  one(
    'async a(x = this.fails()) { return x } fails() { throw new Error("default") } async b() { await null; return 1 }',
    ['a', 'b'],
    ['b'],
  ),
  one(
    'static s = 0; async a() { const c = this.constructor; const n = c.s; await null; c.s = n + 1; return c.s }',
    ['a'],
    ['a', 'a'],
  ),
  one(
    'async a() { try { return await this.b() } finally { await null } } async b() { throw new Error("b") } async c() { await null; await null; await null; return 1 }',
    ['a'],
    ['c'],
  ),
  one('async a() { await Promise.reject(7).finally(() => this.b()) } async b() { await null }', ['a'], ['a']),
]

/** As those that are generated. */
export const written: readonly AsyncClass[] = bodies.map(({ body, client }, at) => ({
  name: `W${at}`,
  source: `export class W${at} { ${body} }`,
  deferring: '',
  client,
}))
