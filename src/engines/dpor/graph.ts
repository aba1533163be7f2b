/**
 * Execution graphs (Must, Definition 3.2): events with program order, reads-from and insertion order. One graph is grown
 * and undone in place for the whole search; nothing is ever copied but the lists that a backward revisit cuts.
 *
 * Vector clocks are computed when an event is added and answer "is e in the causal prefix of f" in one comparison. Only a
 * revisited receive's clock changes later: everything after it is gone by then.
 */
import type { NetworkName, Operation } from '../../core/operation.ts'
import type { Violation } from '../../core/property.ts'
import type { ProcessStart } from '../../semantics/process-start.ts'
import type { ProcessCode } from './faulty-process.ts'
import type { LocalState } from './histories.ts'

/** 'block' and 'error' end a process that failed an assumption or broke a property. */
export type GraphEventKind = 'send' | 'receive' | 'poll' | 'choose' | 'spawn' | 'join' | 'block' | 'error'

/** One class for every kind, so that the inner loops see one hidden class. */
export class GraphEvent {
  readonly process: GraphProcess
  /** Position in `process.events`. Invariant while the event is in the graph: process.events[index] === this. */
  readonly index: number
  readonly kind: GraphEventKind
  readonly operation: Operation | undefined
  /** Sends: the message. Choices: the options. */
  readonly payload: unknown
  /** Position in the insertion order. */
  stamp = -1
  /** Events of every *other* process in the causal prefix, by process number; its own are the `index + 1` first. */
  clock: readonly number[]
  /** What the process was answered. */
  answer: unknown = undefined
  /** Sends: what stands for the message where histories are compared. */
  key: unknown = undefined
  /** What the process is after that, once it was looked at. */
  after: LocalState | undefined = undefined
  /** Sends: who gets the message, and how. */
  destination: GraphProcess | undefined = undefined
  network: NetworkName | undefined = undefined
  /** Sends: the receive that reads it. Invariant: reader.source === this. */
  reader: GraphEvent | undefined = undefined
  /** Receives: the send it reads; nothing for a poll that found nothing. */
  source: GraphEvent | undefined = undefined
  /** Choices: position of the option. */
  option = 0
  /** Spawns: the process begun. */
  child: GraphProcess | undefined = undefined
  childStart: ProcessStart | undefined = undefined
  /** Errors: which property broke and how. */
  violation: Violation | undefined = undefined
  /** Whether states up to it have been judged together with all that were in the graph then; see `lifetimes.ts`. */
  isJudged = false

  constructor(process: GraphProcess, kind: GraphEventKind, operation: Operation | undefined, clock: readonly number[]) {
    this.process = process
    this.index = process.events.length
    this.kind = kind
    this.operation = operation
    this.payload = operation?.payload
    this.clock = clock
  }

  /** Sends: whose message it is. */
  get from(): string {
    return originalSend(this).process.id
  }
}

/** A process of the search, kept for its whole length; `start` and `events` are those of the current graph. */
export class GraphProcess {
  readonly id: string
  /** Position in clocks; given in order of first appearance. */
  readonly number: number
  /**
   * Position in the order that breaks ties between sends. It depends on ids alone, so that every work unit of a search breaks
   * ties alike, in whichever thread it is explored.
   */
  rank = 0
  start: ProcessStart
  /**
   * Whether the current graph has the spawn of the process. Backtracking ends processes and begins them again, perhaps with
   * another `start`; the object stays, so that its number in clocks never changes.
   */
  alive = false
  /** What began it, if it is one of those that are spawned. */
  spawn: GraphEvent | undefined = undefined
  /** The clock its first event inherits. */
  birth: readonly number[] = []
  /** In program order. Backward revisits replace the array, so that `restore` can put the old one back without copying. */
  events: GraphEvent[] = []
  /** Sends to it in insertion order, read or not. */
  inbox: GraphEvent[] = []
  /** Different messages sent to it before, up to a number; see `Histories.messageKey`. They outlive the graph they came from. */
  readonly sent: object[] = []
  /** States remembered of it so far. */
  remembered = 0
  /** Whether it is among the graph's changed processes. */
  isChanged = false
  /** Its code, advanced past some prefix of `events`; dropped when an event it has consumed changes. */
  coroutine: ProcessCode | undefined = undefined
  /** Only in the eager variant: who puts this process's messages in order of arrival, or whose messages this one does. */
  forwarder: GraphProcess | undefined = undefined
  forwards: GraphProcess | undefined = undefined
  /** Who passes on what this process sends over `sender-queue`; it forwards this one's messages too. */
  queue: GraphProcess | undefined = undefined
  isQueue = false
  /** All processes of the search, this one included. */
  readonly siblings: readonly GraphProcess[]

  constructor(start: ProcessStart, siblings: readonly GraphProcess[]) {
    this.id = start.id
    this.number = siblings.length
    this.start = start
    this.siblings = siblings
  }
}

