/** Every violation of the corpus is found again from its trace file alone, in a fresh process, with the same picture. */
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'

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
  readonly results: readonly { readonly program: string; readonly verdict: string; readonly trace: string | null }[]
}

/** Without the heading, which says how the trace was come by, and without the source, which a trace does not carry. */
function picture(text: string): string {
  return text.slice(text.indexOf('\n\n'), text.indexOf('\n   At   '))
}

test('every violation of the corpus under bag replays from its trace, twice alike, and is shown alike without the program', {
  timeout: 120_000,
}, async () => {
  const folders = readdirSync(join(root, 'corpus'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const models = folders
    .map(({ name }) => `corpus/${name}/model.check.ts`)
    .filter((model) => existsSync(join(root, model)))
    // Classes have no network, and traces of their own.
    .filter((model) => !readFileSync(join(root, model), 'utf8').includes('linearizable('))
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
  const violated = results.filter(({ verdict }) => verdict === 'violated')
  expect(violated.length).toBeGreaterThan(8)
  for (const { program, trace } of violated) {
    const replays = [await allways('replay', trace as string), await allways('replay', trace as string)]
    expect(replays[0]?.code, program).toBe(1)
    expect(replays[1]?.stdout, program).toBe(replays[0]?.stdout)
    const shown = await allways('show', trace as string)
    expect(picture(shown.stdout), program).toBe(picture(replays[0]?.stdout as string))
  }
})
