/**
 * Which way of keeping executions together is best is a matter of the program: rounds where machines have little to do with each other, states where all of
 * them meet in one. A trial goes each way for a while, and on with the one that came furthest; one that came to its end is the answer.
 */
import type { IrView } from '../../program/program.ts'
import type { EngineEvent } from '../engine.ts'
import type { SearchOptions, SymbolicOptions } from './options.ts'
import { SymbolicSearch } from './search.ts'

/** Diagram nodes that each way may make. */
const nodesInTrial = 150_000

interface Lane {
  readonly search: SymbolicSearch
  readonly events: Generator<EngineEvent, void>
}

/** All ways that the options leave open. */
export function waysOf({ mode, order, filter }: SymbolicOptions, { program }: IrView): readonly SearchOptions[] {
  const isWatched = program.monitors.length > 0
  const modes = mode === 'auto' ? (isWatched ? (['states'] as const) : (['states', 'rounds'] as const)) : [mode]
  // Later choices are mostly about what came last, and so on top; in rounds they are about all machines.
  return modes.map((one) => ({
    mode: one,
    order: order === 'auto' ? (one === 'states' ? 'above' : 'below') : order,
    filter,
  }))
}

export function* tried(subject: IrView, ways: readonly SearchOptions[]): Generator<EngineEvent, void> {
  const lanes = ways.map((options): Lane => {
    const search = new SymbolicSearch(subject, options)
    return { search, events: search.events() }
  })
  if (lanes.length > 1)
    for (const { search, events } of lanes) {
      while (search.work < nodesInTrial) {
        const next = events.next()
        if (next.done === true) return
        yield next.value
      }
    }
  const best = lanes.reduce((one, other) => (other.search.reach > one.search.reach ? other : one))
  yield* best.events
}
