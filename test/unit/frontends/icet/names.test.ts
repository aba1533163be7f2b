/** Names mean what they mean in TypeScript: lexically, through imports, and per process. */
import { expect, test } from 'vitest'
import { extractIcet } from '../../../../src/frontends/typescript/icet/extract.ts'
import { around, compact, main, processText, refusal, termOf } from './extracted.ts'

const head = `import { choose, every, program, receive, self, send, spawn, spawnAll } from 'allways'\n`

function processes(body: string, more = ''): readonly string[] {
  const source = `${head}export default program('p', { params: { n: every(2) } }, function* ({ n }) {\n${body}\n})\n${more}`
  return termOf(source).processes.map(processText)
}

test('imports may be renamed, and be a namespace', () => {
  const source = `
import * as a from 'allways'
import { receive as take, send as give } from 'allways'
export default a.program('p', { params: { n: a.every(2) } }, function* (params) {
  const all = yield* a.spawnAll(params.n, 'peer', function* () { yield* take('x') })
  for (const one of all) yield* give(one, { kind: 'x' })
})`
  expect(termOf(source).processes.map(processText)).toEqual([
    `main: for one in peer { send(one, { kind: 'x' }) }`,
    'peer[n]: recv x',
  ])
})

test('functions and constants come from other files, with the places of those files', () => {
  const helpers = `import { receive, send } from 'allways'
export const kinds = { go: 'go' } as const
export { answer as reply }
export default function* child() {
  const { from } = yield* receive(kinds.go)
  yield* answer(from)
}
function* answer(to) { yield* send(to, { kind: 'back' }) }
`
  const source = `${head}import child, { kinds, reply } from './helpers'
import * as helpers from './helpers'
export default program('p', { params: { n: every(2) } }, function* ({ n }) {
  const me = yield* self()
  const all = yield* spawnAll(n, 'c', child)
  for (const q of all) yield* send(q, { kind: helpers.kinds.go, from: me })
  for (const _ of all) yield* receive('back')
  yield* reply(me)
  yield* receive(kinds.go)
})`
  const { processes: found } = termOf(source, { './helpers': helpers })
  expect(found.map(processText)).toEqual([
    `main: for q in c { send(q, { kind: 'go', from: self }) }; for _ in c { recv back }; send(self, { kind: 'back' }); recv go`,
    `c[n]: go <- recv go; from := go.from; send(from, { kind: 'back' })`,
  ])
  expect(found[1]?.body[2]?.place).toEqual({ file: 'helpers.ts', line: 8, column: 31 })
})

test('a name that hides an operation is no operation', () => {
  const body = `yield* spawnAll(n, 'c', function* () {
    const send = (a, b) => a + b
    const x = send(1, 2)
    yield* reply(yield* receive('m'), x)
  })`
  expect(processes(body, 'function* reply(receive, x) { yield* send(receive.from, { kind: "r", x }) }')).toEqual([
    `c[n]: m <- recv m; send(m.from, { kind: 'r', x: 3 })`,
  ])
})

test('variables of one name in several blocks are several variables', () => {
  const body = `const v = yield* receive('a')
  { const v = yield* receive('b'); yield* send(v.from, v) }
  yield* send(v.from, v)`
  expect(main(body)).toBe('v <- recv a; v2 <- recv b; send(v2.from, v2); send(v.from, v)')
})

test('processes have variables of their own, under the same names', () => {
  const worker = `function* worker() { const m = yield* receive('m'); yield* send(m.from, m) }`
  expect(processes(`yield* spawnAll(n, 'a', worker); yield* spawn('b', worker)`, worker)).toEqual([
    'a[n]: m <- recv m; send(m.from, m)',
    'b: m <- recv m; send(m.from, m)',
  ])
})

