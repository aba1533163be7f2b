/** Systems with liars on the command line: reported, saved, shown, replayed, resumed, and not run. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { afterAll, expect, test } from 'vitest'
import { cut, long, oneIn } from '../amount.ts'
import { allways } from './harness.ts'
import { expectMistake, unwrapped } from './mistake.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-byzantine-'))
afterAll(() => rmSync(folder, { recursive: true }))

const [generals, broadcast] = ['examples/generals.check.ts', 'examples/broadcast.check.ts']

function expectSchema(name: string, content: unknown): void {
  const validate = new Ajv({ strict: false }).compile(JSON.parse(readFileSync(`schema/${name}.json`, 'utf8')))
  expect(validate(content), JSON.stringify(validate.errors)).toBe(true)
}

test.each(oneIn(4, ['stateful', 'dpor', 'exhaustive', 'random']))(
  'what %s finds is reported and saved by the schemas, shown and replayed',
  cut,
  async (engine) => {
    const { stdout, code } = await allways(['check', generals, '--engine', engine, '--json', '--trace-dir', folder])
    expect(code).toBe(1)
    const report = JSON.parse(stdout)
    expectSchema('allways-report-1', report)
    const [result] = report.results
    expect(result.scope).toContain('bert Byzantine: 3 messages, each to anyone at most once')
    expect(result.setting.byzantine).toEqual([{ machine: 'bert', messages: 3 }])
    const trace = JSON.parse(readFileSync(result.trace, 'utf8'))
    expectSchema('allways-trace-2', trace)
    const shown = await allways(['show', result.trace])
    const replayed = await allways(['replay', result.trace])
    expect(replayed.code).toBe(1)
    for (const { stdout: text } of [shown, replayed]) {
      expect(text).toContain('bert (Byzantine)')
      expect(unwrapped(text)).toContain('anna is to retreat, and the general never said so')
    }
  },
)

test('a search that a budget ended goes on', async () => {
  const flags = ['--engine', 'dpor', '--param', 'looks=true', '--trace-dir', folder]
  const part = await allways(['check', generals, ...flags, '--max-executions', '2'])
  const checkpoint = /npx allways check --resume (\S+)/.exec(part.stdout)?.[1] as string
  const resumed = await allways(['check', '--resume', checkpoint, '--trace-dir', folder])
  expect(unwrapped(resumed.stdout)).toContain('all 6 executions, looks = true, bag, no faults, bert Byzantine')
})

/**
 * Of each replica: it has heard nothing from the source or one of two values, and then its two echoes are under way or not: 1 + 2 * 4; and it has
 * heard none or one of two echoes of the source. (9 * 3) ^ 3 states.
 */
test('quorums of three agree, and quorums of two do not', long, async () => {
  const right = await allways(['check', broadcast, '--engine', 'stateful', '--trace-dir', folder])
  expect(right.stdout).toContain('all 19,683 states')
  const wrong = await allways(['check', broadcast, '--param', 'quorum=2', '--trace-dir', folder])
  expect(wrong.code).toBe(1)
  expect(wrong.stdout).toContain('invariant “agreement” violated')
})

test('a liar is not run', async () => {
  const message = '"generals" cannot be run: its machine "bert" is Byzantine'
  await expectMistake(['run', generals, '--all'], { code: 'E606', message, hint: 'by a parameter' })
})
