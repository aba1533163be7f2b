import { describe, expect, test } from 'vitest'
import { loadObjects } from '../../../src/check/objects/load.ts'
import { type ObjectCheckOptions, objectRequest } from '../../../src/check/objects/options.ts'
import type { ObjectProgress, ObjectRunOptions } from '../../../src/check/objects/request.ts'
import { type ObjectChecked, runObjectCheck } from '../../../src/check/objects/run.ts'
import { evidenceOf } from '../../../src/core/evidence.ts'

const objects = 'test/cli/fixtures/objects'

async function run(name: string, options: ObjectCheckOptions, own: ObjectRunOptions = {}): Promise<ObjectChecked> {
  const loaded = await loadObjects(`${objects}/counter.check.ts`)
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics))
  const check = loaded.value.checks.find((one) => one.check.name === name)?.check
  if (check === undefined) throw new Error(`there is no ${name}`)
  const request = objectRequest(check, loaded.value.modules, options)
  const checked = request.ok ? await runObjectCheck(request.value, own) : request
  if (!checked.ok) throw new Error(JSON.stringify(checked.diagnostics))
  return checked.value
}

/** Ctrl-C, when the search pauses for the nth time. */
function interruptedAt(pauses: number) {
  const controller = new AbortController()
  let left = pauses
  const pause = async (): Promise<void> => {
    if (--left === 0) controller.abort()
  }
  return { signal: controller.signal, host: { now: () => 0, memory: () => 0, pause } }
}

describe('the check of a class', () => {
  test('that is interrupted tells what was done, and goes on from there to the same counts', async () => {
    const whole = await run('LockedCounter', {})
    expect(whole.verdict).toMatchObject({ kind: 'verified' })
    const { signal, host } = interruptedAt(9)
    const part = await run('LockedCounter', { signal }, { host })
    const { clients = 0 } = whole.verdict.counts
    expect(part.verdict).toMatchObject({ kind: 'incomplete', because: 'interrupt', outOf: clients })
    expect(part.done.clients).toBe(part.verdict.counts.clients)
    expect(part.done.clients).toBeGreaterThan(0)
    expect(part.done.clients).toBeLessThan(clients)
    const rest = await run('LockedCounter', {}, { resume: part.done })
    expect(rest.verdict).toMatchObject({ kind: 'verified', counts: whole.verdict.counts })
  })

  test('that keeps going tells one violation of each sort, and how many there are like it', async () => {
    const { verdict } = await run('Counter', { keepGoing: true, causes: false })
    if (verdict.kind !== 'violated') throw new Error(verdict.kind)
    const sorts = evidenceOf(verdict.evidence, 'execution').map(({ violation, client }) => {
      const { calls } = client?.history ?? { calls: [] }
      const operations = [...new Set(calls.map(({ operation }) => operation))].sort()
      return JSON.stringify([violation.kind, operations, calls[client?.stuck ?? -1]?.operation])
    })
    expect(new Set(sorts).size).toBe(sorts.length)
    expect(verdict.alike).toBeGreaterThan(0)
  })

  test('counts the clients of a repair that is checked, and tells the counts of the search', async () => {
    let time = 0
    const host = { now: () => (time += 200), memory: () => 0, pause: async () => {} }
    const seen: number[] = []
    const onProgress = ({ phase, clients }: ObjectProgress): void => {
      if (phase === 'checking the repair') seen.push(clients)
    }
    const { verdict } = await run('Counter', {}, { host, onProgress })
    const searched = await run('Counter', { causes: false })
    if (verdict.kind !== 'violated') throw new Error(verdict.kind)
    expect(seen[0]).toBe(0)
    expect(seen.at(-1)).toBe((evidenceOf(verdict.evidence, 'sections')[0]?.applied?.clients ?? 0) - 1)
    expect(verdict.counts).toEqual(searched.verdict.counts)
  })
})
