import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { afterAll, describe, expect, test } from 'vitest'
import { cut, oneIn } from '../amount.ts'
import { allways, fixtures } from './harness.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-shards-'))
const holds = `${fixtures}/holds.check.ts:4`
const race = `${fixtures}/race.check.ts`
const traces = ['--trace-dir', join(folder, 'traces')]

afterAll(() => rmSync(folder, { recursive: true }))

const validate = new Ajv({ strictTypes: false }).compile(
  JSON.parse(readFileSync('schema/allways-report-1.json', 'utf8')),
)

function valid(stdout: string) {
  const report = JSON.parse(stdout)
  expect(validate(report), JSON.stringify(validate.errors)).toBe(true)
  return report
}

let written = 0

/** The path of the report of a shard. */
async function shard(which: string, ...argv: readonly string[]): Promise<string> {
  const [command, ...rest] = argv[0] === 'fuzz' ? argv : ['check', ...argv]
  const { stdout } = await allways([command as string, ...rest, '--shard', which, '--json', ...traces])
  valid(stdout)
  return saved(stdout)
}

function saved(text: string): string {
  const path = join(folder, `${++written}.json`)
  writeFileSync(path, text)
  return path
}

async function shards(of: number, ...argv: readonly string[]): Promise<readonly string[]> {
  const all: string[] = []
  for (let number = 1; number <= of; number++) all.push(await shard(`${number}/${of}`, ...argv))
  return all
}

async function merged(...argv: readonly string[]) {
  const { code, stdout } = await allways(['merge', ...argv, '--json'])
  return { code, ...valid(stdout) }
}

/** With other bytes in place of some. */
function changed(path: string, from: string | RegExp, to: string): string {
  const text = readFileSync(path, 'utf8')
  expect(text).toMatch(from)
  return saved(text.replace(from, to))
}

type Path = readonly (string | number)[]

/** Of each list the first item. */
function pathsIn(json: unknown, path: Path): readonly Path[] {
  if (typeof json !== 'object' || json === null) return [path]
  const inside = Array.isArray(json) ? json.slice(0, 1).entries() : Object.entries(json)
  return [path, ...[...inside].flatMap(([name, one]) => pathsIn(one, [...path, name]))]
}

function put(json: unknown, path: Path, other: unknown): void {
  const [name, ...rest] = path as readonly [string, ...string[]]
  const record = json as { [name: string]: unknown }
  if (rest.length === 0) record[name] = other
  else put(record[name], rest, other)
}

const two = await shards(2, holds)

describe('shards together are one run', () => {
  const runs = [
    [[holds, '--param', 'n=4']],
    [[holds, '--param', 'n=3', '--engine', 'exhaustive']],
    [[race]],
    [[race, '--keep-going']],
    [['fuzz', race, '--samples', '60', '--keep-going']],
    [['fuzz', race, '--samples', '60', '--engine', 'pct']],
    [[`${fixtures}/faults.check.ts`]],
    [['fuzz', 'corpus/p-counter', '-t', 'counter5', '--samples', '40']],
  ]

  test.each(oneIn(4, runs))('%j', cut, async (argv = []) => {
    const [command, ...rest] = argv[0] === 'fuzz' ? argv : ['check', ...argv]
    const whole = valid((await allways([command as string, ...rest, '--json', ...traces])).stdout)
    const { code, results, diagnostics } = await merged(...(await shards(3, ...argv)))
    expect(results.length, JSON.stringify(diagnostics)).toBe(whole.results.length)
    for (const [at, { seconds: _, checkpoint: __, shards: ofThem, ...told }] of results.entries()) {
      const { seconds: ___, ...expected } = whole.results[at]
      const seen = (list: readonly { readonly code: string }[] = []) => list.map((one) => one.code)
      expect({ ...told, vacuity: seen(told.vacuity) }).toEqual({ ...expected, vacuity: seen(expected.vacuity) })
      expect(ofThem).toEqual({ of: 3, missing: [] })
    }
    expect(code).toBe(results.some(({ verdict }: { verdict: string }) => verdict === 'violated') ? 1 : 0)
  })
})

