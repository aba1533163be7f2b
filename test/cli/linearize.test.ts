import { execFileSync, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cut, long, longIf, oneIn } from '../amount.ts'
import { allways, fixtures, type Ran } from './harness.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-linearize-'))
const traces = ['--trace-dir', join(folder, 'traces')]
const objects = `${fixtures}/objects`
const stack = `${objects}/stack.ts`
const counter = `${objects}/counter.ts`

afterAll(() => rmSync(folder, { recursive: true }))

async function linearize(...argv: readonly string[]): Promise<Ran> {
  return await allways(['linearize', ...argv, ...traces])
}

interface Result {
  readonly engine: string
  readonly program: string
  readonly verdict: string
  readonly scope: string
  readonly counts: { readonly clients: number; readonly states: number }
  readonly trace: string | null
  readonly setting: { readonly options: { readonly reduction: string }; readonly granularity: string }
  readonly evidence: readonly { readonly kind: string; readonly client?: string }[]
}

async function report(
  ...argv: readonly string[]
): Promise<{ readonly code: number; readonly results: readonly Result[] }> {
  const { code, stdout } = await linearize(...argv, '--json')
  const json = JSON.parse(stdout) as { readonly results: readonly Result[] }
  const schema = JSON.parse(readFileSync('schema/allways-report-1.json', 'utf8')) as object
  const ajv = new Ajv({ strict: false, allErrors: true })
  expect(ajv.validate(schema, json), JSON.stringify(ajv.errors)).toBe(true)
  return { code, results: json.results }
}

function belowHeading(text: string): string {
  return text.slice(text.indexOf('\n\n'))
}

function widest(text: string): number {
  return Math.max(...text.split('\n').map((line) => (line.includes('npx') ? 0 : [...line].length)))
}

