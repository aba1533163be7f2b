/** Violations of the corpus are found again from its trace file alone, in a fresh process, with the same picture. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { long } from '../amount.ts'
import { readAnswers } from '../corpus/answers.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const traces = mkdtempSync(join(tmpdir(), 'allways-replay-'))
afterAll(() => rmSync(traces, { recursive: true }))

interface Ran {
  readonly code: number
  readonly output: string
}

/** Commands one after the other, in a process of their own, which knows nothing but what the files say. */
async function allways(...commands: readonly string[]): Promise<readonly Ran[]> {
  const actions = commands.map((command) => ({ kind: 'command', text: `npx allways ${command}` }))
  const child = spawn(process.execPath, [join(root, 'test/docs/run-commands.mjs')], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.end(JSON.stringify({ folder: root, actions }))
  const ended = once(child, 'close')
  const [output, mistakes] = await Promise.all([text(child.stdout), text(child.stderr)])
  // Whoever ends otherwise says why, so that it is known when it happens on a machine that nobody watches.
  expect([...(await ended), mistakes]).toEqual([0, null, ''])
  return JSON.parse(output) as readonly Ran[]
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
function picture(printed: string): string {
  const [drawn = '', why = ''] = printed
    .slice(printed.indexOf('\n\n'), printed.indexOf('\n   At   '))
    .split('\n   Why  ')
  return `${drawn} ${why.replaceAll(/\s+/g, ' ').replaceAll(/ at \S+\.check\.ts:\d+/g, '')}`
}

/** Entries about proofs, and about consensus. */
const manyForms = new Set(
  readAnswers().flatMap(({ name, answers }) =>
    name.endsWith('-tree') || answers.some(({ engines }) => engines.sequentialize) ? [name] : [],
  ),
)

/** They have many broken forms of one program, whose traces are much alike: one of each is enough. */
function isWorthReplaying({ file }: Violated, index: number, all: readonly Violated[]): boolean {
  return !manyForms.has(basename(dirname(file))) || all.findIndex((other) => other.file === file) === index
}

test(
  'violations of the corpus under bag replay from their traces, twice alike, and are shown alike without the program',
  long,
  async () => {
    // Classes have no network, and traces of their own.
    const entries = readAnswers().filter(({ classes }) => classes === undefined)
    const models = entries.map(({ name }) => `corpus/${name}/model.check.ts`)
    // What has many states and nothing wrong is not waited for: a violation that is found within its time is replayed.
    const budget = '--max-executions 3000 --time 1s'
    const check = `check ${models.join(' ')} --network bag --trace-dir ${traces} ${budget} --json --quiet`
    const [found] = await allways(check)
    // A note says which programs are not told about executions.
    const { results } = JSON.parse((found?.output ?? '').replace(/^ note: .*\n/, '')) as Report
    const violated = results.filter(({ verdict }) => verdict === 'violated').filter(isWorthReplaying)
    expect(violated.length).toBeGreaterThan(25)
    const replays = violated.map(({ trace }) => `replay ${trace}`)
    const [first, second, shown] = await Promise.all([
      allways(...replays),
      allways(...replays.toReversed()),
      allways(...violated.map(({ trace }) => `show ${trace}`)),
    ])
    for (const [at, { program }] of violated.entries()) {
      expect(first[at]?.code, program).toBe(1)
      expect(second.at(-1 - at)?.output, program).toBe(first[at]?.output)
      expect(picture(shown[at]?.output ?? ''), program).toBe(picture(first[at]?.output ?? ''))
    }
  },
)
