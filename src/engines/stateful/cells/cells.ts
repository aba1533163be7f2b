/** Which systems are searched on numbers, and how their states are cut into cells: as far as all of them have the same fields, which shows on the way. */
import { violationKey } from '../../../core/property.ts'
import type { LocalState } from '../../../program/machines.ts'
import type { GlobalStates } from '../../../program/stateful.ts'
import { isRecord } from '../../../semantics/machines/context.ts'
import { Layout, UnfitError } from '../../../semantics/machines/layout.ts'
import type { EngineEvent } from '../../engine.ts'
import { GivenUpError } from './answers.ts'
import { CellSearch } from './cell-search.ts'
import { columnsOf } from './columns.ts'

/** A search begins again each time that parts turn out to have other fields in other states. */
const mostBeginnings = 100

interface Options {
  readonly search: 'depth' | 'breadth'
  readonly symmetry?: boolean
}

/** True if the search came to its end; false if another one is needed. */
export function* searchCells(
  subject: GlobalStates,
  { search, symmetry = false }: Options,
): Generator<EngineEvent, boolean> {
  const { machines, liveness = [], watches = [] } = subject
  const { rules, start } = machines
  if (rules === undefined || liveness.length + watches.length + start.underWay.length > 0) return false
  const first = (start.states[0] as LocalState).data
  // A state that is no record may become anything.
  if (!isRecord(first)) return false
  const told = new Set<string>()
  const uncut = new Set<string>()
  for (let beginnings = 0; beginnings < mostBeginnings; beginnings++) {
    const layout = new Layout(first, uncut)
    if (layout.size < 2) return false
    const columns = symmetry && rules.alike !== undefined ? columnsOf(layout, rules.alike, first) : undefined
    if (symmetry && columns === undefined) return false
    for (const row of columns?.rows ?? []) layout.share(row)
    try {
      const events = new CellSearch(subject, rules, layout, { search, columns }).events()
      // What a search has found but not told when it begins again is found again.
      for (const event of events) if (!isTold(event, told)) yield event
      return true
    } catch (error) {
      if (error instanceof GivenUpError) return false
      if (!(error instanceof UnfitError)) throw error
      uncut.add(error.path)
    }
  }
  return false
}

/** And from now on it is. */
function isTold(event: EngineEvent, told: Set<string>): boolean {
  if (event.kind !== 'violation') return false
  const key = violationKey(event.violation)
  if (told.has(key)) return true
  told.add(key)
  return false
}
