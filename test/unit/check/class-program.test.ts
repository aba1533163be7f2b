import { describe, expect, test } from 'vitest'
import { classProgram, classSettings } from '../../../src/check/objects/class-program.ts'
import { objectRequest } from '../../../src/check/objects/options.ts'
import { type CheckOptions, checkRequest } from '../../../src/check/request.ts'
import { runCheck } from '../../../src/check/run.ts'
import { linearizable } from '../../../src/model/object.ts'
import { loadText } from '../../agreement/object-agreement.ts'

const loaded = await loadText(`
import { Mutex } from 'allways/sync'

export class Counter {
  value = 0
  mutex = new Mutex()
  broken() { const value = this.value; this.value = value + 1; return value }
  right() { this.mutex.acquireSync(); const value = this.value; this.value = value + 1; this.mutex.release(); return value }
  take() { this.mutex.acquireSync(); return 0 }
}`)

const [broken, right, stuck] = [
  '{ broken() } || { broken() }',
  '{ right() } || { right() }',
  '{ take() } || { take() }',
] as const

function request(operations: Record<string, []> = { broken: [], right: [], take: [] }) {
  const check = linearizable(loaded.classes.get('Counter') as new () => object, { operations })
  const made = objectRequest(check, loaded.modules, {})
  if (!made.ok) throw new Error(JSON.stringify(made.diagnostics))
  return made.value
}

async function verdictOf(engine: string, client: string, options: CheckOptions = {}) {
  const asked = checkRequest(classProgram(request()), { engine, params: { client }, ...options })
  if (!asked.ok) return asked.diagnostics
  const checked = await runCheck(asked.value)
  return checked.ok ? checked.value.verdict : checked.diagnostics
}

describe('a class goes the way of every program', () => {
  test.each(['stateful', 'exhaustive', 'random', 'pct'])('%s finds and the judge repeats', async (engine) => {
    const isSampling = engine === 'random' || engine === 'pct'
    const few: CheckOptions = isSampling ? { samples: 200 } : {}
    expect(await verdictOf(engine, broken, few)).toMatchObject({
      kind: 'violated',
      evidence: [{ violation: { kind: 'linearizability', message: 'broken() → 0 || broken() → 0' } }],
    })
    expect(await verdictOf(engine, stuck, few)).toMatchObject({
      kind: 'violated',
      evidence: [{ violation: { kind: 'deadlock' } }],
    })
    const clean = isSampling ? 'passed' : 'verified'
    expect(await verdictOf(engine, right, few)).toMatchObject({ kind: clean })
    expect(await verdictOf(engine, stuck, { ...few, deadlock: 'allow' })).toMatchObject({ kind: clean })
  })

  test('what it tells are calls, accesses and returns', async () => {
    const verdict = await verdictOf('exhaustive', broken)
    if (!('evidence' in verdict)) throw new Error(JSON.stringify(verdict))
    const [evidence] = verdict.evidence
    if (evidence?.kind !== 'execution') throw new Error('a violation has an execution')
    const told = evidence.events.map((event) => ('text' in event ? `${event.process} ${event.kind} ${event.text}` : ''))
    expect(told.toSorted()).toEqual([
      'p1 access reads value → 0',
      'p1 access value = 1',
      'p1 call broken()',
      'p1 return broken → 0',
      'p2 access reads value → 0',
      'p2 access value = 1',
      'p2 call broken()',
      'p2 return broken → 0',
    ])
  })

  test('a client that is none is a diagnostic', async () => {
    expect(await verdictOf('stateful', '{ broken(')).toMatchObject([{ code: expect.stringMatching(/^E/) }])
  })
})

test('settings are the clients within bounds, smallest first', () => {
  const clients = [...classSettings(request({ broken: [] }))].map(({ params }) => params.client)
  // Up to two processes of up to two calls of one operation, up to the order of processes.
  expect(clients).toEqual([
    '{ broken() } || { broken() }',
    '{ broken(); broken() } || { broken() }',
    '{ broken(); broken() } || { broken(); broken() }',
  ])
  expect(classProgram(request({ broken: [] })).params).toEqual({ client: clients[0] })
})
