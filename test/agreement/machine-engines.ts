/** What each engine of systems says of one system: violations with the decisions that lead to them, each replayed here. */

import type { Program } from 'allways'
import { type Violation, violationKey } from '../../src/core/property.ts'
import { settingFrom } from '../../src/core/setting.ts'
import type { Decision } from '../../src/core/trace.ts'
import { dpor } from '../../src/engines/dpor/dpor.ts'
import type { EngineEvent } from '../../src/engines/engine.ts'
import { LocalSearch } from '../../src/engines/local/search.ts'
import { GlobalSearch } from '../../src/engines/stateful/global-search.ts'
import type { LocalState, Machines } from '../../src/program/machines.ts'
import type { Runnable } from '../../src/program/program.ts'
import { replay, reproduced } from '../../src/semantics/replay.ts'
import { pathsOf } from '../../src/semantics/world-path.ts'
import { usualSetting } from './explored.ts'

export interface Claim {
  readonly violation: Violation
  /** Events of machines: messages delivered, and events of their own. */
  readonly events: number
  readonly replays: boolean
}

export interface Searched {
  readonly claims: readonly Claim[]
  /** False if it was given up. */
  readonly ended: boolean
  readonly executions: number
}

export interface SystemViews {
  readonly machines: Machines
  readonly runnable: Runnable
}

export function viewsOf(program: Program): SystemViews {
  const { params, network, faults = {} } = program
  const setting = settingFrom({ params, network, faults })
  const { machines, runnable } = program.views
  if (machines === undefined || runnable === undefined) throw new Error('a system has both')
  return { machines: machines(setting), runnable: runnable(setting) }
}

export function searchedByDpor({ runnable }: SystemViews, mostExecutions: number): Searched {
  return searched(runnable, dpor.explore(runnable, usualSetting), { mostExecutions })
}

/** Far more than any generated system has: a search that gets there has no end. */
const mostGlobalStates = 2_000

export interface SearchedGlobally extends Searched {
  readonly systemStates: number
}

export function searchedGlobally({ machines, runnable }: SystemViews, order: 'depth' | 'breadth'): SearchedGlobally {
  const search = new GlobalSearch({ machines }, { search: order })
  const found = searched(runnable, search.events(), { mostStates: mostGlobalStates })
  return { ...found, systemStates: search.systemStates }
}

export interface SearchedLocally extends Searched {
  /** By machine. */
  readonly states: readonly (readonly LocalState[])[]
}

export function searchedLocally({ machines, runnable }: SystemViews, mostEvents: number): SearchedLocally {
  const search = new LocalSearch(machines)
  const found = searched(runnable, search.events(), { mostEvents })
  return { ...found, states: search.exploration.spaces.map(({ states }) => states) }
}

interface Limits {
  readonly mostExecutions?: number
  readonly mostEvents?: number
  readonly mostStates?: number
}

function searched(runnable: Runnable, events: Iterable<EngineEvent>, limits: Limits): Searched {
  const claims = new Map<string, Claim>()
  const counts = { executions: 0, events: 0, states: 0 }
  const isTooMuch = () =>
    counts.executions > (limits.mostExecutions ?? Number.POSITIVE_INFINITY) ||
    counts.events > (limits.mostEvents ?? Number.POSITIVE_INFINITY) ||
    counts.states > (limits.mostStates ?? Number.POSITIVE_INFINITY)
  for (const event of events) {
    if (event.kind === 'diagnostic') throw new Error(`${event.diagnostic.code}: ${event.diagnostic.message}`)
    if (event.kind === 'violation') {
      const key = violationKey(event.violation)
      const claim = claimOf(runnable, event)
      // One that does not replay is worth telling, whatever else was found.
      if (!claims.has(key) || !claim.replays) claims.set(key, claim)
    }
    if (event.kind === 'execution') counts.executions++
    if ('counts' in event) counts.states = event.counts?.states ?? 0
    counts.events++
    if (isTooMuch()) return { claims: [...claims.values()], ended: false, executions: counts.executions }
  }
  return { claims: [...claims.values()], ended: true, executions: counts.executions }
}

function claimOf(
  runnable: Runnable,
  found: { readonly violation: Violation; readonly decisions: readonly Decision[] },
): Claim {
  const { violation, decisions } = found
  const events = decisions.filter(({ kind }) => ['deliver', 'timeout', 'restart'].includes(kind)).length
  const replays = reproduced(replay(pathsOf(runnable), decisions, { places: false }), violation) !== undefined
  return { violation, events, replays }
}
