/** Violations of the corpus are found again from its trace file alone, in a fresh process, with the same picture. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import type { Program } from '../../src/program/program.ts'
import { isLittle, long } from '../amount.ts'
import { isSoon } from '../corpus/answers.ts'
import { type Entry, readCorpus } from '../corpus/entries.ts'

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

interface Violated {
  readonly entry: string
  readonly program: Program
  /** What finds it at once, as the answers of the corpus say. */
  readonly asked: string
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

const engines = ['dpor', 'stateful', 'local', 'exhaustive'] as const

/** One violation of each program that has some, in the setting of the first answer that is quickly found. */
function violatedIn({ name, programs, answers }: Entry): readonly Violated[] {
  const found = new Map<Program, Violated>()
  for (const answer of answers) {
    const program = programs.get(answer.program)
    const engine = engines.find((one) => {
      const found = answer.engines[one]
      return found?.verdict === 'violated' && isSoon(found)
    })
    if (program === undefined || engine === undefined || found.has(program)) continue
    const { params = {}, network } = answer.setting
    const on = network === undefined ? [] : ['--network', network]
    const sizes = Object.entries(params).flatMap(([key, value]) => ['--param', `${key}=${value}`])
    const asked = ['-t', `"${program.name}"`, '--engine', engine, ...on, ...sizes].join(' ')
    found.set(program, { entry: name, program, asked })
  }
  // Entries about proofs and consensus have many broken forms of one program, whose traces are much alike: one of each is enough.
  const hasManyForms = name.endsWith('-tree') || answers.some(({ engines: by }) => by.sequentialize !== undefined)
  return [...found.values()].slice(0, hasManyForms ? 1 : undefined)
}

test(
  'violations of the corpus replay from their traces, twice alike, and are shown alike without the program',
  long,
  async () => {
    const all = (await readCorpus()).flatMap(violatedIn)
    expect(all.length).toBeGreaterThan(50)
    const violated = all.filter((_, at) => !isLittle || at % 6 === 0)
    const flags = `--trace-dir ${traces} --json --quiet`
    const found = await allways(
      ...violated.map(({ entry, asked }) => `check corpus/${entry}/model.check.ts ${asked} ${flags}`),
    )
    const paths = found.map(({ code, output }, at) => {
      const { results } = JSON.parse(output) as { readonly results: readonly { readonly trace: string | null }[] }
      expect({ code, traces: results.length }, violated[at]?.asked).toEqual({ code: 1, traces: 1 })
      return results[0]?.trace
    })
    expect(new Set(paths).size).toBe(violated.length)
    const replays = paths.map((trace) => `replay ${trace}`)
    const [first, second, shown] = await Promise.all([
      allways(...replays),
      allways(...replays.toReversed()),
      allways(...paths.map((trace) => `show ${trace}`)),
    ])
    for (const [at, { program }] of violated.entries()) {
      expect(first[at]?.code, program.name).toBe(1)
      expect(second.at(-1 - at)?.output, program.name).toBe(first[at]?.output)
      expect(picture(shown[at]?.output ?? ''), program.name).toBe(picture(first[at]?.output ?? ''))
    }
  },
)
