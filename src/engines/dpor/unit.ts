/**
 * Work units: graphs to be explored, as plain data. A graph is its events in insertion order, each with what was decided for
 * it; the processes' code supplies the rest when it is run again.
 */
import { DiagnosticError } from '../../core/diagnostic.ts'
import { unitFormat, type WorkUnit } from '../../core/verdict.ts'
import { alternatives, type Frame } from './frame.ts'
import type { GraphEvent } from './graph.ts'
import { inPrefix } from './graph.ts'
import type { Search } from './search.ts'

/** Events as [process, what was decided]: the send read as [process, index], null for nothing, the option, or 0. */
type EventData = readonly [process: number, decided: number | null | readonly [process: number, index: number]]

interface UnitState {
  readonly processes: readonly string[]
  readonly events: readonly EventData[]
  /** Share of the whole search. */
  readonly weight: number
}

/** The current graph of a search. */
export function currentUnit(search: Search): WorkUnit {
  return encode(search.graph.order, new Map(), search.weight)
}

/**
 * Takes the alternatives left in the oldest frame out of the search, as units: the largest pieces there are. Graphs below a
 * backward revisit have since been changed by it in one place, the source of the revisited receive.
 */
export function sharedUnits(search: Search): readonly WorkUnit[] {
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
function graphBelow(search: Search, at: number) {
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
  frame: Exclude<Frame, { kind: 'restore' }>,
  next: number,
  order: readonly GraphEvent[],
  sources: ReadonlyMap<GraphEvent, GraphEvent | undefined>,
): WorkUnit {
  const { event } = frame
  const upTo = order.slice(0, order.indexOf(event) + 1)
  switch (frame.kind) {
    case 'read':
      return encode(upTo, new Map(sources).set(event, frame.options[next]), frame.weight / frame.options.length)
    case 'choose':
      return encode(upTo, sources, frame.weight / frame.options.length, {
        event,
        option: frame.options[next] as number,
      })
    case 'revisit': {
      const receive = frame.receives[next] as GraphEvent
      const first = order.indexOf(receive)
      const kept = upTo.filter((each, stamp) => stamp <= first || inPrefix(each, event))
      return encode(kept, new Map(sources).set(receive, event), frame.weight / (frame.receives.length + 1))
    }
  }
}

function encode(
  order: readonly GraphEvent[],
  sources: ReadonlyMap<GraphEvent, GraphEvent | undefined>,
  weight: number,
  chosen?: { readonly event: GraphEvent; readonly option: number },
): WorkUnit {
  const processes: string[] = []
  const numbers = new Map<string, number>()
  const numberOf = (event: GraphEvent) => {
    const { id } = event.process
    if (!numbers.has(id)) numbers.set(id, processes.push(id) - 1)
    return numbers.get(id) as number
  }
  const decided = (event: GraphEvent): EventData[1] => {
    if (event.kind === 'choose') return event === chosen?.event ? chosen.option : event.option
    if (event.kind !== 'receive' && event.kind !== 'poll') return 0
    const source = sources.has(event) ? sources.get(event) : event.source
    return source === undefined ? null : [numberOf(source), source.index]
  }
  const events = order.map((event): EventData => [numberOf(event), decided(event)])
  const state: UnitState = { processes, events, weight }
  return { format: unitFormat, engine: 'dpor', state }
}

/**
 * Rebuilds a unit's graph in a fresh search. A revisited receive stands before the send it reads, so events are performed in
 * an order that respects causality and sorted into insertion order afterwards.
 */
export function load(search: Search, unit: WorkUnit): void {
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
  search.startFrom(performed as GraphEvent[], state.weight)
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
function performRecorded(search: Search, { state, indices }: Recorded, stamp: number): GraphEvent | undefined {
  const [number, decided] = state.events[stamp] as EventData
  const process = search.graph.process(state.processes[number] as string)
  if (process === undefined || !process.alive || process.events.length !== indices[stamp]) return undefined
  if (!Array.isArray(decided)) {
    if (!search.isPerformable(process)) return undefined
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
  const { processes, events, weight } = (unit.state ?? {}) as Partial<UnitState>
  const isSound =
    Array.isArray(processes) &&
    processes.every((id) => typeof id === 'string') &&
    Array.isArray(events) &&
    events.every((event) => isEventData(event, processes.length)) &&
    typeof weight === 'number' &&
    weight >= 0 &&
    weight <= 1
  if (!isSound) throw new DiagnosticError(foreign('its state is damaged'))
  return { processes, events, weight }
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

function foreign(why: string) {
  return {
    code: 'E405' as const,
    message: `a saved work unit does not fit this program: ${why}`,
    hint: 'the program has changed since the search was saved, or the file is damaged: start the search again',
  }
}
