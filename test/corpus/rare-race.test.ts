/** A race that random executions hardly ever meet is found by searches, with as few handlers as there can be. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadPrograms } from '../../src/check/load.ts'
import { type CheckOptions, checkRequest } from '../../src/check/request.ts'
import { runCheck } from '../../src/check/run.ts'
import { orThrow } from '../../src/core/diagnostic.ts'
import { evidenceOf } from '../../src/core/evidence.ts'
import type { Verdict } from '../../src/core/verdict.ts'
import { long, longIf } from '../amount.ts'
import { corpusFolder } from './answers.ts'

async function verdictOf(name: string, options: CheckOptions): Promise<Verdict> {
  const { programs } = orThrow(await loadPrograms(join(corpusFolder, 'p-lookaside-cache/model.p')))
  const [found] = programs.filter(({ program }) => program.name === name)
  if (found === undefined) throw new Error(`there is no test ${name}`)
  return orThrow(await runCheck(orThrow(checkRequest(found.program, { ...options, time: '10m', memory: '8gb' }))))
    .verdict
}

/** Decisions of the execution that was found. */
function length(verdict: Verdict): number | undefined {
  const [first] = evidenceOf(verdict.evidence, 'execution')
  return first?.foundIn
}

describe('tokens of a cache that come again', long, () => {
  test('are met by chance after hundreds of executions, and then in no short one', async () => {
    const sampled = await verdictOf('cached___tokens_3', { engine: 'random', seed: 1, samples: 200 })
    expect(sampled.kind).toBe('passed')
  })

  test('are found breadth first with few handlers, exact and by fingerprints', longIf(true, true), async () => {
    const exact = await verdictOf('cached___tokens_3', { engine: 'stateful' })
    expect(exact.counts).toMatchObject({ states: 66_466, depth: 35 })
    const brief = await verdictOf('cached___tokens_3', { engine: 'stateful', options: { remember: 'fingerprints' } })
    expect(brief.counts).toMatchObject({ states: 66_466, depth: 35 })
    expect(length(brief)).toBe(length(exact))
  })

  test('are found by all executions at once after as many handlers', longIf(true, true), async () => {
    const stateful = await verdictOf('cached___tokens_2', { engine: 'stateful' })
    const symbolic = await verdictOf('cached___tokens_2', { engine: 'symbolic', options: { mode: 'states' } })
    expect(symbolic.kind).toBe('violated')
    expect(length(symbolic)).toBe(length(stateful))
  })
})
