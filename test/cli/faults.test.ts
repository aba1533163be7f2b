/** Faults on the command line: budgets that are given, refused, reported, saved and replayed. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { afterAll, expect, test } from 'vitest'
import { long } from '../amount.ts'
import { allways, fixtures } from './harness.ts'
import { expectMistake, unwrapped } from './mistake.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-faults-'))
const file = `${fixtures}/faults.check.ts`

afterAll(() => rmSync(folder, { recursive: true }))

interface Result {
  readonly verdict: string
  readonly scope: string
  readonly trace: string | null
  readonly faults?: object
  readonly counts: { readonly executions: number; readonly blocked: number }
}

async function run(...argv: readonly string[]) {
  const ran = await allways([...argv, '--reporter', 'json,text', '--trace-dir', folder])
  const report: unknown = JSON.parse(ran.stdout)
  const schema = JSON.parse(readFileSync('schema/allways-report-1.json', 'utf8'))
  const validate = new Ajv({ strict: false, allErrors: true }).compile(schema)
  expect(validate(report), JSON.stringify(validate.errors)).toBe(true)
  const [result] = (report as { readonly results: readonly Result[] }).results
  return { ...ran, result: result as Result }
}

test('a budget is stated in the report, and --faults replaces it', long, async () => {
  // Which of the 4 messages get lost: none, one or two.
  const own = await run('check', file, '-t', 'lossy')
  expect(own.result.faults).toEqual({ losses: 2 })
  expect(own.result.scope).toContain('at most 2 lost messages')
  expect(own.result.counts).toMatchObject({ executions: 1, blocked: 4 + 6 })
  const other = await run('check', file, '-t', 'lossy', '--faults', 'losses=1,duplicates=0')
  expect(other.result.counts).toMatchObject({ executions: 1, blocked: 4 })
  const twice = await run('check', file, '-t', 'lossy', '--faults', 'losses=1', '--faults', 'duplicates=1')
  expect(twice.result.faults).toEqual({ losses: 1, duplicates: 1 })
  const none = await run('check', file, '-t', 'lossy', '--faults', 'none')
  expect(none.result.scope).toContain('no faults')
  expect(none.result.faults).toBeUndefined()
})

test('a search with faults goes on with the same budget', async () => {
  const part = await run('check', file, '-t', 'lossy', '--faults', 'losses=3', '--max-executions', '4')
  expect(part.result.verdict).toBe('incomplete')
  const checkpoint = /npx allways check --resume (\S+)/.exec(part.stderr)?.[1] as string
  const resumed = await run('check', '--resume', checkpoint)
  expect(resumed.result.faults).toEqual({ losses: 3 })
  expect(resumed.result.counts).toMatchObject({ executions: 1, blocked: 4 + 6 + 4 })
})

test('a trace with a crash is one by the schema, and replay and show say who crashed', async () => {
  const { result } = await run('check', file, '-t', 'crashing')
  const schema = JSON.parse(readFileSync('schema/allways-trace-2.json', 'utf8'))
  const validate = new Ajv({ strict: false, allErrors: true }).compile(schema)
  const trace: unknown = JSON.parse(readFileSync(result.trace as string, 'utf8'))
  expect(validate(trace), JSON.stringify(validate.errors)).toBe(true)
  for (const command of ['replay', 'show']) {
    const { stdout } = await allways([command, result.trace as string])
    expect(stdout).toContain('teller crashes')
  }
})

test.each([
  ['crashs=1', 'there is no fault "crashs"'],
  ['crashes', '"crashes" must be a whole number from 0, and is ""'],
  ['restarts=1', 'a process restarts after it has crashed'],
  ['crashes=1,crashes=2', '"crashes" is given twice'],
])('--faults %s is refused', async (budget, message) => {
  await expectMistake(['check', file, '--faults', budget], { code: 'E217', message, hint: '--faults none' })
})

test('prove refuses a budget, and explores small sizes with it', async () => {
  const proved = await allways(['prove', file, '-t', 'sized'])
  expect(proved.code).toBe(1)
  expect(unwrapped(proved.stderr)).toContain('prove takes executions without faults only')
})

const peace = ['check', 'test/cli/fixtures/machines/election.check.ts', '-t', 'peace']

test('a budget replaces what a system says, and is told in text and JSON', async () => {
  const { code, stdout } = await allways([...peace, '--faults', 'losses=2,crashes=1'])
  expect(code).toBe(0)
  expect(stdout).toContain('at most 1 crash and 2 lost messages')
  const json = await allways([...peace, '--json', '--faults', 'losses=any'])
  expect(JSON.parse(json.stdout).results[0]).toMatchObject({ engine: 'local', faults: { losses: 'any' } })
})

test('a budget that local cannot count goes to stateful, and local refuses it', async () => {
  const budget = [...peace, '--faults', 'duplicates=1']
  expect((await allways(budget)).stdout).toContain('· stateful ·')
  const message = 'explores systems without duplicated messages'
  await expectMistake([...budget, '--engine', 'local'], { code: 'E309', message, hint: 'stateful, dpor' })
})
