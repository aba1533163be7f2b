/**
 * Which way of keeping executions together is best is a matter of the program: rounds where machines have little to do with each other, states where all of
 * them meet in one. A trial goes each way for a while, and on with the one that came furthest with the second half of its work, for what grows slowest ends
 * first; one that came to its end is the answer.
 */
import type { IrView } from '../../program/program.ts'
import type { EngineEvent } from '../engine.ts'
import type { SearchOptions, SymbolicOptions } from './options.ts'
import { SymbolicSearch } from './search.ts'

/** Diagram nodes that each way may make. */
const nodesInTrial = 150_000

/** One way, and how far it came for how much work. */
class Lane {
  readonly search: SymbolicSearch
  readonly #events: Generator<EngineEvent, void>
  readonly #points: { readonly reach: number; readonly work: number }[] = []

  constructor(subject: IrView, options: SearchOptions) {
    this.search = new SymbolicSearch(subject, options)
    this.#events = this.search.events()
  }

  /** As long as so many nodes have not been made. Whether the search has come to its end. */
  *tried(nodes: number): Generator<EngineEvent, boolean> {
    while (this.search.work < nodes) {
      const next = this.#events.next()
      if (next.done === true) return true
      const isStep = next.value.kind === 'progress' && next.value.isBreath !== true
      if (isStep) this.#points.push({ reach: this.search.reach, work: this.search.work })
      yield next.value
    }
    return false
  }

  /** How many steps further an execution came for the second half of the work. */
  gain(): number {
    const last = this.#points.at(-1)
    if (last === undefined) return 0
    const half = this.#points.findLast(({ work }) => work * 2 <= last.work)
    return last.reach - (half?.reach ?? 0)
  }

  events(): Generator<EngineEvent, void> {
    return this.#events
  }
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
  const lanes = ways.map((options) => new Lane(subject, options))
  if (lanes.length > 1) for (const lane of lanes) if (yield* lane.tried(nodesInTrial)) return
  const best = lanes.reduce((one, other) => (other.gain() > one.gain() ? other : one))
  yield* best.events()
}
