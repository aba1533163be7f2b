/**
 * Work units: graphs to be explored, as plain data. A graph is its events in insertion order, each with what was decided for
 * it; the processes' code supplies the rest when it is run again.
 */
import { DiagnosticError } from '../../core/diagnostic.ts'
import type { Operation } from '../../core/operation.ts'
import { unitFormat, type WorkUnit } from '../../core/verdict.ts'
import { alternatives, type Branching } from './branch-frame.ts'
import { foreign } from './foreign.ts'
import type { GraphEvent } from './graph.ts'
import { inPrefix } from './graph.ts'
import type { GraphSearch } from './search.ts'

/** Events as [process, what was decided]: the send read as [process, index], null for nothing, the option, or 0. */
type EventData = readonly [process: number, decided: number | null | Named]
type Named = readonly [process: number, index: number]

/**
 * An event at which the search branched, by its place in the insertion order, with the share of each alternative and what is left
 * to try: sends that a receive may read, options of a choice, or receives that a send revisits, by their places.
 */
type BranchData = readonly [at: number, share: number, left: readonly (number | null | Named)[]]

interface UnitState {
  readonly processes: readonly string[]
  readonly events: readonly EventData[]
  /** Share of the whole search. */
  readonly weight: number
  /** Alternatives to the graph, which itself has been explored; none if it has not. */
  readonly branches?: readonly BranchData[]
}

/** The current graph of a search. */
export function currentUnit(search: GraphSearch): WorkUnit {
  return new Encoding(new Map()).unit(search.graph.order, search.weight)
}

/** Takes everything that is left out of a search. Alternatives to one graph are one unit: a long execution may have thousands. */
export function* leftUnits(search: GraphSearch): Generator<WorkUnit, void> {
  const { frames, graph } = search
  do {
    const revisited = frames.findLastIndex(({ kind }) => kind === 'restore')
    const above = frames.splice(revisited + 1) as Branching[]
    const open = above.filter((frame) => frame.next < alternatives(frame))
    const last = open.at(-1)
    if (last !== undefined)
      yield new Encoding(new Map()).unitOfBranches(graph.order.slice(0, last.event.stamp + 1), open)
  } while (search.restore())
}

/**
 * Takes the alternatives left in the oldest frame out of the search, as units: the largest pieces there are. Graphs below a
 * backward revisit have since been changed by it in one place, the source of the revisited receive.
 */
export function sharedUnits(search: GraphSearch): readonly WorkUnit[] {
  const { frames } = search
  const at = frames.findIndex((frame) => frame.kind !== 'restore' && frame.next < alternatives(frame))
  const frame = frames[at]
  if (frame === undefined || frame.kind === 'restore') return []
  const { order, sources } = graphBelow(search, at)
  const units: WorkUnit[] = []
  for (let next = frame.next; next < alternatives(frame); next++)
    units.push(alternativeUnit(frame, next, order, sources))
  frame.next = alternatives(frame)
  return units
}

/** The insertion order as it was at a frame, and the sources that later revisits have changed since. */
function graphBelow(search: GraphSearch, at: number) {
  let order: readonly GraphEvent[] | undefined
  const sources = new Map<GraphEvent, GraphEvent | undefined>()
  for (const frame of search.frames.slice(at + 1)) {
    if (frame.kind !== 'restore') continue
    const { receive, oldSource } = frame.revisited
    order ??= frame.revisited.order
    if (!sources.has(receive)) sources.set(receive, oldSource)
  }
  return { order: order ?? search.graph.order, sources }
}

function alternativeUnit(
  frame: Branching,
  next: number,
  order: readonly GraphEvent[],
  sources: ReadonlyMap<GraphEvent, GraphEvent | undefined>,
): WorkUnit {
  const { event, share } = frame
  const upTo = order.slice(0, order.indexOf(event) + 1)
  switch (frame.kind) {
    case 'read':
      return new Encoding(new Map(sources).set(event, frame.options[next])).unit(upTo, share)
    case 'choose':
      return new Encoding(sources, { event, option: frame.options[next] as number }).unit(upTo, share)
    case 'revisit': {
      const receive = frame.receives[next] as GraphEvent
      const first = order.indexOf(receive)
      const kept = upTo.filter((each, stamp) => stamp <= first || inPrefix(each, event))
      return new Encoding(new Map(sources).set(receive, event)).unit(kept, share)
    }
  }
}

