/** Operations, processes, filters and declarations of programs, one form each. */
import { page } from './pages.ts'
import type { Telling } from './programs.ts'

const got = `const m = yield* receive('m')`
const say = (value: string) => `yield* send(yield* self(), { kind: 'said', v: ${value} })`

export const operations: readonly Telling[] = [
  ...page('operations').map((one) => ({ name: one, body: `${got}; ${one}; ${say('1')}` })),
  // filters
  ...page('filters').map((filter) => ({
    name: `receive(${filter})`,
    body: `${got}; const y = yield* receive(${filter}); ${say('y')}`,
    more: `const kinds = ['a', 'b']; const isA = (x) => x.kind === 'a'`,
  })),
  // processes
  ...page('processes').map((one) => ({
    name: one,
    body: `const me = yield* self(); ${one}; ${say('1')}`,
    more: `function* work(a, b) { yield* receive('a') }\nconst ns = { work }\nconst options = { daemon: true }\nconst name = 'named'`,
  })),
]

/** Whole sources. */
export const declarations: readonly string[] = [
  source(`'p', { params }, function* ({ n }) { yield* assert(n > 0) }`),
  source(`'p', { params }, function* ({ n }) { let k = n; k = 1; yield* receive('a') }`),
  source(`'p', { params }, function* ({ n }) { let k = 1; k = 2; yield* assert(k > 1); yield* receive('a') }`),
  // fewer than there are, from a least number on
  ...[
    "yield* repeat(n - 1, function* () { yield* receive('a') })",
    "yield* repeat(n - 2, function* () { yield* receive('a') })",
    "yield* spawnAll(n - 1, 'w', function* () { yield* receive('a') })",
    "const ws = yield* spawnAll(n - 1, 'w', work); for (let i = 0; i < n - 1; i++) yield* send(ws[i], { kind: 'a' })",
    "const ws = yield* spawnAll(n - 1, 'w', work); for (let i = 0; i < n; i++) yield* send(ws[i], { kind: 'a' })",
    "const ws = yield* spawnAll(n - 1, 'w', work); for (let i = 1; i < n; i++) yield* send(ws[i], { kind: 'a' })",
    "const ws = yield* spawnAll(n - 1, 'w', work); for (const w of ws) yield* send(w, { kind: 'a', v: ws.length })",
  ].map((body) => {
    const work = "function* work() { yield* receive('a') }"
    return source(`'p', { params: { n: every(2, { from: 1 }) } }, function* ({ n }) { ${work}; ${body} }`)
  }),
  ...[
    '{ params: { n: every(2) } }',
    '{ params: { n: every(2, { from: 1 }) } }',
    '{ params: { n: every(2, { from: few }) } }',
    '{ params: { n: every(2, options) } }',
    '{ params: { n: every(2, size()) } }',
    '{ params: { n: every() } }',
    "{ params: { n: every('2') } }",
    "{ params: { n: every(2), m: 1, t: 'x', u: null, v: -1, w: few } }",
    '{ params: { n: every(2), m: size() } }',
    '{ params: { ...params } }',
    '{ params: { [few]: every(2) } }',
    '{ params: size() }',
    "{ params, network: 'fifo' }",
    "{ params, network: 'p2p' }",
    "{ params, network: 'bag' }",
    '{ params, network: net }',
    '{ params, network: size() }',
    '{ params, properties: [] }',
    "{ params, properties: [final('f', () => true)] }",
    '{ params, properties: [, fin] }',
    '{ params, properties: list }',
    "{ params, properties: [monitor('m', { observes: [] }, function* () {})] }",
    '{ params, properties: size() }',
    '{ params, properties: [size()] }',
    "{ params, deadlock: 'allowed' }",
    'size()',
    'options',
    'whole',
    'changed',
    '{ ...whole }',
    '{ params: one }',
    '{}',
  ].map((options) => source(`'p', ${options}, main`)),
  ...[
    "'p', main",
    "'p'",
    '',
    'name, { params }, main',
    'size(), { params }, main',
    '1, { params }, main',
    "'p', { params }, 1",
    "'p', { params }, main, 1",
    "'p', { params }, function* ({ n }) { yield* spawnAll(n, 'w', function* () {}) }",
    "'p', { params }, async ({ n }) => { await spawnAll(n, 'w', async () => {}) }",
    "'p', { params }, arrow",
    "'p', { params }, function* () { yield* receive('a') }",
    "'p', { params }, function* (all) { yield* spawnAll(all.n, 'w', function* () { yield* receive('a') }) }",
  ].map((given) => source(given)),
  source(`'p', { params }, main`).replace('export default program', 'export default size'),
  source(`'p', { params }, main`)
    .replace('export default program', 'const it = program')
    .concat('\nexport { it as default }'),
  source(`'p', { params }, main`).replace('export default program', 'const it = program').concat('\nexport default it'),
  source(`'p', { params }, main`).replace('export default program', 'export const other = program'),
  source(`'p', { params }, main`).replace('export default ', 'export default size; '),
  source(`'p', { params }, main`)
    .replace('export default program(', 'export default (program(')
    .replace(', main)', ', main))'),
]

