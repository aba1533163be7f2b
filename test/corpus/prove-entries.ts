/**
 * The corpus entries that say in a `prove.json` what a proof for all sizes comes to, with what is true of some sizes: rows of
 * `expected.json` that also name the violation and count the messages nobody reads.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Params } from '../../src/core/trace.ts'
import { findEngine } from '../../src/engines/registry.ts'
import { isProgram, type Program, type Runnable } from '../../src/program/program.ts'
import { deadlockFreedom } from '../../src/properties/deadlock.ts'
import { replay } from '../../src/semantics/replay.ts'
import { pathsOf } from '../../src/semantics/world-path.ts'
import type { Cell } from './explore.ts'

export const reasons = [
  'asymmetric race',
  'superfluous send',
  'indiscriminate communication',
  'loop-carried termination',
] as const
export type Reason = (typeof reasons)[number]

export type ProveAnswer =
  | { readonly prove: 'proved' }
  /** With the least sizes that show it. */
  | { readonly prove: 'violated'; readonly params: Params }
  | { readonly prove: 'not canonical'; readonly reason: Reason }

/** How a program can be wrong; where executions end in different ways, the first of these is told. */
const violations = ['assertion', 'exception', 'deadlock'] as const

/** What is true of one size, on `fifo`. */
export interface Truth extends Cell {
  /** How it is violated, if it is. */
  readonly violation?: (typeof violations)[number]
  /** The most messages that one execution leaves unread. */
  readonly orphans: number
}

export interface ProveCase {
  readonly folder: string
  readonly file: string
  readonly exportName: string
  readonly program: Program
  readonly answer: ProveAnswer
  readonly truths: readonly { readonly params: Params; readonly truth: Truth; readonly slow: boolean }[]
}

interface TruthRow {
  readonly params?: Params
  readonly dpor: { readonly fifo: Cell }
  readonly violation?: Truth['violation']
  readonly orphans?: number
  readonly seconds?: number
}

export interface ProveEntry {
  readonly folder: string
  readonly programs: ReadonlyMap<string, Program>
  readonly answers: { readonly [exportName: string]: ProveAnswer }
}

const corpus = fileURLToPath(new URL('../../corpus/', import.meta.url))

export async function readProveEntries(): Promise<readonly ProveEntry[]> {
  const folders = readdirSync(corpus, { withFileTypes: true }).filter((item) => item.isDirectory())
  const names = folders.map(({ name }) => name).filter((name) => existsSync(join(corpus, name, 'prove.json')))
  return Promise.all(names.map(readEntry))
}

async function readEntry(folder: string): Promise<ProveEntry> {
  const models: unknown = await import(pathToFileURL(join(corpus, folder, 'model.check.ts')).href)
  const programs = Object.entries(models as object).filter((pair): pair is [string, Program] => isProgram(pair[1]))
  return { folder, programs: new Map(programs), answers: read(folder, 'prove.json') as ProveEntry['answers'] }
}

export function casesOf({ folder, programs, answers }: ProveEntry): readonly ProveCase[] {
  const rows = read(folder, 'expected.json') as { readonly [exportName: string]: TruthRow | readonly TruthRow[] }
  return [...programs].flatMap(([exportName, program]) => {
    const answer = answers[exportName]
    if (answer === undefined) return []
    const file = join(corpus, folder, 'model.check.ts')
    const truths = [rows[exportName] ?? []].flat().map((row: TruthRow) => ({
      params: row.params ?? {},
      truth: truthOf(row),
      slow: row.seconds !== undefined,
    }))
    return [{ folder, file, exportName, program, answer, truths }]
  })
}

function truthOf({ dpor: { fifo }, violation, orphans = 0 }: TruthRow): Truth {
  return violation === undefined ? { ...fifo, orphans } : { ...fifo, violation, orphans }
}

function read(folder: string, file: string): unknown {
  return JSON.parse(readFileSync(join(corpus, folder, file), 'utf8'))
}

/** What dpor finds; undefined if it takes more executions than that. */
export function explored(program: Program, params: Params, most = Number.POSITIVE_INFINITY): Truth | undefined {
  const engine = findEngine('dpor')
  if (engine === undefined) throw new Error('there is no engine "dpor"')
  const subject = subjectOf(program, params)
  const setting = { seed: 1, schedule: 'left-to-right', eager: false, samples: 0, depth: 0 } as const
  const counts = { executions: 0, blocked: 0 }
  const found = new Set<string>()
  let orphans = 0
  for (const event of engine.explore(subject, setting, engine.root())) {
    if (event.kind === 'diagnostic') throw new Error(`${event.diagnostic.code}: ${event.diagnostic.message}`)
    if (event.kind === 'violation') found.add(event.violation.kind)
    if (event.kind !== 'execution') continue
    counts[event.blocked ? 'blocked' : 'executions']++
    if (counts.executions + counts.blocked > most) return undefined
    orphans = Math.max(orphans, unread(subject, event.decisions()))
  }
  const violation = violations.find((kind) => found.has(kind))
  if (violation === undefined) return { verdict: 'verified', ...counts, orphans }
  return { verdict: 'violated', ...counts, violation, orphans }
}

function subjectOf(program: Program, params: Params): Runnable {
  const view = program.views.runnable
  if (view === undefined) throw new Error(`${program.name} offers no runnable view`)
  const subject = view({ params: { ...program.params, ...params }, network: 'fifo' }, {})
  return { ...subject, endChecks: [...subject.endChecks, deadlockFreedom] }
}

function unread(subject: Runnable, decisions: Parameters<typeof replay>[1]): number {
  const { events } = replay(pathsOf(subject), decisions, { places: false })
  const of = (kind: 'send' | 'receive') => events.filter((event) => event.kind === kind).length
  return of('send') - of('receive')
}
