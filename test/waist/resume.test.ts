/**
 * A search that is stopped at random moments and resumed, as often as it takes, has the totals of one run: for every engine and every
 * kind of program, through the files that `--resume` reads. A search that leaves nothing to go on with starts again, and counts
 * nothing twice.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { loadPrograms } from '../../src/check/load.ts'
import type { CheckOptions } from '../../src/check/request.ts'
import { kept } from '../../src/cli/search.ts'
import type { SelectedProgram } from '../../src/cli/select-programs.ts'
import { orThrow } from '../../src/core/diagnostic.ts'
import { Random } from '../../src/core/random.ts'
import { engines } from '../../src/engines/registry.ts'
import { cut, isLittle, isQuick, isSlow } from '../amount.ts'
import { tick, tickingHost } from '../ticking-host.ts'
import { isStopped, type Run, ran, resumable, resumedSearch, resumingHost, totalOf, untilDone } from './resuming.ts'

interface Asked {
  readonly model: string
  readonly name: string
  readonly options?: CheckOptions
}

const classes: CheckOptions = { processes: 2, calls: 1 }

/** Small programs, some of which break what they promise. */
const corpus: readonly Asked[] = [
  { model: 'chain-replication', name: '' },
  { model: 'choices', name: '' },
  { model: 'two-phase-commit', name: '' },
  { model: 'two-phase-commit-faults', name: 'crashing' },
  { model: 'lossy-retry', name: '' },
  { model: 'healing-partition', name: 'goes on' },
  { model: 'lease-lock', name: '' },
  { model: 'paxos', name: '', options: { params: { proposals: 1 } } },
  { model: 'forwarding-tree', name: '' },
  { model: 'primary-backup', name: '' },
  { model: 'coarse-map', name: '', options: classes },
  { model: 'rate-limiter', name: '', options: classes },
  { model: 'p-counter', name: 'counter5' },
  { model: 'p-token-ring', name: 'three' },
]

/** For every change; all engines and all programs with `AMOUNT=all`. */
const thorough: { readonly [engine: string]: readonly string[] } = {
  dpor: ['choices', 'two-phase-commit', 'lossy-retry'],
  exhaustive: ['choices', 'healing-partition'],
  random: ['choices', 'lossy-retry', 'rate-limiter'],
  pct: ['forwarding-tree', 'primary-backup'],
  stateful: ['lease-lock', 'primary-backup', 'rate-limiter'],
  local: ['lease-lock', 'paxos', 'forwarding-tree'],
  symbolic: ['p-counter', 'p-token-ring'],
}

const folder = mkdtempSync(join(tmpdir(), 'allways-resume-'))
afterAll(() => rmSync(folder, { recursive: true }))

const searchHost = resumingHost(folder)

/** Until it has asked for the time so often. */
function asking(questions: number): Run {
  return { milliseconds: tick * questions, host: tickingHost() }
}

/** Each run may take about twice as long as the one before. */
function* longerAndLonger(random: Random): Generator<Run, undefined> {
  for (let questions = 1 + random.below(5); ; questions += 1 + random.below(2 * questions)) yield asking(questions)
}

const names = [...new Set(engines.map(({ name }) => name))].filter((name) => !/sequentialize|histories|logs/.test(name))
/** What takes longer in one run is left out; searches that remember states ask once in a thousand steps. */
const mostQuestions = isSlow ? 6_000 : 3_000
const mostOfWhole = 4_000

async function programsOf({ model, name }: Asked): Promise<readonly SelectedProgram[]> {
  const path = `corpus/${model}/model.${model.startsWith('p-') ? 'p' : 'check.ts'}`
  const file = orThrow(await loadPrograms(path))
  const programs = file.programs.filter(({ program }) => program.name.includes(name))
  return programs.slice(0, isSlow ? 4 : 1).map((one) => ({ ...one, path, loaded: file }))
}

/** Quickly, one of the programs. */
function asked(engine: string): readonly string[] {
  return (thorough[engine] ?? []).slice(0, isQuick ? 1 : isLittle ? 2 : undefined)
}

describe.each(names)('%s', cut, (engine) => {
  const isSplit = engines.some(({ name, units }) => name === engine && units === 'split')
  test('stopped at random moments and resumed, has the totals of one run', async () => {
    const random = new Random(names.indexOf(engine) + 1)
    let [compared, interrupted] = [0, 0]
    const models = corpus.filter(({ model }) => isSlow || asked(engine).includes(model))
    const programs = await Promise.all(models.map(programsOf))
    for (const [at, selected] of programs.flatMap((all, at) => all.map((one) => [at, one] as const))) {
      const options = resumable(engine, models[at]?.options)
      const whole = await ran({ selected, options }, asking(isSplit ? mostQuestions : mostOfWhole))
      if (whole === undefined || isStopped(whole.checked.verdict)) continue
      const { verdict, resumes, restarts } = await untilDone({ selected, options }, longerAndLonger(random), searchHost)
      expect(totalOf(verdict), `${selected.program.name}: ${resumes} resumes, ${restarts} restarts`).toEqual(
        totalOf(whole.checked.verdict),
      )
      compared++
      interrupted += resumes + restarts
    }
    expect(compared).toBeGreaterThanOrEqual(Math.max(1, asked(engine).length))
    expect(interrupted).toBeGreaterThanOrEqual(compared)
  })
})

test('a search that is stopped in its first execution is resumed', async () => {
  const [selected] = await programsOf({ model: 'two-phase-commit', name: '' })
  if (selected === undefined) throw new Error('the model has a program')
  const search = { selected, options: { engine: 'dpor', network: 'bag', keepGoing: true } } as const
  const stopped = await ran(search, asking(1))
  if (stopped === undefined) throw new Error('dpor explores processes')
  expect(stopped.checked.verdict.counts).toMatchObject({ executions: 0, blocked: 0, events: expect.any(Number) })
  const { checkpoint } = await kept({ search, ...stopped }, searchHost)
  const again = await ran(await resumedSearch(checkpoint as string), asking(mostQuestions))
  const whole = await ran(search, asking(mostQuestions))
  expect(again?.checked.verdict.counts).toEqual(whole?.checked.verdict.counts)
})
