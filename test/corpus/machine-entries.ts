/** The corpus entries about systems of machines, with the answers their `machines.json` gives, and one search of one of them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { sameViolation, type Violation } from '../../src/core/property.ts'
import type { Decision, Params } from '../../src/core/trace.ts'
import type { EngineEvent, EngineSetting } from '../../src/engines/engine.ts'
import type { LocalCounts } from '../../src/engines/local/counts.ts'
import { local } from '../../src/engines/local/local.ts'
import { pct } from '../../src/engines/random/pct.ts'
import { stateful } from '../../src/engines/stateful/stateful.ts'
import type { Machines } from '../../src/program/machines.ts'
import { isProgram, type Program } from '../../src/program/program.ts'
import { runnableOf } from '../../src/semantics/machines/runnable.ts'
import { replay } from '../../src/semantics/replay.ts'
import { pathsOf } from '../../src/semantics/world-path.ts'

/** Searches of all there is, and samples of it for systems that are too large for those. */
export const machineEngines = ['local', 'stateful', 'pct'] as const
export type MachineEngine = (typeof machineEngines)[number]

type Count = 'states' | 'transitions' | 'systemStates' | 'messages' | 'rejected'

/** What a search comes to; counts of the whole search, those that are told. */
export type MachineAnswer = { readonly verdict: 'verified' | 'passed' | 'violated' } & {
  readonly [count in Count]?: number
}

/** One setting of parameters; engines that would take too long are left out. A row with `seconds` is slow. */
export type MachineRow = {
  readonly params?: Params
  /** The invariant, or the failing assertion, that is violated. */
  readonly violates?: string
  readonly seconds?: number
} & { readonly [engine in MachineEngine]?: MachineAnswer }

export interface MachineEntry {
  readonly name: string
  readonly programs: ReadonlyMap<string, Program>
  readonly answers: { readonly [exportName: string]: readonly MachineRow[] }
}

const corpus = fileURLToPath(new URL('../../corpus/', import.meta.url))

export async function readMachineEntries(): Promise<readonly MachineEntry[]> {
  const names = readdirSync(corpus).filter((name) => existsSync(join(corpus, name, 'machines.json')))
  return Promise.all(names.map(readMachineEntry))
}

async function readMachineEntry(name: string): Promise<MachineEntry> {
  const models: unknown = await import(pathToFileURL(join(corpus, name, 'model.check.ts')).href)
  const programs = Object.entries(models as object).filter((pair): pair is [string, Program] => isProgram(pair[1]))
  const answers = JSON.parse(readFileSync(join(corpus, name, 'machines.json'), 'utf8')) as MachineEntry['answers']
  return { name, programs: new Map(programs), answers }
}

export function machinesFor(program: Program, params: Params = {}): Machines {
  const view = program.views.machines
  if (view === undefined) throw new Error(`${program.name} offers no machines`)
  return view({ params: { ...program.params, ...params }, network: program.network }, {})
}

export interface Searched {
  readonly answer: MachineAnswer
  /** The first, as the judge saw it. */
  readonly violation: Violation | undefined
  /** What leads to it. */
  readonly decisions: readonly Decision[]
}

/** A search to its end, or to the first violation, which the judge must confirm. */
export function searched(machines: Machines, engine: MachineEngine): Searched {
  let counts: Partial<LocalCounts> = {}
  for (const event of eventsOf(machines, engine)) {
    if (event.kind === 'diagnostic') throw new Error(`${event.diagnostic.code}: ${event.diagnostic.message}`)
    if (event.kind === 'progress') counts = event.counts
    if (event.kind !== 'violation') continue
    const { violations } = replay(pathsOf(runnableOf(machines, {})), event.decisions, { places: false })
    const violation = violations.find((one) => sameViolation(one, event.violation))
    if (violation === undefined) throw new Error(`${engine} found what the judge did not: ${event.violation.message}`)
    return { answer: { verdict: 'violated' }, violation, decisions: event.decisions }
  }
  const told = (['states', 'transitions', 'systemStates', 'messages', 'rejected'] as const).flatMap((count) =>
    counts[count] === undefined ? [] : [[count, counts[count]]],
  )
  const verdict = engine === 'pct' ? 'passed' : 'verified'
  return { answer: { verdict, ...Object.fromEntries(told) }, violation: undefined, decisions: [] }
}

function eventsOf(machines: Machines, engine: MachineEngine): Iterable<EngineEvent> {
  const setting: EngineSetting = { seed: 1, schedule: 'left-to-right', eager: false, samples: 200, depth: 3 }
  switch (engine) {
    case 'local':
      return local.explore(machines, setting, local.root())
    case 'stateful':
      return stateful.explore({ machines }, setting, stateful.root())
    case 'pct':
      return pct.explore(pathsOf(runnableOf(machines, {})), setting, pct.root())
  }
}
