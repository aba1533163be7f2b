/**
 * Two searches from the same state, in turn in one thread: the local one (LMC §4), which goes deep where invariants name few
 * states, and the global one (LMC §3.2), which finds shortest executions and ends early in small spaces. The first answer
 * counts: a violation, or that there is none.
 */
import type { Diagnostic } from '../../core/diagnostic.ts'
import { defaultsOf } from '../../core/options.ts'
import type { Counts } from '../../core/verdict.ts'
import type { Found, Host } from '../../distribute/driver.ts'
import { type Contender, driveInTurn } from '../../distribute/in-turn.ts'
import type { Engine } from '../../engines/engine.ts'
import type { LocalCounts } from '../../engines/local/counts.ts'
import { local } from '../../engines/local/local.ts'
import { localRefusal } from '../../engines/local/networks.ts'
import { stateful } from '../../engines/stateful/stateful.ts'
import type { Machines } from '../../program/machines.ts'
import type { ViewName, Views } from '../../program/program.ts'
import type { GlobalStates } from '../../program/stateful.ts'

export const raceEngines = ['local', 'stateful'] as const
export type RaceEngine = (typeof raceEngines)[number]
export type EndOfRace = 'violation' | 'exhausted' | 'diagnostic' | 'time' | 'memory' | 'interrupt'

interface StateCounts extends Counts {
  readonly states: number
  readonly transitions: number
  readonly irreducible: number
  readonly traces: number
  readonly finals: number
}

export interface Raced {
  readonly because: EndOfRace
  /** Who answered first. */
  readonly by: RaceEngine | undefined
  readonly found: Found | undefined
  readonly diagnostic: Diagnostic | undefined
  readonly local: LocalCounts
  readonly stateful: StateCounts
  readonly milliseconds: number
}

export interface RaceLimits {
  readonly milliseconds: number
  /** Both, unless one is named. */
  readonly engine?: RaceEngine | undefined
  /** Bytes in use: beyond the first the global search is given up, which remembers most; beyond the second the race. */
  readonly memory: { readonly one: number; readonly both: number }
  readonly signal?: AbortSignal | undefined
  /** Objects that the system refines, which the global search decides alone, and their calls until now. */
  readonly refined?: Pick<GlobalStates, 'refines' | 'called'> | undefined
}

/** See `Contender.headStart`. */
const headStart = 16

export async function race(machines: Machines, limits: RaceLimits, host: Host): Promise<Raced> {
  const { refined = {} } = limits
  const startedAt = host.now()
  const { memory } = limits
  // What local cannot count is left to the other search, unless somebody asks for it.
  const isForBoth = localRefusal(machines) === undefined && (refined.refines ?? []).length === 0
  const engine = limits.engine ?? (isForBoth ? undefined : 'stateful')
  const contenders = [
    contender(local, machines, { ...limits, bytes: memory.both, headStart }),
    contender(stateful, { machines, ...refined }, { ...limits, bytes: memory.one }),
  ].filter(({ search }) => engine === undefined || engine === search.engine.name)
  const { because, by, driven } = await driveInTurn(contenders, host)
  const winner = by === undefined ? undefined : driven[by]
  const countsOf = (name: RaceEngine): Counts =>
    driven[contenders.findIndex(({ search }) => search.engine.name === name)]?.counts ?? {}
  return {
    because: because as EndOfRace,
    by: by === undefined ? undefined : (contenders[by]?.search.engine.name as RaceEngine),
    found: winner?.found[0],
    diagnostic: winner?.diagnostic,
    local: { ...noLocalCounts, ...countsOf('local') },
    stateful: { ...noCounts, ...countsOf('stateful') },
    milliseconds: host.now() - startedAt,
  }
}

interface ContenderLimits {
  readonly milliseconds: number
  readonly bytes: number
  readonly signal?: AbortSignal | undefined
  readonly headStart?: number
}

function contender<View extends ViewName>(
  engine: Engine<View>,
  subject: Views[View],
  { milliseconds, bytes, signal, headStart: ahead }: ContenderLimits,
): Contender {
  const search = { engine, subject, options: defaultsOf(engine.options) }
  return { search, watch: { budget: { milliseconds, bytes }, keepGoing: false, signal }, headStart: ahead }
}

const noCounts: StateCounts = { states: 0, transitions: 0, irreducible: 0, traces: 0, finals: 0 }
const noLocalCounts: LocalCounts = {
  ...noCounts,
  depth: 0,
  messages: 0,
  systemStates: 0,
  soundnessChecks: 0,
  rejected: 0,
}
