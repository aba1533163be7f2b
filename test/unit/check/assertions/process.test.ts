import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { long } from '../../../amount.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../../../', import.meta.url))
let folder: string

beforeAll(async () => {
  // Inside the package, so that the solver is found there.
  folder = await mkdtemp(join(root, 'node_modules', '.assertions-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/**
 * On a busy machine about one process in a hundred has printed its answers and is never done, in Node itself: a worker in the
 * middle of WebAssembly that is terminated and not joined. Three in a row would be ours.
 */
const retry = 2

/** Runs a program that has `discharge` and `obligation`, whose condition is `n + 1 > n`, to its end. */
async function output(program: string, at = folder): Promise<string> {
  const contents = `
    import { discharge } from './src/check/assertions/discharge.ts'
    const n = { kind: 'parameter', name: 'n' }
    const term = (operator, ...inputs) => ({ kind: 'term', operator, inputs })
    const condition = term('>', term('+', n, { kind: 'constant', value: 1 }), n)
    const obligation = { statement: 1, process: 'main', condition, truths: [], domains: new Map() }
    ${program}`
  const outfile = join(at, 'program.mjs')
  const stdin = { contents, resolveDir: root, loader: 'ts' as const }
  await build({
    stdin,
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    external: ['z3-solver'],
    logLevel: 'error',
  })
  const { stdout } = await run(process.execPath, [outfile], { timeout: 150_000, killSignal: 'SIGKILL' })
  return stdout
}

test('a process that has discharged assertions ends by itself', { retry, ...long }, async () => {
  const printed = await output(`
    for (let round = 0; round < 2; round++) console.log((await discharge([obligation]))[0].answer)`)
  expect(printed).toBe('proved\nproved\n')
})

test.each([
  ['when the solver says so', '{ milliseconds: 100 }'],
  ['when all time is over', '{ whole: { milliseconds: 100, now: () => performance.now() } }'],
])('a process that has given up on an assertion ends by itself, %s', { retry, ...long }, async (_, options) => {
  const printed = await output(`
    const cube = (name) => term('*', { kind: 'parameter', name }, term('*', { kind: 'parameter', name }, { kind: 'parameter', name }))
    const holds = ['a', 'b', 'c'].map((name) => ({ condition: { kind: 'parameter', name }, holds: true }))
    const hard = { ...obligation, condition: term('!', term('===', term('+', cube('a'), cube('b')), cube('c'))), truths: holds }
    console.log((await discharge([hard], ${options}))[0].why)`)
  expect(printed).toMatch(/^no answer within \d+ ms\n$/)
})

test('where the package is not installed the answer says so', async () => {
  const elsewhere = await mkdtemp(join(tmpdir(), 'assertions-'))
  try {
    const printed = await output('console.log((await discharge([obligation]))[0])', elsewhere)
    expect(printed).toContain("answer: 'unknown'")
    expect(printed).toContain("'assertions over data need the package z3-solver, which is not installed'")
  } finally {
    await rm(elsewhere, { recursive: true, force: true })
  }
})
