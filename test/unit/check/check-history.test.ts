import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import * as allways from '../../../src/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'histories-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A read that sees the older of two values after a read that saw the younger one. */
function storedHistory(name: string, last: string): string {
  const events = [
    { process: 1, type: 'invoke', op: 'put', args: ['x', '1'] },
    { process: 2, type: 'invoke', op: 'get', args: ['x'] },
    { process: 2, type: 'ok', op: 'get', value: '1' },
    { process: 3, type: 'invoke', op: 'get', args: ['x'] },
    { process: 3, type: 'ok', op: 'get', value: last },
    { process: 1, type: 'ok', op: 'put' },
  ]
  const path = join(folder, name)
  writeFileSync(path, events.map((event) => `${JSON.stringify(event)}\n`).join(''))
  return path
}

describe('a file with a history', () => {
  test('has the verdict that it has on the command line, and throws the same report', async () => {
    const stale = storedHistory('stale.history.jsonl', '')
    const result = await allways.checkResult(stale, { specification: 'kv' })
    expect(result).toMatchObject({
      ok: true,
      value: { kind: 'violated', scope: { engine: 'histories', specification: 'kv' }, counts: { calls: 3 } },
    })
    await expect(allways.check(stale, { specification: 'kv' })).rejects.toThrow(/is not linearizable[\s\S]*→ ""/)
    const fresh = storedHistory('fresh.history.jsonl', '1')
    expect(await allways.check(fresh, { specification: 'kv', time: '10s' })).toMatchObject({ kind: 'verified' })
  })

  test.each([
    [{}, /does not name a specification/],
    [{ specification: 'kw' }, /did you mean "kv"/],
    [{ specification: 'kv', network: 'bag' }, /network is about executions, and a history has happened/],
    [{ specification: 'kv', testName: 'x' }, /testName is about executions/],
  ])('is refused with %j', async (options, words) => {
    const path = storedHistory('asked.history.jsonl', '1')
    const result = await allways.checkResult(path, options)
    const told = result.ok ? '' : result.diagnostics.map(({ message, hint }) => `${message} ${hint}`).join()
    expect(told).toMatch(words)
    expect(result).toMatchObject({ diagnostics: [{ place: { file: expect.stringContaining('check-history.test') } }] })
  })
})

describe('a history that was recorded in code', () => {
  const cell = allways.specification({
    name: 'cell',
    initial: 0,
    operations: ['read', 'write'],
    apply: (state: number, operation: string, [value]: readonly unknown[]) =>
      operation === 'write' ? { state: value as number } : { state, returns: state },
  })
  const read = (value: number, [invoked, returned]: readonly [number, number]) =>
    ({ process: 'a', operation: 'read', args: [], result: { kind: 'returned', value }, invoked, returned }) as const

  test('has a verdict with its evidence', () => {
    const holds = allways.checkHistory({ calls: [read(0, [1, 2])] }, cell, { witness: true })
    const scope = { engine: 'histories', criterion: 'linearizable', specification: 'cell' }
    const evidence = [{ kind: 'history', order: [0] }]
    expect(holds).toMatchObject({ ok: true, value: { kind: 'verified', scope, counts: { calls: 1 }, evidence } })
    const fails = allways.checkHistory({ calls: [read(0, [1, 2]), read(3, [3, 4])] }, cell)
    expect(fails).toMatchObject({ value: { kind: 'violated', scope, evidence: [{ kind: 'history', stuck: 1 }] } })
  })

  test('is noted to be empty', () => {
    const vacuity = [{ code: 'history-without-calls', subject: 'cell' }]
    expect(allways.checkHistory({ calls: [] }, cell)).toMatchObject({ value: { kind: 'verified', vacuity } })
  })
})

test('a call that returned before it was invoked is no call', () => {
  const backwards = { process: 'a', operation: 'read', args: [], result: { kind: 'pending' }, invoked: 4, returned: 3 }
  const kv = allways.specification({ initial: 0, apply: (state) => ({ state }) })
  expect(allways.checkHistory({ calls: [backwards as never] }, kv)).toMatchObject({
    diagnostics: [{ code: 'E501', message: 'call 1 was invoked at 4 and returned at 3' }],
  })
})

test.each([
  [{ result: { kind: 'pending' }, invoked: 1, returned: 3 }, 'call 2 is pending and returned at 3'],
  [{ result: { kind: 'returned', value: 0 }, invoked: 1, returned: 3 }, 'calls 1 and 2 of process a overlap'],
  [{ result: { kind: 'threw', name: 'Error' }, invoked: 4, returned: 5 }, '{ kind: "threw", error: "…" }'],
])('a second call %j of one process is refused', (second, message) => {
  const call = { process: 'a', operation: 'read', args: [] }
  const first = { ...call, result: { kind: 'returned', value: 0 }, invoked: 0, returned: 2 }
  const kv = allways.specification({ initial: 0, apply: (state) => ({ state, returns: state }) })
  const judged = allways.checkHistory({ calls: [first, { ...call, ...second }] as never }, kv)
  expect(JSON.stringify(judged)).toContain(JSON.stringify(message).slice(1, -1))
  expect(judged).toMatchObject({ ok: false, diagnostics: [{ code: 'E501' }] })
})

test('an effect with a field that would not be read is told, with the nearest right one', () => {
  const misspelt = allways.specification({ initial: 0, apply: (state) => ({ state, retruns: state }) as never })
  const read = { process: 'a', operation: 'read', args: [], result: { kind: 'returned', value: 0 } } as const
  expect(allways.checkHistory({ calls: [{ ...read, invoked: 0, returned: 1 }] }, misspelt)).toMatchObject({
    diagnostics: [{ message: expect.stringMatching(/"retruns" is none of these; did you mean "returns"\?$/) }],
  })
})

test('a specification of the other kind is refused, and both kinds are named', () => {
  const announced = allways.specification('lease', {
    state: { holder: '' },
    operations: { take: (_: { holder: string }, { who }: { readonly who: string }) => ({ holder: who }) },
  })
  const pending = { process: 'a', operation: 'take', args: [], result: { kind: 'pending' }, invoked: 1 } as const
  const calls = [{ ...pending, returned: Number.POSITIVE_INFINITY }]
  const message =
    'specification "lease" has { state, operations }, for refines(…), and histories need { initial, apply }'
  expect(allways.checkHistory({ calls }, announced as never)).toMatchObject({
    ok: false,
    diagnostics: [{ code: 'E107', message, hint: expect.stringContaining("specification({ name: 'lease', initial") }],
  })
  const sequential = allways.specification({ name: 'lease', initial: 0, apply: (state) => ({ state }) })
  expect(allways.checkHistory({ calls }, sequential)).toMatchObject({ ok: true, value: { counts: { pending: 1 } } })
  expect(() => allways.refines(sequential as never)).toThrow(
    'refines(…) is given a specification with { initial, apply }, for histories and classes',
  )
})
