/** The real command in a real process: exit codes, streams, signals. Everything else is tested inside the test. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { execPath } from 'node:process'
import { afterAll, expect, test } from 'vitest'
import { long, longIf } from '../amount.ts'
import { fixtures } from './harness.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-process-'))
const command = resolve('bin/allways.mjs')

afterAll(() => rmSync(folder, { recursive: true }))

function run(...argv: readonly string[]) {
  return spawnSync(execPath, [command, ...argv], { cwd: folder, encoding: 'utf8' })
}

writeFileSync(join(folder, 'race.check.ts'), readFileSync(`${fixtures}/race.check.ts`))
writeFileSync(join(folder, 'holds.check.ts'), readFileSync(`${fixtures}/holds.check.ts`))

test('without a command, everything below the folder is checked', long, () => {
  const ran = run()
  expect(ran.stderr).toBe('')
  expect(ran.status).toBe(1)
  expect(ran.stdout).toContain('1 violated · 2 verified')
})

test('the printed replay command reproduces the violation in another process', long, () => {
  const found = run('check', 'race.check.ts')
  const trace = /npx allways replay (\S+)/.exec(found.stdout)?.[1] as string
  expect(trace).toMatch(/^\.allways\/traces\/.*\.trace\.json$/)
  const replayed = run('replay', trace)
  expect(replayed.status).toBe(1)
  const below = (text: string) => text.slice(text.indexOf('\n\n'))
  expect(below(replayed.stdout)).toBe(below(found.stdout))
})

test('--json leaves one object on stdout', long, () => {
  const ran = run('check', 'race.check.ts', 'holds.check.ts', '--json')
  expect(ran.status).toBe(1)
  expect(JSON.parse(ran.stdout).results).toHaveLength(3)
})

const statuses = [
  [0, ['--version']],
  [2, ['check', 'missing.check.ts']],
  [0, ['check', 'holds.check.ts']],
  [2, ['--nonsense']],
  [3, ['check', 'holds.check.ts:4', '--max-executions', '1']],
] as const
for (const [at, [status, argv]] of statuses.entries()) {
  test(`exit status ${status}: ${argv.join(' ')}`, longIf(at > 1), () => {
    expect(run(...argv).status).toBe(status)
  })
}

test('SIGINT ends a long search with incomplete, exit 3, and the command to resume it', long, async () => {
  const tell = "if (!globalThis.told) console.error('searching'); globalThis.told = true"
  const source = readFileSync(`${fixtures}/holds.check.ts`, 'utf8')
  writeFileSync(join(folder, 'long.check.ts'), source.replace('const collector', `${tell}; const collector`))
  const argv = [command, 'check', 'long.check.ts:4', '--param', 'n=12', '--time', '1h']
  const child = spawn(execPath, argv, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  let stdout = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.once('data', () => child.kill('SIGINT'))
  const status = await new Promise((done) => child.on('close', done))
  expect(status).toBe(3)
  expect(stdout).toContain('stopped by an interrupt')
  const checkpoint = /npx allways check --resume (\S+)/.exec(stdout)?.[1] as string
  const resumed = run('check', '--resume', checkpoint, '--max-executions', '10')
  expect(resumed.stdout).toMatch(/no violation in [\d,]+ executions so far, n = 12/)
})

test.each(['check', 'linearize', 'prove'])(
  'SIGINT ends %s at once while a file is loaded, whatever its code does',
  long,
  async (name) => {
    const blocked = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000)'
    const source = readFileSync(`${fixtures}/holds.check.ts`, 'utf8')
    writeFileSync(join(folder, 'blocked.check.ts'), `${source}\nconsole.error('loading')\n${blocked}\n`)
    const argv = [command, name, 'blocked.check.ts']
    const child = spawn(execPath, argv, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
    child.stderr.once('data', () => child.kill('SIGINT'))
    const ended = await new Promise((done) => child.on('exit', (status, signal) => done(signal ?? status)))
    expect(ended).toBe('SIGINT')
  },
)

const cubes = `import { assert, every, program } from 'allways'
export const few = program('few', { params: { n: every(2) } }, function* ({ n }) {
  yield* assert(n < 2, 'few')
})
export const quick = program('quick', { params: { n: every(1) } }, function* ({ n }) {
  yield* assert(n >= 0)
})
export const cubes = program('cubes', { params: { n: every(1), a: every(1), b: every(1) } }, function* ({ n, a, b }) {
  yield* assert(n * n * n + a * a * a * a * a !== b * b * b * b * b + 3 * n * a * b + 2 * a * a + 5, 'no root')
})
`

test.each([
  ['what was decided before is told, and the worst of it is the status', [], 1, 'violated'],
  ['without a violation the status is 3', ['-t', 'u'], 3, 'incomplete'],
] as const)('SIGINT while a solver looks for a proof: %s', long, async (_, only, expected, first) => {
  // A signal between two programs would leave the second one out.
  const told = cubes.replace('yield* assert(n * n', "console.error('looking'); yield* assert(n * n")
  writeFileSync(join(folder, 'cubes.check.ts'), told)
  const argv = [command, 'prove', 'cubes.check.ts', '--time', '1h', ...only]
  const child = spawn(execPath, argv, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  let stdout = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.once('data', () => child.kill('SIGINT'))
  const status = await new Promise((done) => child.on('close', done))
  expect([status, stdout]).toEqual([expected, expect.stringContaining(first)])
  expect(stdout).toContain('proved  quick')
})

test('what was decided before SIGINT is in the JSON', long, async () => {
  const told = "console.error('exploring'); yield* assert(n < 2, 'few')"
  writeFileSync(join(folder, 'told.check.ts'), `${cubes.replace('yield* assert(n >= 0)', told)}`)
  const argv = [command, 'prove', 'told.check.ts', '--time', '1h', '--json']
  const child = spawn(execPath, argv, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  let stdout = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.once('data', () => child.kill('SIGINT'))
  const status = await new Promise((done) => child.on('close', done))
  expect(status).toBe(1)
  const { results } = JSON.parse(stdout)
  expect(results[0]).toMatchObject({ program: 'few', verdict: 'violated' })
})

test.each([
  ['while it is loaded', "Promise.reject(new Error('early'))", '() => 1', 'early'],
  ['in a function that is called', '', "() => { Promise.reject(new Error('late')); return 1 }", 'late'],
])('a promise that a check file rejects %s and drops is its mistake', long, (_, first, written, message) => {
  writeFileSync(
    join(folder, 'dropped.p'),
    'fun F(): int; machine Main { start state S { entry { var n: int; n = F(); } } }',
  )
  writeFileSync(
    join(folder, 'dropped.check.ts'),
    `import { pModel } from 'allways'\n${first}\nexport default pModel('./dropped.p', { foreign: { F: ${written} } })\n`,
  )
  const ran = run('check', 'dropped.check.ts')
  expect(ran.status).toBe(2)
  expect(ran.stderr).toContain('E211  a promise was rejected, and nobody awaits it')
  expect(ran.stderr).toContain(message)
  expect(ran.stderr).toContain('dropped.check.ts:')
})

test('code that files leave behind ends nothing, and the others keep their results', () => {
  const written: { readonly [name: string]: string } = {
    'a-violated': 'export default program("violated", function* () { yield* assert(false) })',
    'b-exits': 'process.exit(0)',
    'c-waits': 'await new Promise(() => {})',
    'd-listens': `process.on('exit', () => { process.exitCode = 0 })\n${'export default program("listens", function* () {})'}`,
    'e-late': `setInterval(() => { throw new Error('late') }, 1)\n${'export default program("late", function* () {})'}`,
  }
  mkdirSync(join(folder, 'left'))
  for (const [name, text] of Object.entries(written)) {
    writeFileSync(join(folder, 'left', `${name}.check.ts`), `import { assert, program } from 'allways'\n${text}\n`)
  }
  const ran = run('check', 'left', '--json')
  expect(ran.status).toBe(2)
  expect(ran.stderr).not.toMatch(/^\s+at /m)
  const { results, diagnostics } = JSON.parse(ran.stdout)
  expect(ran.stderr).toContain('left/c-waits.check.ts awaits something')
  expect(results.map(({ program, verdict }: { program: string; verdict: string }) => [program, verdict])).toEqual([
    ['violated', 'violated'],
    ['listens', 'verified'],
    ['late', 'verified'],
  ])
  const told = diagnostics.map(({ code, place }: { code: string; place: { file: string } | null }) => [
    code,
    place?.file,
  ])
  expect(told).toEqual([
    ['E114', 'left/b-exits.check.ts'],
    ['E104', undefined],
    ['E114', 'left/e-late.check.ts'],
  ])
})

test('the status is that of the checks, whatever listens to the end of the process', long, () => {
  const ran = run('check', 'left/a-violated.check.ts', 'left/d-listens.check.ts')
  expect(ran.status).toBe(1)
})

test('what is said twice is checked once', long, () => {
  writeFileSync(
    join(folder, 'sized.check.ts'),
    "import { program } from 'allways'\nexport default program('sized', { params: { n: 1 } }, function* () {})\n",
  )
  const checked = (...flags: readonly string[]): number =>
    JSON.parse(run('check', 'sized.check.ts', '--json', ...flags).stdout).results.length
  expect(checked('--network', 'fifo,fifo', '--network', 'fifo')).toBe(1)
  expect(checked('--engine', 'dpor,dpor')).toBe(1)
  expect(checked('--param', 'n=2,2', '--param', 'n=2,3')).toBe(2)
})
