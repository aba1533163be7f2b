/**
 * Symbolic exploration of IR programs (PSym: symbolic exploration with value summaries over guards; §4 to §6 there). Departures: summaries are diagrams with
 * values as leaves; executions are encoded anew by their states, so that a search has an end although executions have none.
 */
import { DiagramsFull } from '../../bdd/diagram.ts'
import { DiagnosticError } from '../../core/diagnostic.ts'
import { type Options, optionsFrom } from '../../core/options.ts'
import type { WorkUnit } from '../../core/verdict.ts'
import type { IrView } from '../../program/program.ts'
import type { Engine, EngineEvent, EngineRequest, Means } from '../engine.ts'
import { symbolicOptions } from './options.ts'
import { addsUp, savedIn, unitOf } from './saved-states.ts'
import { Trial, waysOf } from './trial.ts'
import { unfitFor } from './unfit.ts'

export const symbolic: Engine<'ir'> = {
  name: 'symbolic',
  summary: 'all executions at once, in decision diagrams',
  needs: 'ir',
  decides: ['assertion', 'exception', 'deadlock', 'monitor', 'liveness'],
  judgesEndless: () => false,
  claims: 'verified',
  options: symbolicOptions,
  counted: { names: ['states', 'executions'], isOneOf: true, noun: 'state' },
  units: 'split',
  boundsLength: true,
  addsUp,
  explore,
}

function* explore(
  subject: IrView,
  options: Options,
  unit?: WorkUnit,
  means?: Means,
): Generator<EngineEvent, void, EngineRequest> {
  const diagnostic = unfitFor(subject, options)
  if (diagnostic !== undefined) yield { kind: 'diagnostic', diagnostic }
  else yield* searched(subject, options, { unit, means })
}

interface Given {
  readonly unit: WorkUnit | undefined
  readonly means: Means | undefined
}

/** What is left is told by states, which are known; executions are known by all that was chosen, and begun again. */
function* searched(
  subject: IrView,
  options: Options,
  { unit, means }: Given,
): Generator<EngineEvent, void, EngineRequest> {
  const trial = new Trial(subject, means)
  for (const event of diagnosed(() => events(trial, subject, options, unit))) {
    const request = yield event
    if (request !== 'surrender' || trial.isOver) continue
    const left = trial.saved()
    const rest = left === undefined ? unit : unitOf(left.saved)
    // Of a step that was not finished nothing counts: it is taken again.
    if (rest !== undefined) yield { kind: 'progress', counts: left?.counts ?? {}, explored: 0 }
    yield rest === undefined ? { kind: 'unsaved' } : { kind: 'surplus', unit: rest }
    return
  }
}

function events(
  trial: Trial,
  subject: IrView,
  options: Options,
  unit: WorkUnit | undefined,
): Generator<EngineEvent, void> {
  const chosen = optionsFrom(symbolicOptions, options)
  if (unit === undefined) return trial.events(waysOf(chosen, subject), { isOrderOpen: chosen.order === 'auto' })
  return trial.events(waysOf({ ...chosen, mode: 'states' }, subject), { saved: savedIn(unit) })
}

/** What ends a search from within, as an event. */
function* diagnosed(search: () => Generator<EngineEvent, void>): Generator<EngineEvent, void> {
  try {
    yield* search()
  } catch (error) {
    if (error instanceof DiagramsFull) yield { kind: 'full' }
    else if (error instanceof DiagnosticError) yield { kind: 'diagnostic', diagnostic: error.diagnostic }
    else throw error
  }
}
