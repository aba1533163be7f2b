/**
 * Checks of the corpus that a real clock stops at random moments, and that are resumed until they are done: totals are those of one run,
 * or the search starts again and counts nothing twice. `resume.test.ts` asks the same where time is counted in questions.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { realHost } from '../../src/check/host.ts'
import { loadPrograms } from '../../src/check/load.ts'
import type { SearchHost } from '../../src/cli/search.ts'
import type { SelectedProgram } from '../../src/cli/select-programs.ts'
import { Random } from '../../src/core/random.ts'
import { engines } from '../../src/engines/registry.ts'
import { isStopped, ran, resumable, resumingHost, totalOf, untilDone } from './resuming.ts'

export interface ResumesTally {
  compared: number
  resumes: number
  restarts: number
  /** By engine: how many programs, each stopped once at least. */
  programs: { [engine: string]: number }
}

export interface ResumesOptions {
  readonly root: string
  readonly seed: number
  /** Of each engine. */
  readonly programs: number
  /** Only engines whose names contain it. */
  readonly only?: string | undefined
}

/** Milliseconds of one run: what takes longer is left out, and what takes less is over before anybody can stop it. */
const longest = 5_000
const shortest = 15

const names = [...new Set(engines.map(({ name }) => name))].filter((name) => !/sequentialize|histories|logs/.test(name))

/** A tally after every program; a disagreement is the last answer. */
export async function* soakResumes(options: ResumesOptions): AsyncGenerator<ResumesTally, string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'allways-resumes-'))
  const tally: ResumesTally = { compared: 0, resumes: 0, restarts: 0, programs: {} }
  const random = new Random(options.seed)
  try {
    for (const engine of names.filter((name) => name.includes(options.only ?? ''))) {
      const models = shuffled(readdirSync(join(options.root, 'corpus')), random)
      for (const model of models) {
        if ((tally.programs[engine] ?? 0) >= options.programs) break
        for (const selected of shuffled(await programsOf(join(options.root, 'corpus', model)), random).slice(0, 3)) {
          const problem = await compared({ engine, selected, random, host: resumingHost(folder) }, tally)
          if (problem !== undefined) return problem
        }
        yield tally
      }
    }
    return undefined
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Asked {
  readonly engine: string
  readonly selected: SelectedProgram
  readonly random: Random
  readonly host: SearchHost
}

async function compared({ engine, selected, random, host }: Asked, tally: ResumesTally): Promise<string | undefined> {
  const isClass = selected.program.sweep !== undefined
  const options = resumable(engine, isClass ? { processes: 2, calls: 1 } : {})
  const startedAt = performance.now()
  const whole = await ran({ selected, options }, { milliseconds: longest, host: realHost })
  const length = performance.now() - startedAt
  if (whole === undefined || isStopped(whole.checked.verdict) || length < shortest) return undefined
  const { verdict, resumes, restarts } = await untilDone({ selected, options }, runs(length, random), host)
  const [expected, found] = [whole.checked.verdict, verdict].map((one) => JSON.stringify(totalOf(one)))
  if (expected !== found) {
    const how = `${resumes} resumes, ${restarts} restarts`
    return `${engine}, ${selected.path} "${selected.program.name}", ${how}: ${found} instead of ${expected}`
  }
  tally.compared++
  tally.resumes += resumes
  tally.restarts += restarts
  if (resumes + restarts > 0) tally.programs[engine] = (tally.programs[engine] ?? 0) + 1
  return undefined
}

/** A fraction of one run at first, and what starts again has more time every time. */
function* runs(length: number, random: Random) {
  for (let most = length / 2; ; most *= 1.25) yield { milliseconds: 1 + random.below(Math.ceil(most)), host: realHost }
}

async function programsOf(folder: string): Promise<readonly SelectedProgram[]> {
  const path = ['model.check.ts', 'model.p'].map((name) => join(folder, name)).find(existsSync)
  const loaded = path === undefined ? undefined : await loadPrograms(path)
  if (path === undefined || loaded?.ok !== true) return []
  return loaded.value.programs.map((one) => ({ ...one, path, loaded: loaded.value }))
}

function shuffled<Item>(items: readonly Item[], random: Random): readonly Item[] {
  const left = [...items]
  return items.map(() => left.splice(random.below(left.length), 1)[0] as Item)
}
