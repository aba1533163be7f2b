/**
 * What processes do next, as a function of the answers they were given. A coroutine cannot be copied or wound back, so after
 * backtracking a process would have to be run again from its start. But the same process sees the same answers in many
 * executions: states are remembered in a tree by answer, up to a fixed number, and code runs only for histories not seen
 * before (2pc(6), fifo: at least 2.6 × the executions per CPU second of restarts alone).
 */
import { asksForSender, type Operation } from '../../core/operation.ts'
import type { Hot, Violation } from '../../core/property.ts'
import { sameToTheEye } from '../../core/value.ts'
import type { Runnable } from '../../program/program.ts'
import type { ProcessStart } from '../../semantics/process-start.ts'
import { type ProcessCode, processCode } from './faulty-process.ts'
import type { GraphEvent, GraphProcess } from './graph.ts'

/**
 * Remembered states beyond these numbers are not kept, so that memory stays flat. Each process has a share of its own: one that
 * never sees the same twice must not take the room of those that do.
 */
export interface Memory {
  readonly states: number
  readonly statesPerProcess: number
  /** Messages to a process that a new one is compared with. */
  readonly messagesPerProcess: number
}

export const usualMemory: Memory = { states: 20_000, statesPerProcess: 4_000, messagesPerProcess: 16 }

/** A process after some of its events. */
export class LocalState {
  readonly wants:
    | 'to act'
    | 'to read'
    | 'nothing, returned'
    | 'nothing, stopped'
    | 'nothing, crashed'
    | 'nothing, cut off'
  /** The operation it asks for, or would had no fault struck; none when it has ended or must be ended by a last event. */
  readonly pending: Operation | undefined
  /** The process it wants to begin, when a spawn is pending. */
  readonly child: ProcessStart | undefined
  readonly violation: Violation | undefined
  readonly returned: unknown
  /** What it exposed last. */
  readonly announced: unknown
  /** What a monitor waits for, if it does. */
  readonly hot: Hot | undefined
  /** The process it wants to send to, once that was looked up. */
  to: GraphProcess | undefined = undefined
  /** What stands for the message it wants to send, once `Histories.messageKey` was asked. */
  message: object | undefined = undefined
  /** The state after the first answer seen, by its key, and those after others; most have one, and a Map costs 300 bytes. */
  #key: unknown = undefined
  #next: LocalState | undefined = undefined
  #others: Map<unknown, LocalState> | undefined = undefined

  constructor(wants: LocalState['wants'], coroutine: ProcessCode | undefined) {
    this.wants = wants
    this.pending = coroutine?.pending
    this.child = coroutine?.pending?.kind === 'spawn' ? coroutine.child : undefined
    this.violation = coroutine?.violation
    this.returned = coroutine?.returned
    this.announced = coroutine?.announced
    this.hot = coroutine?.hot
  }

  following(key: unknown): LocalState | undefined {
    return Object.is(key, this.#key) ? this.#next : this.#others?.get(key)
  }

  remember(key: unknown, state: LocalState): void {
    if (this.#next === undefined) {
      this.#key = key
      this.#next = state
    } else {
      this.#others ??= new Map()
      this.#others.set(key, state)
    }
  }
}

/** After an event that ended the process early. */
export const stopped = new LocalState('nothing, stopped', undefined)

function stateOf(coroutine: ProcessCode): LocalState {
  const { status, pending } = coroutine
  if (status === 'crashed' || status === 'cut off') return new LocalState(`nothing, ${status}`, coroutine)
  const reads = pending?.kind === 'receive' || pending?.kind === 'poll'
  return new LocalState(status === 'returned' ? 'nothing, returned' : reads ? 'to read' : 'to act', coroutine)
}

export class Histories {
  readonly #subject: Runnable
  /** Roots of the trees. Weak: a start is made by a run of the parent, and is gone with the state that holds it. */
  readonly #starts = new WeakMap<ProcessStart, LocalState>()
  readonly #memory: Memory
  /** How many more states may be remembered, of all processes together. */
  #left: number
  /** Answers that processes were given again, because they had to begin anew, since somebody set it to 0. */
  repeated = 0

