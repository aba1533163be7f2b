import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { afterAll, describe, expect, test } from 'vitest'
import { cut, long, oneIn } from '../amount.ts'
import { allways, fixtures } from './harness.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-check-'))
const traces = ['--trace-dir', folder]
const holds = `${fixtures}/holds.check.ts`
const race = `${fixtures}/race.check.ts`

afterAll(() => rmSync(folder, { recursive: true }))

interface Report {
  readonly format: string
  readonly results: readonly {
    readonly program: string
    readonly engine: string
    readonly network: string
    readonly params: object
    readonly verdict: string
    readonly counts: { readonly executions: number; readonly blocked: number }
    readonly violation: { readonly message: string } | null
    readonly trace: string | null
    readonly evidence: readonly { readonly violation: { readonly message: string }; readonly trace: string | null }[]
  }[]
  readonly diagnostics?: readonly { readonly code: string }[]
}

async function report(...argv: readonly string[]): Promise<Report & { readonly code: number }> {
  const { code, stdout } = await allways([...argv, '--json', ...traces])
  return { ...(JSON.parse(stdout) as Report), code }
}

describe('verdicts', () => {
  test('a program that holds is verified: exit 0, three lines on stdout, nothing on stderr', async () => {
    const ran = await allways(['check', holds, '-t', 'SENDERS'])
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(ran.stdout.trimEnd().split('\n')).toHaveLength(3)
    expect(ran.stdout).toContain('verified  senders — all 6 executions, n = 3, fifo, no faults')
  })

  test('-t means the program of exactly that name, or else all with the text in their names', long, async () => {
    const names = async (text: string) => {
      const { results } = await report('check', 'corpus/paxos/model.check.ts', '-t', text, '--engine', 'local')
      return results.length
    }
    expect(await names('paxos')).toBe(1)
    expect(await names('Paxos')).toBe(2)
  })

  test('a race is violated: exit 1, the picture, the line, a trace file and the command to replay it', async () => {
    const ran = await allways(['check', race, ...traces])
    expect(ran).toMatchObject({ code: 1, stderr: '' })
    expect(ran.stdout).toContain('race.check.ts:10  assertion violated in worker')
    expect(ran.stdout).toContain('> 10 |     else yield* assert')
    const path = /npx allways replay (\S+)/.exec(ran.stdout)?.[1] as string
    expect(existsSync(path)).toBe(true)
    for (const line of ran.stdout.split('\n'))
      expect(line.length).toBeLessThanOrEqual(100 + (line.includes('npx') ? 100 : 0))
  })

  test('the network decides whether two messages of one process may be swapped', async () => {
    const { code, results } = await report('check', holds, '-t', 'pair', '--network', 'fifo,bag')
    expect(results.map(({ network, verdict }) => [network, verdict])).toEqual([
      ['fifo', 'verified'],
      ['bag', 'violated'],
    ])
    expect(code).toBe(1)
  })

  test('a deadlock is violated, and verified when the user allows it', async () => {
    const file = `${fixtures}/mistakes/deadlock.check.ts`
    expect(await report('check', file)).toMatchObject({ code: 1, results: [{ violation: { kind: 'deadlock' } }] })
    const allowed = await report('check', file, '--deadlock', 'allow')
    expect(allowed).toMatchObject({
      code: 0,
      results: [{ verdict: 'verified', counts: { executions: 0, blocked: 1 } }],
    })
  })

  test('fuzz never says verified', long, async () => {
    const { code, results } = await report('fuzz', holds, '--samples', '20', '--engine', 'random,pct', '--seed', '4')
    expect(code).toBe(0)
    expect(results).toHaveLength(4)
    for (const result of results) expect(result).toMatchObject({ verdict: 'passed', counts: { executions: 20 } })
  })

  test('a bound stops processes instead of complaining about them, and the scope says so', async () => {
    const file = `${fixtures}/bounded.check.ts`
    const ran = await allways(['check', file, '--max-steps', '4'])
    expect(ran.code).toBe(0)
    expect(ran.stdout).toMatch(/at most 4 steps per\s[\s\S]*process/)
    const unbounded = await allways(['check', file, '--engine', 'random'])
    expect(unbounded).toMatchObject({ code: 2, stderr: expect.stringContaining('E203') })
  })

  test('with --keep-going all distinct violations are collected, each with a trace of its own', async () => {
    const file = `${fixtures}/mistakes/two-bugs.check.ts`
    const { code, results } = await report('check', file, '--keep-going')
    expect(code).toBe(1)
    const [result] = results
    expect(result?.evidence.map(({ violation }) => violation.message).sort()).toEqual(['picked three', 'picked two'])
    // One execution passes; in the two others the only process failed, which counts as blocked.
    expect(result?.counts).toMatchObject({ executions: 1, blocked: 2 })
  })

  test('of very many violations ten are told, the others are counted, and JSON has them all', long, async () => {
    const file = `${fixtures}/mistakes/many-bugs.check.ts`
    const { code, stdout } = await allways(['check', file, '--keep-going'])
    expect(code).toBe(1)
    expect(stdout.match(/\(\d+ of 24\)/g)).toHaveLength(10)
    expect(stdout.match(/npx allways replay/g)).toHaveLength(10)
    expect(stdout).toContain('14 more violations are not shown here, without a trace: --json lists them')
    const { results } = await report('check', file, '--keep-going')
    const [result] = results
    expect(new Set(result?.evidence.map(({ violation }) => violation.message)).size).toBe(24)
    expect(result?.evidence.filter(({ trace }) => trace !== null)).toHaveLength(10)
  })
})

