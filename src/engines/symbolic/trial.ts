/**
 * Which way of keeping executions together is best is a matter of the program: rounds where machines have little to do with each other, states where all of
 * them meet in one. And so is the order of variables. A trial goes each way for a while, and on with the one that came furthest with the second half of its
 * work, for what grows slowest ends first; one that came to its end is the answer. What then takes long is tried with the other order as well.
 */

import { Pace } from '../../collections/pace.ts'
import type { IrView } from '../../program/program.ts'
import type { EngineEvent, Means } from '../engine.ts'
import { type SearchOptions, type SymbolicOptions, usualOrder } from './options.ts'
import type { SavedStates } from './saved-states.ts'
import { SymbolicSearch } from './search.ts'

/** Diagram nodes that each way may make before one that is clearly ahead goes on alone. */
const nodesAtFirst = 20_000
/** Diagram nodes that each way may make if none was. */
const nodesInTrial = 90_000
/** Diagram nodes that the best of the modes makes before the other order is tried, so that it takes at most a thirteenth more. */
const nodesInOneOrder = 3 * nodesInTrial
/** Clearly ahead: so many steps at least, and so many times those of others. In fewer steps there is too much chance. */
const [fewestGained, timesGained] = [4, 2]

interface LaneOptions {
  readonly means: Means | undefined
  readonly saved: SavedStates | undefined
  /** Of all lanes. */
  readonly pace: () => number
}

interface TrialOptions {
  /** Of one search; then that one goes on alone. */
  readonly saved?: SavedStates | undefined
  /** Nobody said where variables go. */
  readonly isOrderOpen?: boolean
}

/** One way, and how far it came for how much work. */
class Lane {
  readonly search: SymbolicSearch
  readonly options: SearchOptions
  readonly #events: Generator<EngineEvent, void>
  readonly #pace = new Pace()
  /** By the nodes that were made until then. */
  readonly #gained = new Map<number, number>()
  #isOver = false

  constructor(subject: IrView, options: SearchOptions, { means, saved, pace }: LaneOptions) {
    this.options = options
    this.search = new SymbolicSearch(subject, options, { room: means?.room })
    this.#events = this.#paced(saved, pace)
  }

  /** As long as so many nodes have not been made. Whether the search has come to its end. */
  *tried(nodes: number): Generator<EngineEvent, boolean> {
    while (!this.#isOver && this.search.work < nodes) {
      const next = this.#events.next()
      if (next.done === true) this.#isOver = true
      else yield next.value
    }
    if (!this.#gained.has(nodes)) this.#gained.set(nodes, this.gained)
    return this.#isOver
  }

  get isOver(): boolean {
    return this.#isOver
  }

  get gained(): number {
    return this.#pace.gained
  }

  /** What is compared: all were tried for as long. */
  gainedIn(nodes: number): number {
    return this.#gained.get(nodes) ?? this.gained
  }

  isAhead(others: readonly Lane[]): boolean {
    const gained = this.gainedIn(nodesAtFirst)
    const most = Math.max(...others.map((other) => other.gainedIn(nodesAtFirst)))
    return gained >= Math.max(fewestGained, timesGained * most)
  }

  events(): Generator<EngineEvent, void> {
    return this.#events
  }

  *#paced(saved: SavedStates | undefined, pace: () => number): Generator<EngineEvent, void> {
    const { search } = this
    const { mode, order } = this.options
    const picked = { mode, order }
    let told = 0
    for (const event of search.events(saved)) {
      if (event.kind !== 'progress') yield event
      else {
        if (event.isBreath !== true) {
          this.#pace.add(search.reach, search.work)
          told = pace()
        }
        yield { ...event, pace: told, picked }
      }
    }
  }
}

/** Monitors see orders that rounds leave out; filters are about single moves, and sleep sets about executions. */
function modesFor(filter: SymbolicOptions['filter'], hasRounds: boolean): readonly SearchOptions['mode'][] {
  if (filter === 'sleep') return ['steps']
  return hasRounds && filter === 'none' ? ['states', 'rounds'] : ['states']
}

/** All modes that the options leave open, each with the order that is best more often. */
export function waysOf(
  { mode, order, filter }: SymbolicOptions,
  { program, setting }: IrView,
): readonly SearchOptions[] {
  const hasRounds = program.monitors.length === 0 && setting.network !== 'bag'
  const modes = mode === 'auto' ? modesFor(filter, hasRounds) : [mode]
  return modes.map((one) => ({ mode: one, order: order === 'auto' ? usualOrder(one) : order, filter }))
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

  *events(ways: readonly SearchOptions[], { saved, isOrderOpen = false }: TrialOptions): Generator<EngineEvent, void> {
    this.#lanes = ways.map((options) => this.#lane(options, saved))
    let chosen = yield* this.#amongModes()
    if (isOrderOpen && !chosen.isOver) chosen = yield* this.#inBothOrders(chosen)
    this.#lanes = [chosen]
    yield* chosen.events()
  }

  /** The first that came to its end, or else the one that goes on. */
  *#amongModes(): Generator<EngineEvent, Lane> {
    const lanes = this.#lanes
    const [first, ...others] = lanes as readonly [Lane, ...Lane[]]
    if (others.length === 0) return first
    for (const lane of lanes) if (yield* lane.tried(nodesAtFirst)) return lane
    const ahead = lanes.find((lane) => lane.isAhead(lanes.filter((other) => other !== lane)))
    if (ahead !== undefined) return ahead
    for (const lane of lanes) if (yield* lane.tried(nodesInTrial)) return lane
    // The first of those that came equally far.
    return others.reduce(
      (one, other) => (other.gainedIn(nodesInTrial) > one.gainedIn(nodesInTrial) ? other : one),
      first,
    )
  }

  /** The usual order is left for one that is clearly ahead. */
  *#inBothOrders(best: Lane): Generator<EngineEvent, Lane> {
    this.#lanes = [best]
    for (const nodes of [nodesAtFirst, nodesInOneOrder]) if (yield* best.tried(nodes)) return best
    const { options } = best
    const other = this.#lane({ ...options, order: options.order === 'above' ? 'below' : 'above' })
    this.#lanes = [best, other]
    return (yield* other.tried(nodesAtFirst)) || other.isAhead([best]) ? other : best
  }

  #lane(options: SearchOptions, saved?: SavedStates): Lane {
    // Who compares searches is told how fast the best of all ways is.
    const pace = (): number => Math.max(...this.#lanes.map(({ gained }) => gained))
    return new Lane(this.#subject, options, { means: this.#means, saved, pace })
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