class Encoding {
  readonly #processes: string[] = []
  readonly #numbers = new Map<string, number>()
  /** Sources that receives had, or will have, instead of theirs. */
  readonly #sources: ReadonlyMap<GraphEvent, GraphEvent | undefined>
  readonly #chosen: { readonly event: GraphEvent; readonly option: number } | undefined

  constructor(
    sources: ReadonlyMap<GraphEvent, GraphEvent | undefined>,
    chosen?: { readonly event: GraphEvent; readonly option: number },
  ) {
    this.#sources = sources
    this.#chosen = chosen
  }

  unit(order: readonly GraphEvent[], weight: number, branches?: readonly BranchData[]): WorkUnit {
    const events = order.map((event): EventData => [this.#numberOf(event), this.#decided(event)])
    const state: UnitState = { processes: this.#processes, events, weight, ...(branches && { branches }) }
    return { format: unitFormat, engine: 'dpor', state }
  }

  unitOfBranches(order: readonly GraphEvent[], frames: readonly Branching[]): WorkUnit {
    const branches = frames.map((frame): BranchData => [frame.event.stamp, frame.share, this.#left(frame)])
    return this.unit(order, shareIn(branches), branches)
  }

  #left(frame: Branching): BranchData[2] {
    if (frame.kind === 'read') return frame.options.slice(frame.next).map((send) => this.#named(send))
    if (frame.kind === 'choose') return frame.options.slice(frame.next)
    return frame.receives.slice(frame.next).map(({ stamp }) => stamp)
  }

  #decided(event: GraphEvent): EventData[1] {
    if (event.kind === 'choose') return event === this.#chosen?.event ? this.#chosen.option : event.option
    if (event.kind !== 'receive' && event.kind !== 'poll') return 0
    return this.#named(this.#sources.has(event) ? this.#sources.get(event) : event.source)
  }

  #named(event: GraphEvent | undefined): Named | null {
    return event === undefined ? null : [this.#numberOf(event), event.index]
  }

  #numberOf(event: GraphEvent): number {
    const { id } = event.process
    const known = this.#numbers.get(id)
    if (known !== undefined) return known
    const number = this.#processes.push(id) - 1
    this.#numbers.set(id, number)
    return number
  }
}

function shareIn(branches: readonly BranchData[]): number {
  return branches.reduce((sum, [, share, left]) => sum + share * left.length, 0)
}

/**
 * Rebuilds a unit's graph in a fresh search. A revisited receive stands before the send it reads, so events are performed in
 * an order that respects causality and sorted into insertion order afterwards. True if the graph itself is to be explored, false
 * if only its alternatives are.
 */
export function load(search: GraphSearch, unit: WorkUnit): boolean {
  const state = checkedState(unit)
  const recorded = { state, indices: indicesOf(state) }
  const performed: (GraphEvent | undefined)[] = state.events.map(() => undefined)
  const waiting = state.events.map((_, stamp) => stamp)
  while (waiting.length > 0) {
    const before = waiting.length
    for (let at = 0; at < waiting.length; ) {
      const stamp = waiting[at] as number
      const event = performRecorded(search, recorded, stamp)
      if (event === undefined) at++
      else {
        performed[stamp] = event
        waiting.splice(at, 1)
      }
    }
    if (waiting.length === before) throw new DiagnosticError(foreign('its events cannot be performed'))
  }
  const order = performed as GraphEvent[]
  const frames = (state.branches ?? []).map((branch) => frameOf(search, state, order, branch))
  search.startFrom(order, state.weight, frames)
  return frames.length === 0
}

function frameOf(
  search: GraphSearch,
  { processes }: UnitState,
  order: readonly GraphEvent[],
  [at, share, left]: BranchData,
): Branching {
  const event = order[at] as GraphEvent
  const branch = { event, next: 0, share }
  switch (event.kind) {
    case 'receive':
    case 'poll':
      return { ...branch, kind: 'read', options: left.map((one) => sendOf(search, processes, event, one)) }
    case 'choose': {
      const { length } = (event.operation as Operation).payload as readonly unknown[]
      if (!left.every((one) => isBelow(one, length))) throw new DiagnosticError(foreign(otherBranches))
      return { ...branch, kind: 'choose', options: left as readonly number[] }
    }
    case 'send': {
      const receives = left.map((one) => (isBelow(one, at) ? order[one as number] : undefined))
      if (!receives.every((one) => one?.kind === 'receive' || one?.kind === 'poll'))
        throw new DiagnosticError(foreign(otherBranches))
      return { ...branch, kind: 'revisit', receives: receives as readonly GraphEvent[] }
    }
    default:
      throw new DiagnosticError(foreign(otherBranches))
  }
}

const otherBranches = 'its alternatives are not those of its events'

function sendOf(
  search: GraphSearch,
  processes: readonly string[],
  receive: GraphEvent,
  named: unknown,
): GraphEvent | undefined {
  if (named === null && receive.kind === 'poll') return undefined
  const [process, index] = Array.isArray(named) ? (named as readonly number[]) : []
  const send = search.graph.process(processes[process as number] as string)?.events[index as number]
  if (send === undefined || send.destination !== receive.process) throw new DiagnosticError(foreign(otherBranches))
  return send
}

interface Recorded {
  readonly state: UnitState
  /** The position of each event in its process. */
  readonly indices: readonly number[]
}

function indicesOf(state: UnitState): readonly number[] {
  const counts = state.processes.map(() => 0)
  return state.events.map(([process]) => {
    const index = counts[process] as number
    counts[process] = index + 1
    return index
  })
}

/** Performs a recorded event if it is its process's next one and the send it reads is there. */
function performRecorded(search: GraphSearch, { state, indices }: Recorded, stamp: number): GraphEvent | undefined {
  const [number, decided] = state.events[stamp] as EventData
  const process = search.graph.process(state.processes[number] as string)
  if (process === undefined || !process.alive || process.events.length !== indices[stamp]) return undefined
  if (!Array.isArray(decided)) {
    if (!search.isPerformable(process)) return undefined
    const { pending } = search.histories.now(process)
    const isRead = pending?.kind === 'receive' || pending?.kind === 'poll'
    const isUndecided = decided === 0 && !isRead
    if (decided !== null && pending?.kind !== 'choose' && !isUndecided)
      throw new DiagnosticError(foreign(`it says of process "${process.id}" what is not open there`))
    return decided === null ? search.performRead(process, undefined) : search.perform(process, decided as number)
  }
  const source = search.graph.process(state.processes[decided[0] as number] as string)?.events[decided[1] as number]
  return source === undefined ? undefined : search.performRead(process, source)
}

/** The share of the search that a unit stands for. */
export function shareOf(unit: WorkUnit): number {
  return checkedState(unit).weight
}

function checkedState(unit: WorkUnit): UnitState {
  if (unit.format !== unitFormat || unit.engine !== 'dpor')
    throw new DiagnosticError(foreign(`it is of engine ${unit.engine}`))
  const { processes, events, weight, branches = [] } = (unit.state ?? {}) as Partial<UnitState>
  const isSound =
    Array.isArray(processes) &&
    processes.every((id) => typeof id === 'string') &&
    Array.isArray(events) &&
    events.every((event) => isEventData(event, processes.length)) &&
    typeof weight === 'number' &&
    weight >= 0 &&
    weight <= 1 &&
    Array.isArray(branches) &&
    branches.every((branch) => isBranchData(branch, processes.length, events.length)) &&
    (branches.length === 0 || weight === shareIn(branches))
  if (!isSound) throw new DiagnosticError(foreign('its state is damaged'))
  return { processes, events, weight, branches }
}

function isBranchData(data: unknown, processes: number, events: number): data is BranchData {
  if (!Array.isArray(data) || data.length !== 3 || !isBelow(data[0], events)) return false
  const [, share, left] = data as [number, unknown, unknown]
  if (typeof share !== 'number' || !(share >= 0 && share <= 1) || !Array.isArray(left) || left.length === 0)
    return false
  return left.every((one) => isEventData([0, one], processes))
}

function isEventData(data: unknown, processes: number): data is EventData {
  if (!Array.isArray(data) || data.length !== 2 || !isBelow(data[0], processes)) return false
  const decided: unknown = data[1]
  if (!Array.isArray(decided)) return decided === null || isBelow(decided, Number.MAX_SAFE_INTEGER)
  return decided.length === 2 && isBelow(decided[0], processes) && isBelow(decided[1], Number.MAX_SAFE_INTEGER)
}

function isBelow(number: unknown, bound: number): boolean {
  return Number.isSafeInteger(number) && (number as number) >= 0 && (number as number) < bound
}
