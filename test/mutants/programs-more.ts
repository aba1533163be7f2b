/** What a computation may hold, what a main process that only computes is, and programs found by their place. */
import { page } from './pages.ts'
import type { Telling } from './programs.ts'

const got = `const m = yield* receive('m')`
const say = (value: string) => `yield* send(yield* self(), { kind: 'said', v: ${value} })`

export const more: readonly Telling[] = [
  // forms inside a computation
  ...page('rounds').flatMap((one): Telling[] => {
    const round = one.includes('await') ? one.replace('await', 'void') : one
    return [
      {
        name: `in a round: ${one}`,
        body: `${got}; let c = 0; for (const q of m.l) { ${one.replace('await q', 'q')} } ${say('c')}`,
        more: 'function many(a) { return a }\nfunction tag(a) { return a }',
      },
      {
        name: `in a callback: ${one}`,
        body: `${got}; let c = 0; m.l.forEach((q) => { ${/break|continue/.test(round) ? `for (;;) { ${round} }` : round.replace('yield q', 'q')} }); ${say('c')}`,
        more: 'function many(a) { return a }\nfunction tag(a) { return a }',
      },
      {
        name: `in a function: ${one}`,
        body: `${got}; let c = 0; c = f9(m.v, c); ${say('c')}`,
        more: `function f9(q, c) { ${/break|continue/.test(round) ? `for (;;) { ${round} }` : round.replace('yield q', 'q')}; return c }\nfunction many(a) { return a }\nfunction tag(a) { return a }`,
      },
    ]
  }),
  ...page('computations').flatMap((one): Telling[] => [
    { name: `an expression: ${one}`, body: `${got}; let c = 0; c = ${one}; ${say('c')}`, more: tops() },
    { name: `in a computation: ${one}`, body: `${got}; let c = 0; c = m.l.concat(${one}); ${say('c')}`, more: tops() },
    { name: `as a statement: ${one}`, body: `${got}; let c = 0; (${one}); ${say('c')}`, more: tops() },
  ]),
  // what is declared outside
  ...[
    'kept.x',
    'odd.f(1)',
    "odd['f'](1)",
    'oddName',
    'Odd.a',
    "Odd['a']",
    'none',
    'far',
    'lock.x',
    'lock',
    'plain',
    'plain.size',
    'aliased.x',
    'frozen',
  ].flatMap((one) =>
    [
      '',
      'new Set()',
      'new Set([1])',
      'tag`a`',
      'tag()',
      'Math.max(1)',
      '[1].map(() => 1)',
      'Array.from([1], () => 1)',
      'mutex()',
      'kept.y = 1',
      'Object.assign(also, { x: 9 })',
      'const it = kept',
      'let it = kept; it = kept',
    ].map(
      (code): Telling => ({
        name: `outside: ${one} beside ${code}`,
        body: `const x = ${one}; ${say('x')}`,
        more: `import { Mutex } from 'allways/sync'
import { 'odd name' as oddName } from './there'
import * as there from './there'
const kept = { x: 3 }
const also = kept
const aliased = also
const odd = { 'f': (v) => v + 1 }
enum Odd { 'a' = 3 }
const none = undefined
const far = faraway
const lock = new Mutex()
const plain = new Set()
const frozen = there.given
function tag() { return 1 }
${code}`,
        files: { './there': `const x = 4\nexport { x as 'odd name' }\nexport const given = { a: 1 }` },
      }),
    ),
  ),
  {
    body: `const o = { x: 0 }; outer(o); ${say('o.x')}`,
    more: 'function outer(p) { inner(p) }\nfunction inner(q) { q.x = 1 }',
  },
  { body: `const o = { a: Math.max(n, 1) }; ${say('o.a')}; ${say('o.b')}; ${say('o.at')}; ${say('o.length')}` },
  {
    body: `const o = [Math.max(n, 1)]; ${say('o[0]')}; ${say('o[3]')}; ${say('o.foo')}; ${say('o.length')}; ${say('o.at')}`,
  },
  // what is new, what is an object, and what is given away
  ...[
    'const q = rec1(m.v); q.push(1); c = q.length',
    'c = rec2(1) === m.v',
    'c = rec4(1) === m.v',
    'const q = rec3(m.v); q.push(1); c = q.length',
    'function f() { return 1 } f.x = 1; c = f.x',
    'const l = []; more3(l, 2); c = l.length',
    'const p = { z: 0 }; c = set1(p, m.v)',
    'const p = { z: 0 }; c = set2(p, m.v)',
    'const p = { z: 0 }; c = set3(p, m.v)',
    'const p = { z: 0 }; c = set4(p, m.v)',
    'const p = { z: 0 }; c = set5(p, m.v)',
  ].map(
    (one): Telling => ({
      name: `changing: ${one}`,
      body: `${got}; let c = 0; ${one}; ${say('c')}`,
      more: `function rec1(v) { let l = []; if (v) l = rec1(v - 1); l.push(v); return l }
function rec2(v) { if (v) return rec2(v - 1); return 1 }
function rec3(v) { if (v) return rec3(v - 1); return [1] }
function rec4(v) { if (v) return rec4(v - 1); return [1] }
function more3(p, v) { p.push(v); if (v > 0) more3(p, v - 1) }
function set1(q, r) { q.z = 1; return q == r }
function set2(q, r) { q.z = 1; return q != r }
function set3(q, r) { q.z = 1; return q === r }
function set4(q, r) { q.z = 1; return q !== r }
function set5(q, r) { q.z = 1; return q < r }`,
    }),
  ),
  {
    body: `const w = yield* spawn('w', function* () { yield* receive('x') }); yield* f(w)`,
    more: `function* f(to = 3) { yield* send(to, { kind: 'x' }) }`,
  },
  { body: `yield* repeat(2, function* (i) { if (i) return 1; yield* receive('a'); return 2 })` },
  {
    body: `let c = 1; c = 2; const w = yield* spawn('w', function* (a) { yield* receive('x') }, c); yield* send(w + 1, { kind: 'x' })`,
  },
  {
    body: `let c = 1; const w = yield* spawn('w', function* (a) { c = 2; yield* receive('x') }); yield* send(w + 1, { kind: 'x' })`,
  },
  { body: `const o = { a: Math.max(n, 1) }; const x = { ...o, b: 1 }; ${say('x.a')}; ${say('x.b')}; ${say('x')}` },
  { body: `${got}; const o = { a: m.v }; const x = { ...o, b: 1 }; ${say('x.a')}; ${say('x')}` },
  // a main process that only computes
  ...[
    'let a = two; a = n',
    'let a = two; if (n > 1) a = n',
    'yield* choose([1, 2])',
    'yield* choose(all)',
    'if (n > 1) return',
    'yield* assume(n > 1)',
    'yield* assert(n > 1)',
    'while (true) { }',
    'while (n > 1) { break }',
    'throw new Error("x")',
    'for (const q of all) { yield* choose([1]) }',
    'yield* repeat(n, function* () { })',
    '',
  ].map((one) => ({ name: `alone: ${one}`, body: one })),
  // results of functions, passed on
  {
    body: `const x = yield* f(); yield* g(x)`,
    more: `function* f() { if (yield* choose([true, false])) return 1; return 2 }\nfunction* g(p) { ${say('p')} }`,
  },
  {
    body: `const x = (yield* choose([true, false])) ? (yield* receive('a')).v : 1; yield* g(x)`,
    more: `function* g(p) { ${say('p')} }`,
  },
  { body: `${got}; const x = m.v && (yield* receive('a')).v; yield* g(x)`, more: `function* g(p) { ${say('p')} }` },
  {
    body: `${got}; yield* g(m, m.v, m.v + 1, [m.v], { a: m.v })`,
    more: `function* g(p, q, r, s, t) { ${say('p.v + q + r + s[0] + t.a')} }`,
  },
  {
    body: `${got}; let c = m.v; c = 2; yield* g(c, c + 1, [c], { a: c })`,
    more: `function* g(p, q, r, s) { ${say('p + q + r[0] + s.a')} }`,
  },
  { body: `let x; yield* g(x); x = 1`, more: `function* g(p) { ${say('p')} }` },
  { body: `for (const q of all) yield* g(q)`, more: `function* g(p) { yield* send(p, { kind: 'go' }) }` },
  {
    body: `let x = 1; for (let i = 0; i < 2; i++) { x = x + 1; yield* g(x, i) }`,
    more: `function* g(p, q) { ${say('p + q')} }`,
  },
  {
    body: `yield* loop(1)`,
    more: `function* loop(a) { yield* g(a); const m = yield* receive('x'); if (m.stop) return; yield* loop(a + 1) }\nfunction* g(p) { ${say('p')} }`,
  },
]

function tops(): string {
  return `function many(a) { return a }
function tag(a) { return a }
enum Color { Red }
const text = 'text'
const touched = { x: 1 }
touched.x = 2
const computed = Math.max(1, 2)
const listed = [1, 2]
const deep = { f: (v) => v, g: 1 }
function* gen(q) { yield* receive('a') }`
}
