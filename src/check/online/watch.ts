/**
 * Online checking (LMC §3.3): round after round from the live state of a running system. A system that does not answer is asked
 * again; what it does meanwhile is its own business. Whoever listens is told everything as it happens.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { type Diagnostic, failure, type Result, success } from '../../core/diagnostic.ts'
import type { Violation } from '../../core/property.ts'
import type { Program } from '../../program/program.ts'
import { type LiveState, liveState } from './live-state.ts'
import type { EndOfRace, RaceEngine } from './race.ts'
import { type Prediction, type RoundResult, runRound } from './round.ts'
import type { SnapshotSource, Taken } from './source.ts'

export interface WatchOptions {
  readonly program: Program
  readonly source: SnapshotSource
  /** Of each round's search. */
  readonly roundMilliseconds: number
  /** Both searches take part in each round, unless one is named. */
  readonly engine?: RaceEngine | undefined
  /** Rounds begin at least so far apart. */
  readonly everyMilliseconds: number
  /** For ever without. */
  readonly rounds: number | undefined
  /** So many attempts in a row that give no snapshot end what has a number of rounds; `usualAttempts` without. */
  readonly attempts?: number | undefined
  /** Go on after a violation was predicted. */
  readonly keepGoing: boolean
  readonly signal: AbortSignal
}

export interface Round extends RoundResult {
  /** From 1. */
  readonly number: number
  readonly live: LiveState
  readonly taken: Taken
  /** Whether an earlier round predicted a violation of the same property. */
  readonly isKnown: boolean
}

export interface WatchEvents {
  /** Called when the first snapshot was taken, and when there is one again after trouble. */
  attached(taken: Taken, isAgain: boolean): void
  round(round: Round): void
  /** No snapshot; it is tried again after so many milliseconds. */
  trouble(diagnostics: readonly Diagnostic[], retryMilliseconds: number): void
}

export interface WatchSummary {
  readonly rounds: number
  /** Rounds by how their search ended. */
  readonly ended: Readonly<Partial<Record<EndOfRace, number>>>
  /** The first of every property, for so many of them. */
  readonly predictions: readonly Prediction[]
  readonly deepest: number
  /** States of machines, over all rounds. */
  readonly states: number
  /** Attempts that gave no snapshot. */
  readonly troubles: number
  /** Of all this time, how much a snapshot was being taken. */
  readonly milliseconds: number
  readonly snapshotMilliseconds: number
  readonly isInterrupted: boolean
  /** Why there was no snapshot so far, if it ended while one was awaited. */
  readonly unanswered: readonly Diagnostic[]
}

/** Half a minute, and what the attempts themselves take: whoever asked for rounds, a script perhaps, is told that there are none. */
export const usualAttempts = 10
const firstRetry = 250
const longestRetry = 5_000
/** Properties whose first prediction is kept: an assertion may have a text for every state. */
const mostKnown = 1_000

/** Ends with diagnostics when asking again cannot help. */
export async function watchOnline(options: WatchOptions, events: WatchEvents): Promise<Result<WatchSummary>> {
  const watch = new Watch(options, events)
  try {
    const problem = await watch.run()
    return problem === undefined ? success(watch.summary()) : failure(...problem)
  } finally {
    options.source.close()
  }
}

class Watch {
  readonly #options: WatchOptions
  readonly #events: WatchEvents
  readonly #startedAt = performance.now()
  readonly #known = new Map<string, Prediction>()
  readonly #ended: Partial<Record<EndOfRace, number>> = {}
  #sums = { rounds: 0, deepest: 0, states: 0, troubles: 0, snapshotMilliseconds: 0 }
  #unanswered: readonly Diagnostic[] = []
  #isAttached = false
  #retry = firstRetry
  /** Attempts since the last snapshot. */
  #failed = 0

  constructor(options: WatchOptions, events: WatchEvents) {
    this.#options = options
    this.#events = events
  }

  async run(): Promise<readonly Diagnostic[] | undefined> {
    const { source, signal, rounds = Number.POSITIVE_INFINITY, attempts = usualAttempts } = this.#options
    while (!signal.aborted && this.#sums.rounds < rounds) {
      const beganAt = performance.now()
      const taken = await source.take(signal)
      if (signal.aborted) {
        this.#unanswered = taken.ok ? [] : taken.diagnostics
        return undefined
      }
      if (!taken.ok) {
        if (!source.isLive || taken.diagnostics.some(({ code }) => code === 'E608')) return taken.diagnostics
        this.#unanswered = taken.diagnostics
        this.#sums = { ...this.#sums, troubles: this.#sums.troubles + 1 }
        if (rounds < Number.POSITIVE_INFINITY && ++this.#failed >= attempts) return undefined
        await this.#trouble(taken.diagnostics)
        continue
      }
      const round = await this.#round(taken.value)
      if (!round.ok) return round.diagnostics
      if (!source.isLive || (round.value.prediction !== undefined && !this.#options.keepGoing)) return undefined
      if (this.#sums.rounds < rounds) await this.#pause(this.#options.everyMilliseconds - (performance.now() - beganAt))
    }
    return undefined
  }

  summary(): WatchSummary {
    return {
      ...this.#sums,
      ended: this.#ended,
      predictions: [...this.#known.values()],
      milliseconds: performance.now() - this.#startedAt,
      isInterrupted: this.#options.signal.aborted,
      unanswered: this.#unanswered,
    }
  }

  async #round(taken: Taken): Promise<Result<RoundResult>> {
    const { program, source, roundMilliseconds, engine, signal } = this.#options
    const live = liveState(program, taken.snapshot, { shown: taken.shown, isLive: source.isLive })
    if (!live.ok) return live
    // Nobody is told of names that are not those of the system.
    if (!this.#isAttached && source.isLive) this.#events.attached(taken, this.#sums.troubles > 0)
    this.#isAttached = true
    this.#retry = firstRetry
    this.#failed = 0
    this.#unanswered = []
    const result = await runRound(live.value, { milliseconds: roundMilliseconds, engine, signal })
    if (!result.ok) return result
    this.#count(result.value, taken)
    const { prediction } = result.value
    const key = prediction && brokenProperty(prediction.counterexample.violation)
    const isKnown = key !== undefined && this.#known.has(key)
    const isKept = !isKnown && this.#known.size < mostKnown
    if (prediction !== undefined && key !== undefined && isKept) this.#known.set(key, prediction)
    this.#events.round({ ...result.value, number: this.#sums.rounds, live: live.value, taken, isKnown })
    return result
  }

  #count({ raced }: RoundResult, { overhead }: Taken): void {
    this.#ended[raced.because] = (this.#ended[raced.because] ?? 0) + 1
    const { rounds, deepest, states, troubles, snapshotMilliseconds } = this.#sums
    this.#sums = {
      rounds: rounds + 1,
      deepest: Math.max(deepest, raced.local.depth),
      states: states + raced.local.states,
      troubles,
      snapshotMilliseconds: snapshotMilliseconds + (overhead?.milliseconds ?? 0),
    }
  }

  async #trouble(diagnostics: readonly Diagnostic[]): Promise<void> {
    this.#isAttached = false
    this.#events.trouble(diagnostics, this.#retry)
    await this.#pause(this.#retry)
    this.#retry = Math.min(longestRetry, this.#retry * 2)
  }

  async #pause(milliseconds: number): Promise<void> {
    if (milliseconds > 0) await wait(milliseconds, undefined, { signal: this.#options.signal }).catch(() => {})
  }
}

/** Messages may speak of values, which are others in every round. */
function brokenProperty({ kind, property, process }: Violation): string {
  return JSON.stringify([kind, property, process ?? null])
}