describe('what is run', () => {
  test('engines, networks and parameter values make a cross product', long, async () => {
    const { results } = await report(
      'check',
      `${holds}:6`,
      '--engine',
      'dpor,exhaustive',
      '--network',
      'p2p,asyn',
      '--param',
      'n=1,2',
    )
    expect(results.map((one) => [one.engine, one.network, one.params, one.counts.executions])).toEqual([
      ['dpor', 'fifo', { n: 1 }, 1],
      ['dpor', 'fifo', { n: 2 }, 2],
      ['dpor', 'bag', { n: 1 }, 1],
      ['dpor', 'bag', { n: 2 }, 2],
      ['exhaustive', 'fifo', { n: 1 }, expect.any(Number)],
      ['exhaustive', 'fifo', { n: 2 }, expect.any(Number)],
      ['exhaustive', 'bag', { n: 1 }, expect.any(Number)],
      ['exhaustive', 'bag', { n: 2 }, expect.any(Number)],
    ])
  })

  test('a repeated --param adds values', async () => {
    const { results } = await report('check', holds, '-t', 'senders', '--param', 'n=1', '--param', 'n=3')
    expect(results.map(({ counts }) => counts.executions)).toEqual([1, 6])
  })

  test('a parameter takes the type of its default', async () => {
    const file = `${fixtures}/typed.check.ts`
    const argv = [
      '--param',
      'label=7',
      '--param',
      'wide=true',
      '--param',
      'big=9',
      '--param',
      'list=[3]',
      '--param',
      'count=5',
    ]
    const { results, diagnostics } = await report('check', file, ...argv)
    expect(diagnostics).toBeUndefined()
    expect(results[0]?.violation?.message).toBe('5 7 true 9 3')
  })

  test('file:line selects the program declared at or above the line', async () => {
    const selected = async (line: number) =>
      (await report('check', `${holds}:${line}`)).results.map(({ program }) => program)
    expect(await selected(14)).toEqual(['senders'])
    expect(await selected(15)).toEqual(['pair'])
    expect(await selected(999)).toEqual(['pair'])
  })

  test('folders are searched for check files, but not node_modules, dist and dot folders', async () => {
    const root = join(folder, 'found')
    const source = (name: string) =>
      `import { program } from 'allways'\nexport default program('${name}', function* () {})\n`
    for (const [inner, file] of [
      ['.', 'a.check.ts'],
      ['sub', 'b.check.mjs'],
      ['node_modules/x', 'no.check.js'],
      ['dist', 'no.check.js'],
      ['.hidden', 'no.check.ts'],
      ['sub', 'not-a-check.ts'],
    ] as const) {
      mkdirSync(join(root, inner), { recursive: true })
      writeFileSync(join(root, inner, file), source(file))
    }
    expect((await report('check', root)).results.map(({ program }) => program)).toEqual(['a.check.ts', 'b.check.mjs'])
  })

  test('a mistake in one file does not keep the others from being checked, and the worst result is the exit code', async () => {
    const { code, results, diagnostics } = await report(
      'check',
      `${fixtures}/mistakes/clock.check.ts`,
      race,
      `${fixtures}/mistakes/empty.check.ts`,
    )
    expect(results.map(({ verdict }) => verdict)).toEqual(['violated'])
    expect(diagnostics?.map((one) => one.code).sort()).toEqual(['E103', 'E209'])
    expect(code).toBe(2)
  })
})

