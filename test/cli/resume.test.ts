import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { sealed } from '../../src/artifact/artifact.ts'
import { cut, long, oneIn } from '../amount.ts'
import { mockClock } from '../mock-clock.ts'
import { allways, fixtures } from './harness.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-resume-'))
const holds = `${fixtures}/holds.check.ts`

afterAll(() => rmSync(folder, { recursive: true }))

interface Result {
  readonly verdict: string
  readonly scope: string
  readonly checkpoint?: string
  readonly counts: {
    readonly executions: number
    readonly blocked: number
    readonly events: number
    readonly longest: number
  }
}

async function run(
  ...argv: readonly string[]
): Promise<{ readonly code: number; readonly result: Result; readonly checkpoint: string }> {
  const { code, stdout, stderr } = await allways([...argv, '--reporter', 'json,text'])
  const [result] = (JSON.parse(stdout) as { readonly results: readonly Result[] }).results
  const checkpoint = /npx allways check --resume (\S+)/.exec(stderr)?.[1] as string
  expect(result?.checkpoint).toBe(checkpoint)
  return { code, result: result as Result, checkpoint }
}

describe('a search that a budget ended', () => {
  test.each([
    ['dpor', 'n=5', 120],
    // Every interleaving; how many there are does not matter here, only that both ways of running agree.
    ['exhaustive', 'n=3', undefined],
  ])(
    '%s %s, resumed until it is over, ends with the total of an uninterrupted run',
    long,
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
      expect(part.result.counts).toEqual(whole.result.counts)
    },
  )

  test('goes on in the setting it was started in', long, async () => {
    const part = await run('check', `${holds}:4`, '--param', 'n=4', '--network', 'bag', '--max-executions', '5')
    const resumed = await run('check', '--resume', part.checkpoint)
    expect(resumed.result).toMatchObject({
      verdict: 'verified',
      network: 'bag',
      params: { n: 4 },
      counts: { executions: 24 },
    })
  })

  test('by its time, and goes on until it is over, has the total of an uninterrupted run', long, async () => {
    mockClock()
    const argv = ['check', `${holds}:4`, '--param', 'n=5']
    let part = await run(...argv, '--time', '1ms')
    for (let left = 120; part.result.verdict === 'incomplete'; left--) {
      expect(left).toBeGreaterThan(0)
      part = await run('check', '--resume', part.checkpoint, '--time', '40ms')
    }
    expect(part).toMatchObject({ code: 0, result: { verdict: 'verified', counts: { executions: 120, blocked: 0 } } })
    vi.restoreAllMocks()
  })

  test('one of several parameters and networks, goes on in each of them by itself', long, async () => {
    const argv = [`${holds}:4`, '--param', 'n=3,4', '--network', 'fifo,bag', '--reporter', 'json', '--max-executions']
    const { code, stdout } = await allways(['check', ...argv, '4'])
    const { results } = JSON.parse(stdout) as { readonly results: readonly (Result & { checkpoint: string })[] }
    expect(code).toBe(3)
    expect(new Set(results.map(({ checkpoint }) => checkpoint)).size).toBe(4)
    const rest = await Promise.all(results.map(({ checkpoint }) => run('check', '--resume', checkpoint)))
    // As many orders as of three and of four messages, whichever way they travel.
    expect(rest.map(({ result }) => result.counts.executions)).toEqual([6, 24, 6, 24])
  })

  test('exits with 0 under --allow-incomplete', async () => {
    const part = await run('check', `${holds}:4`, '--max-executions', '2', '--allow-incomplete')
    expect(part).toMatchObject({ code: 0, result: { verdict: 'incomplete' } })
  })

  test('goes on with one unit at a time, and leaves the others', async () => {
    const whole = await run('check', `${holds}:4`, '--param', 'n=4')
    const begun = await run('check', `${holds}:4`, '--param', 'n=4', '--engine', 'dpor', '--max-executions', '1')
    const path = join(folder, 'several.json')
    writeFileSync(path, changed(readFileSync(begun.checkpoint, 'utf8'), inParts))
    const { units } = JSON.parse(readFileSync(path, 'utf8')) as { readonly units: readonly unknown[] }
    expect(units.length).toBeGreaterThan(1)
    let part = { ...begun, checkpoint: path }
    for (const [at] of units.slice(1).entries()) {
      part = await run('check', '--resume', part.checkpoint, '--units', '1')
      const scope = expect.stringContaining('stopped by the budget of units of work (--units)')
      expect(part).toMatchObject({ code: 3, result: { verdict: 'incomplete', scope } })
      const left = JSON.parse(readFileSync(part.checkpoint, 'utf8')) as { readonly units: readonly unknown[] }
      expect(left.units).toEqual(units.slice(at + 1))
    }
    part = await run('check', '--resume', part.checkpoint, '--units', '1')
    expect(part).toMatchObject({ code: 0, result: { verdict: 'verified', counts: whole.result.counts } })
  })

  test('--units is for what is left', async () => {
    const { code, stderr } = await allways(['check', `${holds}:4`, '--units', '1'])
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('E107  --units says nothing') })
  })

  test('finds a violation in the part that was left', async () => {
    const file = `${fixtures}/mistakes/two-bugs.check.ts`
    const part = await run('check', file, '--max-executions', '1')
    expect(part.result.verdict).toBe('incomplete')
    const resumed = await run('check', '--resume', part.checkpoint, '--trace-dir', folder)
    expect(resumed).toMatchObject({ code: 1, result: { verdict: 'violated' } })
  })
})