describe('a class by itself', () => {
  test('fails on its smallest client, with picture, causes, trace and commands', async () => {
    const ran = await linearize(counter)
    expect(ran).toMatchObject({ code: 1, stderr: '' })
    expect(ran.stdout).toContain('✗ Counter is not linearizable')
    expect(ran.stdout).toContain('{ increment() } || { increment() }')
    expect(ran.stdout).toContain('lines 5–6 of Counter.increment must be atomic')
    expect(ran.stdout).toMatch(/5 +│ {2}const before = this\.count +reads count → 0/)
    expect(ran.stdout).toMatch(/6 +│ {2}this\.count = before \+ 1 +count = 1/)
    expect(ran.stdout).toContain(`npx allways linearize ${counter} --class Counter --fix --dry-run`)
    expect(widest(ran.stdout)).toBeLessThanOrEqual(100)
    const [, trace = ''] = /npx allways replay (\S+)/.exec(ran.stdout) ?? []
    expect(existsSync(trace)).toBe(true)
  })

  test('holds for the clients given, and the scope says that there are others', async () => {
    const ran = await linearize(stack, '--client', '{ push(1) } || { push(2) }')
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(ran.stdout).toContain('✓ verified  Stack is linearizable: the client given, every interleaving of accesses')
    expect(ran.stdout).toContain('other clients may still fail')
  })

  test('is checked with arguments that were given instead of guessed ones', long, async () => {
    const { results } = await report(counter, '--args', 'increment:', '--args', 'get:', '--calls', '1')
    expect(results).toMatchObject([{ program: 'Counter', verdict: 'violated' }])
    const given = await report(`${objects}/mistakes/unguessable.ts`, '--args', 'add: {name: "a"}', '--calls', '1')
    expect(given.results[0]?.scope).toContain('up to 2 processes × 1 call')
  })

  test('with async methods interleaves at awaits, unless told otherwise', async () => {
    const account = `${objects}/account.ts`
    const { results } = await report(account, '--client', '{ withdraw(10) } || { withdraw(10) }')
    expect(results).toMatchObject([{ verdict: 'violated', setting: { granularity: 'await' } }])
    expect(results[0]?.scope).toContain('interleaving at awaits')
  })

  test('is shown with every step that others can notice: field, element, lock, with values', async () => {
    const ran = await linearize(stack, '--client', '{ push(5); pop() } || { pop() }', '--no-causes')
    expect(ran.stdout).toMatch(/range\.getAndAdd\(1\) → 0\n.*items\[0\] = 5\n/)
    expect(ran.stdout).toContain('reads items[0] → 5')
    expect(ran.stdout).not.toContain('reads range')
  })

  test('is shown with the names of variables of modules, and of objects in objects', async () => {
    const ids = await linearize(`${objects}/ids.ts`, '--no-causes')
    expect(ids.stdout).toMatch(/const id = next +reads next → 0/)
    expect(ids.stdout).toMatch(/next = id \+ 1 +next = 1/)
    const seats = await linearize(`${objects}/seats.ts`, '--client', '{ book("a") } || { book("a") }', '--no-causes')
    expect(seats.stdout).toContain('reads #hall.sold.a')
    expect(seats.stdout).toMatch(/writes #hall\.sold\.a, writes #hall\.s/)
    const rows = seats.stdout.split('\n').filter((line) => /^ +\d+ +(?:\d+ +)?[┌│└]/.test(line))
    expect(seats.stdout).toContain(` · ${rows.length}-step trace`)
  })

  test('deadlocks with the processes that wait, the line, and no causes; allowed, it is no violation', async () => {
    const forks = `${objects}/forks.ts`
    const client = ['--client', '{ eatLeftFirst() } || { eatRightFirst() }']
    const ran = await linearize(forks, ...client)
    expect(ran.code).toBe(1)
    expect(ran.stdout).toContain('✗ Forks deadlocks: 2 processes wait for ever')
    expect(ran.stdout).toMatch(/p1 waits for ever in eatLeftFirst.*forks\.ts:10/)
    expect(ran.stdout).not.toContain('root cause')
    const allowed = await report(forks, ...client, '--deadlock', 'allow')
    expect(allowed).toMatchObject({ code: 0, results: [{ verdict: 'verified' }] })
  })
})

describe('checks that files declare', () => {
  test('run one after the other, by name, by line', long, async () => {
    const file = `${objects}/counter.check.ts`
    const all = await report(file)
    expect(all.results.map(({ program, verdict }) => [program, verdict])).toEqual([
      ['LockedCounter', 'verified'],
      ['Counter', 'violated'],
    ])
    expect(all.code).toBe(1)
    expect((await report(file, '-t', 'locked')).results.map(({ program }) => program)).toEqual(['LockedCounter'])
    expect((await report(`${file}:28`)).results.map(({ program }) => program)).toEqual(['LockedCounter'])
  })

  test('run with allways check too, with the same output', long, async () => {
    const file = `${objects}/stack.check.ts`
    const linearized = await linearize(file)
    const checked = await allways(['check', file, ...traces])
    expect(checked.code).toBe(1)
    expect(belowHeading(checked.stdout)).toBe(belowHeading(linearized.stdout))
  })

  test('are listed with their bounds and clients', async () => {
    const { code, stdout } = await allways(['list', `${objects}/counter.check.ts`])
    expect(code).toBe(0)
    expect(stdout).toMatch(/counter\.check\.ts:27 {2}LockedCounter {2}linearizable, 2 processes × 2 calls, \d+ clients/)
    const json = JSON.parse((await allways(['list', `${objects}/stack.check.ts`, '--json'])).stdout)
    expect(json).toMatchObject({
      objects: [{ object: 'Stack', operations: ['push', 'pop'], criterion: 'linearizable' }],
    })
  })

  test('are sampled by fuzz', long, async () => {
    const { code, stdout } = await allways(['fuzz', `${objects}/stack.check.ts`, ...traces])
    expect(code).toBe(1)
    expect(stdout).toContain('Stack is not linearizable')
    expect(stdout).toContain(' · random · ')
  })
})

describe('the settings of a search', () => {
  test.each(oneIn(4, ['none', 'safe', 'eager', 'lazy']))(
    'reduction %s gives the same answer',
    cut,
    async (reduction) => {
      const { results } = await report(counter, '--reduction', reduction, '--no-causes')
      expect(results).toMatchObject([
        {
          verdict: 'violated',
          evidence: [{ client: '{ increment() } || { increment() }' }],
          setting: { options: { reduction } },
        },
      ])
      const locked = await report(`${objects}/counter.check.ts`, '-t', 'locked', '--reduction', reduction)
      expect(locked.results).toMatchObject([{ verdict: 'verified' }])
    },
  )

  test('a portfolio of two threads gives the same answer', long, async () => {
    const { results } = await report(counter, '--reduction', 'portfolio', '--no-causes')
    expect(results).toMatchObject([
      { verdict: 'violated', evidence: [{ client: '{ increment() } || { increment() }' }] },
    ])
    expect(['safe', 'lazy']).toContain(results[0]?.setting.options.reduction)
    const mistaken = await linearize(`${objects}/mistakes/clock.ts`, '--reduction', 'portfolio')
    expect(mistaken).toMatchObject({ code: 2, stderr: expect.stringContaining('Date.now() was called') })
  })

  test('with --keep-going there are several violations, each with a trace', long, async () => {
    const { results } = await report(counter, '--keep-going', '--no-causes')
    expect(results[0]?.evidence.filter(({ kind }) => kind === 'execution').length).toBeGreaterThan(1)
  })

  test('without states remembered, without safe sets, in random order, the answer is the same', long, async () => {
    const flags = ['--stateless', '--static', 'off', '--order', 'random', '--seed', '3', '--no-causes']
    const { results } = await report(counter, '--client', '{ increment() } || { increment() }', ...flags)
    expect(results).toMatchObject([
      { verdict: 'violated', setting: { options: { stateless: true, static: false }, seed: 3 } },
    ])
  })

  test('a budget of time ends it: incomplete, exit 3, with what was covered', async () => {
    const flags = ['--processes', '3', '--calls', '3', '--time', '50ms']
    const ran = await linearize(`${objects}/counter.check.ts`, '-t', 'locked', ...flags)
    expect(ran.code).toBe(3)
    expect(ran.stdout).toMatch(/◌ incomplete {2}LockedCounter: no violation in [\d,]+ of [\d,]+ clients/)
    expect(ran.stdout.replaceAll(/\n\s+/g, ' ')).toContain('stopped by the time budget (--time)')
    const allowed = await linearize(`${objects}/counter.check.ts`, '-t', 'locked', ...flags, '--allow-incomplete')
    expect(allowed.code).toBe(0)
  })

  test('Ctrl-C ends it: incomplete, exit 3', long, async () => {
    const argv = ['linearize', `${objects}/counter.check.ts`, '-t', 'locked', '--processes', '4', '--calls', '4']
    const ran = await allways(argv, { isTTY: true, env: { NO_COLOR: '1' }, interruptAfter: /of [\d,]+ clients/ })
    expect(ran.code).toBe(3)
    expect(ran.stdout.replaceAll(/\n\s+/g, ' ')).toContain('stopped by an interrupt')
  })

  test('progress goes to stderr, and only while somebody looks', long, async () => {
    const argv = ['linearize', `${objects}/counter.check.ts`, '-t', 'locked', '--processes', '4', '--calls', '4']
    // Ends as soon as it is told.
    const interruptAfter = /LockedCounter {2}[\d,]+ of [\d,]+ clients · [\d,]+ states · \S+\/s/
    const ran = await allways(argv, { isTTY: true, env: { NO_COLOR: '1' }, interruptAfter })
    expect(ran.code).toBe(3)
    const quiet = await allways([...argv, '--time', '600ms', '-q'], { isTTY: true, env: { NO_COLOR: '1' } })
    expect(quiet.stderr).toBe('')
  })
})

describe('a trace of a class', () => {
  const file = join(folder, 'changing.ts')
  const source = readFileSync(counter, 'utf8')
  let text: string
  let trace: string

  beforeAll(async () => {
    writeFileSync(file, source)
    text = (await linearize(file)).stdout
    trace = /npx allways replay (\S+)/.exec(text)?.[1] as string
  })

  async function replayed(changed: string): Promise<Ran> {
    writeFileSync(file, changed)
    return await allways(['replay', trace, file])
  }

  test('is as its schema says', () => {
    const schema = JSON.parse(readFileSync('schema/allways-trace-2.json', 'utf8')) as object
    const ajv = new Ajv({ strict: false, allErrors: true })
    expect(ajv.validate(schema, JSON.parse(readFileSync(trace, 'utf8'))), JSON.stringify(ajv.errors)).toBe(true)
  })

  test('replays, byte for byte, to what was printed when it was found, and exits with 1', async () => {
    const ran = await replayed(source)
    expect(ran).toMatchObject({ code: 1, stderr: '' })
    expect(belowHeading(ran.stdout)).toBe(belowHeading(text))
    expect(ran.stdout.split('\n')[0]).toMatch(/Counter is not linearizable +reproduced$/)
  })

  test('is shown without the class', async () => {
    rmSync(file)
    const ran = await allways(['show', trace])
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    // A trace from elsewhere does not say which code to run.
    expect(belowHeading(ran.stdout)).toBe(belowHeading(text.replace(`${trace} ${file}`, trace)))
    expect(ran.stdout.split('\n')[0]).toMatch(/recorded$/)
    const json = JSON.parse((await allways(['show', trace, '--json'])).stdout)
    expect(json).toMatchObject({ results: [{ program: 'Counter', verdict: 'violated', trace }] })
    expect(await allways(['replay', trace])).toMatchObject({ code: 2, stderr: expect.stringContaining('E101') })
  })

  test('exits with 0 if the execution is still possible and violates nothing', async () => {
    const ran = await replayed(source.replace('return before', 'return 7'))
    expect(ran.code).toBe(0)
    expect(ran.stdout).toContain('the violation that was recorded does not come about any more')
    expect(ran.stderr).toContain('changed since the trace was written')
  })

  test('that is impossible now is E404, with the step and what changed', async () => {
    const ran = await replayed(source.replace('const before = this.count', 'const before = 0'))
    expect(ran).toMatchObject({ code: 2, stdout: '' })
    expect(ran.stderr).toContain('E404  the trace does not fit "Counter"')
    expect(ran.stderr.replaceAll(/\n\s+/g, ' ')).toContain('hint: changed since the trace was written')
  })

  test('whose operation or class is gone is E404 and E308', async () => {
    const renamed = await replayed(source.replaceAll('increment', 'add'))
    expect(renamed).toMatchObject({ code: 2, stderr: expect.stringContaining('E404') })
    const gone = await replayed(source.replaceAll('Counter', 'Tally'))
    expect(gone).toMatchObject({ code: 2, stderr: expect.stringContaining('E308') })
    expect(gone.stderr).toContain('exports no class "Counter"')
  })

  test('that is damaged is E402', async () => {
    const good = JSON.parse(readFileSync(trace, 'utf8')) as { readonly setting: object; readonly history: object[] }
    const bad = join(folder, 'bad.trace.json')
    const damages: readonly object[] = [
      { ...good, setting: { ...good.setting, options: { granularity: 'line' } } },
      { ...good, setting: { ...good.setting, params: {} } },
      { ...good, decisions: [{ kind: 'deliver', process: 'p1', message: 0 }] },
      { ...good, explanation: { order: [17], stuck: null, words: '' } },
      { ...good, history: [{ ...good.history[0], result: { kind: 'maybe' } }] },
      { ...good, lines: { 'stack.ts': { ['9'.repeat(300)]: 'x' } } },
      { ...good, lines: { 'stack.ts': { 1000000000: 'x' } } },
    ]
    for (const damaged of damages) {
      writeFileSync(bad, JSON.stringify(damaged))
      const ran = await allways(['show', bad])
      expect(ran).toMatchObject({ code: 2, stdout: '' })
      expect(ran.stderr).toContain(' E402  ')
    }
  })
})

describe('a repair', () => {
  test('is printed as a patch with --fix --dry-run, and nothing is changed', long, async () => {
    const ran = await linearize(counter, '--fix', '--dry-run')
    expect(ran.code).toBe(1)
    expect(ran.stdout).toContain(`--- a/${counter}`)
    expect(ran.stdout).toContain('+import { Mutex }')
  })

  test('is a patch that git applies, with or without an end of the last line', long, async () => {
    const source = readFileSync(counter, 'utf8').trimEnd()
    for (const [name, end] of [
      ['with', '\n'],
      ['without', ''],
    ] as const) {
      const project = join(folder, name)
      mkdirSync(project)
      writeFileSync(join(project, 'counter.ts'), source + end)
      const command = fileURLToPath(new URL('../../bin/allways.mjs', import.meta.url))
      const argv = [command, 'linearize', 'counter.ts', '--fix', '--dry-run']
      const { stdout } = spawnSync(process.execPath, argv, { cwd: project, encoding: 'utf8' })
      writeFileSync(join(project, 'repair.patch'), stdout)
      // Git takes a patch outside of a repository from any folder.
      const env = { ...process.env, GIT_CEILING_DIRECTORIES: folder }
      execFileSync('git', ['apply', 'repair.patch'], { cwd: project, env })
      expect(readFileSync(join(project, 'counter.ts'), 'utf8')).toContain('this.#mutex')
    }
  })

  test('is written with --fix, and with it the class holds', async () => {
    const file = join(folder, 'counter.ts')
    copyFileSync(counter, file)
    const fixed = await linearize(file, '--fix')
    expect(fixed.stderr).toContain('patched')
    expect(await linearize(file)).toMatchObject({ code: 0 })
  })
})

describe('a page', () => {
  test('changes nothing of the answer, and takes the place of a link', async () => {
    const lines: object[] = []
    const writes = Array.from({ length: 20 }, (_, at) => at)
    for (const at of writes) lines.push({ process: at, type: 'invoke', op: 'put', args: ['x', at] })
    for (const at of writes) lines.push({ process: at, type: 'ok', op: 'put', args: ['x', at] })
    lines.push({ process: 0, type: 'invoke', op: 'get', args: ['x'] })
    lines.push({ process: 0, type: 'ok', op: 'get', args: ['x'], value: 999 })
    const history = join(folder, 'wide.history.jsonl')
    writeFileSync(history, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    const [page, other] = [join(folder, 'linked.html'), join(folder, 'other.txt')]
    writeFileSync(other, 'other')
    symlinkSync(other, page)
    const ran = await linearize(history, '--spec', 'kv', '--html', page, '--time', '5s')
    expect(ran.code).toBe(1)
    expect(readFileSync(page, 'utf8')).toContain('999')
    expect(readFileSync(other, 'utf8')).toBe('other')
  })

  test('with all that failed is written once with --html', long, async () => {
    const page = join(folder, 'all.html')
    const ran = await linearize(counter, stack, `${objects}/stale.history.jsonl`, '--html', page)
    expect(ran.stderr).toBe(` wrote ${page} with 3 histories\n`)
    const titles = [...readFileSync(page, 'utf8').matchAll(/<h1>([^<]*)<\/h1>/g)].map(([, title]) => title)
    expect(titles).toEqual([
      `${objects}/stale.history.jsonl`,
      expect.stringMatching(/^Counter: /),
      expect.stringMatching(/^Stack: /),
    ])
  })

  test('is not written when nothing failed', long, async () => {
    const page = join(folder, 'none.html')
    const ran = await linearize(`${objects}/tally.ts`, '--html', page)
    expect(ran.stderr).toBe(` note: ${page} was not written, as nothing failed that could be drawn\n`)
    expect(existsSync(page)).toBe(false)
  })

  test('with the history of the failing client is written with --html', async () => {
    const page = join(folder, 'counter.html')
    const ran = await linearize(counter, '--html', page)
    expect(ran.stderr).toContain(`wrote ${page}`)
    expect(readFileSync(page, 'utf8')).toMatch(/^<!doctype html>[\s\S]*increment\(\)/)
  })
})

describe('a recorded history', () => {
  test('that is linearizable is verified, with what was looked at', async () => {
    const ran = await linearize(`${objects}/fine.history.jsonl`, '--spec', 'register')
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(ran.stdout).toContain('fine.history.jsonl is linearizable: 2 calls by 2')
  })

  test('that is linearizable is evidence only where a page is to show it', long, async () => {
    const fine = [`${objects}/fine.history.jsonl`, '--spec', 'register']
    expect((await report(...fine)).results).toMatchObject([{ verdict: 'verified', evidence: [] }])
    const page = join(folder, 'fine.html')
    const { results } = await report(...fine, '--html', page)
    expect(results).toMatchObject([{ verdict: 'verified', evidence: [{ kind: 'history', violation: null }] }])
    expect(readFileSync(page, 'utf8')).toContain('an order of the calls explains their results')
  })

  test('that is not is violated, with the lanes, the reason and the line, by the specification the file names', async () => {
    const page = join(folder, 'stale.html')
    const ran = await linearize(`${objects}/stale.history.jsonl`, '--html', page)
    expect(ran.code).toBe(1)
    expect(ran.stdout).toContain('stale.history.jsonl is not linearizable')
    expect(ran.stdout).toMatch(/2 +├─ read\(\) ─✗─┤ → 0/)
    expect(ran.stdout).toContain('stale.history.jsonl:4:1')
    expect(readFileSync(page, 'utf8')).toContain('read()')
  })

  test('that is empty is linearizable, and says that it is empty', async () => {
    const file = join(folder, 'empty.history.jsonl')
    writeFileSync(file, '')
    const { results } = await report(file, '--spec', 'register')
    expect(results).toMatchObject([{ verdict: 'verified', scope: 'it is empty, specification register' }])
  })

  test('without calls has a note, on which --strict fails', async () => {
    const path = join(folder, 'none.history.jsonl')
    writeFileSync(path, '{"format":"allways-history/1","specification":"register"}\n')
    const { code, stdout } = await allways(['linearize', path])
    expect(code).toBe(0)
    expect(stdout).toContain('note: the history has no calls, so it says nothing about register')
    expect((await allways(['linearize', path, '--strict'])).code).toBe(1)
  })

  test('says how many calls failed and were left out, in words and in JSON', async () => {
    const file = join(folder, 'failed.history.jsonl')
    const events = [
      { process: 1, type: 'invoke', op: 'write', args: [1] },
      { process: 1, type: 'fail', op: 'write' },
      { process: 1, type: 'invoke', op: 'write', args: [2] },
      { process: 1, type: 'ok', op: 'write' },
    ]
    writeFileSync(file, events.map((event) => JSON.stringify(event)).join('\n'))
    const { results } = await report(file, '--spec', 'register')
    expect(results).toMatchObject([{ counts: { calls: 1, failed: 1 } }])
    expect(results[0]?.scope).toBe('1 call by 1 process, 1 failed call left out, specification register')
  })

  test('has commands with the specification that was typed, under the name that was typed, and no other', async () => {
    const file = join(folder, 'kv.history.jsonl')
    const events = [
      { process: 1, type: 'invoke', op: 'get', args: ['x'] },
      { process: 1, type: 'ok', op: 'get', value: 'never put' },
    ]
    writeFileSync(file, events.map((event) => JSON.stringify(event)).join('\n'))
    const typed = await linearize(file, '--spec', 'kv')
    expect(typed.stdout).toContain('specification kv')
    expect(typed.stdout).toContain(`npx allways linearize ${file} --spec kv --html history.html`)
    const named = await linearize(`${objects}/stale.history.jsonl`)
    expect(named.stdout).toContain(`npx allways linearize ${objects}/stale.history.jsonl --html history.html`)
  })

  test('begins as its header says, also with the same specification typed', async () => {
    const file = join(folder, 'five.history.jsonl')
    const events = [
      { format: 'allways-history/1', specification: 'counter', initial: 5, returns: 'old' },
      { process: 1, type: 'invoke', op: 'inc' },
      { process: 1, type: 'ok', value: 5 },
    ]
    writeFileSync(file, events.map((event) => JSON.stringify(event)).join('\n'))
    expect((await linearize(file)).code).toBe(0)
    expect((await linearize(file, '--spec', 'counter')).code).toBe(0)
    expect((await linearize(file, '--spec', 'register')).code).toBe(2)
  })

  test('that fails is explained in JSON as a class is', async () => {
    const { results } = await report(`${objects}/stale.history.jsonl`)
    expect(results).toMatchObject([{ evidence: [{ kind: 'history', order: [0], stuck: 1 }] }])
  })

  test('is one of several, and JSON says the same', async () => {
    const { code, results } = await report(
      `${objects}/fine.history.jsonl`,
      `${objects}/stale.history.jsonl`,
      '--spec',
      'register',
    )
    expect(code).toBe(1)
    expect(results.map(({ engine, verdict }) => [engine, verdict])).toEqual([
      ['histories', 'verified'],
      ['histories', 'violated'],
    ])
  })
})

describe('mermaid', () => {
  test('draws messages, of which a class has none: a note says so', async () => {
    const ran = await linearize(counter, '--reporter', 'mermaid', '--no-causes')
    expect(ran).toMatchObject({ code: 1, stdout: '' })
    expect(ran.stderr).toContain('note: Counter exchanges no messages to draw; --html draws its calls')
  })
})

test('a collection whose methods a class overrides does what they do', longIf(true, true), async () => {
  const { stdout } = await allways([
    'linearize',
    `${fixtures}/objects/overridden.check.ts`,
    '--keep-going',
    '--no-causes',
    '--json',
  ])
  const { results } = JSON.parse(stdout) as { readonly results: readonly Told[] }
  const told = ({ verdict, counts, evidence }: Told) => ({
    verdict,
    counts,
    clients: evidence.map(({ violation }) => violation?.message),
  })
  const [overriding, spelt] = results
  expect(told(overriding as Told)).toEqual(told(spelt as Told))
})

interface Told {
  readonly verdict: string
  readonly counts: object
  readonly evidence: readonly { readonly violation?: { readonly message: string } }[]
}

test('methods that give promises without being async are interrupted at awaits only', async () => {
  const ran = await allways(['linearize', `${fixtures}/objects/unmarked.ts`])
  expect(ran.code).toBe(0)
  expect(ran.stdout.replaceAll(/\s+/g, ' ')).toContain('interleaving at awaits')
})

describe('calls in brackets', () => {
  const source = `${fixtures}/objects/brackets.ts`
  const linearize = (name: string, client: string, ...flags: readonly string[]) =>
    allways([
      'linearize',
      source,
      '--class',
      name,
      '--client',
      client,
      '--no-causes',
      '--granularity',
      'await',
      ...flags,
    ])

  test.each([
    ['Forget', 1],
    ['Good', 0],
  ])('are the beginning for a specification as well: %s', async (name, code) => {
    const inBrackets = await linearize(name, '[ push(1) ] { pop() } || { pop() }', '--spec', 'stack')
    expect(inBrackets.code).toBe(code)
    expect((await linearize(name, '{ push(1); pop() } || { pop() }', '--spec', 'stack')).code).toBe(code)
    if (code === 1) expect(inBrackets.stdout).toContain('after push(1), pop() returns 1, not undefined')
  })

  test('must return what the specification says', async () => {
    const { code, stdout } = await linearize('Forget', '[ push(1); pop() ] { pop() }', '--spec', 'stack')
    expect(code).toBe(1)
    expect(stdout).toContain('before the others, pop() returns 1, not undefined')
  })

  test.each(['[ set(5) ] { get() } || { get() }', '[ both(4) ] { get() } || { get() }'])(
    'end with all they begin: %s',
    async (client) => {
      const { code, stdout } = await linearize('Late', client, '--json')
      expect(code).toBe(0)
      expect(JSON.parse(stdout).results[0]).toMatchObject({ verdict: 'verified' })
    },
  )
})

test('a method that gives the promise of another one is found to be wrong at every granularity', async () => {
  const file = join(folder, 'delegating.ts')
  writeFileSync(
    file,
    `export class Delegating {
  #n = 0
  add(): Promise<number> { return this.#inner() }
  async #inner(): Promise<number> {
    const n = this.#n
    await null
    this.#n = n + 1
    return n
  }
}
`,
  )
  for (const granularity of ['access', 'await']) {
    const ran = await linearize(file, '--granularity', granularity)
    expect(ran).toMatchObject({ code: 1, stderr: '' })
    expect(ran.stdout).toContain('after add(), add() returns 1, not 0')
  }
})

/** `fresh` is violated at awaits and verified at accesses; `kept` the other way round; of `plain` only a helper is async. */
test('a class is cut in the same steps with its clients given, without, and from a check file', async () => {
  const bodies = {
    fresh: [`get() { return this.#p ??= this.#load().finally(() => { this.#p = null }) }`, 1, 'await'],
    kept: [`get() { if (!this.#p) this.#p = this.#load(); return this.#p }`, 0, 'await'],
    keyed: [`get(key) { if (!this.#p) this.#p = this.#load(); return this.#p }`, 0, 'await'],
    plain: [`get() { return 1 }\n  async _tidy() { await null }`, 0, 'access'],
  } as const
  for (const [name, [get, code, granularity]] of Object.entries(bodies)) {
    const file = join(folder, `${name}.mjs`)
    writeFileSync(
      file,
      `export class A {\n  #p = null\n  #n = 0\n  ${get}\n  async #load() { await null; return ++this.#n }\n}\n`,
    )
    const check = join(folder, `${name}.check.mjs`)
    const keyed = name === 'keyed' ? '[[1]]' : '[]'
    writeFileSync(
      check,
      `import { linearizable } from 'allways'\nimport { A } from './${name}.mjs'\n` +
        `export default linearizable(A, { operations: { get: ${keyed} }, calls: 1 })\n`,
    )
    const client = name === 'keyed' ? '{ get(1) } || { get(1) }' : '{ get() } || { get() }'
    const asked = [[file, '--client', client], [check], name === 'keyed' ? [file, '--args', 'get: 1'] : [file]] as const
    for (const way of asked) {
      const ran = await linearize(...way, '--json')
      expect(ran, way.join(' ')).toMatchObject({ code, stderr: '' })
      expect(JSON.parse(ran.stdout).results, way.join(' ')).toMatchObject([{ setting: { granularity } }])
    }
  }
})
