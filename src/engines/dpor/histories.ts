/**
 * What processes do next, as a function of the answers they were given. A coroutine cannot be copied or wound back, so after
 * backtracking a process would have to be run again from its start. But the same process sees the same answers in many
 * executions: states are remembered in a tree by answer, up to a fixed number, and code runs only for histories not seen
 * before (2pc(7), fifo: 138,000 executions per CPU second instead of 79,000 with restarts alone).
 */
import type { Operation } from '../../core/operation.ts'
import type { Violation } from '../../core/property.ts'
import type { Runnable } from '../../program/program.ts'
import { Coroutine, type ProcessStart } from '../../semantics/coroutine.ts'
import type { GraphEvent, GraphProcess } from './graph.ts'

/** Remembered states beyond this number are not kept, so that memory stays flat. */
const capacity = 10_000

/** A process after some of its events. */
export class LocalState {
  readonly wants: 'to act' | 'to read' | 'nothing, returned' | 'nothing, stopped'
  /** The operation it asks for; none when it has ended or must be ended by a last event. */
  readonly pending: Operation | undefined
  /** The process it wants to begin, when a spawn is pending. */
  readonly child: ProcessStart | undefined
  readonly violation: Violation | undefined
  readonly returned: unknown
  /** The state after the first answer seen, and those after others; most states have only one, and a Map costs 300 bytes. */
  #answer: unknown = undefined
  #next: LocalState | undefined = undefined
  #others: Map<unknown, LocalState> | undefined = undefined

  constructor(wants: LocalState['wants'], coroutine: Coroutine | undefined) {
    this.wants = wants
    this.pending = coroutine?.pending
    this.child = coroutine?.pending?.kind === 'spawn' ? coroutine.child : undefined
    this.violation = coroutine?.violation
    this.returned = coroutine?.returned
  }

  following(answer: unknown): LocalState | undefined {
    return answer === this.#answer ? this.#next : this.#others?.get(answer)
  }

  remember(answer: unknown, state: LocalState): void {
    if (this.#next === undefined) {
      this.#answer = answer
      this.#next = state
    } else {
      this.#others ??= new Map()
      this.#others.set(answer, state)
    }
  }
}

/** After an event that ended the process early. */
export const stopped = new LocalState('nothing, stopped', undefined)

function stateOf(coroutine: Coroutine): LocalState {
  const { status, pending } = coroutine
  const reads = pending?.kind === 'receive' || pending?.kind === 'poll'
  return new LocalState(status === 'returned' ? 'nothing, returned' : reads ? 'to read' : 'to act', coroutine)
}

export class Histories {
  readonly #subject: Runnable
  readonly #starts = new WeakMap<ProcessStart, LocalState>()
  #left = capacity

  constructor(subject: Runnable) {
    this.#subject = subject
  }

  /** The process after all its events in the graph. */
  now(process: GraphProcess): LocalState {
    const { events } = process
    const count = events.length
    return count === 0 ? this.#atStart(process) : this.#after(process, events[count - 1] as GraphEvent)
  }

  #after(process: GraphProcess, last: GraphEvent): LocalState {
    if (last.after !== undefined) return last.after
    const before =
      last.index === 0 ? this.#atStart(process) : this.#after(process, process.events[last.index - 1] as GraphEvent)
    let state = before.following(last.answer)
    if (state === undefined) {
      state = stateOf(upToDate(process, this.#subject))
      if (this.#left > 0) {
        this.#left--
        before.remember(last.answer, state)
      }
    }
    last.after = state
    return state
  }

  #atStart(process: GraphProcess): LocalState {
    let state = this.#starts.get(process.start)
    if (state === undefined) {
      state = stateOf(Coroutine.replayed(process.start, this.#subject, []))
      this.#starts.set(process.start, state)
    }
    return state
  }
}

/** The process's coroutine, with every event of the graph answered. */
function upToDate(process: GraphProcess, subject: Runnable): Coroutine {
  const { coroutine, events } = process
  if (coroutine === undefined) {
    process.coroutine = Coroutine.replayed(process.start, subject, events)
    return process.coroutine
  }
  while (coroutine.position < events.length) coroutine.resume((events[coroutine.position] as GraphEvent).answer)
  return coroutine
}
