/**
 * What is saved of a search of states: which steps led to new states, state by state in the order in which they were left. States themselves are not saved.
 * A search that goes on takes these steps again and has the same states under the same numbers, so a file can leave out states but cannot invent any.
 */
import { type Diagnostic, DiagnosticError } from '../../../core/diagnostic.ts'
import type { Options } from '../../../core/options.ts'
import { type Counts, type Rest, unitFormat, type WorkUnit } from '../../../core/verdict.ts'

export interface SavedSearch {
  /** By state that was left: how many new states its steps led to. */
  readonly met: readonly number[]
  /** By state but the first: as which of the steps of the state that was left it was met. */
  readonly ordinals: readonly number[]
  readonly transitions: number
  readonly terminals: number
}

/** States: more would be more than an artifact holds, and would take longer to write than anybody waits for. */
export const mostSaved = 4_000_000

export function unitOf(saved: SavedSearch): WorkUnit {
  return { format: unitFormat, engine: 'stateful', state: saved }
}

/** The search in a unit, which may come from a file. */
export function savedIn({ format, engine, state }: WorkUnit): SavedSearch {
  const saved = state as Partial<SavedSearch> | null
  const fits =
    format === unitFormat &&
    engine === 'stateful' &&
    typeof saved === 'object' &&
    saved !== null &&
    areCounts(saved.met) &&
    areCounts(saved.ordinals) &&
    areCounts([saved.transitions, saved.terminals]) &&
    isOneSearch(saved as SavedSearch)
  if (!fits) throw new DiagnosticError(damaged)
  return saved as SavedSearch
}

export const damaged: Diagnostic = {
  code: 'E405',
  message: 'this work unit was not made by a search of states of this program, or is damaged',
  hint: 'begin the search again, without the checkpoint',
}

/** What was counted is what is saved. A search has one unit: it knows all its states or none. */
export function addsUp({ units, counts }: Rest, _options: Options): boolean {
  const [only, ...others] = units
  if (only === undefined || others.length > 0) return false
  const { ordinals, transitions, terminals } = savedIn(only)
  const saved: Counts = { states: ordinals.length + 1, transitions, terminals }
  return Object.entries(saved).every(([name, count]) => counts[name] === count)
}

function areCounts(candidate: unknown): candidate is readonly number[] {
  return Array.isArray(candidate) && candidate.every((one) => Number.isSafeInteger(one) && one >= 0)
}

function isOneSearch({ met, ordinals, transitions, terminals }: SavedSearch): boolean {
  const all = met.reduce((sum, count) => sum + count, 0)
  const isWithin = met.length <= ordinals.length + 1 && ordinals.length <= transitions && terminals <= met.length
  return all === ordinals.length && isWithin && met.length + ordinals.length <= 2 * mostSaved
}
