/**
 * The exploration (Must, Algorithm 1): grow a graph by one event at a time, try every send a receive may read and every
 * option of a choice, and let each new send revisit earlier receives. Each consistent graph is visited exactly once, and
 * nothing is started that does not end in one (Theorem 4.1).
 *
 * Departures from the pseudo code, none of which changes the set of graphs visited: recursion is a stack of frames over one
 * graph that is undone in place; spawn and join are events with causal edges; failed assumptions and broken properties are
 * last events of their process, and the search goes on around them, because sends added later may revisit what led there.
 * Which process moves next is in `schedule.ts`.
 */
import { DiagnosticError } from '../../core/diagnostic.ts'
import { invariant } from '../../core/invariant.ts'
import type { NetworkName, Operation } from '../../core/operation.ts'
import type { Violation } from '../../core/property.ts'
import { processLimit, tooManyProcesses } from '../../core/running.ts'
import { Address } from '../../core/value.ts'
import type { Runnable } from '../../program/program.ts'
import { initialProcesses, type ProcessStart } from '../../semantics/process-start.ts'
import { alternatives, type BranchFrame, type Branching } from './branch-frame.ts'
import { readable } from './consistency/consistency.ts'
import { forwarding } from './eager.ts'
import { affordable } from './faults.ts'
import { isFaultChoice, type Struck } from './faulty-process.ts'
import { foreign } from './foreign.ts'
import { clockAfter, Graph, GraphEvent, type GraphProcess, joinedClock, joinedClocks } from './graph.ts'
import { Histories, type LocalState, type Memory, stopped } from './histories.ts'
import type { DporOptions } from './options.ts'
import { backwardRevisits } from './revisit.ts'
import { Schedule } from './schedule.ts'
import { endOfTurn, headOf, queueing, readerOfPassed } from './sender-queue.ts'

/** So many answers that are given again take as long as an event that is added. */
const repeatedPerEvent = 16

export class GraphSearch {
  readonly graph = new Graph()
  /** The alternatives not tried yet, the innermost last. A 'restore' undoes the revisit that the frames above it build on. */
  readonly frames: BranchFrame[] = []
  readonly subject: Runnable
  readonly histories: Histories
  readonly isEager: boolean
  readonly #schedule: Schedule
  /** What the receive picked last may read. */
  #options: readonly (GraphEvent | undefined)[] = []
  /** The receive itself, not yet in the graph. Invariant: `#options` belongs to it; both are set by `#prepareRead`. */
  #probe: GraphEvent | undefined = undefined
  /** Share of the whole search that the current graph stands for. */
  weight = 1
  /** Events added so far. */
  added = 0

  constructor(subject: Runnable, options: DporOptions, memory: Memory) {
    this.subject = subject
    this.histories = new Histories(subject, memory)
    this.isEager = options.eager
    this.#schedule = new Schedule(this, options)
    for (const start of initialProcesses(subject)) this.#begin(start, [])
  }

  /** Makes the events performed so far, in this insertion order, the graph to explore from, with what is left to try of it. */
  startFrom(order: GraphEvent[], weight: number, frames: readonly Branching[]): void {
    this.graph.sort(order)
    this.frames.splice(0, this.frames.length, ...frames)
    this.weight = weight
    this.#schedule.begunAnew()
  }

  /**
   * Adds events until nothing can move (undefined), a process breaks a property (its last event), or there are so many. Answers that
   * processes were given again count as well, those of earlier executions included: one event may take thousands of them.
   */
  extend(most: number): GraphEvent | 'paused' | undefined {
    const { histories } = this
    for (let count = 0; count < most; count++) {
      if (histories.repeated > most * repeatedPerEvent) {
        histories.repeated = 0
        return 'paused'
      }
      const process = this.#schedule.next()
      const event = process && this.perform(process)
      if (event === undefined || event.kind === 'error') return event
    }
    return 'paused'
  }

  /** Whether a process can perform its next operation; a receive that can is prepared. */
  canMove(process: GraphProcess): boolean {
    if (!process.alive) return false
    const { wants, pending } = this.histories.now(process)
    if (wants !== 'to read' && wants !== 'to act') return false
    return wants === 'to read' ? this.#prepareRead(process, pending as Operation) : this.#isOpen(process, pending)
  }

