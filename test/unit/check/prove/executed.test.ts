import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { expect, test } from 'vitest'
import { checkResult } from '../../../../src/check/check.ts'
import { loadPrograms } from '../../../../src/check/load.ts'
import { confirmedByExecution, type ExecutedOptions } from '../../../../src/check/prove/executed.ts'
import { termOf } from '../../../../src/check/prove/prove.ts'
import { checkRequest } from '../../../../src/check/request.ts'
import { runCheck } from '../../../../src/check/run.ts'
import { evidenceOf } from '../../../../src/core/evidence.ts'
import type { Expression, Icet, Statement } from '../../../../src/program/icet.ts'
import { Alternatives } from '../../../../src/semantics/icet/alternatives.ts'
import { Contradiction, Interpretation } from '../../../../src/semantics/icet/interpretation.ts'

const host = { now: () => performance.now(), memory: () => 0, pause: async () => undefined }
const options: ExecutedOptions = { host, budget: {}, signal: undefined }

async function right() {
  const found = await loadPrograms('test/cli/fixtures/prove/lock.check.ts')
  const program = found.ok ? found.value.programs.find((one) => one.program.name === 'right')?.program : undefined
  if (program === undefined) throw new Error('there is a program called right')
  const term = termOf(program)
  if (!term.ok) throw new Error('it has a term')
  return { program, icet: term.value }
}

function changed(icet: Icet, change: (statement: Statement) => Statement): Icet {
  return { ...icet, processes: icet.processes.map((one) => ({ ...one, body: one.body.map(change) })) }
}

test('a program that does what its term does is confirmed for each small size', async () => {
  const { program, icet } = await right()
  expect(await confirmedByExecution(program, icet, options)).toMatchObject({
    sizes: [{ clients: 1 }, { clients: 2 }, { clients: 3 }],
    unfinished: [],
  })
})

test('a difference names the process, what it did, what the term would do, and the lines of both', async () => {
  const { program, icet } = await right()
  const nothing: Expression = { kind: 'record', fields: [] }
  const wrong = changed(icet, (one) => (one.kind === 'send' ? { ...one, message: nothing } : one))
  await expect(confirmedByExecution(program, wrong, options)).rejects.toThrow(
    /"client 0" sends lock\{from: client 0\} to main as operation 1 of \d \(.*lock\.check\.ts:8:10\), and the term would send \{\} to main \(.*lock\.check\.ts:\d+:\d+\)/,
  )
})

test('time that is over before the first size leaves all of them', async () => {
  const { program, icet } = await right()
  const found = await confirmedByExecution(program, icet, { ...options, budget: { milliseconds: 0 } })
  expect(found).toMatchObject({ sizes: [], executions: 0, because: 'time' })
})

test('a machine that is a thousand times slower confirms the same sizes', async () => {
  const { program, icet } = await right()
  const slow = { ...host, now: () => 1_000 * performance.now() }
  const found = await confirmedByExecution(program, icet, { ...options, host: slow })
  expect(found).toEqual(await confirmedByExecution(program, icet, options))
})

test('sizes after the first with too many executions are left, whatever the time', async () => {
  const found = await loadPrograms('corpus/theque/model.check.ts')
  const program = found.ok ? found.value.programs.find((one) => one.program.name === 'theque')?.program : undefined
  if (program === undefined) throw new Error('there is a program called theque')
  const term = termOf(program)
  if (!term.ok) throw new Error('it has a term')
  const { sizes, unfinished, because } = await confirmedByExecution(program, term.value, options)
  expect({ sizes: sizes.length, unfinished: unfinished.length, because }).toEqual({
    sizes: 18,
    unfinished: 46,
    because: 'executions',
  })
})

test('of a program with too many executions at every size the first ones are compared, and told', async () => {
  const source =
    "import { every, program, receive, self, send, spawnAll } from 'allways'\n" +
    "function* worker(main) { yield* send(main, { kind: 'done' }) }\n" +
    "export default program('wide', { params: { n: every(7, { from: 7 }) } }, function* ({ n }) {\n" +
    "  yield* spawnAll(n, 'worker', worker, yield* self())\n" +
    "  for (let i = 0; i < n; i++) yield* receive('done')\n})\n"
  const folder = mkdtempSync(join(tmpdir(), 'allways-wide-'))
  try {
    writeFileSync(join(folder, 'wide.check.ts'), source)
    const found = await loadPrograms(join(folder, 'wide.check.ts'))
    const program = found.ok ? found.value.programs[0]?.program : undefined
    if (program === undefined) throw new Error('there is a program')
    const proved = await checkResult(program, { engine: 'sequentialize' })
    if (!proved.ok) throw new Error(JSON.stringify(proved.diagnostics))
    const [proof] = evidenceOf(proved.value.evidence, 'proof')
    expect(proof?.confirmed).toMatchObject({
      sizes: [],
      executions: 0,
      because: 'executions',
      partly: { sizes: { n: 7 }, executions: 1000 },
    })
    expect(proved.value).toMatchObject({ kind: 'proved' })
    expect(proved.value).not.toHaveProperty('vacuity')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('what was interrupted is not confirmed', async () => {
  const { program, icet } = await right()
  const found = await confirmedByExecution(program, icet, { ...options, signal: AbortSignal.abort() })
  expect(found).toMatchObject({ sizes: [], because: 'interrupt' })
})

test('an opaque function has one result for equal inputs, also if they turn out to be equal later', () => {
  const guess = new Interpretation(new Alternatives())
  const input = guess.applied('g()', [])
  guess.is(guess.applied('f(x)', [input]), 1)
  guess.is(guess.applied('f(x)', [5]), 2)
  guess.is(guess.applied('h(x)', [5]), 3)
  expect(guess.isPossible()).toBe(true)
  guess.is(input, 5)
  expect(() => guess.isPossible()).toThrow(Contradiction)
})

test('what is asked about a result before it is known must be so when it is', () => {
  const guess = new Interpretation(new Alternatives())
  const result = guess.applied('f()', [])
  expect(guess.holds(result)).toBe(true)
  expect(guess.binary('<', result, 3)).toBe(true)
  expect(() => guess.is(result, 0)).toThrow(Contradiction)
  const other = new Interpretation(new Alternatives())
  const compared = other.applied('f()', [])
  expect(other.binary('<', other.binary('+', compared, 1), 3)).toBe(true)
  other.is(compared, 2)
  expect(() => other.isPossible()).toThrow(Contradiction)
})

test('a proof of which no execution was compared is proved with a note', async () => {
  const { program } = await right()
  const request = checkRequest(program, { engine: 'sequentialize', time: 5000 })
  if (!request.ok) throw new Error('it can be asked for')
  let now = 0
  const hasty = {
    ...host,
    now: () => {
      now += 4000
      return now
    },
  }
  const checked = await runCheck(request.value, { host: hasty })
  expect(checked).toMatchObject({
    ok: true,
    value: { verdict: { kind: 'proved', vacuity: [{ code: 'proof-not-confirmed', subject: 'right' }] } },
  })
})
