/**
 * Engine `dpor` for programs over shared memory: what a class and its client are. One execution of each class of executions that
 * differ in the order of independent actions only; `memory-search.ts` says what exactly is guaranteed. Memory does not grow with the
 * number of executions, and nothing depends on states being comparable; where many executions meet in few states, `stateful` is
 * the better engine.
 *
 * A search cannot be split: what is left to do hangs on races that are found later.
 */
import { DiagnosticError } from '../../core/diagnostic.ts'
import { countedExecutions, noCounts } from '../../core/verdict.ts'
import type { GlobalStates, Stateful } from '../../program/stateful.ts'
import type { Engine, EngineEvent, EngineRequest } from '../engine.ts'
import { MemorySearch } from './memory-search.ts'

export const memoryDpor: Engine<'stateful'> = {
  name: 'dpor',
  summary: 'classes alone: every execution once per order of clashing accesses',
  needs: 'stateful',
  decides: ['assertion', 'exception', 'deadlock', 'final', 'linearizability'],
  claims: 'verified',
  options: {},
  counted: countedExecutions,
  units: 'whole',
  explore,
}

function* explore(subject: Stateful | GlobalStates): Generator<EngineEvent, void, EngineRequest> {
  try {
    if ('machines' in subject) throw new DiagnosticError(noMemory)
    yield* events(new MemorySearch(subject))
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error
    yield { kind: 'diagnostic', diagnostic: error.diagnostic }
  }
}

function* events(search: MemorySearch): Generator<EngineEvent, void> {
  let explored = 0
  let counted = 0
  for (const ended of search.executions()) {
    if (ended === undefined) {
      yield { kind: 'progress', counts: noCounts, explored }
      continue
    }
    const { blocked, violation } = ended
    const { length } = search
    const decisions = () => search.decisions()
    if (violation !== undefined) yield { kind: 'violation', violation, decisions: decisions(), foundIn: length }
    explored = Math.max(explored, search.explored())
    const added = search.transitions - counted
    counted = search.transitions
    yield { kind: 'execution', blocked, events: added, length, explored, decisions }
  }
}

const noMemory = {
  code: 'E301',
  message: 'machines share no memory',
  hint: 'dpor explores systems of machines as processes; the engines "local" and "stateful" explore their states',
} as const