describe('a checkpoint from which units were removed', () => {
  test.each(oneIn(4, ['dpor', 'exhaustive', 'random', 'pct']))('of %s does not add up', cut, async (engine) => {
    const part = await run('check', `${holds}:4`, '--param', 'n=4', '--engine', engine, '--max-executions', '7')
    const path = join(folder, `less-${engine}.json`)
    writeFileSync(path, changed(readFileSync(part.checkpoint, 'utf8'), less))
    const ran = await allways(['check', '--resume', path])
    expect(ran).toMatchObject({ code: 2, stdout: '' })
    expect(ran.stderr).toMatch(/E405.*does not add up/)
    expect((await run('check', '--resume', part.checkpoint)).code).toBe(0)
  })
})

test.each<[string, (counts: Saved['counts']) => Saved['counts']]>([
  ['without one of its counts', ({ executions: _, ...counts }) => counts],
  ['without the events of its executions', ({ events: _, ...counts }) => counts],
  ['with a count that has no name', (counts) => ({ ...counts, '': 12 })],
])('a checkpoint %s does not add up', async (_, miscounted) => {
  const part = await run('check', `${holds}:4`, '--param', 'n=4', '--max-executions', '7')
  const path = join(folder, 'uncounted.json')
  writeFileSync(
    path,
    changed(readFileSync(part.checkpoint, 'utf8'), ({ counts }) => ({ counts: miscounted(counts) })),
  )
  const ran = await allways(['check', '--resume', path])
  expect(ran).toMatchObject({ code: 2, stdout: '' })
  expect(ran.stderr).toMatch(/E405.*does not add up/)
})

test('a checkpoint with a parameter that no memory has room for is E405', async () => {
  const part = await run('check', `${holds}:4`, '--param', 'n=4', '--max-executions', '7')
  const path = join(folder, 'large.json')
  const large = ({ setting }: Saved) => ({ setting: { ...setting, params: { n: 1e9 } } })
  writeFileSync(path, changed(readFileSync(part.checkpoint, 'utf8'), large))
  const ran = await allways(['check', '--resume', path])
  expect(ran).toMatchObject({ code: 2, stdout: '' })
  expect(ran.stderr.replaceAll(/\s+/g, ' ')).toMatch(/E405.*its parameter "n" is 1000000000.*add --trust/)
})

