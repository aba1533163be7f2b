/** Violations of the corpus are found again from its trace file alone, in a fresh process, with the same picture. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { readAnswers } from '../corpus/answers.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const traces = mkdtempSync(join(tmpdir(), 'allways-replay-'))
afterAll(() => rmSync(traces, { recursive: true }))

interface Ran {
  readonly code: number
  readonly stdout: string
}

function allways(...args: readonly string[]): Promise<Ran> {
  return new Promise((done) => {
    const options = { cwd: root, maxBuffer: 1 << 26, env: { ...process.env, NO_COLOR: '1' } }
    execFile(process.execPath, [join(root, 'bin/allways.mjs'), ...args], options, (error, stdout) => {
      done({ code: typeof error?.code === 'number' ? error.code : 0, stdout })
    })
  })
}

interface Report {
  readonly results: readonly Violated[]
}

interface Violated {
  readonly program: string
  readonly file: string
  readonly verdict: string
  readonly trace: string | null
}

/**
 * Without the heading, which says how the trace was come by, and without the source, which a trace does not carry: neither the
 * lines that are quoted nor, in words, the line where somebody waits.
 */
function picture(text: string): string {
  const [drawn = '', why = ''] = text.slice(text.indexOf('\n\n'), text.indexOf('\n   At   ')).split('\n   Why  ')
  return `${drawn} ${why.replaceAll(/\s+/g, ' ').replaceAll(/ at \S+\.check\.ts:\d+/g, '')}`
}

const proved = new Set(
  readAnswers().flatMap(({ name, answers }) => (answers.some(({ engines }) => engines.sequentialize) ? [name] : [])),
)

/** Entries about proofs have many broken forms of one program, whose traces are much alike: one of each is enough. */
function isWorthReplaying({ file }: Violated, index: number, all: readonly Violated[]): boolean {
  return !proved.has(basename(dirname(file))) || all.findIndex((other) => other.file === file) === index
}

test('violations of the corpus under bag replay from their traces, twice alike, and are shown alike without the program', {
  timeout: 240_000,
}, async () => {
  // Classes have no network, and traces of their own.
  const entries = readAnswers().filter(({ classes }) => classes === undefined)
  const models = entries.map(({ name }) => `corpus/${name}/model.check.ts`)
  const found = await allways(
    'check',
    ...models,
    '--network',
    'bag',
    '--trace-dir',
    traces,
    '--max-executions',
    '3000',
    '--json',
  )
  const { results } = JSON.parse(found.stdout) as Report
  const violated = results.filter(({ verdict }) => verdict === 'violated').filter(isWorthReplaying)
  expect(violated.length).toBeGreaterThan(25)
  for (const { program, trace } of violated) {
    const [first, second, shown] = await Promise.all([
      allways('replay', trace as string),
      allways('replay', trace as string),
      allways('show', trace as string),
    ])
    expect(first.code, program).toBe(1)
    expect(second.stdout, program).toBe(first.stdout)
    expect(picture(shown.stdout), program).toBe(picture(first.stdout))
  }
})