function source(given: string): string {
  return `import { every, final, monitor, program, receive, repeat, send, spawnAll } from 'allways'
const few = 1
const name = 'named'
const net = 'fifo'
const options = { from: 1 }
const params = { n: every(2) }
const one = { n: every(2), x: few }
const whole = { params }
let changed = { params }
changed = whole
const fin = final('f', () => true)
const list = [fin]
const size = () => 2
export default program(${given})
function* main({ n, m }) { yield* spawnAll(n, 'w', function* () { yield* receive(m) }) }
const arrow = async ({ n }) => { await spawnAll(n, 'w', async () => { await receive('a') }) }
`
}

const named = `import * as a from 'allways'
export const first = a.program('one', { params: { n: a.every(1) } }, function* ({ n }) { yield* a.spawnAll(n, 'w', w) })
export const second = (a.program)('two', { params: { n: a.every(1) } }, function* ({ n }) { yield* a.spawnAll(n, 'w', w) })
function* w() { yield* a.receive('x') }
`

/** Programs by their place: the call, what is called, and the name in it. */
export const places: readonly (readonly [name: string, source: string, text: string])[] = [
  ['the call', named, "a.program('one'"],
  ['the name in it', named, "program('one'"],
  ['behind a parenthesis', named, "(a.program)('two'"],
  ['what is called', named, "a.program)('two'"],
  ['another call', named, "a.spawnAll(n, 'w', w) })\nfunction"],
  ['no call', named, 'const first'],
]

/** With files that cannot be parsed, or are not there. */
export const unreadable: readonly (readonly [
  name: string,
  source: string,
  files: { readonly [name: string]: string },
])[] = [
  [
    'a broken file in the declaration',
    source(`'p', { params: { n: every(far) } }, main`).concat("import { far } from './far'\n"),
    { './far': 'export const = 1' },
  ],
  [
    'a broken file in a process',
    source(`'p', { params }, function* ({ n }) { yield* far(n) }`).concat("import { far } from './far'\n"),
    { './far': 'export const = 1' },
  ],
  [
    'a file in the declaration',
    source(`'p', { params: { n: every(far) } }, main`).concat("import { far } from './far'\n"),
    { './far': 'export const far = 3' },
  ],
  [
    'a missing file in the declaration',
    source(`'p', { params: { n: every(far) } }, main`).concat("import { far } from './far'\n"),
    {},
  ],
  [
    'a main process of another file',
    source(`'p', { params }, far`).concat("import { far } from './far'\n"),
    {
      './far':
        "import { receive, spawnAll } from 'allways'\nexport function* far({ n }) { yield* spawnAll(n, 'w', w) }\nfunction* w() { yield* receive('x') }",
    },
  ],
  [
    'a main process of a further file',
    source(`'p', { params }, far`).concat("import { far } from './far'\n"),
    {
      './far': "export { default as far } from './further'",
      './further':
        "import { receive, spawnAll } from 'allways'\nexport default function* ({ n }) { yield* spawnAll(n, 'w', w) }\nfunction* w() { yield* receive('x') }",
    },
  ],
]