test('a checkpoint whose units are of other parameters is E405', async () => {
  const part = await run('check', `${holds}:4`, '--param', 'n=4', '--max-executions', '7')
  const path = join(folder, 'other.json')
  writeFileSync(
    path,
    changed(readFileSync(part.checkpoint, 'utf8'), ({ setting }) => ({ setting: { ...setting, params: {} } })),
  )
  const ran = await allways(['check', '--resume', path])
  expect(ran.stderr).toMatch(/E405.*a saved work unit does not fit this program/)
  expect(ran.code).toBe(2)
})

interface State {
  readonly from?: number
  readonly untried?: readonly object[]
  readonly branches?: readonly (readonly [at: number, share: number, left: readonly unknown[]])[]
}

/** One sample less, or what is left to try at the first place where the search branched. */
function less({ units }: Saved): object {
  const [unit, ...others] = units as readonly { readonly state: State }[]
  const { from = 0, untried = [], branches = [] } = unit?.state ?? {}
  const weight = branches.slice(1).reduce((sum, [, share, left]) => sum + share * left.length, 0)
  const state = { ...unit?.state, from: from + 1, untried: untried.slice(1), branches: branches.slice(1), weight }
  return { units: [{ ...unit, state }, ...others] }
}

/** As several who explore one search leave it: each place where it branched is a unit, and of one thread all of them are one. */
function inParts({ units }: Saved): object {
  const parts = (units as readonly { readonly state: State }[]).flatMap((unit) =>
    (unit.state.branches ?? []).map((branch) => {
      const [, share, left] = branch
      return { ...unit, state: { ...unit.state, branches: [branch], weight: share * left.length } }
    }),
  )
  return { units: parts }
}

test('a verdict that rests on a checkpoint says how much of it does', async () => {
  const part = await run('check', `${holds}:4`, '--param', 'n=4', '--max-executions', '5')
  const argv = ['check', '--resume', part.checkpoint]
  const { stdout } = await allways(argv)
  expect(stdout).toContain('note: 5 executions of these are taken from the checkpoint, as it says')
  const json = await allways([...argv, '--reporter', 'json'])
  expect(JSON.parse(json.stdout)).toMatchObject({
    results: [{ vacuity: [{ code: 'taken-from-file', subject: 'execution', count: 5 }, { code: 'not-looked-for' }] }],
  })
})

describe('Ctrl-C', () => {
  test('ends the search with incomplete and exit 3, and what is left can be resumed', async () => {
    const ran = await allways(['check', `${holds}:4`], { interrupt: (listener) => listener() })
    expect(ran.code).toBe(3)
    expect(ran.stderr).toContain('interrupted: 1 of 1 searches were not started')
  })

  test('during a search leaves all of it to be resumed', long, async () => {
    const argv = ['check', `${holds}:4`, '--param', 'n=9', '--engine', 'exhaustive']
    const ran = await allways(argv, { isTTY: true, env: { NO_COLOR: '1' }, interruptAfter: /explored/ })
    expect(ran.code).toBe(3)
    expect(ran.stdout).toContain('stopped by an interrupt')
    expect(ran.stdout).toMatch(/npx allways check --resume \.allways\/checkpoints\/senders\.[0-9a-f]{8}\.json/)
  })
})

describe('Ctrl-C between parameters and networks', () => {
  test('ends what is explored, which can be resumed, and says how many searches were not started', async () => {
    const argv = ['check', `${holds}:4`, '--param', 'n=9,10', '--network', 'fifo,bag']
    const ran = await allways(argv, { isTTY: true, env: { NO_COLOR: '1' }, interruptAfter: /explored/ })
    expect(ran.code).toBe(3)
    expect(ran.stdout.match(/npx allways check --resume/g)).toHaveLength(1)
    expect(ran.stderr).toContain('interrupted: 3 of 4 searches were not started')
  })
})

