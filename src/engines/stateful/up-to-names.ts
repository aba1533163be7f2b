/**
 * The search of all states, up to names if it is asked for. Lists of names are taken for sets as long as all that are met at a place are in ascending order. Where
 * one is not, the search begins again, and takes those for what they are: that happens no more often than there are places in states and messages.
 */
import { violationKey } from '../../core/property.ts'
import type { GlobalStates } from '../../program/stateful.ts'
import { OrderShows } from '../../semantics/machines/renamed-value.ts'
import type { EngineEvent } from '../engine.ts'
import { type GlobalOptions, GlobalSearch } from './global-search.ts'

export function* globalEvents(
  subject: GlobalStates,
  options: Omit<GlobalOptions, 'orderedPlaces'>,
): Generator<EngineEvent, void> {
  const orderedPlaces = new Set<string>()
  const told = new Set<string>()
  for (;;) {
    try {
      for (const event of new GlobalSearch(subject, { ...options, orderedPlaces }).events()) {
        const key = event.kind === 'violation' ? violationKey(event.violation) : undefined
        if (key !== undefined && told.has(key)) continue
        if (key !== undefined) told.add(key)
        yield event
      }
      return
    } catch (error) {
      if (!(error instanceof OrderShows)) throw error
      orderedPlaces.add(error.place)
    }
  }
}
