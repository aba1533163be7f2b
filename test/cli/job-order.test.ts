/** `--order jobs`, and the line that says whether a client that fails needs time. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allways, type Ran } from './harness.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-job-order-'))
const traces = ['--trace-dir', join(folder, 'traces')]

const sources = {
  /** Needs time. */
  savings: `export class Savings {
  #giro = 100
  #saved = 0
  async save(): Promise<void> {
    this.#giro -= 100
    await this.log()
    this.#saved += 100
  }
  async total(): Promise<number> {
    await this.log()
    await this.log()
    return this.#giro + this.#saved
  }
  protected async log(): Promise<void> {}
}`,
  counter: `let n = 0
export class Counter {
  async inc(): Promise<number> {
    const before = n
    await null
    n = before + 1
    return n
  }
}`,
  plain: 'export class Plain { n = 0\n inc(): number { return ++this.n } }',
  named: `export class Named {
  n = 0
  async next(): Promise<() => number> { const n = this.n; await null; this.n = n + 1; return () => n }
}`,
  late: `export class Late {
  async a(): Promise<number> {
    const failing = this.fails()
    await new Promise((done) => setTimeout(done, 1))
    return await failing.catch(() => 1)
  }
  protected async fails(): Promise<number> { throw new Error('no') }
}`,
  top: `const first = await Promise.resolve(1)
export class Top {
  n = first
  async inc(): Promise<number> { const n = this.n; await null; this.n = n + 1; return n }
}`,
  locked: `import { Mutex } from 'allways/sync'
export class Locked {
  n = 0
  readonly #mutex = new Mutex()
  async inc(): Promise<number> {
    return await this.#mutex.run(async () => {
      const n = this.n
      await null
      this.n = n + 1
      return n
    })
  }
}`,
  timers: `export class Timers {
  log = ''
  async first(): Promise<string> {
    await new Promise((done) => setTimeout(done, 5))
    this.log += 'f'
    return this.log
  }
  async second(): Promise<string> {
    await new Promise((done) => setTimeout(done, 9))
    this.log += 's'
    return this.log
  }
}`,
  always: `import { linearizable } from 'allways'
class Counter { n = 0
  async inc(): Promise<number> { const n = this.n; await null; this.n = n + 1; return n } }
export default linearizable(Counter, { operations: { inc: [] }, order: 'jobs' })`,
} as const

const file = (name: keyof typeof sources) => join(folder, name === 'always' ? 'always.check.ts' : `${name}.ts`)

beforeAll(() => {
  for (const [name, text] of Object.entries(sources)) writeFileSync(file(name as keyof typeof sources), text)
})

afterAll(() => rmSync(folder, { recursive: true }))

async function linearize(...argv: readonly string[]): Promise<Ran> {
  return await allways(['linearize', ...argv, '--no-causes', ...traces])
}

interface Result {
  readonly verdict: string
  readonly setting: { readonly order?: string; readonly granularity: string }
  readonly counts: { readonly executions: number }
  readonly trace: string
  readonly evidence: readonly { readonly jobOrder?: { readonly fails: unknown; readonly awaits?: readonly object[] } }[]
}

async function result(...argv: readonly string[]): Promise<Result> {
  const json = JSON.parse((await linearize(...argv, '--json')).stdout) as { readonly results: readonly [Result] }
  const schema = JSON.parse(readFileSync('schema/allways-report-1.json', 'utf8')) as object
  const ajv = new Ajv({ strict: false, allErrors: true })
  expect(ajv.validate(schema, json), JSON.stringify(ajv.errors)).toBe(true)
  return json.results[0]
}

const two = (call: string, other = call) => ['--client', `{ ${call}() } || { ${other}() }`]

