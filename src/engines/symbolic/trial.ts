/**
 * Which way of keeping executions together is best is a matter of the program: rounds where machines have little to do with each other, states where all of
 * them meet in one. A trial goes each way for a while, and on with the one that came furthest with the second half of its work, for what grows slowest ends
 * first; one that came to its end is the answer. Where no way came clearly further, all of them go on, each as long as the others: growth that is about to
 * end looks like any other, and twice the time is little beside a way that never ends.
 */

import { Pace } from '../../collections/pace.ts'
import type { IrView } from '../../program/program.ts'
import type { EngineEvent } from '../engine.ts'
import type { SearchOptions, SymbolicOptions } from './options.ts'
import { SymbolicSearch } from './search.ts'

/** Diagram nodes that each way may make in the first trial. */
const nodesInTrial = 150_000
/** How much longer each further trial is. */
const growth = 4
/** A way is left when another one came further by more than this factor. */
const clearly = 2

/** One way, and how far it came for how much work. */
class Lane {
  readonly search: SymbolicSearch
  readonly #events: Generator<EngineEvent, void>
  readonly #pace = new Pace()

  constructor(subject: IrView, options: SearchOptions) {
    this.search = new SymbolicSearch(subject, options)
    this.#events = this.#paced(this.search)
  }

  /** As long as so many nodes have not been made. Whether the search has come to its end. */
  *tried(nodes: number): Generator<EngineEvent, boolean> {
    while (this.search.work < nodes) {
      const next = this.#events.next()
      if (next.done === true) return true
      yield next.value
    }
    return false
  }

  get gained(): number {
    return this.#pace.gained
  }

  events(): Generator<EngineEvent, void> {
    return this.#events
  }

  *#paced(search: SymbolicSearch): Generator<EngineEvent, void> {
    for (const event of search.events()) {
      if (event.kind !== 'progress') yield event
      else {
        if (event.isBreath !== true) this.#pace.add(search.reach, search.work)
        yield { ...event, pace: this.gained }
      }
    }
  }
}

/** Monitors see orders that rounds leave out; filters are about single moves, and sleep sets about executions. */
function modesFor(filter: SymbolicOptions['filter'], isWatched: boolean): readonly SearchOptions['mode'][] {
  if (filter === 'sleep') return ['steps']
  return isWatched || filter !== 'none' ? ['states'] : ['states', 'rounds']
}

/** All ways that the options leave open. */
export function waysOf({ mode, order, filter }: SymbolicOptions, { program }: IrView): readonly SearchOptions[] {
  const modes = mode === 'auto' ? modesFor(filter, program.monitors.length > 0) : [mode]
  // Later choices are mostly about what came last, and so on top; in rounds they are about all machines.
  return modes.map((one) => ({
    mode: one,
    order: order === 'auto' ? (one === 'states' ? 'above' : 'below') : order,
    filter,
  }))
}

export function* tried(subject: IrView, ways: readonly SearchOptions[]): Generator<EngineEvent, void> {
  let lanes: readonly Lane[] = ways.map((options) => new Lane(subject, options))
  for (let nodes = nodesInTrial; lanes.length > 1; nodes *= growth) {
    for (const lane of lanes) if (yield* lane.tried(nodes)) return
    const furthest = Math.max(...lanes.map(({ gained }) => gained))
    lanes = lanes.filter(({ gained }) => gained * clearly >= furthest)
  }
  for (const lane of lanes) yield* lane.events()
}
