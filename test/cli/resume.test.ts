import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { allways, fixtures } from './harness.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-resume-'))
const holds = `${fixtures}/holds.check.ts`

afterAll(() => rmSync(folder, { recursive: true }))

interface Result {
  readonly verdict: string
  readonly counts: { readonly executions: number; readonly blocked: number; readonly longest: number }
}

async function run(
  ...argv: readonly string[]
): Promise<{ readonly code: number; readonly result: Result; readonly checkpoint: string }> {
  const { code, stdout, stderr } = await allways([...argv, '--reporter', 'json,text'])
  const [result] = (JSON.parse(stdout) as { readonly results: readonly Result[] }).results
  const checkpoint = /npx allways check --resume (\S+)/.exec(stderr)?.[1] as string
  return { code, result: result as Result, checkpoint }
}

describe('a search that a budget ended', () => {
  test.each([
    ['dpor', 'n=5', 120],
    // Every interleaving; how many there are does not matter here, only that both ways of running agree.
    ['exhaustive', 'n=3', undefined],
  ])(
    '%s %s, resumed until it is over, ends with the total of an uninterrupted run',
    async (engine, param, expected) => {
      const argv = ['check', `${holds}:4`, '--engine', engine, '--param', param]
      const whole = await run(...argv)
      if (expected !== undefined) expect(whole.result.counts.executions).toBe(expected)
      let part = await run(...argv, '--max-executions', '37')
      expect(part).toMatchObject({ code: 3, result: { verdict: 'incomplete', counts: { executions: 37 } } })
      let runs = 1
      while (part.result.verdict === 'incomplete') {
        part = await run('check', '--resume', part.checkpoint, '--max-executions', '41')
        runs++
      }
      expect(runs).toBe(1 + Math.ceil((whole.result.counts.executions - 37) / 41))
      expect(part).toMatchObject({ code: 0, result: { verdict: 'verified' } })
      const { executions, blocked, longest } = whole.result.counts
      expect(part.result.counts).toMatchObject({ executions, blocked, longest })
    },
  )

  test('goes on in the setting it was started in', async () => {
    const part = await run('check', `${holds}:4`, '--param', 'n=4', '--network', 'bag', '--max-executions', '5')
    const resumed = await run('check', '--resume', part.checkpoint)
    expect(resumed.result).toMatchObject({
      verdict: 'verified',
      network: 'bag',
      params: { n: 4 },
      counts: { executions: 24 },
    })
  })

  test('exits with 0 under --allow-incomplete', async () => {
    const part = await run('check', `${holds}:4`, '--max-executions', '2', '--allow-incomplete')
    expect(part).toMatchObject({ code: 0, result: { verdict: 'incomplete' } })
  })

  test('finds a violation in the part that was left', async () => {
    const file = `${fixtures}/mistakes/two-bugs.check.ts`
    const part = await run('check', file, '--max-executions', '1')
    expect(part.result.verdict).toBe('incomplete')
    const resumed = await run('check', '--resume', part.checkpoint, '--trace-dir', folder)
    expect(resumed).toMatchObject({ code: 1, result: { verdict: 'violated' } })
  })
})

describe('Ctrl-C', () => {
  test('ends the search with incomplete and exit 3, and what is left can be resumed', async () => {
    const ran = await allways(['check', `${holds}:4`], { interrupt: (listener) => listener() })
    expect(ran.code).toBe(3)
    expect(ran.stderr).toContain('interrupted: 1 of 1 searches were not started')
  })

  test('during a search leaves all of it to be resumed', async () => {
    const interrupt = (listener: () => void) => void setTimeout(listener, 1)
    const ran = await allways(['check', `${holds}:4`, '--param', 'n=9', '--engine', 'exhaustive'], { interrupt })
    expect(ran.code).toBe(3)
    expect(ran.stdout).toContain('stopped by an interrupt')
    expect(ran.stdout).toMatch(/npx allways check --resume \.allways\/checkpoints\/senders\.[0-9a-f]{8}\.json/)
  })
})

describe('a checkpoint that does not fit', () => {
  test('because the program has changed is E405', async () => {
    const file = join(folder, 'changing.check.ts')
    const source = readFileSync(holds, 'utf8')
    writeFileSync(file, source)
    const part = await run('check', `${file}:4`, '--max-executions', '2')
    writeFileSync(file, `${source}\n// changed\n`)
    const ran = await allways(['check', '--resume', part.checkpoint])
    expect(ran).toMatchObject({ code: 2, stdout: '' })
    expect(ran.stderr).toContain('E405')
    expect(ran.stderr.replaceAll(/\s+/g, ' ')).toContain('or a file it imports, has changed since')
  })

  test.each([
    [
      'another version',
      (text: string) => text.replace('allways-checkpoint/1', 'allways-checkpoint/2'),
      'has format "allways-checkpoint/2"',
    ],
    ['a truncated file', (text: string) => text.slice(0, 300), 'it is not JSON'],
    [
      'a unit of another engine',
      (text: string) => text.replace('"engine":"dpor","state"', '"engine":"pct","state"'),
      'is damaged',
    ],
    ['negative counts', (text: string) => text.replace('"executions":2', '"executions":-2'), 'is damaged'],
  ])('because of %s is E405', async (_what, damage, message) => {
    const part = await run('check', `${holds}:4`, '--max-executions', '2')
    const path = join(folder, 'bad.json')
    writeFileSync(path, damage(readFileSync(part.checkpoint, 'utf8')))
    const ran = await allways(['check', '--resume', path])
    expect(ran).toMatchObject({ code: 2, stdout: '' })
    expect(ran.stderr.replaceAll(/\s+/g, ' ')).toContain('E405')
    expect(ran.stderr.replaceAll(/\s+/g, ' ')).toContain(message)
  })
})
