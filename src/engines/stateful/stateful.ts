/**
 * Explicit search of all states, with stateful partial order reduction (thesis §2.2). Decides what final states tell. What
 * it can miss: nothing in a search that ended, as long as the view names every access of its actions.
 *
 * A search cannot be split: which states were met is its memory, and no work unit could carry it. Who gives up gets the
 * whole search back as the remaining work.
 */
import { DiagnosticError } from '../../core/diagnostic.ts'
import { unitFormat } from '../../core/verdict.ts'
import type { Stateful } from '../../program/stateful.ts'
import type { Engine, EngineEvent, EngineRequest, EngineSetting, StatefulSetting, WorkUnit } from '../engine.ts'
import { Search } from './search.ts'

export const stateful: Engine<'stateful'> = {
  name: 'stateful',
  summary: 'every state, remembered; partial order reduction by safe and source sets',
  needs: 'stateful',
  decides: ['assertion', 'exception', 'deadlock', 'final', 'linearizability'],
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
  subject: Stateful,
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
  subject: Stateful,
  setting: EngineSetting,
  unit: WorkUnit,
): Generator<EngineEvent, void, EngineRequest> {
  if (unit.format !== unitFormat || unit.engine !== 'stateful' || unit.state !== 'whole')
    throw new DiagnosticError({
      code: 'E405',
      message: 'this work unit was not made by the stateful engine, or is damaged',
    })
  const search = new Search(subject, setting.stateful ?? usualStateful, setting.seed)
  for (let event = search.next(); event !== undefined; event = search.next()) {
    const request = yield event
    if (request !== 'surrender' || search.ended) continue
    yield { kind: 'surplus', unit: wholeSearch }
    return
  }
}
