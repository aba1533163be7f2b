/** Drives an engine over one corpus cell to the very end, through violations, and counts. */

import { guardDeterminism } from '../../src/check/guard.ts'
import type { Event } from '../../src/core/event.ts'
import type { NetworkName } from '../../src/core/operation.ts'
import type { Params } from '../../src/core/setting.ts'
import { settingFrom } from '../../src/core/setting.ts'
import type { Decision } from '../../src/core/trace.ts'
import type { DporOptions } from '../../src/engines/dpor/options.ts'
import type { Options } from '../../src/engines/engine.ts'
import { findEngine } from '../../src/engines/registry.ts'
import type { Program, Runnable } from '../../src/program/program.ts'
import { coldAtEnd } from '../../src/properties/cold-at-end.ts'
import { deadlockFreedom } from '../../src/properties/deadlock.ts'
import { replay } from '../../src/semantics/replay.ts'
import { pathsOf } from '../../src/semantics/world-path.ts'

export interface Cell {
  readonly verdict: 'verified' | 'passed' | 'violated'
  readonly executions: number
  readonly blocked: number
}

export interface Search {
  readonly program: Program
  readonly params: Params
  readonly network: NetworkName
  readonly engine: string
  readonly eager?: boolean
  readonly schedule?: DporOptions['schedule']
  /** Called for every execution, complete or blocked, before the engine goes on. */
  readonly onExecution?: (decisions: () => readonly Decision[]) => void
}

export function explored(search: Search): Cell {
  // It gives async processes what they have in the place of the host's globals.
  const release = guardDeterminism()
  try {
    return exploredGuarded(search)
  } finally {
    release()
  }
}

function exploredGuarded(search: Search): Cell {
  const engine = findEngine(search.engine)
  if (engine === undefined) throw new Error(`there is no engine "${search.engine}"`)
  const setting: Options = {
    seed: 1,
    schedule: search.schedule ?? 'left-to-right',
    eager: search.eager ?? false,
    samples: 0,
    depth: 0,
  }
  let verdict: Cell['verdict'] = 'verified'
  const counts = { executions: 0, blocked: 0 }
  const subject = subjectOf(search)
  for (const event of engine.explore(engine.needs === 'path' ? pathsOf(subject) : subject, setting)) {
    if (event.kind === 'diagnostic') throw new Error(`${event.diagnostic.code}: ${event.diagnostic.message}`)
    if (event.kind === 'violation') verdict = 'violated'
    if (event.kind !== 'execution') continue
    counts[event.blocked ? 'blocked' : 'executions']++
    search.onExecution?.(event.decisions)
  }
  return { verdict, ...counts }
}

function subjectOf({ program, params, network }: Pick<Search, 'program' | 'params' | 'network'>): Runnable {
  const view = program.views.runnable
  if (view === undefined) throw new Error(`${program.name} offers no runnable view`)
  const faults = program.faults ?? {}
  const subject = view(settingFrom({ params: { ...program.params, ...params }, network, faults }))
  const deadlock = program.options.deadlock?.default === 'allow' ? [] : [deadlockFreedom]
  const monitored = subject.monitors.map(({ name }) => coldAtEnd(name))
  return { ...subject, properties: [...subject.properties, ...deadlock, ...monitored] }
}

/** The distinct reads-from classes among the executions of a search. */
export function classes(search: Search): ReadonlySet<string> {
  const subject = subjectOf(search)
  const found = new Set<string>()
  explored({
    ...search,
    onExecution: (decisions) => found.add(classOf(replay(pathsOf(subject), decisions(), { places: false }).events)),
  })
  return found
}

/** Every process's events in program order, with the send that each receive reads. */
function classOf(events: readonly Event[]): string {
  const sends = new Map<number, string>()
  const lines = new Map<string, string[]>()
  for (const event of events) {
    if (event.kind === 'send') sends.set(event.message, `${event.process} ${event.index}`)
    const line = lines.get(event.process) ?? []
    lines.set(event.process, line)
    const detail = event.kind === 'receive' ? sends.get(event.message) : event.kind === 'choose' ? event.option : ''
    line.push(`${event.kind} ${detail}`)
  }
  return JSON.stringify([...lines].sort(([left], [right]) => (left < right ? -1 : 1)))
}
