/**
 * Explicit search of all states, with stateful partial order reduction (thesis §2.2). Decides what final states tell. What
 * it can miss: nothing in a search that ended, as long as the view names every access of its actions.
 *
 * A search cannot be split: which states were met is its memory, and no work unit could carry it. A driver that
 * asks for the rest gets the whole search back as the remaining work.
 */
import { DiagnosticError } from '../../core/diagnostic.ts'
import { unitFormat } from '../../core/verdict.ts'
import type { GlobalStates, Stateful } from '../../program/stateful.ts'
import type { Engine, EngineEvent, EngineRequest, EngineSetting, StatefulSetting, WorkUnit } from '../engine.ts'
import { GlobalSearch } from './global-search.ts'
import { Search } from './search.ts'

export const stateful: Engine<'stateful'> = {
  name: 'stateful',
  summary: 'every state, remembered; partial order reduction by safe and source sets',
  needs: 'stateful',
  decides: ['assertion', 'exception', 'deadlock', 'final', 'invariant', 'linearizability'],
  claims: 'verified',
  root: () => wholeSearch,
  explore,
}

const usualStateful: StatefulSetting = {
  reduction: 'lazy',
  safeSets: true,
  stateless: false,
  order: 'sequential',
}

const wholeSearch: WorkUnit = { format: unitFormat, engine: 'stateful', state: 'whole' }

function* explore(
  subject: Stateful | GlobalStates,
  setting: EngineSetting,
  unit: WorkUnit,
): Generator<EngineEvent, void, EngineRequest> {
  try {
    yield* events(subject, setting, unit)
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error
    yield { kind: 'diagnostic', diagnostic: error.diagnostic }
  }
}

function* events(
  subject: Stateful | GlobalStates,
  setting: EngineSetting,
  unit: WorkUnit,
): Generator<EngineEvent, void, EngineRequest> {
  if (unit.format !== unitFormat || unit.engine !== 'stateful' || unit.state !== 'whole')
    throw new DiagnosticError({
      code: 'E405',
      message: 'this work unit was not made by the stateful engine, or is damaged',
    })
  const isGlobal = 'machines' in subject
  const search = isGlobal ? undefined : new Search(subject, setting.stateful ?? usualStateful, setting.seed)
  const found = isGlobal
    ? new GlobalSearch(subject.machines, setting.stateful?.search ?? 'breadth').events()
    : told(search)
  for (const event of found) {
    const request = yield event
    if (request !== 'surrender' || search?.ended === true) continue
    yield { kind: 'surplus', unit: wholeSearch }
    return
  }
}

function* told(search: Search | undefined): Generator<EngineEvent, void> {
  for (let event = search?.next(); event !== undefined; event = search?.next()) yield event
}
