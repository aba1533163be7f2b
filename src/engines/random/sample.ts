/**
 * What the sampling engines share: executions numbered from 0, each drawn from the seed and its own number alone. So a range
 * of samples can be split anywhere, run in any order and place, and every sample stays what it was.
 */

import { DiagnosticError } from '../../core/diagnostic.ts'
import { Random } from '../../core/random.ts'
import type { Decision } from '../../core/trace.ts'
import { unitFormat } from '../../core/verdict.ts'
import type { Runnable } from '../../program/program.ts'
import { World } from '../../semantics/world.ts'
import type { Engine, EngineEvent, EngineRequest, EngineSetting, WorkUnit } from '../engine.ts'

/** Chooses one of the enabled decisions, of which there is at least one. */
export type Picker = (enabled: readonly Decision[]) => Decision

/** The picker of each sample, by its number. */
export type Sampler = (subject: Runnable, setting: EngineSetting, seed: number) => (sample: number) => Picker

/** The samples `from` up to but not including `to`; null stands for what the setting says. */
interface SampleRange {
  readonly seed: number | null
  readonly from: number
  readonly to: number | null
}

export function samplingEngine(name: string, summary: string, sampler: Sampler): Engine<'runnable'> {
  return {
    name,
    summary,
    needs: 'runnable',
    decides: ['assertion', 'exception', 'deadlock', 'monitor', 'final', 'invariant'],
    claims: 'passed',
    root: () => unitOf(name, { seed: null, from: 0, to: null }),
    *explore(subject, setting, unit) {
      try {
        const range = rangeOf(name, unit)
        const seed = range.seed ?? setting.seed
        const pickerOf = sampler(subject, setting, seed)
        yield* samples(
          subject,
          { name, seed, from: range.from, to: range.to ?? setting.samples, total: setting.samples },
          pickerOf,
        )
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
  subject: Runnable,
  job: Job,
  pickerOf: (sample: number) => Picker,
): Generator<EngineEvent, void, EngineRequest> {
  let { to } = job
  for (let sample = job.from; sample < to; sample++) {
    const request = yield* execution(subject, pickerOf(sample), (sample + 1 - job.from) / job.total)
    if (request === undefined) continue
    // Sharing gives away the later half and keeps at least one sample; surrendering gives away everything.
    const middle = request === 'share' ? sample + 1 + Math.ceil((to - sample - 1) / 2) : sample + 1
    if (middle < to) yield { kind: 'surplus', unit: unitOf(job.name, { seed: job.seed, from: middle, to }) }
    to = middle
  }
}

/** One execution to its end; the last thing the driver asked for meanwhile. */
function* execution(
  subject: Runnable,
  pick: Picker,
  explored: number,
): Generator<EngineEvent, EngineRequest, EngineRequest> {
  const world = new World(subject)
  const path: Decision[] = []
  let request: EngineRequest
  let reported = 0
  for (;;) {
    for (const violation of world.violations.slice(reported)) {
      request = (yield { kind: 'violation', violation, decisions: [...path], foundIn: world.events.length }) ?? request
    }
    reported = world.violations.length
    const moves = world.moves()
    if (moves.length === 0) break
    const enabled = [...moves, ...world.faults()]
    const decision = pick(enabled)
    path.push(decision)
    world.take(decision)
  }
  for (const violation of world.endViolations()) {
    request = (yield { kind: 'violation', violation, decisions: [...path], foundIn: world.events.length }) ?? request
  }
  const blocked = world.isBlocked()
  const { length } = world.events
  return (yield { kind: 'execution', blocked, events: length, length, explored, decisions: () => [...path] }) ?? request
}

function unitOf(engine: string, state: SampleRange): WorkUnit {
  return { format: unitFormat, engine, state }
}

/** The range in a unit that may come from a file or another machine. */
function rangeOf(engine: string, unit: WorkUnit): SampleRange {
  const state = unit.state as Partial<SampleRange> | null
  const fits =
    unit.format === unitFormat &&
    unit.engine === engine &&
    typeof state === 'object' &&
    state !== null &&
    (state.seed === null || Number.isInteger(state.seed)) &&
    Number.isInteger(state.from) &&
    (state.to === null || Number.isInteger(state.to))
  if (!fits)
    throw new DiagnosticError({
      code: 'E405',
      message: `this work unit was not made by the ${engine} engine, or is damaged`,
    })
  return state as SampleRange
}
