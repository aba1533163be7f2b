/** What is said of files, operations and options in more than one way, or of what is not there. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { checkResult } from '../../src/check/check.ts'
import { assert, final, invariant, machine, program, system } from '../../src/index.ts'
import { long } from '../amount.ts'
import { allways } from './harness.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-choices-'))

afterAll(() => rmSync(folder, { recursive: true }))

function written(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const two = written(
  'two.check.ts',
  `import { assert, program } from 'allways'

export const one = program('one', function* () { yield* assert(true) })

export const other = program('other', function* () { yield* assert(true) })
`,
)

test.each([
  [3, 'one'],
  [4, 'one'],
  [5, 'other'],
  [99, 'other'],
])('line %s means %s', async (line, name) => {
  const { code, stdout } = await allways(['check', `${two}:${line}`])
  expect(code).toBe(0)
  expect(stdout).toContain(`✓ verified  ${name}`)
  expect(stdout.match(/verified/g)).toHaveLength(1)
})

test.each([0, 2])('at line %s no program is declared yet', async (line) => {
  const { code, stdout, stderr } = await allways(['check', `${two}:${line}`])
  expect(code).toBe(2)
  expect(stdout + stderr).toContain(`E106  no program is declared at or above line ${line}`)
  expect(stdout + stderr).toContain('the first one is in line 3')
})

test('arguments that are given twice for an operation are two ways to call it', long, async () => {
  const file = written('box.ts', 'export class Box { n = 0; set(n: number) { this.n = n } get() { return this.n } }')
  const counted = async (...args: readonly string[]) => {
    const { stdout } = await allways(['linearize', file, ...args.flatMap((one) => ['--args', one])])
    return /(\d+) clients/.exec(stdout)?.[1]
  }
  expect(await counted('set: 1', 'set: 2')).toBe(await counted('set: 1, 2'))
  expect(await counted('set: 1')).not.toBe(await counted('set: 1, 2'))
})

test('an engine is about classes, not histories', async () => {
  const file = written('run.history.jsonl', '{"process":1,"type":"invoke","op":"read","args":[]}\n')
  const { code, stdout, stderr } = await allways(['linearize', file, '--spec', 'register', '--engine', 'dpor'])
  expect(code).toBe(2)
  expect(stdout + stderr).toContain('E107  --engine is about classes')
})

test('an option that is given twice must be the same', async () => {
  const declared = program('one', function* () {
    yield* assert(true)
  })
  const given = await checkResult(declared, { schedule: 'random', options: { schedule: 'sends-first' } })
  expect(given).toMatchObject({ ok: false, diagnostics: [{ code: 'E107' }] })
  const same = await checkResult(declared, { schedule: 'random', options: { schedule: 'random' } })
  expect(same).toMatchObject({ ok: true })
})

test('an empty text says that something is wrong, and the violation says what', async () => {
  const counter = machine<{ n: number }, never>('counter', {
    state: () => ({ n: 0 }),
    requests: {
      bump(state) {
        state.n++
      },
    },
  })
  const small = invariant<{ n: number }>('small', ({ a }) => (a as { n: number }).n < 1 || '')
  const machines = system('counters', () => ({
    machines: { a: counter.as() },
    requests: { a: [['bump']] },
    invariants: [small],
  }))
  expect(JSON.stringify(await checkResult(machines))).toContain('"message":"the invariant is false"')
  const ending = program('ending', { properties: [final('nothing', () => '')] }, function* () {
    yield* assert(true)
  })
  expect(JSON.stringify(await checkResult(ending))).toContain('"message":"the final condition is false"')
})