/** Whether `event` is `of` or in its causal prefix, (program order ∪ reads-from)*. */
export function inPrefix(event: GraphEvent, of: GraphEvent): boolean {
  if (event.process === of.process) return event.index <= of.index
  return event.index < (of.clock[event.process.number] as number)
}

/** What a forwarder or a queue passes on is what it had read. */
export function originalSend(send: GraphEvent): GraphEvent {
  if (send.process.forwards === undefined) return send
  return send.process.events[send.index - 1]?.source as GraphEvent
}

/** When a process began, in insertion order; those that pass on messages of another begin with it. */
export function began(process: GraphProcess): number {
  return (process.forwards ?? process).spawn?.stamp ?? -1
}

/**
 * A backward revisit's undo record. It owns the arrays as they were before: nothing may change them until `restore` has put them
 * back. Deleted events keep their own fields, and so restoring the lists restores the events.
 */
interface Revisited {
  readonly receive: GraphEvent
  readonly oldSource: GraphEvent | undefined
  readonly oldClock: readonly number[]
  readonly oldAfter: LocalState | undefined
  readonly order: GraphEvent[]
  /** Length of the insertion order right after the revisit. */
  readonly kept: number
  readonly deleted: readonly GraphEvent[]
  readonly lists: readonly {
    readonly process: GraphProcess
    readonly events: GraphEvent[]
    readonly inbox: GraphEvent[]
  }[]
}

export type { Revisited }

export class Graph {
  /**
   * Processes whose events changed by backtracking since `GraphSearch` last emptied the list; the others want what they wanted.
   * Invariant: a process is in the list iff its `isChanged` is set.
   */
  readonly changed: GraphProcess[] = []
  /** Invariant: order[e.stamp] === e. */
  order: GraphEvent[] = []
  /** By number. Processes are only ever added: those of executions explored before stay, not alive. */
  readonly processes: GraphProcess[] = []
  readonly #byId = new Map<string, GraphProcess>()
  /** See `living`; nothing when a process has begun or ended since. */
  #living: readonly GraphProcess[] | undefined
  /** By id; see `GraphProcess.rank`. */
  readonly #ranked: GraphProcess[] = []

  process(id: string): GraphProcess | undefined {
    return this.#byId.get(id)
  }

  /** The process with this id, which may not have begun yet; messages to it wait. */
  addressed(id: string): GraphProcess {
    const known = this.#byId.get(id)
    if (known !== undefined) return known
    const process = new GraphProcess(
      { id, body: () => undefined, args: [], daemon: false, monitor: false },
      this.processes,
    )
    this.processes.push(process)
    this.#byId.set(id, process)
    this.#rank(process)
    return process
  }

  /**
   * The processes that are alive in the order in which they began in this graph: an order that every search has that comes to the graph.
   * Numbers decide only between a process and those that pass on its messages, and between the first ones.
   */
  get living(): readonly GraphProcess[] {
    this.#living ??= this.processes
      .filter(({ alive }) => alive)
      .sort((left, right) => began(left) - began(right) || left.number - right.number)
    return this.#living
  }

  /** Empties the list of changed processes. */
  unchanged(): void {
    for (const process of this.changed) process.isChanged = false
    this.changed.length = 0
  }

  #rank(process: GraphProcess): void {
    const at = this.#ranked.findIndex(({ id }) => process.id < id)
    this.#ranked.splice(at < 0 ? this.#ranked.length : at, 0, process)
    for (const [rank, each] of this.#ranked.entries()) each.rank = rank
  }

  /** The process with this id, begun anew. */
  begin(start: ProcessStart, birth: readonly number[], spawn?: GraphEvent): GraphProcess {
    const process = this.addressed(start.id)
    this.#living = undefined
    process.spawn = spawn
    process.start = start
    process.birth = birth
    process.alive = true
    process.coroutine = undefined
    return process
  }

  /** Appends an event; its effects on other events (reader, inbox) with it. */
  add(event: GraphEvent): void {
    event.stamp = this.order.length
    this.order.push(event)
    event.process.events.push(event)
    if (event.kind === 'send') event.destination?.inbox.push(event)
    else if (event.source !== undefined) event.source.reader = event
  }

  /** Removes events until `length` are left, last inserted first. So every event removed is the last of its lists. */
  cut(length: number): void {
    const { order } = this
    while (order.length > length) {
      const event = order.pop() as GraphEvent
      const { process } = event
      process.events.pop()
      this.#forget(process, event.index)
      if (event.kind === 'send') event.destination?.inbox.pop()
      else if (event.source !== undefined) event.source.reader = undefined
      else if (event.kind === 'spawn') this.#end(event)
    }
  }

  /** Lets a receive read another send, or nothing. */
  read(receive: GraphEvent, source: GraphEvent | undefined): void {
    if (receive.source !== undefined) receive.source.reader = undefined
    receive.source = source
    receive.clock = clockAfter(receive.process, receive.index, source)
    receive.answer = source?.payload
    receive.after = undefined
    receive.isJudged = false
    if (source !== undefined) source.reader = receive
    this.#forget(receive.process, receive.index)
  }

