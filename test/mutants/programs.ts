/** Programs that tell mutants of the extractor apart which the others do not: one form each, read or refused. */

export interface Telling {
  /** The part that is told apart, if the rest is the same in others. */
  readonly name?: string
  readonly body: string
  readonly more?: string
  /** Written with `async` and `await`. */
  readonly isAsync?: boolean
  /** Of other files, by specifier. */
  readonly files?: { readonly [specifier: string]: string }
}

const got = `const m = yield* receive('m')`

export const calls: readonly Telling[] = [
  // arguments and parameters
  { body: `yield* f(...[1, 2])`, more: `function* f(a, b) { yield* receive('a') }` },
  { body: `const x = f(...[1, 2]); yield* send(yield* self(), { kind: 'x', x })`, more: 'const f = (a, b) => a' },
  { body: `yield* f(1, 2)`, more: `function* f(...rest) { yield* receive('a') }` },
  { body: `${got}; yield* f(m.a)`, more: `function* f(a = 3) { yield* send(yield* self(), { kind: 'x', a }) }` },
  {
    body: `${got}; yield* f(m.a)`,
    more: `function* f(a = yield* g()) { yield* send(yield* self(), { kind: 'x', a }) } function* g() { return (yield* receive('v')).v }`,
  },
  {
    body: `${got}; yield* f(m.a + 1)`,
    more: `function* f(a = yield* g()) { yield* send(yield* self(), { kind: 'x', a }) } function* g() { return (yield* receive('v')).v }`,
  },
  { body: `${got}; yield* f(m.a && 1)`, more: `function* f(a = 3) { yield* send(yield* self(), { kind: 'x', a }) }` },
  { body: `${got}; yield* f(m.a || 1)`, more: `function* f(a = 3) { yield* send(yield* self(), { kind: 'x', a }) }` },
  {
    body: `${got}; yield* f(!m.a); yield* f({ a: m.a }); yield* f(n); yield* f(yield* self())`,
    more: `function* f(a = 3) { yield* send(yield* self(), { kind: 'x', a }) }`,
  },
  {
    body: `yield* f(undefined); yield* f(null)`,
    more: `function* f(a = 3) { yield* send(yield* self(), { kind: 'x', a }) }`,
  },
  { body: `yield* f(all); yield* f([1])`, more: `function* f(a = 3) { yield* receive('x') }` },
  { body: `yield* f(Math.PI)`, more: `function* f(a = 3) { yield* send(yield* self(), { kind: 'x', a }) }` },
  {
    body: `${got}; yield* f(m)`,
    more: `function* f({ a, b: [c, d] }) { yield* send(yield* self(), { kind: 'x', a, c, d }) }`,
  },
  {
    body: `let a = 1; a = 2; yield* f(a, (a = 3)); yield* send(yield* self(), { kind: 'x', a })`,
    more: `function* f(p, q) { yield* send(yield* self(), { kind: 'y', p, q }) }`,
  },
  { body: `let a = 1; a = 2; yield* f(a); function* f(p) { a = 5; yield* send(yield* self(), { kind: 'y', p }) }` },
  {
    body: `let a = 1; a = 2; const x = f(a, 1); function f(p, q) { return (a = 5) + p } yield* send(yield* self(), { kind: 'y', x })`,
  },
  {
    body: `let a = 1; a = 2; const x = f(a); function f(p) { p = p + 1; return p } yield* send(yield* self(), { kind: 'y', x, a })`,
  },
  {
    body: `let a = 1; a = 2; const x = f(a); function f(p) { return (p = 7) } yield* send(yield* self(), { kind: 'y', x, a })`,
  },
  {
    body: `const o = { x: 1 }; o.x = 2; set(o, 1); const b = o; yield* send(yield* self(), b)`,
    more: 'function set(p, v) { p.x = v }',
  },
  {
    body: `const l = []; yield* fill(l); yield* send(yield* self(), { kind: 'x', l: [...l] })`,
    more: `function* fill(p) { p.push(1); yield* receive('a') }`,
  },
  { body: `${got}; yield* fill(m.l)`, more: `function* fill(p) { p.push(1); yield* receive('a') }` },
  { body: `${got}; fill(m.l)`, more: `function fill(p) { p.push(1); return 1 }` },
  {
    body: `const l = []; l.push(0); yield* show(l); yield* send(yield* self(), { kind: 'x', v: l.length })`,
    more: `function* show(p) { yield* receive('a'); yield* send(yield* self(), { kind: 'y', v: p.length }) }`,
  },
  { body: `yield* f()`, more: `function* f(a) { yield* send(yield* self(), { kind: 'x', a }) }` },
  // async functions
  { isAsync: true, body: `const f = async () => receive('a'); await f()` },
  { isAsync: true, body: `const f = async () => await receive('a'); await f()` },
  { isAsync: true, body: `const f = async () => receive('a'); const m = await f(); await send(m.from, m)` },
  {
    isAsync: true,
    body: `const m = await f(); await send(m.from, m)`,
    more: `async function f() { await receive('b'); return receive('a') }`,
  },
  {
    isAsync: true,
    body: `const m = await f(); await send(m.from, m)`,
    more: `async function f() { if (await choose([true, false])) return receive('a'); return receive('b') }`,
  },
  {
    isAsync: true,
    body: `const m = await f(); await send(m.from, m)`,
    more: `async function f() { if (await choose([true, false])) return g(); return await g() } async function g() { return receive('c') }`,
  },
  {
    isAsync: true,
    body: `const m = await f(); await send(await self(), { kind: 'v', m })`,
    more: `async function f() { await receive('b'); return twice(3) } function twice(x) { return x * 2 }`,
  },
  { isAsync: true, body: `await f()`, more: `async function f() { await receive('b'); return Math.max(1, 2) }` },
  { isAsync: true, body: `f()`, more: `async function f() { await receive('b') }` },
  { isAsync: true, body: `const x = f()`, more: `async function f() { await receive('b') }` },
  { isAsync: true, body: `await repeat(2, async (i) => { await send(await self(), { kind: 'x', i }) })` },
  {
    isAsync: true,
    body: `await again(2)`,
    more: `async function again(x) { const m = await receive('a'); if (m.stop) return; await again(x + 1) }`,
  },
  {
    isAsync: true,
    body: `await again(2)`,
    more: `async function again(x) { const m = await receive('a'); if (m.stop) return; return again(x + 1) }`,
  },
  // generator functions
  { body: `f()`, more: `function* f() { yield* receive('b') }` },
  { body: `const f = function* () { yield* receive('b') }; yield* f()` },
  {
    body: `const f = function* g(x) { const m = yield* receive('b'); if (m.stop) return; yield* g(x + 1) }; yield* f(1)`,
  },
  { body: `yield* (function* () { yield* receive('b') })()` },
  { body: `const x = ((a) => a + 1)(two); yield* send(yield* self(), { kind: 'x', x })` },
  {
    body: `const x = yield* f(); yield* send(yield* self(), { kind: 'x', x })`,
    more: `function* f() { if (yield* choose([true, false])) return 1; yield* receive('b') }`,
  },
  {
    body: `const x = yield* f(); yield* send(yield* self(), { kind: 'x', x })`,
    more: `function* f() { if (yield* choose([true, false])) { yield* receive('b'); return } yield* receive('c') }`,
  },
  {
    body: `const x = yield* f(); yield* send(yield* self(), { kind: 'x', x })`,
    more: `function* f() { throw new Error('no') }`,
  },
  {
    body: `const x = yield* f(); yield* send(yield* self(), { kind: 'x', x })`,
    more: `function* f() { throw new Error('no'); return 1 }`,
  },
  { body: `const x = yield* f(); yield* send(yield* self(), { kind: 'x', x })`, more: `function* f() { return }` },
  {
    body: `let x = 1; x = yield* f(); yield* send(yield* self(), { kind: 'x', x }); function* f() { if (yield* choose([true, false])) return x + 1; return x + 2 }`,
  },
  {
    body: `const c = () => { yield1(); return 2 }; const x = c(); yield* send(yield* self(), { kind: 'x', x })`,
    more: 'function yield1() { return 1 }',
  },
  // plain functions
  {
    body: `const x = even(two); yield* send(yield* self(), { kind: 'x', x })`,
    more: 'const even = (v) => v === 0 ? 1 : even(v - 1)',
  },
  {
    body: `const x = even(two); yield* send(yield* self(), { kind: 'x', x })`,
    more: 'function even(v) { if (v === 0) return 1; return even(v - 1) }',
  },
  {
    body: `const x = deep(two); yield* send(yield* self(), { kind: 'x', x })`,
    more: `function deep(v) { if (v > 5) throw new Error('deep'); return deep(v + 1) }`,
  },
  { body: `const x = f(two); yield* send(yield* self(), { kind: 'x', x })`, more: `function f(v) { return; }` },
  {
    body: `const x = f(two); yield* send(yield* self(), { kind: 'x', x })`,
    more: `function f(v) { const w = v; return { kind: 'a', w } }`,
  },
  {
    body: `const x = f(two, yield* self()); yield* send(x.from, { kind: 'x', x })`,
    more: `function f(v, from) { let o; o = { v, from }; return o }`,
  },
  {
    body: `yield* spawn('w', function* (x) { yield* receive('a') }, pick(all, yield* self()))`,
    more: `function pick(set, from) { const x = 1; return x }`,
  },
  {
    body: `const w = yield* spawn('w', function* () { yield* receive('a') }); const x = f(w); yield* send(w, { kind: 'a' }); yield* send(yield* self(), { kind: 'x', x })`,
    more: `function f(to) { let y = 1; y++; return y }`,
  },
  {
    body: `const x = f((v) => v, two); yield* send(yield* self(), { kind: 'x', x })`,
    more: `function f(g, v) { const w = g(v); return w }`,
  },
  {
    body: `const x = f(all, two); yield* send(yield* self(), { kind: 'x', x })`,
    more: `function f(set, v) { let w = v; w++; return w }`,
  },
  { body: `const f = 5; yield* f()` },
  { body: `yield* all()` },
  { body: `const x = m(); yield* x.go()`, more: 'const m = mutex()' },
  { body: `yield* lock()`, more: 'let lock = 1; lock = 2' },
  { body: `const q = yield* poll('a'); yield* q()` },
  { body: `const q = yield* poll('a'); yield* q; const r = q() ; q(); q.x(); for (const z of q) yield* receive('a')` },
  // recursion
  {
    body: `yield* loop(1)`,
    more: `function* loop(a) { while (true) { const m = yield* receive('x'); if (m.v) return; if (m.w) break } yield* loop(a + 1) }`,
  },
  {
    body: `yield* loop(all)`,
    more: `function* loop(a) { for (const q of a) { const m = yield* receive('x'); if (m.v) return } yield* loop(a) }`,
  },
  {
    body: `yield* loop({ a: 1 }, 2)`,
    more: `function* loop({ a }, b) { const m = yield* receive('x'); if (m.stop) return; yield* loop({ a: b }, b) }`,
  },
  {
    body: `yield* loop(1, 2)`,
    more: `function* loop(a, b) { const m = yield* receive('x'); if (m.stop) return b; yield* loop(b, a) }`,
  },
  {
    body: `yield* loop(yield* self(), all)`,
    more: `function* loop(me, set) { for (const q of set) yield* send(q, { kind: 'go', me }); const m = yield* receive('x'); if (m.stop) return; return yield* loop(me, set) }`,
  },
  {
    body: `const r = yield* loop(1); yield* send(yield* self(), { kind: 'x', r })`,
    more: `function* loop(a) { const m = yield* receive('x'); if (m.stop) return a; return yield* loop(a + 1) }`,
  },
  {
    body: `const r = yield* loop(1); yield* send(yield* self(), { kind: 'x', r })`,
    more: `function* loop(a) { const m = yield* receive('x'); if (m.stop) return a; yield* loop() }`,
  },
  {
    body: `yield* loop(1)`,
    more: `function* loop(a) { const m = yield* receive('x'); switch (m.v) { case 1: yield* loop(2); break; default: { yield* loop(3); break } } }`,
  },
  {
    body: `yield* loop(1)`,
    more: `function* loop(a) { const m = yield* receive('x'); if (m.v) { yield* loop(2); return } else yield* loop(3) }`,
  },
  {
    body: `yield* loop(1)`,
    more: `function* loop(a) { const m = yield* receive('x'); if (m.v) { yield* loop(2) } yield* receive('y') }`,
  },
  {
    body: `yield* loop(1)`,
    more: `function* loop(a) { while (true) { const m = yield* receive('x'); if (m.v) return; if (m.w) break } }`,
  },
  {
    body: `yield* loop(1); yield* receive('z')`,
    more: `function* loop(a) { while (true) { const m = yield* receive('x'); if (m.v) return; if (m.w) break } yield* receive('y') }`,
  },
  {
    body: `yield* loop(...[1])`,
    more: `function* loop(a) { const m = yield* receive('x'); if (m.v) return; yield* loop(...[2]) }`,
  },
]
