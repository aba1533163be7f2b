/**
 * One search of one program by one engine, in a process of its own: what it has come to is told from time to time, so that a search that is stopped has
 * figures, too.
 */
import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { checkResult } from '../../src/check/check.ts'
import { loadPrograms } from '../../src/check/load.ts'
import { loadModel } from '../../src/check/load-p-models.ts'
import { optimiseLate } from '../../src/cli/late-optimising.ts'
import { orThrow } from '../../src/core/diagnostic.ts'
import { optionsFrom } from '../../src/core/options.ts'
import { settingFrom } from '../../src/core/setting.ts'
import type { Counts } from '../../src/core/verdict.ts'
import { dpor } from '../../src/engines/dpor/dpor.ts'
import type { EngineEvent } from '../../src/engines/engine.ts'
import { statefulIr } from '../../src/engines/stateful/ir/ir-search.ts'
import type { SearchOptions, SymbolicOptions } from '../../src/engines/symbolic/options.ts'
import { SymbolicSearch } from '../../src/engines/symbolic/search.ts'
import { symbolic } from '../../src/engines/symbolic/symbolic.ts'
import { unfitFor } from '../../src/engines/symbolic/unfit.ts'
import type { LoadedProgram } from '../../src/frontends/frontend.ts'
import type { Program } from '../../src/program/program.ts'
import { ProgramViews } from '../../src/semantics/derive.ts'
import { secondsSince } from '../measure.ts'
import type { Row } from './rows.ts'

export interface Question {
  readonly file: string
  readonly test: string
  readonly abstract?: Row['abstract']
  readonly engine: 'stateful' | 'dpor' | 'symbolic' | 'auto'
  readonly options: { readonly [name: string]: string }
  /** Of `auto`: what it may take. */
  readonly seconds: number
}

export interface Figures {
  /** Whether all of it was explored. */
  readonly isDone: boolean
  readonly violations: number
  readonly refused?: string
  /** Of several: who answered. */
  readonly by?: string
  readonly counts: Counts
  readonly cpuSeconds: number
  readonly megabytes: number
  /** Of diagrams: the shares of questions that were answered from what is remembered, of two diagrams and of three. */
  readonly hitRates?: SymbolicSearch['exploration']['diagrams']['hitRates']
}

const secondsBetweenLines = 0.5
/** Asking for CPU time costs more than many an event. */
const millisecondsBetweenLooks = 100

/** Writes lines of figures; the last one counts. */
export async function search(question: Question): Promise<void> {
  // As the command does.
  optimiseLate()
  const programs = await programsOf(question)
  const program = programs.find((one) => one.program.name === question.test)?.program
  if (program === undefined) throw new Error(`${question.file} has no test ${question.test}`)
  const before = process.cpuUsage()
  if (question.engine === 'auto') {
    const verdict = orThrow(await checkResult(program, { engine: 'auto', time: question.seconds * 1000 }))
    const { counts, scope, kind } = verdict
    const found = {
      isDone: kind === 'verified' || kind === 'proved',
      violations: kind === 'violated' ? 1 : 0,
      counts,
      by: scope.engine,
    }
    const megabytes = process.resourceUsage().maxRSS / 1024
    writeSync(1, `${JSON.stringify({ ...found, cpuSeconds: secondsSince(before), megabytes } satisfies Figures)}\n`)
    return
  }
  let counts: Counts = {}
  let [violations, executions, told, looked] = [0, 0, 0, 0]
  let refused: string | undefined
  const tell = (isDone: boolean): void => {
    if (!isDone && performance.now() - looked < millisecondsBetweenLooks) return
    looked = performance.now()
    const cpuSeconds = secondsSince(before)
    if (!isDone && cpuSeconds - told < secondsBetweenLines) return
    told = cpuSeconds
    const megabytes = process.resourceUsage().maxRSS / 1024
    const all = executions === 0 ? counts : { ...counts, executions }
    const hitRates = symbolicSearch?.exploration.diagrams.hitRates
    const known = { ...(refused && { refused }), ...(hitRates && { hitRates }) }
    const figures: Figures = { isDone, violations, counts: all, cpuSeconds, megabytes, ...known }
    writeSync(1, `${JSON.stringify(figures)}\n`)
  }
  const symbolicSearch = knownSearch(program, question)
  for (const event of symbolicSearch?.events() ?? eventsOf(program, question)) {
    if (event.kind === 'progress') counts = event.counts
    if (event.kind === 'execution') executions++
    if (event.kind === 'violation') violations++
    if (event.kind === 'diagnostic') refused = event.diagnostic.message
    tell(false)
  }
  tell(true)
}

async function programsOf({ file, abstract }: Question): Promise<readonly LoadedProgram[]> {
  if (abstract === undefined) return orThrow(await loadPrograms(join(process.cwd(), file))).programs
  const model = { path: file, foreign: {}, refines: [], abstract, test: undefined, legacy: undefined, stack: undefined }
  return orThrow(loadModel(model, process.cwd(), {})).programs
}

const setting = settingFrom({ params: {}, network: 'sender-queue', options: { deadlock: 'error' } })

/** Where nothing is left to a trial, there is one search, which can be asked. */
function knownSearch({ views }: Program, { engine, options }: Question): SymbolicSearch | undefined {
  const chosen = optionsFrom(symbolic.options, options) as SymbolicOptions
  const subject = required(new ProgramViews({ views }, setting).view('ir'))
  const isKnown = engine === 'symbolic' && chosen.mode !== 'auto' && chosen.order !== 'auto'
  if (!isKnown || unfitFor(subject, chosen) !== undefined) return undefined
  return new SymbolicSearch(subject, chosen as SearchOptions)
}

function eventsOf({ views }: Program, { engine, options }: Question): Iterable<EngineEvent> {
  const derived = new ProgramViews({ views }, setting)
  if (engine === 'dpor') return dpor.explore(required(derived.view('runnable')), optionsFrom(dpor.options, options))
  const chosen = engine === 'stateful' ? statefulIr : symbolic
  return chosen.explore(required(derived.view('ir')), optionsFrom(chosen.options, options))
}

function required<T>(view: T | undefined): T {
  if (view === undefined) throw new Error('the program has no such view')
  return view
}