  choose(event: GraphEvent, option: number): void {
    event.option = option
    event.answer = (event.payload as readonly unknown[])[option]
    event.after = undefined
    event.isJudged = false
    this.#forget(event.process, event.index)
  }

  /** Algorithm 1, line 13: keep what came before the receive and the prefix of the send, and let the receive read it. */
  revisit(receive: GraphEvent, send: GraphEvent): Revisited {
    const { order } = this
    const kept: GraphEvent[] = []
    const deleted: GraphEvent[] = []
    for (const event of order) (event.stamp <= receive.stamp || inPrefix(event, send) ? kept : deleted).push(event)
    const touched = new Set<GraphProcess>()
    for (const event of deleted) {
      touched.add(event.process)
      if (event.destination !== undefined) touched.add(event.destination)
    }
    const lists = [...touched].map((process) => ({ process, events: process.events, inbox: process.inbox }))
    const record = {
      receive,
      oldSource: receive.source,
      oldClock: receive.clock,
      oldAfter: receive.after,
      order,
      kept: kept.length,
      deleted,
      lists,
    }
    // The source of a deleted receive may be kept, and is unread from now on.
    const gone = new Set(deleted)
    for (const event of deleted) {
      if (event.source !== undefined) event.source.reader = undefined
      if (event.kind === 'spawn') this.#end(event)
    }
    for (const { process } of lists) {
      process.events = process.events.filter((event) => !gone.has(event))
      process.inbox = process.inbox.filter((event) => !gone.has(event))
      this.#forget(process, process.events.length)
    }
    this.#reorder(kept)
    this.read(receive, send)
    return record
  }

  /** Undoes `revisit`; the graph must have been cut back to what it was right after it. */
  restore(record: Revisited): void {
    const { receive, deleted } = record
    this.read(receive, record.oldSource)
    receive.clock = record.oldClock
    receive.after = record.oldAfter
    for (const { process, events, inbox } of record.lists) {
      process.events = events
      process.inbox = inbox
      this.#note(process)
    }
    for (const event of deleted) {
      if (event.source !== undefined) event.source.reader = event
      if (event.kind === 'spawn') this.#revive(event)
    }
    this.#reorder(record.order)
  }

  /** Puts the same events in another insertion order, the inboxes with them. */
  sort(order: GraphEvent[]): void {
    this.#reorder(order)
    this.#living = undefined
    for (const process of this.processes) process.inbox.sort((left, right) => left.stamp - right.stamp)
  }

  #end(spawn: GraphEvent): void {
    this.#living = undefined
    for (const process of begunBy(spawn)) {
      process.alive = false
      process.coroutine = undefined
    }
  }

  #revive(spawn: GraphEvent): void {
    this.#living = undefined
    const child = spawn.child as GraphProcess
    child.start = spawn.childStart as ProcessStart
    child.spawn = spawn
    for (const process of begunBy(spawn)) {
      process.alive = true
      process.birth = joinedClock(spawn.clock, spawn)
      process.coroutine = undefined
      this.#note(process)
    }
  }

  /** The event at `index` changes: the process's code is of no use if it has consumed it. */
  #forget(process: GraphProcess, index: number): void {
    if (process.coroutine !== undefined && process.coroutine.position > index) process.coroutine = undefined
    this.#note(process)
  }

  #note(process: GraphProcess): void {
    if (process.isChanged) return
    process.isChanged = true
    this.changed.push(process)
  }

  #reorder(order: GraphEvent[]): void {
    this.order = order
    for (let stamp = 0; stamp < order.length; stamp++) (order[stamp] as GraphEvent).stamp = stamp
  }
}

/** The clock of the event at `index` of a process: that of the event before it, joined with what it reads or waits for. */
export function clockAfter(process: GraphProcess, index: number, source: GraphEvent | undefined): readonly number[] {
  const base = index === 0 ? process.birth : (process.events[index - 1] as GraphEvent).clock
  return source === undefined ? base : joinedClock(base, source)
}

/** A clock that also covers `event` and its prefix. */
export function joinedClock(base: readonly number[], event: GraphEvent): readonly number[] {
  const clock = joinedClocks(base, event.clock)
  const { number } = event.process
  while (clock.length <= number) clock.push(0)
  if ((clock[number] as number) <= event.index) clock[number] = event.index + 1
  return clock
}

/** The larger of each pair of entries. */
export function joinedClocks(left: readonly number[], right: readonly number[]): number[] {
  const [short, long] = left.length < right.length ? [left, right] : [right, left]
  const clock = long.slice()
  for (let at = 0; at < short.length; at++)
    if ((short[at] as number) > (clock[at] as number)) clock[at] = short[at] as number
  return clock
}

/** The child, and its forwarder in the eager variant. */
function begunBy({ child }: GraphEvent): readonly GraphProcess[] {
  if (child === undefined) return []
  return child.forwarder === undefined ? [child] : [child, child.forwarder]
}
