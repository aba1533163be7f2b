/**
 * The reference semantics: one execution in progress. `enabled` says what may happen next, `take` makes it happen. Plain and
 * slow on purpose; every engine is tested against it and every violation is replayed in it.
 */
import type { Event } from '../core/event.ts'
import { invariant, unreachable } from '../core/invariant.ts'
import type { NetworkName, Operation } from '../core/operation.ts'
import { type EndedProcess, type Ending, sameViolation, type Violation } from '../core/property.ts'
import { processLimit, tooManyProcesses } from '../core/running.ts'
import { type Decision, describeDecision, sameDecision } from '../core/trace.ts'
import { Address, type Value } from '../core/value.ts'
import type { Runnable } from '../program/program.ts'
import { Coroutine, initialProcesses, type ProcessStart } from './coroutine.ts'
import { deliverable, type Message } from './network/network.ts'
import { describeWaiting, takesFrom, takesSteadily } from './waiting.ts'

interface ProcessInWorld {
  readonly coroutine: Coroutine
  /** What it asked for and was answered. */
  readonly history: Performed[]
  /** Unread messages in sending order. */
  readonly inbox: Message[]
  clock: number[]
  events: number
}

/** An operation and its answer. */
interface Performed {
  readonly operation: Operation
  readonly answer: unknown
}

/** A process as far as it got, with all that is needed to run it again alone. */
export interface ProcessHistory {
  readonly start: ProcessStart
  readonly performed: readonly Performed[]
  readonly status: Coroutine['status']
  readonly returned: unknown
  readonly pending: Operation | undefined
}

export class World {
  readonly events: Event[] = []
  /** In the order they came about; an execution goes on after one, without the process that failed. */
  readonly violations: Violation[] = []
  readonly #subject: Runnable
  readonly #processes = new Map<string, ProcessInWorld>()
  /** Position of each process in vector clocks. */
  readonly #positions = new Map<string, number>()
  /** Messages to processes that have not begun. */
  readonly #early: Message[] = []
  /** What processes announced last, if there are invariants about it. */
  readonly #announced = new Map<string, Value>()
  #messages = 0

  constructor(subject: Runnable) {
    this.#subject = subject
    for (const start of initialProcesses(subject)) this.#begin(start, [])
  }

  /** Every decision that may be taken now, in a fixed order. */
  enabled(): Decision[] {
    return [...this.#processes.values()].flatMap((process) => this.#enabledFor(process))
  }

  #enabledFor(process: ProcessInWorld): Decision[] {
    const { pending } = process.coroutine
    const id = process.coroutine.start.id
    if (pending === undefined) return []
    switch (pending.kind) {
      case 'send':
      case 'spawn':
        return [{ kind: 'step', process: id }]
      case 'join':
        return this.#hasReturned(pending.target as Address<never>) ? [{ kind: 'step', process: id }] : []
      case 'receive':
        return this.#deliveries(process, pending)
      case 'poll':
        return [{ kind: 'timeout', process: id }, ...this.#deliveries(process, pending)]
      case 'choose':
        return (pending.payload as readonly unknown[]).map((_, option) => ({ kind: 'choose', process: id, option }))
      default:
        return []
    }
  }

  #deliveries(process: ProcessInWorld, operation: Operation): Decision[] {
    const id = process.coroutine.start.id
    const isTaken = ({ from, value }: Message) => takesFrom(operation, from) && takesSteadily(id, operation, value)
    const taken = deliverable(process.inbox, isTaken, () => this.#unread())
    return taken.map(({ number }) => ({ kind: 'deliver', process: id, message: number }))
  }

  #unread(): readonly Message[] {
    const inboxes = [...this.#processes.values()].flatMap(({ inbox }) => inbox)
    return [...inboxes, ...this.#early.filter(({ to }) => !this.#processes.has(to))]
  }

  #hasReturned(address: Address<never>): boolean {
    return this.#processes.get(address.id)?.coroutine.status === 'returned'
  }

  allows(decision: Decision): boolean {
    const process = this.#processes.get(decision.process)
    return process !== undefined && this.#enabledFor(process).some((enabled) => sameDecision(enabled, decision))
  }

  /** Makes an enabled decision happen. */
  take(decision: Decision): void {
    const process = this.#processes.get(decision.process)
    const pending = process?.coroutine.pending
    invariant(
      process !== undefined && pending !== undefined,
      `${describeDecision(decision)} is enabled when it is taken`,
    )
    process.events++
    const position = this.#positions.get(decision.process) as number
    process.clock[position] = (process.clock[position] ?? 0) + 1
    this.#perform(process, pending, decision)
  }

  // Events are written out field by field: spreading a common part cost 40 % of an interleaving.
  #perform(process: ProcessInWorld, operation: Operation, decision: Decision): void {
    const { stack } = operation
    const index = process.events - 1
    switch (decision.kind) {
      case 'step':
        return this.#step(process, operation)
      case 'deliver':
        return this.#deliver(process, operation, decision.message)
      case 'timeout':
        this.events.push({
          kind: 'timeout',
          process: decision.process,
          index,
          stack,
          instead: operation.payload as Value,
        })
        return this.#resume(process, undefined)
      case 'choose': {
        const { option } = decision
        const options = operation.payload as readonly Value[]
        const value = options[option]
        this.events.push({
          kind: 'choose',
          process: decision.process,
          index,
          stack,
          option,
          options: options.length,
          value,
        })
        return this.#resume(process, value)
      }
      default:
        return unreachable(decision, 'decision')
    }
  }

