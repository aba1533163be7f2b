/** Ctrl-C while the report of a long execution is written: what was found is told and can be replayed, and the rest is left out. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { cwd } from 'node:process'
import { afterAll, expect, test } from 'vitest'
import { checkRequest } from '../../../src/check/request.ts'
import { runCheck } from '../../../src/check/run.ts'
import { ioOf } from '../../../src/cli/io.ts'
import { Output } from '../../../src/cli/output.ts'
import { kept, type SearchHost } from '../../../src/cli/search.ts'
import { selectPrograms } from '../../../src/cli/select-programs.ts'
import { orThrow } from '../../../src/core/diagnostic.ts'
import type { Host } from '../../../src/distribute/driver.ts'
import { allways, Captured } from '../../cli/harness.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-interrupted-'))
afterAll(() => rmSync(folder, { recursive: true }))

const file = join(folder, 'late.check.ts')
writeFileSync(
  file,
  `import { assert, program, receive, self, send, spawn } from 'allways'
export const late = program('late', function* () {
  const me = yield* self()
  yield* spawn('sender', function* () {
    for (let number = 0; number < 400; number++) yield* send(me, number)
  })
  let sum = 0
  for (let number = 0; number < 400; number++) sum += yield* receive()
  yield* assert(sum < 0, 'numbers are negative')
})`,
)
const options = { engine: 'random', options: { samples: 1 } } as const
const { programs } = await selectPrograms([file], undefined, cwd())
const [selected] = programs
if (selected === undefined) throw new Error('the file has the program')
const search = { selected, options }
const request = orThrow(checkRequest(selected.program, options))
const ended = { search, request, checked: orThrow(await runCheck(request)) }

interface Told {
  readonly stdout: string
  readonly stderr: string
  /** Of the trace. */
  readonly path: string
  readonly pauses: number
}

/** Every look at the clock takes longer than a slice, so that each breath is a pause; Ctrl-C comes in one of them. */
async function told(interruptedAt: number, reporter: 'text' | 'mermaid'): Promise<Told> {
  const [stdout, stderr] = [new Captured({}), new Captured({})]
  const io = ioOf({ cwd: cwd(), env: {}, stdout, stderr, onInterrupt: () => () => {} })
  const controller = new AbortController()
  let [time, pauses] = [0, 0]
  const pause = async (): Promise<void> => {
    if (pauses++ === interruptedAt) controller.abort()
  }
  const clock: Host = { now: () => (time += 30), memory: () => 0, pause }
  const host: SearchHost = { io, quiet: true, traceFolder: join(folder, reporter), signal: controller.signal, clock }
  const output = new Output(io, {}, [reporter])
  const result = await kept(ended, host)
  await output.result(result, host)
  const path = resolve(cwd(), result.findings[0]?.tracePath ?? '')
  return { stdout: stdout.text, stderr: stderr.text, path, pauses }
}

const whole = await told(Number.POSITIVE_INFINITY, 'text')

test('a report that nobody interrupts pauses often, and is whole', () => {
  // 803 events, looked at more than ten times over.
  expect(whole.pauses).toBeGreaterThan(30)
  expect(whole.stdout).toContain('rows left out')
  expect(whole.stderr).toBe('')
  expect(JSON.parse(readFileSync(whole.path, 'utf8')).steps).toHaveLength(802)
})

test('interrupted while the trace is written, it is written with its decisions alone, and replays', async () => {
  const { stdout, stderr, path, pauses } = await told(3, 'text')
  expect(pauses).toBe(4)
  expect(stderr).toBe(' note: interrupted: 1 trace written without what replay derives\n')
  expect(stdout).toContain('numbers are negative')
  expect(stdout).toContain('(interrupted before the picture was drawn; replay draws it)')
  expect(stdout).toContain('npx allways replay')
  expect(stdout).not.toContain('rows left out')
  const { decisions, steps } = JSON.parse(readFileSync(path, 'utf8'))
  expect(decisions).toHaveLength(801)
  expect(steps).toBe(undefined)
  const replayed = await allways(['replay', path, file])
  expect(replayed).toMatchObject({ code: 1, stderr: '' })
  expect(replayed.stdout).toContain('rows left out')
  expect(replayed.stdout).toMatch(/ reproduced$/m)
})

test('interrupted at any breath, it ends within the next one', async () => {
  for (let at = 0; at < whole.pauses; at += 5) {
    const { stdout, pauses } = await told(at, 'text')
    expect(pauses, `at ${at}`).toBe(at + 1)
    expect(stdout, `at ${at}`).toContain('numbers are negative')
    expect(stdout, `at ${at}`).toContain('npx allways replay')
  }
})

test('interrupted while a diagram is drawn, it says that there is none', async () => {
  const { pauses } = await told(Number.POSITIVE_INFINITY, 'mermaid')
  const { stdout, stderr } = await told(pauses - 2, 'mermaid')
  expect(stdout).toBe('')
  expect(stderr).toBe(' note: interrupted: no diagram of late was drawn\n')
})