describe('a shard alone', () => {
  test('says that it is one, claims nothing of the rest, and exits with 0', async () => {
    const { code, stdout } = await allways(['check', holds, '--shard', '2/2', '--strict'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/✓ passed {2}senders — no violation in \d executions of shard 2 of 2, n = 3, fifo/)
    expect(stdout).toContain('allways merge gives the verdict of the whole')
  })

  test('one of those that find something fails', async () => {
    const codes: number[] = []
    for (const which of ['1/2', '2/2']) codes.push((await allways(['check', race, '--shard', which, ...traces])).code)
    expect(codes.sort()).toEqual([0, 1])
  })

  test('is one thread, and a note says so', async () => {
    const { stderr } = await allways(['check', holds, '--shard', '1/2', '--workers', '2'])
    expect(stderr).toContain(' note: one thread searches: it explores one shard')
  })
})

describe('what is missing is said', () => {
  test('a shard without a report', async () => {
    const { code, results } = await merged(two[1] as string)
    expect(code).toBe(3)
    expect(results).toMatchObject([
      { verdict: 'incomplete', shards: { of: 2, missing: [{ number: 1, because: null }] } },
    ])
    const { stdout } = await allways(['merge', two[1] as string])
    expect(stdout).toContain('   missing: shard 1 of 2')
  })

  test('a shard that a budget ended', async () => {
    const cut = await shard('1/2', holds, '--max-executions', '1')
    const { code, stdout } = await allways(['merge', cut, two[1] as string])
    expect(code).toBe(3)
    expect(stdout).toMatch(/was ended by the budget of\s+executions\s+\(--max-executions\)/)
    expect((await allways(['merge', cut, two[1] as string, '--allow-incomplete'])).code).toBe(0)
  })

  test('a violation is one, whatever is missing', async () => {
    const [first, second] = await shards(2, race, '--keep-going')
    const texts = await Promise.all([first, second].map(async (one) => await allways(['merge', one as string])))
    const violated = texts.find(({ code }) => code === 1)
    expect(violated?.stdout).toContain('worked after being stopped')
    expect(violated?.stdout).toContain('what is missing may hold a violation that comes before')
    expect(texts.map(({ code }) => code).sort()).toEqual([1, 3])
  })

  test('a mistake in a shard', async () => {
    const refused = await allways(['check', `${fixtures}/mistakes/clock.check.ts`, '--shard', '1/2', '--json'])
    expect(refused.code).toBe(2)
    const { code, stderr } = await allways(['merge', saved(refused.stdout), two[1] as string])
    expect(code).toBe(3)
    expect(stderr).toContain('reports a mistake: E209')
  })
})

describe('mistakes', () => {
  const [first, second] = two as readonly [string, string]
  test.each<[string, () => Promise<readonly string[]> | readonly string[], RegExp]>([
    ['no file', () => [join(folder, 'no.json')], /E101 {2}the report .*no\.json cannot be read/],
    ['half a file', () => [saved(readFileSync(first, 'utf8').slice(0, 900)), second], /E113 .*it is not JSON/s],
    ['a file of another kind', () => ['package.json'], /E113 {2}package\.json is no report/],
    [
      'no shard',
      async () => [saved((await allways(['check', holds, '--json'])).stdout)],
      /result that is of no\s+shard/,
    ],
    ['a shard twice', () => [first, first, second], /E113 {2}shard 1 of 2 of "senders" is in/],
    ['another number of shards', async () => [first, await shard('2/3', holds)], /there are 3 shards of\s+one/],
    ['other parameters', async () => [first, await shard('2/2', holds, '--param', 'n=4')], /"senders" \(fifo, n = 4\)/],
    ['another program', async () => [first, await shard('2/2', race)], /not of one search.*"late work"/s],
    ['other options', async () => [first, await shard('2/2', holds, '--keep-going')], /they were set up\s+differently/],
    ['another version', () => [first, changed(second, '"0.1.0"', '"0.0.9"')], /written by\s+allways 0\.0\.9 and/],
    [
      'a program that changed',
      () => [first, changed(second, /sha256-\w{4}/, 'sha256-0000')],
      /has\s+changed\s+between/,
    ],
    ['another cut', () => [first, changed(second, /"cut": "./, '"cut": "-')], /does not\s+repeat itself/],
    ['sums that are wrong', () => [first, changed(second, /"executions": \d+/, '"executions": 9')], /add up to its/],
    ['a piece twice', () => [first, changed(second, /"at": \d+/, '"at": 0')], /explored the same|in their order/],
  ])('%s', async (_, reports, message) => {
    const { code, stderr, stdout } = await allways(['merge', ...(await reports())])
    expect(stdout).toBe('')
    expect(stderr).toMatch(message)
    expect(code).toBe(2)
  })

  test('a report with anything else in any place is refused, or says no more than before', async () => {
    const report = JSON.parse(readFileSync(second, 'utf8'))
    const { results: whole } = await merged(first, second)
    let refused = 0
    for (const path of pathsIn(report.results[0], ['results', 0])) {
      for (const other of [null, -1, 7.5, 'other', [], {}, true]) {
        const copy = structuredClone(report)
        put(copy, path, other)
        const { code, stdout } = await allways(['merge', first, saved(JSON.stringify(copy)), '--json'])
        expect([0, 2, 3], `${path.join('.')}: ${JSON.stringify(other)}`).toContain(code)
        if (code === 2) refused++
        else for (const one of valid(stdout).results) expect(one.counts).toEqual(whole[0].counts)
      }
    }
    expect(refused).toBeGreaterThan(300)
  })

  test.each(['0/2', '3/2', '2', '1/0', 'a/b', '1/2000', '1.5/2', ''])('--shard %j is refused', async (which) => {
    const { code, stderr } = await allways(['check', holds, '--shard', which])
    expect(stderr).toContain(`E107  --shard is "${which}"`)
    expect(code).toBe(2)
  })

  test('engines without parts, and clients of a class, have no shards', async () => {
    const whole = await allways(['check', holds, '--engine', 'stateful', '--shard', '1/2'])
    expect(whole.stderr).toContain('E107  this search has no shards: engine "stateful" explores "senders" in one piece')
    expect(whole.stderr).toContain('dpor, exhaustive, random, pct')
    expect(whole.code).toBe(2)
  })
})
