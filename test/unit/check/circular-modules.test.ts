/** What a bundle reads, and in which order its modules run, against the modules themselves as Node runs them. */
// @module-tag cut
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { bundle } from '../../../src/check/load-bundle.ts'
import { orThrow } from '../../../src/core/diagnostic.ts'
import { Random } from '../../../src/core/random.ts'
import { amount } from '../../amount.ts'

mkdirSync('.allways', { recursive: true })
const folder = mkdtempSync(join('.allways', 'circular-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** What is told while modules run, and how they fail. */
interface Told {
  readonly log: readonly string[]
  readonly thrown: string | null
}

type Files = { readonly [name: string]: string }

/** Inside the runner, imports are the runner's. Names that several modules have are told apart in a bundle. */
const runner = `
for (const url of process.argv.slice(1)) {
  globalThis.log = []
  const thrown = await import(url).then(() => null, ({ name, message }) => name + ': ' + message.replace(/'(\\w+?)\\d*'/, "'$1'"))
  console.log(JSON.stringify({ log: globalThis.log, thrown }))
}`

/** Of each program what Node says of its modules, and of their bundle. */
async function both(programs: readonly Files[]): Promise<readonly (readonly [Told, Told])[]> {
  const urls: string[] = []
  for (const [at, files] of programs.entries()) {
    const own = join(process.cwd(), folder, `${at}`)
    mkdirSync(own, { recursive: true })
    for (const [name, text] of Object.entries(files)) writeFileSync(join(own, name), text)
    const { code } = orThrow(await bundle(join(own, 'entry.mjs')))
    writeFileSync(join(own, 'bundle.mjs'), code)
    urls.push(...['entry.mjs', 'bundle.mjs'].map((name) => pathToFileURL(join(own, name)).href))
  }
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', runner, ...urls], {
    encoding: 'utf8',
  })
  const told = stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Told]))
  expect(told.length, stderr).toBe(urls.length)
  return programs.map((_, at) => [told[2 * at], told[2 * at + 1]] as [Told, Told])
}

const log = (words: string): string => `globalThis.log.push(${words})`

const cases: readonly (readonly [string, Files, string | null])[] = [
  [
    'a constant of a module that runs later',
    {
      'entry.mjs': `import { b } from './b.mjs'\n${log('b')}`,
      'a.mjs': `import { b } from './b.mjs'\nexport const a = b * 2\n${log('a')}`,
      'b.mjs': `import { a } from './a.mjs'\nexport const b = 3\n${log('a')}`,
    },
    "ReferenceError: Cannot access 'b' before initialization",
  ],
  [
    'a class of a module that runs later',
    {
      'entry.mjs': `import './b.mjs'`,
      'a.mjs': `import { B } from './b.mjs'\nexport class A extends B {}`,
      'b.mjs': `import { A } from './a.mjs'\nexport class B {}\nexport const made = new A()`,
    },
    "ReferenceError: Cannot access 'B' before initialization",
  ],
  [
    'what a function of the same module reads',
    {
      'entry.mjs': `const total = sum()\nconst { rate } = { rate: 3 }\nfunction sum() { return rate * 2 }\n${log('total')}`,
    },
    "ReferenceError: Cannot access 'rate' before initialization",
  ],
  [
    'what is declared in patterns, and has the name of something else',
    {
      'entry.mjs': `import { x } from './b.mjs'\nexport const [y = 1, ...z] = f()\nfunction f() { return [x, y] }`,
      'b.mjs': 'export let x = 4; const y = 5; export { y as other }',
    },
    "ReferenceError: Cannot access 'y' before initialization",
  ],
  [
    'a default export',
    {
      'entry.mjs': `import b from './b.mjs'\n${log('b')}`,
      'a.mjs': `import b from './b.mjs'\n${log('typeof b')}`,
      'b.mjs': `import './a.mjs'\nexport default 1 + 2`,
    },
    "ReferenceError: Cannot access 'b' before initialization",
  ],
  [
    'var, which is undefined',
    {
      'entry.mjs': `import { b } from './b.mjs'\nvar late = early()\nvar early2 = 1\nfunction early() { return early2 }\n${log('late, b')}`,
      'a.mjs': `import { b } from './b.mjs'\n${log('b')}`,
      'b.mjs': `import './a.mjs'\nexport var b = 3`,
    },
    null,
  ],
  [
    'functions, which are there from the beginning',
    {
      'entry.mjs': `import { f } from './b.mjs'\n${log('f()')}`,
      'a.mjs': `import { f } from './b.mjs'\nexport const a = f\n${log('a()')}`,
      'b.mjs': `import { a } from './a.mjs'\nexport function f() { return 1 }\nexport const same = a === f\n${log('same')}`,
    },
    null,
  ],
]

