/** Values, patterns, objects, names and modules, one form each. */
import { page } from './pages.ts'
import type { Telling } from './programs.ts'

const got = `const m = yield* receive('m')`
const say = (value: string) => `yield* send(yield* self(), { kind: 'said', v: ${value} })`

export const values: readonly Telling[] = [
  ...page('expressions').map((one) => ({
    name: `const x = ${one}`,
    body: `${got}; const o = { a: m.v }; const p = { z: 0 }; let c = 0; const made = [m.v]; function* bump() { c = c + 1; return c } function* make() { return { a: 1 } } function make2() { return { a: 1 } } const x = ${one}; ${say('x')}; ${say('c')}; ${say('o.a')}`,
    more: `const twice = (v) => v * 2
function many(a, b, c) { return a }
const mk = () => [1]
function cond(v) { if (v) return { a: 1 }; return 1 }
function rec(v) { if (v) return rec(v - 1); return [1] }
const f5 = (a, b) => a - b
const deep = { a: { b: 7, c: [8] }, f: (v) => v + 1 }
const list = [1, { x: 2 }]
const text = 'text'
const negative = -1
const computed = Math.max(1, 2)
enum Color { Red, Green = 5, Blue, Teal = 'teal' }
let changing = 1
changing = 2
const touched = { x: 1 }
touched.x = 2
const gate = mutex()
let unset
const regex = /a/
const mixed = { y: 1, get z() { return 1 } }
let letConst = 4
var varied = 6
const fn2 = function (v) { return v + 2 }
const selfish = { a: selfish }
const kept = { x: 3 }
const chained = deep.a.b
const [destructured] = [9]
const arrow = (v) => v - 1`,
  })),
  // statements of values
  ...page('statements').map((one) => ({
    name: one,
    body: `${got}; const o2 = m.o; const p = { z: 0 }; let c = 0; let d = 1; const nil = null; const made = [m.v]; function* bump() { c = c + 1; return c } function* swap() { d = 2; return d } ${one}; ${say('c')}; ${say('d')}; ${say('made.length')}; ${say('p.z')}`,
    more: `import * as ns from './there'
import helperHere, { constant, changedThere, helper, helper2, shout, fallback, imported } from './there'
import { away } from 'elsewhere'
const other = 2
const list = [1]
const touched = { x: 1 }
let top = 1
top = 2
enum Color { Red }
const gate = mutex()
const deeper = { check: (v) => { if (!v) throw new Error('no') } }
function yield1() { return 1 }
function see(q) { return q.z }
let saved = 1
function keep(q) { return q }
function set(q) { q.z = 1 }
function both(q, r) { q.z = 1; r.z = 2 }
function make3() { const l = []; l.push(1); return l }
function make4() { return list }
function* make5() { const l = []; yield* receive('a'); return l }`,
    files: {
      './there': `import { receive } from 'allways'
export const constant = 5
export let changedThere = 1
changedThere = 2
export const imported = { x: 1 }
export const deep = { x: 1 }
export const twice = (v) => v * constant
const fall = Math.max(1, 2)
export { fall as fallback }
export function helper(v) { let w = v; w++; return w + constant + fall }
export function* shout(v) { yield* receive('shout'); return helper(v) }
export function check(v) { if (!v) throw new Error('no') }
export function helper2(v) { if (!v) throw new Error('x'); const mx = Math; return [1].map(() => [mx, v])[0] }
export default helper
export * from './further'`,
    },
  })),
]
