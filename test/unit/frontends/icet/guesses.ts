/**
 * Everyday forms whose meaning is easily guessed wrong, by family. Each program fails an assertion, throws or waits for ever; read
 * wrongly, it would not.
 */

export interface Guess {
  readonly body: string
  readonly more?: string
  /** Before the body. */
  readonly sent?: string
}

export const box = `function* next() { yield* send(yield* self(), { kind: 'v', v: 1 }); return (yield* receive('v')).v }`
const message = `yield* send(me, { kind: 'm' })`
const bump = `let x = 0; function* up() { x = x + 1; return x }`

export const guesses: { readonly [family: string]: readonly Guess[] } = {
  'an operation in a part that is not always evaluated': [
    { body: `const cached = 7; ${bump}; const v = cached ?? (yield* up()); yield* assert(x === 1)` },
    { body: `const m = yield* next(); ${bump}; const v = m ?? (yield* up()); yield* assert(x === 1)`, more: box },
    { body: `let v = yield* next(); ${bump}; v ??= yield* up(); yield* assert(x === 1)`, more: box },
    { body: `let v = yield* next(); ${bump}; v ||= yield* up(); yield* assert(x === 1)`, more: box },
    { body: `let v = (yield* next()) - 1; ${bump}; v &&= yield* up(); yield* assert(x === 1)`, more: box },
    {
      body: `const v = yield* next(); ${bump}; Math.max(v > 5 ? yield* up() : 0, 1); yield* assert(x === 1)`,
      more: box,
    },
    {
      body: `const v = yield* next(); ${bump}; const t = \`\${v > 5 ? yield* up() : 0}\`; yield* assert(x === 1)`,
      more: box,
    },
    {
      body: `const v = yield* next(); ${bump}; const t = \`\${v > 5 && (yield* up())}\`; yield* assert(x === 1)`,
      more: box,
    },
    { body: `const go = (yield* next()) > 1; ${bump}; go && (yield* up()); yield* assert(x === 1)`, more: box },
    {
      body: `const go = (yield* next()) > 1; ${bump}; const l = [...[1], go && (yield* up())]; yield* assert(x === 1)`,
      more: box,
    },
    { body: `const m = { f: undefined }; ${bump}; m.f?.(yield* up()); yield* assert(x === 1)` },
    { body: `const m = yield* receive('m'); ${bump}; m.f?.g(yield* up()); yield* assert(x === 1)`, sent: message },
    { body: `const m = yield* receive('m'); ${bump}; m.f?.[yield* up()]; yield* assert(x === 1)`, sent: message },
    { body: `${bump}; const l = [1, 2]; l.length > 5 ? l.push(yield* up()) : 0; yield* assert(x === 1)` },
    {
      body: `const v = yield* next(); ${bump}; const o = { ...{}, a: v > 5 ? yield* up() : 0 }; yield* assert(x === 1)`,
      more: box,
    },
    {
      body: `const v = yield* next(); ${bump}; v > 5 || Math.max(v < 5 || (yield* up())); yield* assert(x === 1)`,
      more: box,
    },
    {
      body: `const v = yield* next(); let x = 0; const t = \`\${v > 5 ? (x = 1) : 0}\`; yield* assert(x === 1)`,
      more: box,
    },
    { body: `const v = yield* next(); let x = 0; const t = \`\${v ?? x++}\`; yield* assert(x === 1)`, more: box },
    { body: `const o = { a: 1 }; ${bump}; o.a ??= yield* up(); yield* assert(x === 1)` },
    { body: `const o = { a: yield* next() }; ${bump}; o.a ||= yield* up(); yield* assert(x === 1)`, more: box },
    {
      body: `let x = 5; const y = yield* next(); x = y && (yield* peek()); function* peek() { return x }; yield* assert(x === 1)`,
      more: box,
    },
    {
      body: `let x = 5; const y = 0 * (yield* next()); x = y || (yield* peek()); function* peek() { return x }; yield* assert(x === 0)`,
      more: box,
    },
    {
      body: `const v = yield* next(); ${bump}; if (Math.min(v, v > 5 ? yield* up() : 3) > 0) yield* assert(x === 1)`,
      more: box,
    },
    {
      body: `const v = yield* next(); ${bump}; switch (v) { case 1: break; case yield* up(): break } yield* assert(x === 1)`,
      more: box,
    },
  ],
  'arguments of console': [
    { body: `${bump}; console.log(yield* up()); yield* assert(x === 0)` },
    { body: `let x = 0; console.log('x', x++); yield* assert(x === 0)` },
    { body: `let x = 0; console.error(\`\${(x = 3)}\`); yield* assert(x === 0)` },
    { body: `const l = []; console.info(l.push(1)); yield* assert(l.length === 0)` },
    { body: `console.warn(yield* receive('never'))` },
    { body: `let x = 0; const log = console.log; log(x++); yield* assert(x === 0)` },
    { body: `let x = 0; console?.log(x++); yield* assert(x === 0)` },
    { body: `let x = 0; console['log'](x++); yield* assert(x === 0)` },
    { body: `let x = 0; console.assert(x++ === 0); yield* assert(x === 0)` },
    { body: `let x = 0; const c = console; c.log(x++); yield* assert(x === 0)` },
  ],
  'two names of one object': [
    { body: `const a = { x: 0 }; const b = a; b.x = 1; yield* assert(a.x === 0)` },
    { body: `const a = { x: 0 }; const b = a; a.x = 1; yield* assert(b.x === 0)` },
    { body: `let a = { x: 0 }; let b; b = a; b.x = 1; yield* assert(a.x === 0)` },
    { body: `const a = { x: 0 }; const l = [a]; l[0].x = 1; yield* assert(a.x === 0)` },
    { body: `const l = [{ x: 0 }]; const e = l[0]; e.x = 1; yield* assert(l[0].x === 0)` },
    { body: `const l = [{ x: 0 }]; const [e] = l; e.x = 1; yield* assert(l[0].x === 0)` },
    { body: `const l = [{ x: 0 }]; for (const e of l) { e.x = 1 } yield* assert(l[0].x === 0)` },
    {
      body: `const l = [{ x: 0 }]; for (const e of l) { yield* next(); e.x = 1 } yield* assert(l[0].x === 0)`,
      more: box,
    },
    { body: `const o = { i: { x: 0 } }; const { i } = o; i.x = 1; yield* assert(o.i.x === 0)` },
    {
      body: `const o = { i: { x: 0 } }; const { i: { ...j } } = o; const k = o.i; k.x = 1; yield* assert(o.i.x === 0)`,
    },
    { body: `const o = { i: { x: 0 } }; const c = { ...o }; c.i.x = 1; yield* assert(o.i.x === 0)` },
    { body: `const o = [[0]]; const c = [...o]; c[0][0] = 1; yield* assert(o[0][0] === 0)` },
    { body: `const o = [[0]]; const c = o.slice(); c[0].push(1); yield* assert(o[0].length === 1)` },
    { body: `const l = [{ x: 0 }]; l.forEach((e) => { e.x = 1 }); yield* assert(l[0].x === 0)` },
    { body: `const l = [{ x: 0 }]; const r = l.map((e) => (e.x = 1)); yield* assert(l[0].x === 0)` },
    { body: `const a = { x: 0 }; [1].forEach(() => { a.x = 1 }); yield* assert(a.x === 0)` },
    { body: `const a = { x: 0 }; set(a); yield* assert(a.x === 0)`, more: 'function set(o) { o.x = 1 }' },
    { body: `const a = { i: { x: 0 } }; set(a.i); yield* assert(a.i.x === 0)`, more: 'function set(o) { o.x = 1 }' },
    { body: `const a = [{ x: 0 }]; set(a[0]); yield* assert(a[0].x === 0)`, more: 'function set(o) { o.x = 1 }' },
    {
      body: `const a = { x: 0 }; const b = a; set(b); yield* assert(a.x === 0)`,
      more: 'const set = (o) => { const p = o; p.x = 1 }',
    },
    { body: `const a = { x: 0 }; set({ a }); yield* assert(a.x === 0)`, more: 'function set({ a }) { a.x = 1 }' },
    { body: `const a = { x: 0 }; const b = id(a); b.x = 1; yield* assert(a.x === 0)`, more: 'const id = (o) => o' },
    { body: `const a = { x: 0 }; Reflect.set(a, 'x', 1); yield* assert(a.x === 0)` },
    { body: `const a = { x: 0 }; Object.assign(a, { x: 1 }); yield* assert(a.x === 0)` },
    { body: `const a = { x: 0 }; const b = Object.assign(a, {}); b.x = 1; yield* assert(a.x === 0)` },
    { body: `const a = { x: 0 }; Object.defineProperty(a, 'x', { value: 1 }); yield* assert(a.x === 0)` },
    { body: `const a = { x: 0 }; const { assign } = Object; assign(a, { x: 1 }); yield* assert(a.x === 0)` },
    { body: `const t = table; t.x = 1; yield* assert(table.x === 0)`, more: 'const table = { x: 0 }' },
    {
      body: `const { inner } = table; inner.x = 1; yield* assert(table.inner.x === 0)`,
      more: 'const table = { inner: { x: 0 } }',
    },
    { body: `set(table); yield* assert(table.x === 0)`, more: 'const table = { x: 0 }; function set(o) { o.x = 1 }' },
    { body: `const s = [3, 1]; const t = s.sort(); t.push(9); yield* assert(s.length === 2)` },
    { body: `const s = [3, 1]; const t = s.sort(); yield* assert(s[0] === 3)` },
    { body: `const s = [3, 1].concat([2]); const t = s; t.reverse(); yield* assert(s[0] === 3)` },
    { body: `const m = new Map(); const n2 = m.set('a', 1); n2.set('a', 2); yield* assert(m.get('a') === 1)` },
    { body: `const m = new Map([['a', { x: 0 }]]); m.get('a').x = 1; const b = m.get('a'); yield* assert(b.x === 0)` },
    {
      body: `const m = new Map([['a', [0]]]); const l = m.get('a'); l.push(1); yield* assert(m.get('a').length === 1)`,
    },
    { body: `const l = [1]; const it = l.values(); l.push(2); yield* assert([...it].length === 1)` },
    { body: `const l = [1]; yield* send(me, { kind: 'l', l }); l.push(2); yield* receive('l')` },
    { body: `const a = { x: 0 }; const f = () => a; f().x = 1; yield* assert(a.x === 0)` },
    { body: `const a = { x: 0 }; (a).x = 1; (true ? a : a).x = 2; yield* assert(a.x === 1)` },
    { body: `const a = { x: 0 }; const l = []; l.push(a); l[0].x = 1; yield* assert(a.x === 0)` },
    { body: `const a = { x: 0 }; for (a.x of [1, 2]) {} yield* assert(a.x === 0)` },
    { body: `const a = { x: 0 }; [a.x] = [1]; yield* assert(a.x === 0)` },
    { body: `const a = { x: 0 }; ({ y: a.x } = { y: 1 }); yield* assert(a.x === 0)` },
    { body: `const a = { x: 0 }; a['x'] = 1; delete a.x; yield* assert(a.x === 1)` },
    { body: `const a = { x: 0 }; const b = { ...a, get y() { return ++a.x } }; b.y; yield* assert(a.x === 0)` },
    { body: `const a = [0]; const b = a.fill(1); yield* assert(a[0] === 0)` },
    { body: `const a = [0]; a.with(0, 1); a.splice(0, 1); yield* assert(a.length === 1)` },
    { body: `const a = [0]; Array.prototype.push.call(a, 1); yield* assert(a.length === 1)` },
    { body: `const a = [0]; const p = a.push; p.call(a, 1); yield* assert(a.length === 1)` },
    { body: `const a = [0]; [a].forEach((e) => e.push(1)); yield* assert(a.length === 1)` },
    { body: `const a = [0]; const b = [a].at(0); b.push(1); yield* assert(a.length === 1)` },
    { body: `const a = [[0]]; const b = a.find((e) => e[0] === 0); b.push(1); yield* assert(a[0].length === 1)` },
    {
      body: `const a = [0]; [1].map((e, i, all) => all.push(1)); [0].reduce((l, e) => { l.push(e); return l }, a); yield* assert(a.length === 1)`,
    },
    { body: `const a = [0]; const h = { a }; h.a.push(1); yield* assert(a.length === 1)` },
    { body: `const a = [0]; const h = { f: () => a }; h.f().push(1); yield* assert(a.length === 1)` },
    { body: `const a = new Set(); const b = a; b.add(1); yield* assert(a.size === 0)` },
    { body: `const o = { list: [] }; const { list } = o; list.push(1); yield* assert(o.list.length === 0)` },
    {
      body: `const o = { list: [] }; o.list.push(1); const p = { ...o }; p.list.push(2); yield* assert(o.list.length === 1)`,
    },
    { body: `const a = [0]; if (a.length > 0) { const b = a; b.pop() } yield* assert(a.length === 1)` },
    { body: `const a = [1]; const b = a.length > 0 ? a : [2]; b.push(3); yield* assert(a.length === 1)` },
    { body: `const a = [1]; const b = a ?? []; b.push(3); yield* assert(a.length === 1)` },
    { body: `const a = [1]; const b = a || []; b.push(3); yield* assert(a.length === 1)` },
    { body: `let b = [1]; const a = b; b = [...b]; b = a; b.push(1); yield* assert(a.length === 1)` },
    { body: `function* hold(o) { const p = o; p.x = 1 } const a = { x: 0 }; yield* hold(a); yield* assert(a.x === 0)` },
    {
      body: `function* both(p, q) { p.x = 1; return q.x } const a = { x: 0 }; yield* assert((yield* both(a, a)) === 0)`,
    },
    { body: `const both = (p, q) => { p.x = 1; return q.x }; const a = { x: 0 }; yield* assert(both(a, a) === 0)` },
    { body: `const a = { x: 0 }; function change() { a.x = 1 } [1].forEach(change); yield* assert(a.x === 0)` },
    { body: `const hs = []; let t = 0; hs.push(() => { t += 1 }); const u = t; hs[0](); yield* assert(t === u)` },
    {
      body: `const hs = { f: () => 0 }; let t = 0; const g = [() => { t = 5 }]; g[0](); g[0](); yield* assert(t === 0)`,
    },
  ],
  'identity of objects': [
    { body: `const a = []; const b = []; yield* assert(a === b)` },
    { body: `const a = { x: 1 }; const b = { x: 1 }; yield* assert(a === b)` },
    { body: `yield* assert([] === [])` },
    { body: `const a = [1].map((x) => x); const b = [1].map((x) => x); yield* assert(a === b)` },
    { body: `const a = { x: 1 }; const b = { ...a }; if (a === b) return; yield* assert(false)` },
    {
      body: `const a = { x: 1 }; switch (a) { case { x: 1 }: yield* assert(true); break; default: yield* assert(false) }`,
    },
    { body: `yield* assert(new Set([{}]).size === new Set([{}, {}]).size)` },
    { body: `const a = () => 1; const b = () => 1; yield* assert(a === b)` },
  ],
  'equality with conversions': [
    { body: `const v = yield* next(); yield* assert(v != '1')`, more: box },
    { body: `const v = yield* next(); if (v == '1') yield* assert(false)`, more: box },
    { body: `const v = yield* next(); if (v == true) yield* assert(false)`, more: box },
    { body: `yield* assert(!(0 == ''))` },
    { body: `yield* assert(!(null == undefined))` },
    { body: `let v; yield* assert(v != null)` },
    { body: `yield* receive((m) => m.kind == 'v' && m.kind)` },
  ],
  'a loop whose index is assigned': [
    {
      body: `let c = 0; for (let i = 0; i < 3; i++) { c++; yield* next(); [i] = [5] } yield* assert(c === 3)`,
      more: box,
    },
    {
      body: `let c = 0; for (let i = 0; i < 3; i++) { c++; yield* next(); ({ i } = { i: 5 }) } yield* assert(c === 3)`,
      more: box,
    },
    {
      body: `let c = 0; for (let i = 0; i < 3; i++) { c++; yield* next(); for (i of [5]) {} } yield* assert(c === 3)`,
      more: box,
    },
    {
      body: `let c = 0; for (let i = 0; i < 3; i++) { const skip = () => { i = 5 }; c++; yield* next(); skip() } yield* assert(c === 3)`,
      more: box,
    },
    {
      body: `let c = 0; for (let i = 0; i < 3; i++) { function* skip() { i += 5 } c++; yield* next(); yield* skip() } yield* assert(c === 3)`,
      more: box,
    },
    { body: `let c = 0; for (let i = 0; i < 3; i++) { c++; yield* next(); i++ } yield* assert(c === 3)`, more: box },
    { body: `for (var i = 0; i < 3; i++) { yield* next() } yield* assert(i === 2)`, more: box },
    {
      body: `let m = 3; let c = 0; for (let i = 0; i < m; i++) { c++; m = 1; yield* next() } yield* assert(c === 3)`,
      more: box,
    },
    { body: `let c = 0; for (let i = 0; i < 3; i++, c++) { yield* next() } yield* assert(c === 0)`, more: box },
    { body: `let c = 0; for (let i = 0, j = c++; i < 3; i++) { yield* next() } yield* assert(c === 0)`, more: box },
    { body: `let c = 0; for (let i = 0.5; i < 2; i++) { c++; yield* next() } yield* assert(c === 1)`, more: box },
    { body: `let c = 0; for (let i = 0; i < 1.5; i++) { c++; yield* next() } yield* assert(c === 1)`, more: box },
    {
      body: `let c = 0; yield* repeat(3, function* (i = 9) { c += i; yield* next() }); yield* assert(c === 0)`,
      more: box,
    },
    {
      body: `let c = 0; yield* repeat(3, function* (...r) { c += r[0]; yield* next() }); yield* assert(c === 0)`,
      more: box,
    },
  ],
  'a case that falls through': [
    {
      body: `let x = 0; switch (yield* next()) { case 1: while (true) { yield* next(); break } case 2: x = 1 } yield* assert(x === 0)`,
      more: box,
    },
    {
      body: `let x = 0; switch (yield* next()) { case 1: for (;;) { if ((yield* next()) === 1) break } case 2: x = 1 } yield* assert(x === 0)`,
      more: box,
    },
    {
      body: `let x = 0; switch (yield* next()) { case 1: { while (true) { if ((yield* next()) > 0) { break } } } default: x = 1 } yield* assert(x === 0)`,
      more: box,
    },
    {
      body: `let x = 0; switch (yield* next()) { case 1: if (x === 1) break; case 2: x = 1 } yield* assert(x === 0)`,
      more: box,
    },
  ],
  'evaluation order': [
    { body: `let x = 0; const o = { a: { b: x }, c: (x = 1) }; yield* assert(o.a.b === 1)` },
    { body: `let x = 0; const o = [[x], x++]; yield* assert(o[0][0] === 1)` },
    { body: `let x = 0; const o = { a: [x], c: yield* set() }; function* set() { x = 1 } yield* assert(o.a[0] === 1)` },
    {
      body: `let x = 0; yield* send(me, { kind: 'o', a: { b: { c: x } }, d: x++ }); const m = yield* receive('o'); yield* assert(m.a.b.c === 1)`,
    },
    { body: `let x = 1; const f = (a) => (x = 5, a + x); yield* assert(f(x) === 10)` },
    { body: `let x = 1; const f = (a, b) => a; yield* assert(f(x, x++) === 2)` },
    {
      body: `let x = 1; for (const y of [x, x]) { yield* next(); x = 7; yield* assert(y === 1 || y === 7) ; if (y === 1 && x === 7) continue; yield* assert(false) } yield* assert(false)`,
      more: box,
    },
    {
      body: `let x = 1; let s = 0; for (const y of [x, x]) { yield* next(); x = 7; s += y } yield* assert(s === 8)`,
      more: box,
    },
    { body: `let x = 1; const t = \`\${x}\${x++}\${x}\`; yield* assert(t === '112' ? false : true)` },
    {
      body: `let x = 1; const v = Math.max(x, yield* set()); function* set() { x = 9; return 0 } yield* assert(v === 9)`,
    },
    { body: `const l = []; const v = l.length + l.push(1); yield* assert(v === 2)` },
    {
      body: `let l = [1]; const v = Math.max(l.push(2), yield* seen()); function* seen() { return l.length === 2 ? 9 : 0 } yield* assert(v !== 9)`,
    },
    { body: `let x = [5]; x = x.pop(); yield* assert(x !== 5)` },
    { body: `let x = 1; x += yield* set(); function* set() { x = 10; return 1 } yield* assert(x === 11)` },
    { body: `let x = 1; const y = x-- - --x; yield* assert(y === 0)` },
    { body: `let i = 0; const l = [1, 2]; l[i++] = i; yield* assert(l[0] === 0)` },
    { body: `let x = 0; const r = [x, ...[x++], x]; yield* assert(r[2] === 0)` },
    { body: `let x = 0; const r = { x, ...{ y: x++ }, z: x }; yield* assert(r.z === 0)` },
    { body: `let k = 'a'; const o = { [k]: 1, [(k = 'b')]: 2 }; yield* assert(o.b === 1)` },
  ],
  'a function in an object': [
    { body: `let x = 1; const o = { v: x, f: () => 0 }; x = 2; yield* assert(o.v === 2)` },
    { body: `let x = 1; const o = { v: { w: x }, *f() {} }; x = 2; yield* assert(o.v.w === 2)` },
    { body: `let x = 1; const o = [x, () => 0]; x = 2; yield* assert(o[0] === 2)` },
    {
      body: `let x = 1; const o = { f: () => 0, v: x }; yield* change(); function* change() { x = 2 } yield* assert(o.v === 2)`,
    },
    { body: `let x = 1; const o = { f() { return x }, v: x }; x = 2; yield* assert(o.v === 2)` },
    { body: `let x = 1; const o = { f: () => x }; x = 2; yield* assert(o.f() === 1)` },
    { body: `const o = { v: 1, f() { return this.v } }; const p = { ...o, v: 2 }; yield* assert(p.f() === 1)` },
    { body: `const o = { v: 1, f: () => 0 }; o.v = 2; yield* assert(o.v === 1)` },
  ],
  'default values': [
    { body: `const v = yield* next(); let x = 0; const f = (a = x++) => a; f(v); yield* assert(x === 1)`, more: box },
    {
      body: `const v = yield* next(); let x = 0; function f(a = (x = 1)) { return a } f(v); yield* assert(x === 1)`,
      more: box,
    },
    {
      body: `const v = yield* next(); const f = (a = 5) => a; yield* assert(f(v > 5 ? 1 : undefined) === undefined)`,
      more: box,
    },
    {
      body: `const v = yield* next(); const f = (a = 5) => a; let u; yield* assert(f(v > 5 || u) === undefined)`,
      more: box,
    },
    { body: `const f = ({ a = 5 }) => a; yield* assert(f({ a: 1 }) === 5)` },
    { body: `const m = yield* receive('m'); const { a = 5 } = m; yield* assert(a === undefined)`, sent: message },
    { body: `const [a = 5] = [1]; yield* assert(a === 5)` },
    { body: `let a; [a = 5] = [1]; yield* assert(a === 5)` },
    { body: `const f = (a = 5) => a; yield* assert(f(null) === 5)` },
    { body: `function f(a, b = a) { a = 2; return b } yield* assert(f(1) === 2)` },
    { body: `function f(a) { return arguments.length } yield* assert(f(1, 2) === 1)` },
    { body: `function f(a) { arguments[0] = 2; return a } yield* assert(f(1) === 1)` },
    { body: `const f = (...r) => r.length; yield* assert(f(1, 2) === 1)` },
  ],
  var: [
    {
      body: `let c = 0; for (let i = 0; i < 2; i++) { var x; yield* next(); if (x === 1) c = 1; x = 1 } yield* assert(c === 0)`,
      more: box,
    },
    { body: `let c = 0; for (let i = 0; i < 2; i++) { var x; if (x === 1) c = 1; x = 1 } yield* assert(c === 0)` },
    {
      body: `let c = 0; for (const q of [1, 2]) { var x; yield* next(); if (x === 1) c = 1; x = 1 } yield* assert(c === 0)`,
      more: box,
    },
    {
      body: `var x = 1; let c = 0; while (true) { if (x === 2) c = 1; var x = 2; if ((yield* next()) + c === 2) break } yield* assert(c === 0)`,
      more: box,
    },
    { body: `if ((yield* next()) === 1) { var x = 1 } yield* assert(x === undefined)`, more: box },
    { body: `function f() { if (true) { var x = 1 } return x } yield* assert(f() === undefined)` },
    { body: `x = 2; var x; yield* assert(x === undefined)` },
  ],
  'a filter of receive': [
    { body: `yield* send(me, { kind: 'a' }); yield* receive(({ kind }) => 'ab'.includes(kind)); yield* assert(false)` },
    { body: `yield* send(me, { kind: 'ab' }); yield* receive((m) => ['ab'].includes(m.kind) && m.kind !== 'ab')` },
    { body: `yield* send(me, { kind: 'ab' }); yield* receive((m) => m.kind === ['ab'])` },
    { body: `yield* send(me, { kind: 'ab' }); yield* receive((m) => ['ab'].includes(m.kind, 1))` },
    { body: `yield* send(me, { kind: 'ab' }); yield* receive((m) => !['ab'].includes(m.kind))` },
    {
      body: `yield* send(me, { kind: 'ab' }); let k = 'ab'; const f = (m) => m.kind === k; k = 'b'; yield* receive(f)`,
    },
    { body: `yield* send(me, { kind: 'ab' }); yield* receive((m) => { m = { kind: 'b' }; return m.kind === 'ab' })` },
    { body: `yield* send(me, { kind: 'ab' }); yield* receive(({ kind = 'ab' }) => kind === 'b')` },
    { body: `yield* send(me, { kind: 'ab' }); yield* receive((m, n = 1) => n.kind === 'ab')` },
    {
      body: `yield* send(me, { kind: 'a' }); const list = ['a']; list.pop(); yield* receive((m) => list.includes(m.kind))`,
    },
    {
      body: `${bump}; yield* send(me, { kind: 'a' }); yield* receive('a', { from: (yield* up(), me) }); yield* assert(x === 0)`,
    },
    {
      body: `${bump}; yield* send(me, { kind: 'a' }); yield* receive('a', undefined, yield* up()); yield* assert(x === 0)`,
    },
  ],
  'the message of assert': [
    { body: `${bump}; yield* assert(true, \`\${yield* up()}\`); yield* assert(x === 0)` },
    { body: `let x = 0; yield* assert(true, \`\${x++}\`); yield* assert(x === 0)` },
    { body: `let x = 0; yield* assert(true, String((x = 1))); yield* assert(x === 0)` },
    { body: `yield* assert(true, yield* receive('never'))` },
    { body: `let x = 0; if ((yield* next()) > 5) throw new Error(\`\${x++}\`); yield* assert(x === 1)`, more: box },
    { body: `let x = 0; yield* assume(true, x++); yield* assert(x === 0)` },
    { body: `let x = 0; const m = yield* self(x++); yield* assert(x === 0)` },
    {
      body: `let x = 0; yield* send(me, { kind: 'a' }, { network: (x++, 'fifo') }); yield* receive('a'); yield* assert(x === 0)`,
    },
    { body: `let x = 0; yield* choose([(x++, 1)]); yield* assert(x === 0)` },
  ],
  'objects that act when they are read': [
    { body: `let x = 0; const o = { get v() { x++; return 1 } }; const y = o.v; yield* assert(x === 0)` },
    { body: `let x = 0; const o = { valueOf() { x++; return 1 } }; const y = o + 1; yield* assert(x === 0)` },
    { body: `let x = 0; const o = { toString() { x++; return '' } }; const y = \`\${o}\`; yield* assert(x === 0)` },
    { body: `let x = 0; const o = { set v(w) { x++ } }; o.v = 1; yield* assert(x === 0)` },
    { body: `let x = 0; const o = new Proxy({}, { get() { x++ } }); o.v; yield* assert(x === 0)` },
    { body: `let x = 0; class C { hit() { x++ } } new C().hit(); yield* assert(x === 0)` },
    {
      body: `new Counter().hit(); yield* assert(Counter.hits === 0)`,
      more: 'class Counter { static hits = 0; hit() { Counter.hits++ } }',
    },
    { body: `let x = 0; const o = { toJSON() { x++ } }; JSON.stringify(o); yield* assert(x === 0)` },
    { body: `let x = 0; const o = { *[Symbol.iterator]() { x++ } }; [...o]; yield* assert(x === 0)` },
    { body: `let x = 0; const t = (s) => { x++ }; t\`a\`; yield* assert(x === 0)` },
    { body: `let x = 0; eval('x++'); yield* assert(x === 0)` },
    { body: `let x = 0; new Function('x')(x++); yield* assert(x === 0)` },
    { body: `globalThis.seen = 1; yield* assert(globalThis.seen === undefined)` },
    { body: `Math.seen = 1; yield* assert(Math.seen === undefined)` },
    { body: `const r = /a/g; r.test('a'); const u = r.test('a'); yield* assert(u === true)` },
    { body: `const r = /a/g; const s = r.test('a'); const t = r.test('a'); yield* assert(s === t)` },
    { body: `const s = Symbol(); const t = Symbol(); yield* assert(s === t)` },
    { body: `const o = { a: 1 }; yield* assert(!('a' in o))` },
    { body: `const o = { __proto__: { a: 1 } }; yield* assert(o.a === undefined)` },
    { body: `const o = { a: 1 }; yield* assert(o.toString === undefined)` },
    { body: `const o = { a: 1 }; const k = 'toString'; yield* assert(o[k] === undefined)` },
    { body: `const l = [1]; yield* assert(l.map === undefined)` },
    { body: `const { length } = [1, 2]; yield* assert(length === undefined)` },
    { body: `const { length } = 'ab'; yield* assert(length === undefined)` },
    { body: `const t = 'ab'; yield* assert(t.at === undefined)` },
    { body: `const t = 'ab'; const [a] = t; yield* assert(a === undefined)` },
    { body: `const t = 'ab'; yield* assert(t[0] === undefined)` },
    { body: `void (yield* receive('never'))` },
    { body: `let x = 0; const y = (x++, x++, 5); yield* assert(x === 1)` },
    { body: `let x = 0; const y = typeof (x = 1); yield* assert(x === 0)` },
    { body: `let x = 0; const y = (+(x = 1)) ** (x = 2); yield* assert(x === 1)` },
    { body: `let x = 0; const y = -(x = 1); yield* assert(x === 0)` },
    { body: `let s = '5'; s++; yield* assert(s === '51')` },
    { body: `let x = 1; { let x = 2; x++ } yield* assert(x === 3)` },
    { body: `const o = { f: 1 }; const { f: g = 2, ...rest } = o; yield* assert(rest.f === 1)` },
  ],
}

/** The program of a guess. */
export function programText({ body, more = '', sent = '' }: Guess): string {
  return `import { announce, assert, assume, choose, every, program, receive, repeat, self, send, spawnAll } from 'allways'
export default program('p', { params: { n: every(1) } }, function* ({ n }) {
  const me = yield* self()
  const all = yield* spawnAll(n, 'peer', function* () {})
  ${sent}
  ${body}
})
${more}
`
}
