/** The waist from outside: whatever has paths is explored, judged and replayed, by parts that have never heard of it. */

import { describe, expect, test } from 'vitest'
import { replayTrace } from '../../src/check/replay-trace.ts'
import { type CheckOptions, checkRequest } from '../../src/check/request.ts'
import { runCheck } from '../../src/check/run.ts'
import { type ExecutionEvidence, evidenceOf } from '../../src/core/evidence.ts'
import { settingFrom } from '../../src/core/setting.ts'
import { type Decision, traceFormat } from '../../src/core/trace.ts'
import type { Verdict } from '../../src/core/verdict.ts'
import type { Program } from '../../src/program/program.ts'
import { toyCounter } from './toy.ts'

async function verdictOf(program: Program, options: CheckOptions): Promise<Verdict> {
  const request = checkRequest(program, options)
  if (!request.ok) throw new Error(request.diagnostics[0]?.message)
  const checked = await runCheck(request.value)
  if (!checked.ok) throw new Error(`${checked.diagnostics[0]?.code}: ${checked.diagnostics[0]?.message}`)
  return checked.value.verdict
}

function firstExecution(verdict: Verdict): ExecutionEvidence {
  const [first] = evidenceOf(verdict.evidence, 'execution')
  if (first === undefined) throw new Error(verdict.kind)
  return first
}

function lostUpdate(verdict: Verdict): readonly Decision[] {
  return firstExecution(verdict).decisions
}

describe.each([false, true])('a kind of program given as paths alone, exclusive: %s', (isExclusive) => {
  const program = toyCounter({ isExclusive })

  test('is explored exhaustively', async () => {
    // Two processes of two steps each have 4! / (2! · 2!) = 6 interleavings; three have 6! / 2!³ = 90.
    const all = { engine: 'exhaustive', keepGoing: true } as const
    expect(await verdictOf(program, all)).toMatchObject({
      kind: 'violated',
      counts: { executions: 6, blocked: 0 },
      evidence: [{ violation: { kind: 'final', message: 'the counter is 1' } }],
    })
    expect(await verdictOf(program, { ...all, params: { processes: 3 } })).toMatchObject({
      counts: { executions: 90 },
      evidence: [{}, { violation: { message: 'the counter is 1' } }],
    })
    expect(await verdictOf(program, { ...all, params: { processes: 1 } })).toMatchObject({
      kind: 'verified',
      counts: { executions: 1, blocked: 0 },
    })
  })

  test.each(['random', 'pct'])('is sampled by %s', async (engine) => {
    expect(await verdictOf(program, { engine, samples: 50 })).toMatchObject({ kind: 'violated' })
    expect(await verdictOf(program, { engine, samples: 50, params: { processes: 1 } })).toMatchObject({
      kind: 'passed',
      counts: { executions: 50 },
    })
  })

  test('is judged, with the events of its counterexample', async () => {
    const verdict = await verdictOf(program, { engine: 'exhaustive' })
    const { events, processes } = firstExecution(verdict)
    expect(events.map((event) => `${event.process} ${event.kind === 'choose' ? event.value : ''}`)).toEqual([
      'p0 reads 0',
      'p1 reads 0',
      'p0 writes 1',
      'p1 writes 1',
    ])
    expect(processes.map(({ status }) => status)).toEqual(['returned', 'returned'])
  })

  test('is replayed from a trace', async () => {
    const decisions = lostUpdate(await verdictOf(program, { engine: 'exhaustive' }))
    const setting = settingFrom({ params: { processes: 2 }, network: 'fifo' })
    const replayed = replayTrace(program, {
      trace: {
        format: traceFormat,
        program: { name: program.name, file: 'toy.check.ts', digest: '' },
        setting,
        decisions,
        foundBy: { engine: 'exhaustive', seed: 0, version: '0.0.0' },
      },
      violation: { kind: 'final', property: 'counts all', message: 'the counter is 1' },
      foundIn: 4,
      changes: '',
    })
    expect(replayed).toMatchObject({ ok: true, value: { isAsRecorded: true } })
  })
})

test('an engine that needs more than paths says so', () => {
  const request = checkRequest(toyCounter(), { engine: 'dpor' })
  expect(request).toMatchObject({
    ok: false,
    diagnostics: [{ code: 'E301', hint: expect.stringContaining('engines that can: exhaustive, random, pct') }],
  })
})

test('without an engine named, one that can is taken', () => {
  expect(checkRequest(toyCounter(), {})).toMatchObject({ ok: true, value: { engine: { name: 'exhaustive' } } })
})

test('what does not repeat itself is found by the audit', async () => {
  let begun = 0
  const program = toyCounter({ noise: () => begun++ })
  const options = { engine: 'exhaustive', params: { processes: 1 } }
  await expect(verdictOf(program, options)).rejects.toThrow('E201: process "p0" is not deterministic')
})

test('keys tell its states apart', () => {
  const request = checkRequest(toyCounter(), {})
  if (!request.ok) throw new Error('the toy can be checked')
  const path = request.value.explored.paths.begin()
  const keys = new Set<string | undefined>()
  const visit = () => {
    keys.add(path.key())
    for (const decision of path.enabled()) {
      path.take(decision)
      visit()
      path.back()
    }
  }
  visit()
  // 1 at the start; 2 where one has read; 3 where both have, or one is done; after both read and one wrote: 2; one done and the
  // other has read 1: 2; at the end p0 and p1 read (0, 0), (0, 1) or (1, 0): 3.
  expect(keys.size).toBe(13)
})