describe('under a client that fails', () => {
  test('is said at which line an await has to take time', async () => {
    expect((await linearize(file('savings'), ...two('save', 'total'))).stdout).toContain(
      '\n   needs line 6 to take time\n',
    )
    const { evidence } = await result(file('savings'), ...two('save', 'total'))
    const place = { file: expect.stringMatching(/savings\.ts$/), line: 6, column: expect.any(Number) as number }
    expect(evidence[0]?.jobOrder).toEqual({ fails: false, awaits: [place] })
  })

  test('is said if it fails in job order as well, whatever modules keep', async () => {
    const { stdout } = await linearize(file('counter'), ...two('inc'))
    expect(stdout).toContain('\n   also when every promise is resolved at once\n')
    expect((await result(file('counter'), ...two('inc'))).evidence[0]?.jobOrder).toEqual({ fails: true })
  })

  test('is said why that is not known', async () => {
    const said = async (name: keyof typeof sources) => (await linearize(file(name))).stdout.replaceAll(/\s+/g, ' ')
    expect(await said('named')).toContain('is not known: next gives a function, which shows too little of itself')
    expect(await said('top')).toContain('is not known: a module awaits something at its top level')
  })

  test('is said nothing in job order, and at granularity access', async () => {
    expect((await result(file('counter'), '--order', 'jobs')).evidence[0]).not.toHaveProperty('jobOrder')
    expect((await result(file('counter'), '--granularity', 'access')).evidence[0]).not.toHaveProperty('jobOrder')
  })
})

describe('--order jobs', () => {
  test('explores every order of starts', async () => {
    const { verdict, setting, counts } = await result(file('savings'), ...two('save', 'total'), '--order', 'jobs')
    expect([verdict, setting.order, counts.executions]).toEqual(['verified', 'jobs', 2])
    const three = ['--client', '{ save() } || { total() } || { total() }']
    expect((await result(file('savings'), ...three, '--order', 'jobs')).counts.executions).toBe(6)
    expect((await result(file('savings'), ...two('save', 'total'), '--order', 'any')).setting).not.toHaveProperty(
      'order',
    )
  })

  test('explores timers as ever: the longer one may be the first only if it was armed first', async () => {
    const { verdict, counts } = await result(file('timers'), ...two('first', 'second'), '--order', 'jobs')
    // first, second: in this order; second, first: either.
    expect([verdict, counts.executions]).toEqual(['verified', 3])
  })

  test('finds what is repeated from its trace', async () => {
    const { verdict, trace } = await result(file('counter'), '--order', 'jobs')
    expect(verdict).toBe('violated')
    const replayed = await allways(['replay', trace, file('counter')])
    expect(replayed.stdout).toContain("JavaScript's own job order")
    expect(replayed.stdout).toContain('await null')
    expect(replayed.code).toBe(1)
    expect((await allways(['show', trace])).stdout).toContain('await null')
  })

  test('is the order of the check that says so', async () => {
    expect((await result(file('always'))).setting.order).toBe('jobs')
    expect((await result(file('always'), '--order', 'any')).setting).not.toHaveProperty('order')
    expect((await allways(['check', file('always'), ...traces])).stdout).toContain("JavaScript's own job order")
  })

  test('lets locks of allways/sync wait in the order of their calls', async () => {
    const { verdict } = await result(file('locked'), ...two('inc'), '--order', 'jobs')
    expect(verdict).toBe('verified')
  })

  test('takes a rejection that is handled too late for the end, as Node does', async () => {
    expect((await result(file('late'), ...two('a'))).verdict).toBe('verified')
    expect((await linearize(file('late'), ...two('a'), '--order', 'jobs')).stdout).toContain('unhandled rejection')
  })

  test.each([
    ['no such order', 'counter', ['--order', 'job'], 'E107', 'did you mean "jobs"?'],
    ['accesses', 'counter', ['--order', 'jobs', '--granularity', 'access'], 'E107', 'granularity await'],
    ['operations that are not async', 'plain', ['--order', 'jobs'], 'E107', 'Plain has none'],
    ['the same at await', 'plain', ['--order', 'jobs', '--granularity', 'await'], 'E107', 'Plain has none'],
    ['another engine', 'counter', ['--order', 'jobs', '--engine', 'dpor'], 'E107', 'leave the engine out'],
    ['a reduction', 'counter', ['--order', 'jobs', '--reduction', 'lazy'], 'E107', 'no option "reduction"'],
    ['functions as results', 'named', ['--order', 'jobs'], 'E305', 'gives a function'],
    ['modules that await', 'top', ['--order', 'jobs'], 'E307', 'top level'],
  ] as const)('refuses %s', async (_, name, flags, code, told) => {
    const ran = await linearize(file(name), ...flags)
    expect(ran.code).toBe(2)
    expect(ran.stderr).toContain(code)
    expect(ran.stderr.replaceAll(/\s+/g, ' ')).toContain(told)
  })

  test('refuses a repair, whose lines are atomic where awaits take time', async () => {
    const ran = await allways(['linearize', file('counter'), '--order', 'jobs', '--fix', '--dry-run'])
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('--fix with --order jobs makes no sense')])
  })
})