  /** Whether an operation other than a receive can be performed now: only a join may have to wait. */
  #isOpen(process: GraphProcess, operation: Operation | undefined): boolean {
    if (operation?.kind !== 'join') return true
    if (process.isQueue) return this.#taken(process) !== undefined
    return this.hasEnded((operation.target as Address<never>).id)
  }

  #prepareRead(process: GraphProcess, operation: Operation): boolean {
    const kind = operation.kind as 'receive' | 'poll'
    const probe = new GraphEvent(process, kind, operation, [])
    const sends = readable(probe)
    this.#probe = probe
    this.#options = kind === 'poll' ? [undefined, ...sends] : sends
    return this.#options.length > 0
  }

  /** Whether a process has returned or crashed. */
  hasEnded(id: string): boolean {
    const target = this.graph.process(id)
    if (target?.alive !== true) return false
    const { wants } = this.histories.now(target)
    return wants === 'nothing, returned' || wants === 'nothing, crashed'
  }

  /** Whether the next operation can be performed when it is not a receive or when it reads nothing. */
  isPerformable(process: GraphProcess): boolean {
    const { wants, pending } = this.histories.now(process)
    return (wants === 'to act' || wants === 'to read') && this.#isOpen(process, pending)
  }

  /** Performs the receive or poll that a process asks for, reading the given send or nothing, whatever else it could read. */
  performRead(process: GraphProcess, source: GraphEvent | undefined): GraphEvent {
    const { pending } = this.histories.now(process)
    const isRead = pending?.kind === 'poll' || (pending?.kind === 'receive' && source !== undefined)
    const isThere = source === undefined || (source.destination === process && source.reader === undefined)
    if (!isRead || !isThere) throw new DiagnosticError(foreign(`process "${process.id}" does not receive there`))
    this.#probe = new GraphEvent(process, pending.kind, pending, [])
    this.#options = [source]
    this.added++
    return this.#read()
  }

  /** Performs the next operation of a process that can move, choosing `option` if it is a choice; the event it became. */
  perform(process: GraphProcess, option = 0): GraphEvent {
    const state = this.histories.now(process)
    const { pending } = state
    this.added++
    if (pending === undefined) return this.#stop(process, state.violation)
    switch (pending.kind) {
      case 'send':
        return this.#send(process, pending, state)
      case 'receive':
      case 'poll':
        return this.#read()
      case 'choose':
        return this.#choose(process, pending, option)
      case 'spawn':
        return this.#spawn(process, pending, state.child as ProcessStart)
      default:
        return this.#join(process, pending)
    }
  }

  #add(process: GraphProcess, kind: GraphEvent['kind'], operation: Operation | undefined): GraphEvent {
    const event = new GraphEvent(process, kind, operation, clockAfter(process, process.events.length, undefined))
    this.graph.add(event)
    return event
  }

  #stop(process: GraphProcess, violation: Violation | undefined): GraphEvent {
    const event = this.#add(process, violation === undefined ? 'block' : 'error', undefined)
    event.violation = violation
    event.after = stopped
    return event
  }

  #send(process: GraphProcess, operation: Operation, state: LocalState): GraphEvent {
    const head = headOf(process)
    const performed = head?.operation ?? operation
    const event = new GraphEvent(process, 'send', performed, clockAfter(process, process.events.length, undefined))
    if (state.to === undefined || head !== undefined)
      state.to = this.graph.addressed((performed.target as Address<never>).id)
    const destination = state.to
    event.key = head?.key ?? this.histories.messageKey(state, destination)
    event.network = (operation.detail as NetworkName | undefined) ?? this.subject.network
    event.destination = this.#firstStop(event, destination)
    this.graph.add(event)
    const receives = backwardRevisits(this.graph.order, event)
    if (receives.length > 0) {
      this.weight /= receives.length + 1
      this.frames.push({ kind: 'revisit', event, receives, next: 0, share: this.weight })
    }
    return event
  }

  #firstStop({ process, network }: GraphEvent, destination: GraphProcess): GraphProcess {
    if (process.forwards !== undefined) return destination
    if (this.isEager && network === 'fifo') return this.#forwarderOf(destination)
    return network === 'sender-queue' ? this.#queueOf(process) : destination
  }

  #read(): GraphEvent {
    const event = this.#probe as GraphEvent
    const options = this.#options
    const source = options[0]
    event.source = source
    event.clock = clockAfter(event.process, event.index, source)
    event.answer = source?.payload
    this.graph.add(event)
    if (options.length > 1) {
      this.weight /= options.length
      this.frames.push({ kind: 'read', event, options, next: 1, share: this.weight })
    }
    return event
  }

  #choose(process: GraphProcess, operation: Operation, option: number): GraphEvent {
    const isFault = this.subject.faults !== undefined && isFaultChoice(operation)
    const tried = isFault
      ? affordable(operation.payload as readonly Struck[], this.graph.order, this.subject)
      : undefined
    const event = this.#add(process, 'choose', operation)
    const values = operation.payload as readonly unknown[]
    if (option >= values.length)
      throw new DiagnosticError(foreign(`process "${process.id}" has no option ${option + 1} there`))
    event.option = option
    event.answer = values[option]
    const options = tried ?? positionsUpTo(values.length)
    if (options.length > 1) {
      this.weight /= options.length
      this.frames.push({ kind: 'choose', event, options, next: 1, share: this.weight })
    }
    return event
  }

  #spawn(process: GraphProcess, operation: Operation, start: ProcessStart): GraphEvent {
    const event = this.#add(process, 'spawn', operation)
    event.childStart = start
    event.child = this.#begin(start, joinedClock(event.clock, event), event)
    event.answer = Address.of(start.id)
    return event
  }

  #begin(start: ProcessStart, birth: readonly number[], spawn?: GraphEvent): GraphProcess {
    const process = this.graph.begin(start, birth, spawn)
    if (this.graph.processes.length > processLimit) this.#countProcesses(start.id)
    this.#schedule.begun(process)
    if (this.isEager && !start.monitor)
      this.#schedule.begun(this.graph.begin(forwarding(this.#forwarderOf(process).id, start.id), birth))
    return process
  }

  /** Processes of other executions count among the known ones, but not here. */
  #countProcesses(latest: string): void {
    const alive = this.graph.processes.filter((process) => process.alive && process.forwards === undefined).length
    if (alive > processLimit) throw tooManyProcesses(latest)
  }

  /** The process that orders the arrivals of another one, which may not have begun yet. */
  #forwarderOf(process: GraphProcess): GraphProcess {
    process.forwarder ??= this.graph.addressed(`${process.id}←`)
    process.forwarder.forwards = process
    return process.forwarder
  }

  /** Once there, it waits for its process, whether or not that has begun in this execution. */
  #queueOf(process: GraphProcess): GraphProcess {
    if (process.queue !== undefined) return process.queue
    const queue = this.graph.begin(queueing(`${process.id}→`), [])
    queue.forwards = process
    queue.isQueue = true
    process.queue = queue
    this.#schedule.begun(queue)
    return queue
  }

  #join(process: GraphProcess, operation: Operation): GraphEvent {
    const taken = process.isQueue ? this.#taken(process) : undefined
    const event = this.#add(process, 'join', operation)
    if (taken !== undefined) {
      event.clock = joinedClock(event.clock, taken)
      return event
    }
    const target = this.graph.process((operation.target as Address<never>).id)
    invariant(target !== undefined, 'a joined process exists')
    const last = target.events.at(-1)
    event.clock = last === undefined ? joinedClocks(event.clock, target.birth) : joinedClock(event.clock, last)
    return event
  }

  /** The event by which what a queue has passed on is out of the way, once there is one. */
  #taken(queue: GraphProcess): GraphEvent | undefined {
    const reader = readerOfPassed(queue)
    if (this.subject.reference === undefined) return reader
    if (reader !== undefined) return endOfTurn(reader, this.histories.now(reader.process))
    const target = queue.events.at(-1)?.destination
    return target !== undefined && this.hasEnded(target.id) ? target.events.at(-1) : undefined
  }

  /** Turns the graph into the next alternative; false when there is none. */
  backtrack(): boolean {
    for (let frame = this.frames.at(-1); frame !== undefined; frame = this.frames.at(-1)) {
      if (frame.kind === 'restore') {
        this.restore()
      } else if (this.#tryNext(frame)) {
        this.#schedule.backtracked()
        return true
      }
    }
    return false
  }

  /** Undoes the revisit that the graph has come from, if the innermost frame says so. */
  restore(): boolean {
    const frame = this.frames.pop()
    if (frame?.kind !== 'restore') return false
    this.graph.cut(frame.revisited.kept)
    this.graph.restore(frame.revisited)
    return true
  }

  #tryNext(frame: Branching): boolean {
    const total = alternatives(frame)
    const at = frame.next++
    if (at + 1 >= total) this.frames.pop()
    if (at >= total) return false
    this.graph.cut(frame.event.stamp + 1)
    this.weight = frame.share
    if (frame.kind === 'revisit') {
      this.frames.push({
        kind: 'restore',
        revisited: this.graph.revisit(frame.receives[at] as GraphEvent, frame.event),
      })
      return true
    }
    if (frame.kind === 'read') this.graph.read(frame.event, frame.options[at])
    else this.graph.choose(frame.event, frame.options[at] as number)
    return true
  }
}

const positions: (readonly number[])[] = []

/** 0, 1, … below a number; one list for each. */
function positionsUpTo(count: number): readonly number[] {
  positions[count] ??= Array.from({ length: count }, (_, at) => at)
  return positions[count]
}