test('what is known at the beginning may be used by closures of other processes', () => {
  const body = `const me = yield* self()
  const limit = n
  const text = 'hi'
  const half = Math.floor(n / 2)
  yield* spawnAll(n, 'c', function* () { yield* send(me, { kind: text, limit, half }) })
  for (let i = 0; i < n; i++) yield* receive('hi')`
  expect(processes(body)).toEqual([
    'main: half := «Math.floor(n / 2)»(n); repeat n { recv hi }',
    `c[n]: send(main, { kind: 'hi', limit: n, half: «Math.floor(n / 2)»(n) })`,
  ])
})

test('sets and functions are passed on in objects', () => {
  const body = `const all = yield* spawnAll(n, 'c', function* () { yield* receive('go') })
  yield* spawn('d', boss, { all, kind: 'go', message: (kind) => ({ kind, size: all.length }) })`
  const boss =
    'function* boss({ all: everybody, kind, message }) { for (const q of everybody) yield* send(q, message(kind)) }'
  expect(processes(body, boss)).toEqual(['c[n]: recv go', `d: for q in c { send(q, { kind: 'go', size: n }) }`])
})

test('processes of one name are told apart as check does', () => {
  const body = `yield* spawn('w', function* () { yield* receive('x') })
  yield* spawn('w', function* () { yield* receive('y') })
  yield* spawnAll(n, 'w', function* () { yield* receive('z') })`
  expect(processes(body)).toEqual(['w: recv x', 'w#2: recv y', 'w#3[n]: recv z'])
})

test('a main process that only starts others is no process of the term, unless it can be sent to', () => {
  const silent = `yield* spawnAll(n, 'c', function* () { yield* receive('x') })`
  expect(processes(silent)).toEqual(['c[n]: recv x'])
  const addressed = `const me = yield* self(); yield* spawnAll(n, 'c', function* () { yield* send(me, { kind: 'x' }) })`
  expect(processes(addressed)).toEqual(['main: ', `c[n]: send(main, { kind: 'x' })`])
})

test('opaque functions of one text in several places are the same only if they are the same function', () => {
  const body = `yield* spawnAll(n, 'c', function* () {
    const m = yield* receive('m')
    yield* one(m); yield* two(m)
  })
  function* one(m) { const f = (v) => { let w = v; w++; return w }; yield* send(m.from, { kind: 'r', v: [f].length + f(m.v) }) }
  function* two(m) { const f = (v) => { let w = v; w--; return w }; yield* send(m.from, { kind: 'r', v: [f].length + f(m.v) }) }`
  const source = `${head}export default program('p', { params: { n: every(2) } }, function* ({ n }) {\n${body}\n})`
  const [process] = termOf(source).processes
  const texts = process?.body.flatMap((statement) => {
    if (statement.kind !== 'send' || statement.message.kind !== 'record') return []
    const value = statement.message.fields.find(({ name }) => name === 'v')?.value
    return value?.kind === 'binary' && value.right.kind === 'opaque' ? [value.right.text] : []
  })
  expect(texts).toHaveLength(2)
  expect(texts?.[0]).not.toBe(texts?.[1])
})

test('the program is found by its place and by the name of its export', () => {
  const source = `${head}
export const first = program('one', { params: { n: every(1) } }, function* ({ n }) { yield* spawnAll(n, 'a', a) })
const second = program('two', { params: { n: every(1) } }, main)
export { second as other }
function* a() { yield* receive('x') }
function* main({ n }) { yield* spawnAll(n, 'b', a) }`
  const nameAt = (at: Parameters<typeof extractIcet>[0]['at']) => {
    const result = extractIcet({ source, file: 'a.check.ts', at })
    return result.ok ? result.value.name : result.diagnostics.map(({ code }) => code).join()
  }
  expect(nameAt('first')).toBe('one')
  expect(nameAt('other')).toBe('two')
  expect(nameAt({ line: 4, column: 16 })).toBe('two')
  expect(nameAt({ line: 4, column: 17 })).toBe('E417')
  expect(nameAt('third')).toBe('E417')
})