describe('a checkpoint that does not fit', () => {
  test('because the program has changed is E405', async () => {
    const file = join(folder, 'changing.check.ts')
    const source = readFileSync(holds, 'utf8')
    writeFileSync(file, source)
    const part = await run('check', `${file}:4`, '--max-executions', '2')
    writeFileSync(file, `${source}\n// changed\n`)
    const ran = await allways(['check', '--resume', part.checkpoint, '--trust'])
    expect(ran).toMatchObject({ code: 2, stdout: '' })
    expect(ran.stderr).toContain('E405')
    expect(ran.stderr.replaceAll(/\s+/g, ' ')).toContain('or a file it imports, has changed since')
  })

  test.each([
    [
      'another version',
      (text: string) => text.replace('allways-checkpoint/3', 'allways-checkpoint/1'),
      'has format "allways-checkpoint/1"',
    ],
    ['a truncated file', (text: string) => text.slice(0, 300), 'it is not JSON'],
    [
      'a unit of another engine',
      (text: string) => resealed(text.replace('"engine":"dpor","state"', '"engine":"pct","state"')),
      'is damaged',
    ],
    ['negative counts', (text: string) => resealed(text.replace('"executions":2', '"executions":-2')), 'is damaged'],
    ['a unit that was removed', (text: string) => changed(text, ({ units }) => ({ units: units.slice(1) })), 'add up'],
    [
      'a unit that is there twice',
      (text: string) => changed(text, ({ units }) => ({ units: [...units, ...units.slice(0, 1)] })),
      'add up',
    ],
    ['a share that was raised', (text: string) => changed(text, () => ({ explored: 0.9 })), 'add up'],
    [
      'counts that nobody counts to',
      (text: string) => resealed(text.replace('"executions":2', `"executions":${2 ** 50}`)),
      'add up',
    ],
    [
      'an execution longer than all together',
      (text: string) => changed(text, ({ counts }) => ({ counts: { ...counts, longest: 10_000 } })),
      'add up',
    ],
    [
      'counts that were raised',
      (text: string) => text.replace('"executions":2', '"executions":3'),
      'is damaged: its digest is wrong',
    ],
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

interface Saved {
  readonly setting: object
  readonly units: readonly object[]
  readonly counts: { readonly [name: string]: number }
}

function changed(text: string, change: (saved: Saved) => object): string {
  const saved = JSON.parse(text) as Saved
  return resealed(JSON.stringify({ ...saved, ...change(saved) }))
}

/** As a forger would: with the digest of what it says now. */
function resealed(text: string): string {
  const { digest: _, ...content } = JSON.parse(text) as { readonly [field: string]: unknown }
  return JSON.stringify(sealed(content))
}

interface ObjectResult {
  readonly verdict: string
  readonly counts: { readonly clients: number; readonly states: number; readonly finals: number }
}

async function linearize(...argv: readonly string[]) {
  const { code, stdout, stderr } = await allways(['linearize', ...argv, '--reporter', 'json,text'])
  const [result] = (JSON.parse(stdout) as { readonly results: readonly ObjectResult[] }).results
  const checkpoint = /npx allways linearize --resume (\S+)/.exec(stderr)?.[1] as string
  return { code, result: result as ObjectResult, checkpoint, stderr }
}

describe('the check of a class that a budget ended', () => {
  const argv = [`${fixtures}/objects/tally.ts`]

  beforeEach(() => mockClock())
  afterEach(() => vi.restoreAllMocks())

  test('resumed until it is over, ends with the counts of an uninterrupted run', long, async () => {
    const whole = await linearize(...argv)
    expect(whole).toMatchObject({ code: 0, result: { verdict: 'verified' } })
    let part = await linearize(...argv, '--time', '1ms')
    expect(part).toMatchObject({ code: 3, result: { verdict: 'incomplete' } })
    let runs = 1
    while (part.result.verdict === 'incomplete') {
      const { clients } = part.result.counts
      part = await linearize('--resume', part.checkpoint, '--time', '20ms')
      expect(part.result.counts.clients).toBeGreaterThan(clients)
      runs++
    }
    expect(runs).toBeGreaterThan(2)
    expect(part).toMatchObject({ code: 0, result: { verdict: 'verified', counts: whole.result.counts } })
  })

  test('says what is done, what is left, and how to go on', async () => {
    const ran = await allways(['linearize', ...argv, '--time', '1ms'])
    expect(ran.code).toBe(3)
    expect(ran.stdout).toMatch(/no violation in \d+ of \d+ clients/)
    expect(ran.stdout).toMatch(/not everything was explored: \d+ clients left/)
    expect(ran.stdout).toMatch(/resume {3}npx allways linearize --resume \S+/)
  })

  test('is not told again what it was told before', async () => {
    const { checkpoint } = await linearize(...argv, '--time', '1ms')
    const ran = await allways(['linearize', '--resume', checkpoint, '--calls', '3'])
    expect(ran).toMatchObject({ code: 2 })
    expect(ran.stderr).toContain('E107  --calls cannot be given together with --resume')
  })

  test('goes on with either command, and so does that of a program', long, async () => {
    const part = await linearize(...argv, '--time', '1ms')
    const asked = ['--reporter', 'json,text']
    const unfit = await allways(['check', '--resume', part.checkpoint, '--max-executions', '5'])
    expect(unfit.code).toBe(2)
    expect(unfit.stderr).toContain('engine "stateful" counts states')
    const resumed = await allways(['check', '--resume', part.checkpoint, ...asked])
    expect(resumed.code).toBe(0)
    expect(JSON.parse(resumed.stdout)).toMatchObject({ results: [{ verdict: 'verified' }] })
    const program = await run('check', `${holds}:4`, '--max-executions', '2')
    const rest = await allways(['linearize', '--resume', program.checkpoint, ...asked])
    expect(JSON.parse(rest.stdout)).toMatchObject({ results: [{ verdict: 'verified', engine: 'dpor' }] })
  })

  test('saves its setting whole, in the form of all checkpoints', async () => {
    const clients = ['{ add(1) } || { add(2) }', '{ add(1) } || { read() }']
    const given = clients.flatMap((client) => ['--client', client])
    const { checkpoint } = await linearize(
      ...argv,
      ...given,
      '--granularity',
      'await',
      '--reduction',
      'safe',
      '--time',
      '1ms',
    )
    expect(JSON.parse(readFileSync(checkpoint, 'utf8'))).toMatchObject({
      format: 'allways-checkpoint/3',
      program: { origin: { kind: 'class', name: 'Tally', args: [] } },
      setting: {
        bounds: { clients },
        options: { granularity: 'await', criterion: 'linearizable', deadlock: 'error', specification: 'declared' },
      },
      engine: 'stateful',
      options: { reduction: 'safe' },
      counts: { clients: 1 },
      units: [],
    })
    const rest = await linearize('--resume', checkpoint)
    expect(rest).toMatchObject({ code: 0, result: { verdict: 'verified', counts: { clients: 2 } } })
  })

  test('is refused when the class has changed, or the checkpoint is damaged', async () => {
    const source = join(folder, 'tally.ts')
    writeFileSync(source, readFileSync(`${fixtures}/objects/tally.ts`))
    const { checkpoint } = await linearize(source, '--time', '1ms')
    writeFileSync(source, `${readFileSync(source, 'utf8')}\n// changed\n`)
    expect((await allways(['linearize', '--resume', checkpoint, '--trust'])).stderr).toContain('has changed since')
    const damaged = join(folder, 'damaged.json')
    writeFileSync(damaged, readFileSync(checkpoint, 'utf8').replace('"states":', '"stages":'))
    expect((await allways(['linearize', '--resume', damaged])).stderr).toContain('E405')
  })

  test('does not add up with more clients than were counted', async () => {
    const { checkpoint } = await linearize(...argv, '--time', '1ms')
    const forged = join(folder, 'clients.json')
    const more = ({ counts }: Saved): object => ({ counts: { ...counts, clients: (counts.clients ?? 0) + 1 } })
    writeFileSync(forged, changed(readFileSync(checkpoint, 'utf8'), more))
    expect((await allways(['linearize', '--resume', forged])).stderr).toMatch(/E405.*does not add up/)
  })
})
