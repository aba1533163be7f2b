import { describe, expect, test } from 'vitest'
import { loadPrograms } from '../../../src/check/load.ts'
import { type CheckOptions, checkRequest } from '../../../src/check/request.ts'
import { type Checked, type Progress, type RunOptions, runCheck } from '../../../src/check/run.ts'
import { evidenceOf } from '../../../src/core/evidence.ts'

const objects = 'test/cli/fixtures/objects'

async function run(name: string, options: CheckOptions, own: RunOptions = {}): Promise<Checked> {
  const loaded = await loadPrograms(`${objects}/counter.check.ts`)
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics))
  const program = loaded.value.programs.find((one) => one.program.name === name)?.program
  if (program === undefined) throw new Error(`there is no ${name}`)
  const request = checkRequest(program, options)
  const checked = request.ok ? await runCheck(request.value, own) : request
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
    const done = part.rest?.counts.clients
    expect(done).toBe(part.verdict.counts.clients)
    expect(done).toBeGreaterThan(0)
    expect(done).toBeLessThan(clients)
    const rest = await run('LockedCounter', {}, { resume: part.rest })
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
    const onProgress = ({ phase, counts }: Progress): void => {
      if (phase === 'checking the repair') seen.push(counts.clients ?? 0)
    }
    const { verdict } = await run('Counter', {}, { host, onProgress })
    const searched = await run('Counter', { causes: false })
    if (verdict.kind !== 'violated') throw new Error(verdict.kind)
    expect(seen[0]).toBe(0)
    expect(seen.at(-1)).toBe((evidenceOf(verdict.evidence, 'sections')[0]?.applied?.clients ?? 0) - 1)
    expect(verdict.counts).toEqual(searched.verdict.counts)
  })
})