test('what is read before its line has run is read as by Node', async () => {
  const answers = await both(cases.map(([, files]) => files))
  for (const [at, [native, bundled]] of answers.entries()) {
    const [name, , thrown] = cases[at] as (typeof cases)[number]
    expect(native.thrown, name).toBe(thrown)
    // The name of a default export is the bundler's.
    const ended = bundled.thrown?.replace(/'(\w+)_default'/, "'$1'") ?? null
    expect({ ...bundled, thrown: ended }, name).toEqual(native)
  }
})

const kinds = ['const', 'let', 'var', 'class', 'function'] as const

/** Modules that import each other at random, and read what they import at once or in functions. */
function modulesFrom(random: Random): Files {
  const names = Array.from({ length: 2 + random.below(3) }, (_, at) => `m${at}`)
  const declared = new Map(names.map((name) => [name, random.pick(kinds)]))
  const code = (name: string): string => {
    const others = names.filter((other) => other !== name && random.below(3) > 0)
    const reading = (from: string): string =>
      `v_${from}${declared.get(from) === 'function' ? '()' : declared.get(from) === 'class' ? '.x' : ''}`
    const value = others.length === 0 ? `'${name}'` : `'${name}' + String(${reading(random.pick(others))}).length`
    const kind = declared.get(name)
    const declaration =
      kind === 'class'
        ? `export class v_${name} { static x = ${value} }`
        : kind === 'function'
          ? `export function v_${name}() { return inner + ${value} }`
          : `export ${kind} v_${name} = ${value}`
    const lines = [declaration, log(`'${name}', ${reading(name)}`), ...(random.below(2) ? [log('inner')] : [])]
    const inner = `${random.pick(['const', 'let', 'var'])} inner = '${name}'`
    const shuffled = random.below(2) === 0 ? [inner, ...lines] : [...lines, inner]
    return [...others.map((other) => `import { v_${other} } from './${other}.mjs'`), ...shuffled].join('\n')
  }
  const entry = names.map((name) => `import * as ${name} from './${name}.mjs'`).join('\n')
  const modules = names.map((name) => [`${name}.mjs`, code(name)])
  return { ...Object.fromEntries(modules), 'entry.mjs': `${entry}\n${log('Object.keys(m0)')}` }
}

test('modules that import each other run in the order of Node, and fail where they do there', async () => {
  const programs = amount({ quick: 15, rest: 60, all: 2_000 })
  const ends = new Map<boolean, number>()
  const files = Array.from({ length: programs }, (_, seed) => modulesFrom(new Random(seed)))
  for (const [at, [native, bundled]] of (await both(files)).entries()) {
    expect(bundled, JSON.stringify(files[at], undefined, 1)).toEqual(native)
    ends.set(native.thrown === null, (ends.get(native.thrown === null) ?? 0) + 1)
  }
  expect(Math.min(ends.get(true) ?? 0, ends.get(false) ?? 0)).toBeGreaterThan(programs / 10)
})

test('a circle of modules that are imported while the program runs is refused, with its place', async () => {
  const own = join(process.cwd(), folder, 'later')
  mkdirSync(own)
  writeFileSync(join(own, 'a.mjs'), `import { b } from './b.mjs'\nexport const a = () => b`)
  writeFileSync(join(own, 'b.mjs'), `import { a } from './a.mjs'\nexport const b = 1; export const c = a`)
  writeFileSync(join(own, 'entry.mjs'), `export const { c } = await import('./b.mjs')`)
  expect(await bundle(join(own, 'entry.mjs'))).toMatchObject({
    ok: false,
    diagnostics: [
      { code: 'E102', message: expect.stringContaining('import each other'), place: { line: 1, column: 20 } },
    ],
  })
})