test('parameters are read with their sizes, least sizes and places; constants of the module are resolved', () => {
  const source = `${head}
const few = 2
const params = { clients: every(few, { from: 1 }), rounds: 3, text: 'x' }
export default program('p', { params }, function* ({ clients, rounds, text }) {
  yield* spawnAll(clients, 'c', function* () { for (let i = 0; i < rounds; i++) yield* receive(text) })
})`
  const { parameters, processes: found } = termOf(source)
  expect(parameters).toEqual([
    { name: 'clients', least: 1, size: 2, place: { file: 'a.check.ts', line: 4, column: 27 } },
  ])
  expect(found.map(processText)).toEqual(['c[clients]: repeat 3 { recv x }'])
})

const declarations: readonly (readonly [string, string])[] = [
  ['{ params: { n: every(3) } }', 'E407 2:44'],
  [`{ params: { n: every(3) }, network: 'bag' }`, 'E413 2:65'],
  ['{ params: { n: every(3) }, properties: [final("f", () => true)] }', 'E413 2:69'],
  ['{ params: { n: every(3) }, properties: [monitor("m", { observes: [] }, function* () {})] }', 'E413 2:69'],
  ['{ params: { n: every(size()) } }', 'E416 2:44'],
  ['{ params: { n: every(3), m: [1] } }', 'E416 2:57'],
  ['options()', 'E417 2:29'],
]

test.each(declarations)('program with %s is refused', (options, says) => {
  const source = `import { every, final, monitor, program, receive } from 'allways'
export default program('p', ${options}, function* () { yield* receive('a') })`
  expect(refusal(source).split(' ').slice(0, 2).join(' ')).toBe(says)
})

test('a file that cannot be parsed is a diagnostic with its place, also if it is imported', () => {
  expect(refusal('export default = 1')).toMatch(/^E102 1:\d+ /)
  const source = `${head}import { f } from './f'\nexport default program('p', { params: { n: every(2) } }, function* ({ n }) { yield* f(n) })`
  expect(() => termOf(source, { './f': 'export function* f( {' })).toThrow('E102')
})

test('statements stand where their source stands, and are numbered in order', () => {
  const source = `${head}export default program('p', { params: { n: every(2) } }, function* ({ n }) {
  const all = yield* spawnAll(n, 'c', function* () {
    const { from } = yield* receive('x')
    if (from) yield* send(from, { kind: 'y' })
  })
  let sum = 0
  for (const q of all) {
    yield* send(q, { kind: 'x' }); sum += 1
  }
})`
  const { processes: found } = termOf(source)
  const places = found.flatMap(({ body }) =>
    body.map(({ id, kind, place }) => `${id} ${kind} ${place.line}:${place.column}`),
  )
  expect(places).toEqual(['1 assign 7:7', '2 each 8:3', '5 receive 4:29', '6 assign 4:13', '7 if 5:5'])
  expect(found.map(({ place }) => `${place.line}:${place.column}`)).toEqual(['2:16', '3:22'])
  const [loop] = found[0]?.body.slice(1) ?? []
  expect(loop?.kind === 'each' ? compact(loop.body) : '').toBe(`send(q, { kind: 'x' }); sum := sum + 1`)
})

test.each([
  ['{ v, ...{ x: 9 } }', '(v)'],
  ['{ w: v, ...{ x: 9 } }', '(v)'],
  ['{ w: (v), ...{ x: 9 } }', '(v)'],
  ['{ w: v as number, ...{ x: 9 } }', '(v)'],
  ['{ v: 1, ...{ x: 9 } }', '()'],
  ['[{ v }, { v }].map((one) => one.v)', '(v)'],
])('the value of a property is a variable, however it is written, and its key is none: %s', (written, inputs) => {
  const body = `const v = yield* choose([1, 2]); const o = ${written}; yield* send(yield* self(), { kind: 'o', o })`
  expect(main(body)).toContain(`o := «${written}»${inputs}; send`)
})

test('a conditional is an object if one of its sides is', () => {
  expect(refusal(around("  yield* assert((n > 4 ? 1 : 0) === 0, 'small')"))).toBe('accepted')
  expect(refusal(around("  yield* assert((n > 4 ? [1] : 0) === 0, 'small')"))).toContain(
    'comparing objects by identity',
  )
})
