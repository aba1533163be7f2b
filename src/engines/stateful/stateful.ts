/**
 * Explicit search of all states, of classes with stateful partial order reduction (thesis §2.2). Decides what final states tell. What
 * it can miss: nothing in a search that ended, as long as the view names every access of its actions.
 *
 * A search cannot be split: which states were met is its memory, and no work unit could carry it.
 */
import { type Diagnostic, DiagnosticError } from '../../core/diagnostic.ts'
import { countedStates } from '../../core/verdict.ts'
import type { GlobalStates, Stateful } from '../../program/stateful.ts'
import type { Engine, EngineEvent, EngineRequest, Options } from '../engine.ts'
import { searchCells } from './cells/cells.ts'
import { type StatefulOptions, statefulOptions } from './options.ts'
import { StateSearch } from './search.ts'
import { globalEvents } from './up-to-names.ts'

export const stateful: Engine<'stateful'> = {
  name: 'stateful',
  summary: 'every state, remembered; classes with partial order reduction',
  needs: 'stateful',
  decides: ['assertion', 'exception', 'deadlock', 'final', 'invariant', 'linearizability', 'refinement', 'liveness'],
  claims: 'verified',
  options: statefulOptions,
  counted: countedStates,
  units: 'whole',
  explore,
}

/** Of classes. */
const noParties: Diagnostic = {
  code: 'E107',
  message: 'processes that call a class cannot change places',
  hint: 'leave out --symmetry: it is for P programs and for systems of machines',
}

function* explore(subject: Stateful | GlobalStates, options: Options): Generator<EngineEvent, void, EngineRequest> {
  try {
    yield* events(subject, options as unknown as StatefulOptions)
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error
    yield { kind: 'diagnostic', diagnostic: error.diagnostic }
  }
}

function* events(subject: Stateful | GlobalStates, options: StatefulOptions): Generator<EngineEvent, void> {
  if ('machines' in subject) {
    if (yield* searchCells(subject, options)) return
    return yield* globalEvents(subject, options)
  }
  if (options.symmetry) throw new DiagnosticError(noParties)
  const search = new StateSearch(subject, options)
  for (let event = search.next(); event !== undefined; event = search.next()) yield event
}