  #step(process: ProcessInWorld, operation: Operation): void {
    const { stack } = operation
    const { id } = process.coroutine.start
    const index = process.events - 1
    if (operation.kind === 'send') {
      this.#send(process, operation)
      return this.#resume(process, undefined)
    }
    if (operation.kind === 'spawn') {
      const { child } = process.coroutine
      this.events.push({ kind: 'spawn', process: id, index, stack, child: child.id, daemon: child.daemon })
      this.#begin(child, [...process.clock])
      return this.#resume(process, Address.of(child.id))
    }
    const target = (operation.target as Address<never>).id
    this.events.push({ kind: 'join', process: id, index, stack, target })
    process.clock = joined(process.clock, this.#processes.get(target)?.clock ?? [])
    this.#resume(process, undefined)
  }

  #send(process: ProcessInWorld, operation: Operation): void {
    const { id } = process.coroutine.start
    const message: Message = {
      number: this.#messages++,
      from: id,
      to: (operation.target as Address<never>).id,
      value: operation.payload as Value,
      network: (operation.detail as NetworkName | undefined) ?? this.#subject.network,
      sender: this.#positions.get(id) as number,
      clock: [...process.clock],
      notification: process.coroutine.notifying,
    }
    const { number, to, network, notification } = message
    const value = this.#shown(message)
    const { stack } = operation
    const index = process.events - 1
    this.events.push({ kind: 'send', process: id, index, stack, message: number, to, value, network, notification })
    ;(this.#processes.get(to)?.inbox ?? this.#early).push(message)
  }

  #deliver(process: ProcessInWorld, operation: Operation, number: number): void {
    const at = process.inbox.findIndex((message) => message.number === number)
    const [message] = process.inbox.splice(at, 1)
    invariant(at >= 0 && message !== undefined, 'a delivered message is in the inbox')
    process.clock = joined(process.clock, message.clock)
    const { from, value } = message
    const { id } = process.coroutine.start
    this.events.push({
      kind: 'receive',
      process: id,
      index: process.events - 1,
      stack: operation.stack,
      message: number,
      from,
      value: this.#shown(message),
    })
    this.#resume(process, value)
  }

  #shown({ value, notification }: Message): Value {
    const { shownMessage } = this.#subject
    return shownMessage === undefined || notification ? value : shownMessage(value)
  }

  #begin(start: ProcessStart, clock: number[]): void {
    invariant(!this.#processes.has(start.id), 'process ids are unique in an execution')
    if (this.#processes.size >= processLimit) throw tooManyProcesses(start.id)
    this.#positions.set(start.id, this.#positions.size)
    const inbox = this.#early.filter((message) => message.to === start.id)
    const process = { coroutine: new Coroutine(start, this.#subject), history: [], inbox, clock, events: 0 }
    this.#processes.set(start.id, process)
    this.#noteViolation(process)
    this.#checkInvariants(process)
  }

  #resume(process: ProcessInWorld, answer: unknown): void {
    process.history.push({ operation: process.coroutine.pending as Operation, answer })
    process.coroutine.resume(answer)
    this.#noteViolation(process)
    this.#checkInvariants(process)
  }

  #noteViolation(process: ProcessInWorld): void {
    const { violation, start } = process.coroutine
    if (process.coroutine.status === 'stopped') {
      this.events.push({ kind: 'stop', process: start.id, index: process.events })
    }
    if (violation === undefined) return
    this.violations.push(violation)
    this.events.push({ kind: 'fail', process: start.id, index: process.events, stack: violation.stack, violation })
  }

  #checkInvariants({ coroutine, events }: ProcessInWorld): void {
    const invariants = this.#subject.stateInvariants
    const { id } = coroutine.start
    if (invariants === undefined || coroutine.announced === this.#announced.get(id)) return
    this.#announced.set(id, coroutine.announced as Value)
    for (const { violation } of invariants) {
      const found = violation(this.#announced)
      if (found === undefined || this.violations.some((known) => sameViolation(known, found))) continue
      this.violations.push(found)
      this.events.push({ kind: 'fail', process: id, index: events, stack: found.stack, violation: found })
    }
  }

  /** What processes announced last, those that announced anything. */
  announcements(): ReadonlyMap<string, Value> {
    const announced = [...this.#processes.values()].map(({ coroutine }) => [coroutine.start.id, coroutine.announced])
    return new Map(announced.filter(([, state]) => state !== undefined) as [string, Value][])
  }

  histories(): readonly ProcessHistory[] {
    return [...this.#processes.values()].map(({ coroutine, history }) => {
      const { start, status, returned, pending } = coroutine
      return { start, performed: history, status, returned, pending }
    })
  }

  /** The execution as its judges see it, once nothing is enabled. */
  ending(): Ending {
    return { processes: [...this.#processes.values()].map((process) => endedProcess(process)) }
  }

  /** What the end checks say of an execution in which nothing is enabled. */
  endViolations(): Violation[] {
    const ending = this.ending()
    return this.#subject.endChecks.flatMap((check) => check.violation(ending) ?? [])
  }

  /** Whether some process neither returned nor is a daemon waiting for more. */
  isBlocked(): boolean {
    return this.ending().processes.some(
      ({ status, daemon }) => status !== 'returned' && !(daemon && status === 'waiting'),
    )
  }
}

function endedProcess(process: ProcessInWorld): EndedProcess {
  const { start, status, pending, returned } = process.coroutine
  const base = { id: start.id, daemon: start.daemon, value: returned as Value }
  if (pending === undefined) return { ...base, status: status === 'asking' ? 'waiting' : status }
  return { ...base, status: 'waiting', waiting: describeWaiting(start.id, pending, process.inbox) }
}

function joined(left: readonly number[], right: readonly number[]): number[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, at) => Math.max(left[at] ?? 0, right[at] ?? 0))
}