describe('output', () => {
  test('--json prints one object and nothing else to stdout, also next to other reporters', async () => {
    const ran = await allways(['check', race, '--reporter', 'json,text,mermaid', ...traces])
    expect(JSON.parse(ran.stdout)).toMatchObject({ format: 'allways-report/1', results: [{ verdict: 'violated' }] })
    expect(ran.stderr).toContain('assertion violated in worker')
    expect(ran.stderr).toContain('sequenceDiagram')
  })

  test('the object fits its published schema, with results, violations and mistakes in it', async () => {
    const schema = JSON.parse(readFileSync('schema/allways-report-1.json', 'utf8'))
    const validate = new Ajv().compile(schema)
    const files = [holds, race, `${fixtures}/mistakes/deadlock.check.ts`, `${fixtures}/mistakes/clock.check.ts`]
    const { stdout } = await allways(['check', ...files, '--json', '--keep-going', ...traces])
    expect(validate(JSON.parse(stdout)), JSON.stringify(validate.errors)).toBe(true)
  })

  test('--json prints its object even when nothing could be run', async () => {
    for (const argv of [
      ['check', '--engine', 'dopr', '--json'],
      ['chek', '--json'],
      ['replay', 'no.trace.json', '--json'],
    ]) {
      const ran = await allways(argv)
      expect(ran.code).toBe(2)
      expect(JSON.parse(ran.stdout)).toMatchObject({
        results: [],
        diagnostics: [{ code: expect.stringMatching(/^E\d{3}$/) }],
      })
    }
  })

  test('several results end with a line that sums them up', async () => {
    const ran = await allways(['check', holds, race, ...traces])
    expect(ran.stdout.trimEnd().split('\n').at(-1)).toMatch(/^ 1 violated · 2 verified +[\d.]+ s$/)
  })

  test('-q is silent about what holds', async () => {
    expect(await allways(['check', holds, '-q'])).toEqual({ code: 0, stdout: '', stderr: '' })
    expect((await allways(['check', holds, race, '-q', ...traces])).stdout).not.toContain('senders')
  })

  test('colours follow --color, NO_COLOR, FORCE_COLOR and the terminal, in this order', async () => {
    const coloured = async (argv: readonly string[], env: { readonly [name: string]: string }, isTTY: boolean) =>
      (await allways(['check', holds, ...argv], { env, isTTY })).stdout.includes('\u001b[')
    expect(await coloured([], {}, true)).toBe(true)
    expect(await coloured([], {}, false)).toBe(false)
    expect(await coloured([], { NO_COLOR: '1' }, true)).toBe(false)
    expect(await coloured([], { FORCE_COLOR: '1' }, false)).toBe(true)
    expect(await coloured(['--no-color'], { FORCE_COLOR: '1' }, true)).toBe(false)
    expect(await coloured(['--color'], { NO_COLOR: '1' }, false)).toBe(true)
  })

  test('--ascii, or a locale without UTF-8, keeps to ASCII', async () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII is the point
    const ascii = /^[\x00-\x7f]*$/
    expect((await allways(['check', race, '--ascii', ...traces])).stdout).toMatch(ascii)
    expect((await allways(['check', race, ...traces], { env: { LANG: 'C' } })).stdout).toMatch(ascii)
    expect((await allways(['check', race, ...traces], { env: { LANG: 'de_DE.UTF-8' } })).stdout).not.toMatch(ascii)
  })
})

describe('list', () => {
  test('programs are listed with place, network and parameters, without running them', async () => {
    const { code, stdout } = await allways(['list', holds])
    expect(code).toBe(0)
    expect(stdout.split('\n').slice(0, 2)).toEqual([
      ' test/cli/fixtures/holds.check.ts:4   senders  fifo  n=3',
      ' test/cli/fixtures/holds.check.ts:15  pair     fifo',
    ])
  })

  test('engines and networks are listed with what they claim and what papers call them', async () => {
    const { stdout } = await allways(['list', '--engines'])
    expect(stdout).toMatch(/^ dpor +verified /m)
    expect(stdout).toMatch(/^ pct +passed /m)
    expect(stdout).toMatch(/^engines for processes\n dpor /)
    expect(stdout).toMatch(
      /\n\nengines for classes and machines\n dpor +verified +classes alone.*\n stateful +verified /,
    )
    expect(stdout).toMatch(/\n\nengines for programs of every kind\n exhaustive /)
    expect(stdout).toMatch(/^ mailbox +mbox /m)
  })

  test('as JSON it is one object', async () => {
    const { stdout } = await allways(['list', holds, '--json'])
    expect(JSON.parse(stdout)).toMatchObject({
      format: 'allways-list/1',
      programs: [{ program: 'senders', line: 4, params: { n: 3 } }, { program: 'pair' }],
    })
  })
})

describe('help', () => {
  test.each([['--help'], ['help', 'check'], ['check', '--help'], ['fuzz', '-h']])(
    '%s %s prints examples to stdout',
    async (...argv) => {
      const ran = await allways(argv.filter((word) => word !== undefined))
      expect(ran).toMatchObject({ code: 0, stderr: '' })
      expect(ran.stdout).toContain('Examples:')
    },
  )
})

test.each(oneIn(3, ['b(1)', 'b[1]', 'b#1', 'b%20', 'bé', "b'1"]))(
  'places are known in a file called %s',
  cut,
  async (name) => {
    // Where the package is found.
    const beside = join(fixtures, `${name}.check.ts`)
    writeFileSync(beside, readFileSync(race))
    try {
      const { stdout } = await allways(['check', beside, ...traces])
      expect(stdout).toContain(`${name}.check.ts:`)
      expect(stdout).toContain('   At   ')
    } finally {
      rmSync(beside)
    }
  },
)
