/**
 * Two searches from the same state, in turn in one thread: the local one (LMC §4), which goes deep where invariants name few
 * states, and the global one (LMC §3.2), which finds shortest executions and ends early in small spaces. The first answer
 * counts: a violation, or that there is none.
 */
import type { Diagnostic } from '../../core/diagnostic.ts'
import { defaultsOf } from '../../core/options.ts'
import type { Counts } from '../../core/verdict.ts'
import type { Found, Host } from '../../distribute/driver.ts'
import type { Engine, EngineEvent, EngineRequest } from '../../engines/engine.ts'
import type { LocalCounts } from '../../engines/local/counts.ts'
import { local } from '../../engines/local/local.ts'
import { stateful } from '../../engines/stateful/stateful.ts'
import type { Machines } from '../../program/machines.ts'
import type { ViewName, Views } from '../../program/program.ts'

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
}

/** Timers and signals get their turn at least so often, as far as engines allow. */
const sliceMilliseconds = 50
const turnMilliseconds = 20
/** Signs of progress that the local search has ahead of the other: small answers do not depend on how fast the computer is. */
const headStart = 16
/** If they come so slowly, it is no small answer. */
const headStartMilliseconds = 300

export async function race(machines: Machines, limits: RaceLimits, host: Host): Promise<Raced> {
  const startedAt = host.now()
  const [first, second] = [runner(local, machines, headStart), runner(stateful, { machines }, 0)]
  const end = (because: EndOfRace, by?: Runner): Raced => {
    for (const one of [first, second]) one.end()
    return {
      because,
      by: by?.name,
      found: by?.found,
      diagnostic: by?.diagnostic,
      local: { ...noLocalCounts, ...first.counts },
      stateful: { ...noCounts, ...second.counts },
      milliseconds: host.now() - startedAt,
    }
  }
  for (const one of [first, second]) if (limits.engine !== undefined && limits.engine !== one.name) one.end()
  for (let pausedAt = startedAt; ; ) {
    // Whose turns took less time so far: one look of the local search can take as long as a thousand steps of the other.
    const one = second.isEnded || (!first.isEnded && first.spent <= second.spent) ? first : second
    const because = one.turn(host, startedAt + limits.milliseconds)
    if (because !== undefined) return end(because, one)
    const now = host.now()
    if (now - startedAt >= limits.milliseconds) return end('time')
    if (now - pausedAt < sliceMilliseconds) continue
    await host.pause()
    pausedAt = host.now()
    if (limits.signal?.aborted === true) return end('interrupt')
    const memory = host.memory()
    if (memory >= limits.memory.one) second.end()
    if (memory >= limits.memory.both || (first.isEnded && second.isEnded)) return end('memory')
  }
}

function runner<View extends ViewName>(engine: Engine<View>, subject: Views[View], ahead: number): Runner {
  return new Runner(engine.name as RaceEngine, engine.explore(subject, defaultsOf(engine.options)), ahead)
}

type Answer = 'violation' | 'exhausted' | 'diagnostic'

class Runner {
  readonly name: RaceEngine
  #exploration: Generator<EngineEvent, void, EngineRequest> | undefined
  readonly #headStart: number
  #signs = 0
  /** Milliseconds. */
  spent = 0
  counts: Counts = {}
  found: Found | undefined
  diagnostic: Diagnostic | undefined

  constructor(name: RaceEngine, exploration: Generator<EngineEvent, void, EngineRequest>, ahead: number) {
    this.name = name
    this.#exploration = exploration
    this.#headStart = ahead
  }

  get isEnded(): boolean {
    return this.#exploration === undefined
  }

  /** Explores for a while; says why, if there is an answer. Engines can be stopped where they show progress. */
  turn(host: Host, deadline: number): Answer | undefined {
    const startedAt = host.now()
    const least = Math.min(startedAt + headStartMilliseconds, deadline)
    const answer = this.#explore(host, { until: Math.min(startedAt + turnMilliseconds, deadline), least })
    this.spent += host.now() - startedAt
    return answer
  }

  /** Lets go of what it remembers. */
  end(): void {
    this.#exploration?.return()
    this.#exploration = undefined
  }

  #explore(host: Host, { until, least }: { readonly until: number; readonly least: number }): Answer | undefined {
    while (this.#exploration !== undefined) {
      const { done, value } = this.#exploration.next(undefined)
      if (done === true) return 'exhausted'
      if (value.kind === 'progress' || value.kind === 'ending') this.counts = value.counts
      if (value.kind === 'progress' && host.now() >= (++this.#signs > this.#headStart ? until : least)) return undefined
      if (value.kind === 'violation') {
        const { violation, decisions, foundIn } = value
        this.found = { violation, decisions, foundIn }
        return 'violation'
      }
      if (value.kind === 'diagnostic') {
        this.diagnostic = value.diagnostic
        return 'diagnostic'
      }
    }
    return undefined
  }
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