  constructor(subject: Runnable, memory: Memory) {
    this.#subject = subject
    this.#memory = memory
    this.#left = memory.states
  }

  /** The process after all its events in the graph. */
  now(process: GraphProcess): LocalState {
    const { events } = process
    const count = events.length
    return count === 0 ? this.#atStart(process) : this.#after(process, events[count - 1] as GraphEvent)
  }

  /** The process before all its events, or after one of them. */
  at(process: GraphProcess, event: GraphEvent | undefined): LocalState {
    return event === undefined ? this.#atStart(process) : this.#after(process, event)
  }

  /**
   * What stands for the message a process wants to send where histories are compared: itself, or the first equal one that was
   * sent to the same process. The receiver is still given the message itself.
   */
  messageKey(state: LocalState, to: GraphProcess): unknown {
    const payload = state.pending?.payload
    if (payload === undefined) return nothing
    if (typeof payload !== 'object' || payload === null) return Object.is(payload, -0) ? negativeZero : payload
    state.message ??= known(payload, to.sent, this.#memory.messagesPerProcess)
    return state.message
  }

  #after(process: GraphProcess, event: GraphEvent): LocalState {
    if (event.after !== undefined) return event.after
    const { events } = process
    const before =
      event.index === 0 ? this.#atStart(process) : this.#after(process, events[event.index - 1] as GraphEvent)
    const key = keyOf(event)
    // Equal messages have one key, whoever sent them.
    const isKnownByKey = before.pending === undefined || !asksForSender(before.pending)
    let state = isKnownByKey ? before.following(key) : undefined
    if (state === undefined) {
      state = stateOf(this.#coroutineAfter(process, event))
      if (typeof state.pending?.where === 'function') park(process)
      if (isKnownByKey && this.#left > 0 && process.remembered < this.#memory.statesPerProcess) {
        this.#left--
        process.remembered++
        before.remember(key, state)
      }
    }
    event.after = state
    return state
  }

  #coroutineAfter(process: GraphProcess, event: GraphEvent): ProcessCode {
    const { events, start } = process
    const isLast = event.index === events.length - 1
    if (!isLast || process.coroutine === undefined) this.repeated += event.index
    if (isLast) return upToDate(process, this.#subject)
    return processCode(start, this.#subject, events.slice(0, event.index + 1))
  }

  #atStart(process: GraphProcess): LocalState {
    let state = this.#starts.get(process.start)
    if (state === undefined) {
      state = stateOf(processCode(process.start, this.#subject, []))
      this.#starts.set(process.start, state)
    }
    return state
  }
}

/** A map takes 0 for −0, a process need not. */
const negativeZero = Symbol('-0')
/** A poll that found nothing is answered as one that found this. */
const nothing = Symbol('undefined')

/** What tells the answers to an operation apart. */
function keyOf({ kind, source, option }: GraphEvent): unknown {
  return kind === 'choose' ? option : source?.key
}

function known(payload: object, sent: object[], most: number): object {
  for (const one of sent) if (sameToTheEye(one, payload)) return one
  if (sent.length < most) sent.push(payload)
  return payload
}

/**
 * A filter is asked long after its receive, when later sends consider revisiting it, and may read local variables that have
 * changed by then. So a coroutine that waits with a filter is never resumed: it stays as it is, with the state that holds its
 * operation, and the process goes on with another one.
 */
function park(process: GraphProcess): void {
  process.coroutine = undefined
}

/** The process's coroutine, with every event of the graph answered. */
function upToDate(process: GraphProcess, subject: Runnable): ProcessCode {
  const { coroutine, events } = process
  if (coroutine === undefined) {
    process.coroutine = processCode(process.start, subject, events)
    return process.coroutine
  }
  while (coroutine.position < events.length) {
    const { answer, source } = events[coroutine.position] as GraphEvent
    coroutine.resume(answer, source)
  }
  return coroutine
}
