/**
 * Which way of keeping executions together is best is a matter of the program: rounds where machines have little to do with each other, states where all of
 * them meet in one. A trial goes each way for a while, and on with the one that came furthest with the second half of its work, for what grows slowest ends
 * first; one that came to its end is the answer.
 */

import { Pace } from '../../collections/pace.ts'
import type { IrView } from '../../program/program.ts'
import type { EngineEvent, Means } from '../engine.ts'
import type { SearchOptions, SymbolicOptions } from './options.ts'
import type { SavedStates } from './saved-states.ts'
import { SymbolicSearch } from './search.ts'

/** Diagram nodes that each way may make. */
const nodesInTrial = 90_000

interface LaneOptions {
  readonly means: Means | undefined
  readonly saved: SavedStates | undefined
}

/** One way, and how far it came for how much work. */
class Lane {
  readonly search: SymbolicSearch
  readonly #events: Generator<EngineEvent, void>
  readonly #pace = new Pace()

  constructor(subject: IrView, options: SearchOptions, { means, saved }: LaneOptions) {
    this.search = new SymbolicSearch(subject, options, { room: means?.room })
    this.#events = this.#paced(this.search, saved)
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

  *#paced(search: SymbolicSearch, saved: SavedStates | undefined): Generator<EngineEvent, void> {
    for (const event of search.events(saved)) {
      if (event.kind !== 'progress') yield event
      else {
        if (event.isBreath !== true) this.#pace.add(search.reach, search.work)
        yield { ...event, pace: this.gained }
      }
    }
  }
}

/** Monitors see orders that rounds leave out; filters are about single moves, and sleep sets about executions. */
function modesFor(filter: SymbolicOptions['filter'], hasRounds: boolean): readonly SearchOptions['mode'][] {
  if (filter === 'sleep') return ['steps']
  return hasRounds && filter === 'none' ? ['states', 'rounds'] : ['states']
}

/** All ways that the options leave open. */
export function waysOf(
  { mode, order, filter }: SymbolicOptions,
  { program, setting }: IrView,
): readonly SearchOptions[] {
  const hasRounds = program.monitors.length === 0 && setting.network !== 'bag'
  const modes = mode === 'auto' ? modesFor(filter, hasRounds) : [mode]
  // Later choices are mostly about what came last, and so on top; in rounds they are about all machines.
  return modes.map((one) => ({
    mode: one,
    order: order === 'auto' ? (one === 'states' ? 'above' : 'below') : order,
    filter,
  }))
}

/** One search or, where several ways are open, a trial of all and then the best. */
export class Trial {
  readonly #subject: IrView
  readonly #means: Means | undefined
  /** Those that are tried, and then the one that goes on. */
  #lanes: readonly Lane[] = []

  constructor(subject: IrView, means: Means | undefined) {
    this.#subject = subject
    this.#means = means
  }

  /** With what was saved of a search, that one alone. */
  *events(ways: readonly SearchOptions[], saved?: SavedStates): Generator<EngineEvent, void> {
    this.#lanes = ways.map((options) => new Lane(this.#subject, options, { means: this.#means, saved }))
    const ended = this.#lanes.length > 1 ? yield* this.#tried() : undefined
    const best = this.#lanes.reduce((one, other) => (other.gained > one.gained ? other : one))
    this.#lanes = [ended ?? best]
    if (ended === undefined) yield* best.events()
  }

  /** The first that came to its end. */
  *#tried(): Generator<EngineEvent, Lane | undefined> {
    for (const lane of this.#lanes) if (yield* lane.tried(nodesInTrial)) return lane
    return undefined
  }

  /** Nothing is left to do. */
  get isOver(): boolean {
    return this.#lanes.some(({ search }) => search.isOver)
  }

  /** What the search that goes on has to be saved, if it can be; nothing while several do. */
  saved(): ReturnType<SymbolicSearch['saved']> {
    const [only, ...others] = this.#lanes
    return others.length > 0 ? undefined : only?.search.saved()
  }
}
