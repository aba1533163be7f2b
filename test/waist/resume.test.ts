/**
 * A search that is stopped at random moments and resumed, as often as it takes, has the totals of one run: for every engine whose
 * work can be split. The others leave nothing to go on with, and count nothing twice.
 */
import { describe, expect, test } from 'vitest'
import { loadPrograms } from '../../src/check/load.ts'
import { checkRequest } from '../../src/check/request.ts'
import { runCheck } from '../../src/check/run.ts'
import { Random } from '../../src/core/random.ts'
import type { Counts, Verdict, WorkUnit } from '../../src/core/verdict.ts'
import { engines } from '../../src/engines/registry.ts'
import type { Program } from '../../src/program/program.ts'
import { offers } from '../../src/semantics/derive.ts'

const corpus = [
  'chain-replication',
  'choices',
  'firewall',
  'forwarding-tree',
  'healing-partition',
  'lossy-retry',
  'map-reduce',
  'microbenchmarks',
  'one-paxos',
  'paxos',
  'ping-iter',
  'sync',
  'two-phase-commit',
  'two-phase-commit-n',
]

async function programsOf(name: string): Promise<readonly Program[]> {
  const loaded = await loadPrograms(`corpus/${name}/model.check.ts`)
  return loaded.ok ? loaded.value.programs.map(({ program }) => program).slice(0, 4) : []
}

const programs = (await Promise.all(corpus.map(programsOf))).flat()

interface Left {
  readonly units: readonly WorkUnit[]
  readonly counts: Counts
  readonly explored: number
}

async function verdictOf(
  program: Program,
  engine: string,
  { most, resume }: { readonly most?: number; readonly resume?: Left | undefined },
): Promise<Verdict | undefined> {
  const options = engine === 'random' || engine === 'pct' ? { samples: 25 } : {}
  const request = checkRequest(program, { engine, keepGoing: true, maxExecutions: most, time: '20s', options })
  if (!request.ok) return undefined
  const checked = await runCheck(request.value, { resume })
  if (!checked.ok) throw new Error(checked.diagnostics[0]?.message)
  return checked.value.verdict
}

const split = [...new Set(engines.filter(({ units }) => units === 'split').map(({ name }) => name))]
const mostExecutions = 150

describe.each(split)('%s', (engine) => {
  test('stopped and resumed at random moments, has the totals of one run', { timeout: 120_000 }, async () => {
    let compared = 0
    const random = new Random(7)
    for (const program of programs) {
      const whole = await verdictOf(program, engine, { most: mostExecutions })
      // A part that finds a violation ends there; totals are those of searches that find none.
      if (whole?.kind !== 'verified' && whole?.kind !== 'passed') continue
      let part = await verdictOf(program, engine, { most: 1 + random.below(5) })
      for (let runs = 0; part?.kind === 'incomplete' && runs < 500; runs++) {
        const units = JSON.parse(JSON.stringify(part.remaining)) as readonly WorkUnit[]
        const resume = { units, counts: part.counts, explored: part.explored }
        part = await verdictOf(program, engine, { most: 1 + random.below(40), resume })
      }
      compared++
      const { executions, blocked } = whole.counts
      expect(part?.counts, program.name).toMatchObject({ executions, blocked })
      expect(part?.kind, program.name).toBe(whole.kind)
    }
    expect(compared).toBeGreaterThanOrEqual(engine === 'exhaustive' ? 5 : 10)
  })
})

test('a search that cannot be split leaves nothing to resume, and begins anew', async () => {
  const whole = engines.filter(({ units }) => units === 'whole').map(({ name }) => name)
  let stopped = 0
  for (const program of programs) {
    for (const { name, needs } of engines) {
      if (!whole.includes(name) || !offers(program, needs) || needs === 'icet' || needs === 'calls') continue
      const request = checkRequest(program, { engine: name, time: 1 })
      if (!request.ok || request.value.engine.units !== 'whole') continue
      const checked = await runCheck(request.value)
      if (!checked.ok || checked.value.verdict.kind !== 'incomplete') continue
      stopped++
      expect(checked.value.verdict.remaining).toEqual([])
    }
  }
  expect(stopped).toBeGreaterThan(0)
})
