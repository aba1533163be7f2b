/** What an engine saw of a program, as equivalence classes: the currency in which engines are compared. */
import type { Violation } from '../../src/core/property.ts'
import type { Decision } from '../../src/core/trace.ts'
import { encodeValue } from '../../src/core/value.ts'
import type { Memory } from '../../src/engines/dpor/histories.ts'
import type { Engine, EngineRequest, Options, WorkUnit } from '../../src/engines/engine.ts'
import type { Runnable } from '../../src/program/program.ts'
import { replay, reproduced } from '../../src/semantics/replay.ts'
import { pathsOf } from '../../src/semantics/world-path.ts'
import { classKey } from './class.ts'

export interface Explored {
  /** How often each class was explored. */
  readonly classes: Map<string, number>
  /** Classes that were reported as blocked. */
  readonly blocked: Set<string>
  readonly violations: Set<string>
  /** Executions as the engine counted them. */
  executions: number
  /** Set when the search was cut off, with the reason. */
  stopped: string | undefined
}

export const usualSetting: Options = { seed: 0, schedule: 'sends-first', eager: false, samples: 100, depth: 3 }

export interface ExploreOptions {
  readonly setting?: Options
  /** Gives up beyond this many executions. */
  readonly cap?: number
  /** What to ask of the engine after its n-th execution in this unit. */
  readonly request?: (execution: number) => EngineRequest
  /** False: nobody asks for classes, so that no execution is judged for its own. */
  readonly classes?: boolean
  /** How much dpor may remember of what processes did. */
  readonly memory?: Memory
}

/** Runs a unit and everything it hands out; each unit goes through JSON, as it would to another machine. */
export function exploreAll(
  engine: Engine<'runnable'> | Engine<'path'>,
  subject: Runnable,
  options: ExploreOptions = {},
): Explored {
  const explored = noneExplored()
  const units: WorkUnit[] = []
  const progress = { explored, units, options }
  exploreUnit(engine, subject, undefined, progress)
  for (let unit = units.pop(); unit !== undefined && explored.stopped === undefined; unit = units.pop()) {
    exploreUnit(engine, subject, JSON.parse(JSON.stringify(unit)) as WorkUnit, progress)
  }
  return explored
}

interface Progress {
  readonly explored: Explored
  readonly units: WorkUnit[]
  readonly options: ExploreOptions
}

function exploreUnit(
  engine: Engine<'runnable'> | Engine<'path'>,
  subject: Runnable,
  unit: WorkUnit | undefined,
  { explored, units, options }: Progress,
): void {
  const setting = options.setting ?? usualSetting
  const search =
    engine.needs === 'path' ? engine.explore(pathsOf(subject), setting, unit) : engine.explore(subject, setting, unit)
  let inUnit = 0
  let request: EngineRequest
  for (let step = search.next(); !step.done; step = search.next(request)) {
    request = undefined
    const event = step.value
    switch (event.kind) {
      case 'execution':
        if (++explored.executions > (options.cap ?? Number.POSITIVE_INFINITY)) {
          explored.stopped = 'cap'
          return
        }
        if (options.classes !== false) noteClass(explored, judgedKey(subject, event.decisions()), event.blocked)
        request = options.request?.(++inUnit)
        break
      case 'violation':
        explored.violations.add(violationKey(event.violation))
        if (reproduced(replay(pathsOf(subject), event.decisions, { places: false }), event.violation) === undefined) {
          explored.violations.add(`not reproduced by its decisions: ${violationKey(event.violation)}`)
        }
        break
      case 'diagnostic':
        explored.stopped = `${event.diagnostic.code}: ${event.diagnostic.message}`
        return
      case 'surplus':
        units.push(event.unit)
    }
  }
}

export function noneExplored(): Explored {
  return { classes: new Map(), blocked: new Set(), violations: new Set(), executions: 0, stopped: undefined }
}

export function noteClass(explored: Explored, key: string, blocked: boolean): void {
  explored.classes.set(key, (explored.classes.get(key) ?? 0) + 1)
  if (blocked) explored.blocked.add(key)
}

/** The class of an execution as the judge sees its decisions. */
function judgedKey(subject: Runnable, decisions: readonly Decision[]): string {
  const replayed = replay(pathsOf(subject), decisions, { places: false })
  if (replayed.drift !== undefined) return `drift at ${JSON.stringify(replayed.drift)}`
  if (!replayed.ended) return `not ended after ${JSON.stringify(decisions)}`
  return classKey(replayed.events, replayed.processes)
}

export function violationKey({ kind, property, process, message }: Violation): string {
  return encodeValue([kind, property, process, message])
}
