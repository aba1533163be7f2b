/** Calls with mistakes: each is refused with what helps, or means something; none is ignored, and none breaks us. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { checkResult } from '../../src/check/check.ts'
import { amount, cut } from '../amount.ts'
import { type ValidCall, validCalls } from './calls.ts'
import { imports } from './loaded.ts'
import { callText } from './mutate.ts'
import { outcomeOfSource, withoutIgnored } from './mutations.ts'
import { answered } from './soak-mutations.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-hostile-'))
const fiveMinutes = 300_000

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('calls without mistakes hold', async () => {
  const outcomes = await inTurn(validCalls, async ({ called, args, around }: ValidCall) => {
    const source = `${imports}${around.replace('CALL', () => callText(called, args))}\n`
    return { source, ...(await outcomeOfSource(source)) }
  })
  expect(outcomes.filter(({ said, problem }) => said !== 'verified' || problem !== undefined)).toEqual([])
})

test('calls with mistakes are refused with code, place and hint, or mean something', {
  timeout: fiveMinutes,
  ...cut,
}, async () => {
  const seeds = Array.from({ length: amount({ quick: 60, thorough: 200, all: 10_000 }) }, (_, seed) => seed)
  const found = new Map<string, string>()
  let refused = 0
  for (const seed of seeds) {
    const { source, outcome } = await answered(seed, folder)
    if (outcome.said === 'refused') refused++
    const { problem } = outcome
    if (problem !== undefined && !found.has(problem.kind)) found.set(problem.kind, `${problem.words}\n${source}`)
  }
  expect([...found]).toEqual([])
  expect(refused).toBeGreaterThan(seeds.length / 3)
})

test.each([
  ['extra', 'final', 3, '1', 'a further argument is ignored'],
  ['missing', 'final', 1, '1', 'an argument that is needed is missing'],
  ['value', 'final', 2, '1', 'a value of another kind is ignored, of final name'],
  ['value', 'final', 2, 'undefined', undefined],
  ['extra', 'yield* spawn', 6, '1', undefined],
] as const)('%s of %s, accepted with %d arguments', (kind, called, count, value, problem) => {
  const changed = { path: '0.name', old: "'a'", value }
  const outcome = withoutIgnored({ said: 'verified' }, { kind, called, count, changed, words: '' })
  expect(outcome.problem?.kind).toBe(problem)
})

const nested = '(() => { let a = []; for (let i = 0; i < 100000; i++) a = [a]; return a })()'
const nothingInherited = 'Object.create(null)'
const asChecked = (call: string): string =>
  `const p = program('p', function* () { yield* self() })\nexport default { checked: () => ${call} }`
const asHistory = (args: string, apply: string): string =>
  asChecked(`checkHistory(
    { calls: [{ process: 'a', operation: 'w', args: ${args}, result: { kind: 'returned' }, invoked: 1, returned: 2 }] },
    specification({ name: 'cell', initial: 0, operations: ['w'], apply: ${apply} }),
  )`)
const asFilter = (filter: string): string => `export default program('p', function* () {
  yield* send(yield* self(), 1)
  yield* receive(${filter})
})`
const asMonitor = (filter: string): string => `const m = monitor('m', { observes: ${filter} }, function* () {})
export default program('p', { properties: [m] }, function* () { yield* send(yield* self(), 1) })`
const asSystem = (parts: string): string =>
  `export default system('s', () => ({ machines: { a: machine('n', { state: () => ({}) }).as() }, ${parts} }))`

test.each([
  ['a bigint', asChecked('checkResult(p, { memory: 10n })')],
  ['an object that inherits nothing', asChecked(`checkResult(p, { time: ${nothingInherited} })`)],
  ['a symbol', asChecked("checkResult(p, { time: Symbol('s') })")],
  ['a deep list', asChecked(`checkResult(p, { time: ${nested} })`)],
  ['a deep parameter', `export default program('p', { params: { n: ${nested} } }, function* () {})`],
  ['a deep argument', asHistory(`[${nested}]`, '(state) => ({ state })')],
  [
    'an argument that holds itself',
    asHistory('[(() => { const a = {}; a.a = a; return a })()]', '(s) => ({ state: s })'),
  ],
  ['a specification that throws nothing', asHistory('[]', '() => { throw undefined }')],
  ['a specification that returns a number', asHistory('[]', '() => 1')],
  ['calls that were left out', asChecked("checkHistory({ calls: new Array(3) }, 'register')")],
  ['invariants that were left out', asSystem('invariants: new Array(3)')],
  ['liveness that was left out', asSystem('liveness: new Array(3)')],
])('%s is refused with code, place and hint', async (_, text) => {
  const outcome = await outcomeOfSource(`${imports}${text}\n`)
  expect(outcome).toMatchObject({ said: 'refused', told: expect.stringMatching(/\w/), problem: undefined })
})

test.each([
  ['of a receive that throws what cannot be printed', asFilter(`() => { throw ${nothingInherited} }`)],
  ['of a receive that is a class', asFilter('class {}')],
  ['of a monitor that throws what cannot be printed', asMonitor(`() => { throw ${nothingInherited} }`)],
])('a filter %s is a finding', async (_, text) => {
  expect((await outcomeOfSource(`${imports}${text}\n`)).said).toBe('violated')
})

test('places that were left out of a list of arguments are undefined', async () => {
  const path = join(folder, 'sparse.check.ts')
  const check = 'linearizable(Cell, { operations: { get: new Array(3) }, calls: 1 })'
  const text = `class Cell {\n  get(at?: number) { return at ?? 0 }\n}\nexport default ${check}\n`
  writeFileSync(path, `import { linearizable } from 'allways'\n${text}`)
  expect(await checkResult(path)).toMatchObject({ ok: true, value: { kind: 'verified' } })
})

async function inTurn<From, To>(all: readonly From[], each: (one: From) => Promise<To>): Promise<readonly To[]> {
  const results: To[] = []
  for (const one of all) results.push(await each(one))
  return results
}
