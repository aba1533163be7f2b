/**
 * What the sampling engines share: executions numbered from 0, each drawn from the seed and its own number alone. So a range
 * of samples can be split anywhere, run in any order and place, and every sample stays what it was.
 */

import { DiagnosticError } from '../../core/diagnostic.ts'
import { type OptionDeclarations, type OptionValue, seedOption } from '../../core/options.ts'
import type { Violation } from '../../core/property.ts'
import { Random } from '../../core/random.ts'
import type { Decision } from '../../core/trace.ts'
import { countedExecutions, exploredIn, noCounts, type Rest, unitFormat } from '../../core/verdict.ts'
import { news } from '../../program/news.ts'
import { type Paths, type Walk, walkOf } from '../../program/path.ts'
import type { Engine, EngineEvent, EngineRequest, WorkUnit } from '../engine.ts'

/** Chooses one of the decisions, of which there is at least one; or the end, which is as likely as each of them where it may be. */
export type Picker = (decisions: readonly Decision[], mayEnd: boolean) => Decision | undefined

/** The picker of each sample, by its number. */
type Sampler = (subject: Paths, options: SamplingOptions) => (sample: number) => Picker

/** Options of the engine, with the seed of the unit. */
interface SamplingOptions {
  readonly seed: number
  readonly samples: number
  readonly [own: string]: OptionValue
}

const samplingOptions = {
  seed: seedOption,
  samples: { form: 'count', default: 10_000, help: 'executions to sample' },
} as const

/** The samples `from` up to but not including `to`; null stands for what the options say. */
interface SampleRange {
  readonly seed: number | null
  readonly from: number
  readonly to: number | null
}

interface SamplingEngine {
  readonly name: string
  readonly summary: string
  readonly options?: OptionDeclarations
  readonly sampler: Sampler
}

export function samplingEngine({ name, summary, options: own, sampler }: SamplingEngine): Engine<'path'> {
  return {
    name,
    summary,
    needs: 'path',
    decides: ['assertion', 'exception', 'deadlock', 'monitor', 'final', 'invariant', 'linearizability', 'refinement'],
    claims: 'passed',
    options: { ...samplingOptions, ...own },
    counted: countedExecutions,
    units: 'split',
    weighs: (unit, { samples }) => weightOf(rangeOf(name, unit), samples as number),
    addsUp: (rest, options) => samplesAddUp(name, rest, options as SamplingOptions),
    *explore(subject, options, unit) {
      const asked = options as SamplingOptions
      try {
        const range = rangeOf(name, unit)
        const seed = range.seed ?? asked.seed
        const to = range.to ?? asked.samples
        const pickerOf = sampler(subject, { ...asked, seed })
        yield* samples(subject, { name, seed, from: range.from, to, total: asked.samples }, pickerOf)
      } catch (error) {
        if (!(error instanceof DiagnosticError)) throw error
        yield { kind: 'diagnostic', diagnostic: error.diagnostic }
      }
    },
  }
}

/** The generator of one sample. */
export function randomOf(seed: number, sample: number): Random {
  // Splitmix generators whose states differ by a multiple of its increment are one sequence shifted; two rounds of mixing
  // keep the samples' sequences apart.
  return new Random(new Random(seed).next() ^ Math.imul(sample + 1, 0x85ebca6b)).split()
}

interface Job {
  readonly name: string
  readonly seed: number
  readonly from: number
  readonly to: number
  /** Samples of the whole search. */
  readonly total: number
}

function* samples(
  subject: Paths,
  job: Job,
  pickerOf: (sample: number) => Picker,
): Generator<EngineEvent, void, EngineRequest> {
  let { to } = job
  const begin = subject.walks?.() ?? (() => walkOf(subject.begin()))
  for (let sample = job.from; sample < to; sample++) {
    const shares = { before: (sample - job.from) / job.total, after: (sample + 1 - job.from) / job.total }
    // Who picks may go along a path of its own first, and at most one lives.
    const pick = pickerOf(sample)
    const request = yield* execution(begin(), pick, shares)
    if (request === undefined) continue
    // Sharing gives away the later half and keeps at least one sample; surrendering gives away everything.
    const next = request === 'surrender, unfinished' ? sample : sample + 1
    const middle = request === 'share' ? next + Math.ceil((to - next) / 2) : next
    if (middle < to) yield { kind: 'surplus', unit: unitOf(job.name, { seed: job.seed, from: middle, to }) }
    to = middle
  }
}

/** Steps between two looks at the budgets: each may take milliseconds. */
const pauseEvery = 16

/** One execution to its end, or to the pause at which it is given up; the last thing the driver asked for meanwhile. */
function* execution(
  path: Walk,
  pick: Picker,
  explored: { readonly before: number; readonly after: number },
): Generator<EngineEvent, EngineRequest | 'surrender, unfinished', EngineRequest> {
  const taken: Decision[] = []
  let request: EngineRequest
  const told: Violation[] = []
  for (;;) {
    const violations = path.violations()
    for (const violation of violations.length + told.length === 0 ? violations : news(violations, told)) {
      const found = { kind: 'violation', violation, decisions: [...taken], foundIn: taken.length } as const
      request = (yield found) ?? request
    }
    const moves = path.enabled()
    const decisions = path.faults === undefined ? moves : [...moves, ...path.faults()]
    // Where nothing moves any more something may still go wrong: a machine that comes back goes on.
    const decision = decisions.length === 0 ? undefined : pick(decisions, moves.length === 0)
    if (decision === undefined) break
    taken.push(decision)
    path.take(decision)
    if (taken.length % pauseEvery > 0) continue
    const asked = yield { kind: 'progress', counts: noCounts, explored: explored.before }
    if (asked === 'surrender') return 'surrender, unfinished'
    request = asked ?? request
  }
  const blocked = path.isBlocked()
  const { length } = path
  const decisions = () => [...taken]
  return (yield { kind: 'execution', blocked, events: length, length, explored: explored.after, decisions }) ?? request
}

function weightOf({ from, to }: SampleRange, samples: number): number {
  return ((to ?? samples) - from) / samples
}

/** Each sample is one execution: those that there were and those that are left are all that were asked for. */
function samplesAddUp(name: string, { counts, explored, units }: Rest, { samples }: SamplingOptions): boolean {
  const done = exploredIn(counts, countedExecutions)
  const left = units.map((unit) => rangeOf(name, unit)).map(({ from, to }) => ({ from, to: to ?? samples }))
  const inOrder = left.toSorted((one, other) => one.from - other.from)
  const isApart = inOrder.every(({ from, to }, at) => from < to && to <= (inOrder[at + 1]?.from ?? samples))
  const open = left.reduce((sum, { from, to }) => sum + to - from, 0)
  return isApart && done + open === samples && Math.round(explored * samples) === done
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

function unitOf(engine: string, state: SampleRange): WorkUnit {
  return { format: unitFormat, engine, state }
}

/** The range in a unit that may come from a file or another machine. */
function rangeOf(engine: string, unit: WorkUnit | undefined): SampleRange {
  if (unit === undefined) return { seed: null, from: 0, to: null }
  const state = unit.state as Partial<SampleRange> | null
  const fits =
    unit.format === unitFormat &&
    unit.engine === engine &&
    typeof state === 'object' &&
    state !== null &&
    (state.seed === null || Number.isInteger(state.seed)) &&
    isCount(state.from) &&
    (state.to === null || isCount(state.to))
  if (!fits)
    throw new DiagnosticError({
      code: 'E405',
      message: `this work unit was not made by the ${engine} engine, or is damaged`,
      hint: 'begin the search again, without the checkpoint',
    })
  return state as SampleRange
}
