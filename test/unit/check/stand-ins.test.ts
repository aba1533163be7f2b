/** `standIn`: modules that stand in for packages, for all of the user's modules that import them; and what is told of those that do not. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { evidenceOf } from '../../../src/core/evidence.ts'
import { checkResult } from '../../../src/index.ts'

interface Told {
  readonly verdict: string
  readonly told: string
  readonly hint?: string | undefined
  readonly at?: string | undefined
}

/** What becomes of `p.check.ts` among these files. */
async function checked(files: { readonly [name: string]: string }): Promise<Told> {
  const folder = mkdtempSync(join(tmpdir(), 'allways-stand-ins-'))
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text)
    }
    const result = await checkResult(join(folder, 'p.check.ts'))
    if (!result.ok) {
      const [{ code = '', message = '', hint, place } = {}] = result.diagnostics as unknown as readonly [
        Partial<Diagnosed>?,
      ]
      return { verdict: code, told: message, hint, at: place && `${place.file.split('/').at(-1)}:${place.line}` }
    }
    const [execution] = evidenceOf(result.value.evidence, 'execution')
    return { verdict: result.value.kind, told: execution?.violation.message ?? '' }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Diagnosed {
  readonly code: string
  readonly message: string
  readonly hint: string
  readonly place?: { readonly file: string; readonly line: number }
}

/** The user's own code, which is as it is in production. */
const store = `import { connect, type Options } from 'some-database'
export async function raise(options: Options) {
  const connection = connect(options)
  const before = await connection.get('n')
  await connection.set('n', before + 1)
}`
const program = `export default program('p', async () => {
  const kept = await cache<number>({ name: 'kept', evictions: 0 })
  await kept.set('n', 0)
  const one = await spawn('one', () => raise({ kept }))
  await raise({ kept })
  await join(one)
  await assert((await kept.get('n')) === 2, 'nothing is lost')
})`
const imports = `import { assert, join, program, spawn } from 'allways'
import { cache, standIn } from 'allways/services'
import { raise } from './store.ts'`

test.each([
  ['a module', `{ connect: ({ kept }) => kept }`],
  ['what makes one', `() => ({ connect: ({ kept }) => kept })`],
])('%s stands in for a package that is not even installed', async (_, module) => {
  const check = `${imports}\nstandIn('some-database', ${module})\n${program}`
  expect(await checked({ 'store.ts': store, 'p.check.ts': check })).toEqual({
    verdict: 'violated',
    told: 'nothing is lost',
  })
})

test('a package that is installed is left alone by others, and so is one of Node', async () => {
  const uses = `import { readFile } from 'fs/promises'
import Counter from 'counter'
export const counter = new Counter(await readFile('x'))`
  const standIns = `import { standIn } from 'allways/services'
standIn('node:fs/promises', { readFile: async () => 'three' })
standIn('counter', { default: class { constructor(text) { this.text = text } } })`
  const check = `import { assert, program } from 'allways'
import './stand-ins.ts'
import { counter } from './uses.ts'
export default program('p', async () => { await assert(counter.text === 'three', String(counter.text)) })`
  const installed = {
    'node_modules/counter/index.js': 'throw new Error("loaded")',
    'node_modules/counter/package.json': '{}',
  }
  const files = { 'uses.ts': uses, 'stand-ins.ts': standIns, 'p.check.ts': check, ...installed }
  expect(await checked(files)).toEqual({ verdict: 'verified', told: '' })
})

const simple = (call: string, more = '') => `import { program } from 'allways'
import { standIn } from 'allways/services'
import { raise } from './store.ts'
${call}
export default program('p', async () => { ${more} })
export const used = raise`

test.each([
  [
    'a name that nothing imports',
    simple(`standIn('some-databse', {})`),
    'nothing that the check file loads imports "some-databse"',
    'did you mean "some-database"?',
  ],
  [
    'a name that is computed',
    simple(`standIn('some-' + 'database', {})`),
    'needs the name of a package',
    'read before the file runs',
  ],
  ['no module', simple(`standIn('some-database', 5)`), 'is given no module', 'give an object'],
  ['a promise', simple(`standIn('some-database', async () => ({}))`), 'is given no module', 'give an object'],
  [
    'a second call',
    simple(`standIn('some-database', {}); standIn('some-database', {})`),
    'a second time',
    'put both into one',
  ],
])('%s is told at the line of the call', async (_, check, message, hint) => {
  const found = await checked({ 'store.ts': store, 'p.check.ts': check })
  expect(found).toMatchObject({ verdict: 'E220', at: 'p.check.ts:4' })
  expect(found.told).toContain(message)
  expect(found.hint).toContain(hint)
})

test('something that the stand-in does not have is told where it is used', async () => {
  const check = simple(`standIn('some-database', { conect: () => 1 })`, 'await raise({})')
  const found = await checked({ 'store.ts': store, 'p.check.ts': check })
  expect(found).toMatchObject({ verdict: 'E220', at: 'store.ts:3', hint: 'did you mean "conect"?' })
  expect(found.told).toContain('the stand-in for "some-database" has no "connect"')
})

test('what is used before the call is told there, with what to do', async () => {
  const early = `${store}\nexport const connection = connect({})`
  const found = await checked({
    'store.ts': early,
    'p.check.ts': simple(`standIn('some-database', { connect: () => 1 })`),
  })
  expect(found).toMatchObject({
    verdict: 'E220',
    at: 'store.ts:7',
    hint: expect.stringContaining('in a module of its own'),
  })
  expect(found.told).toContain('is used before standIn')
})

test.each([
  [
    'all of it',
    `import * as database from 'some-database'\nexport const raise = () => database`,
    'all of "some-database" is imported',
  ],
  [
    'all of it, to hand it on',
    `export * from 'some-database'\nexport const raise = 1`,
    'all of "some-database" is imported',
  ],
  [
    'it later',
    `import 'some-database'\nexport const raise = () => import('some-database')`,
    'is not imported by a statement',
  ],
])('who imports %s is refused', async (_, store, message) => {
  const found = await checked({ 'store.ts': store, 'p.check.ts': simple(`standIn('some-database', {})`) })
  expect(['E102', 'E220']).toContain(found.verdict)
  expect(found.told).toContain(message)
  expect(found.at).toMatch(/^store\.ts:/)
})

test('classes are given stand-ins as well', async () => {
  const counter = `import { step } from 'some-database'
export class Counter {
  #n = 0
  async add() {
    const n = this.#n
    await undefined
    this.#n = n + step()
    return this.#n
  }
}`
  const check = `import { linearizable } from 'allways'
import { standIn } from 'allways/services'
import { Counter } from './counter.ts'
standIn('some-database', { step: () => 1 })
export default linearizable(Counter, { operations: { add: [] } })`
  expect(await checked({ 'counter.ts': counter, 'p.check.ts': check })).toMatchObject({ verdict: 'violated' })
})

test('a process calls it too late', async () => {
  const check = simple('', `standIn('some-database', {})`)
  expect(await checked({ 'store.ts': store, 'p.check.ts': check })).toMatchObject({
    verdict: 'E220',
    told: expect.stringContaining('called by a process'),
  })
})
