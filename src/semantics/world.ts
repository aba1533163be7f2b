/**
 * The reference semantics: one execution in progress. `enabled` says what may happen next, `take` makes it happen. Plain and
 * slow on purpose; every engine is tested against it and every violation is replayed in it.
 */
import type { Event } from '../core/event.ts'
import { type Fault, SpentFaults } from '../core/faults.ts'
import { invariant, unreachable } from '../core/invariant.ts'
import { callStep, isNeverCutOff, type NetworkName, type Operation } from '../core/operation.ts'
import { type Ending, type StateProperty, sameViolation, seeing, type Violation } from '../core/property.ts'
import { processLimit, tooManyProcesses } from '../core/running.ts'
import { type Decision, describeDecision, sameDecision } from '../core/trace.ts'
import { Address, type Value } from '../core/value.ts'
import type { Shown } from '../program/path.ts'
import type { Runnable } from '../program/program.ts'
import { Coroutine } from './coroutine.ts'
import { crash, pendingOf, speaks } from './dying.ts'
import { crosses, faultsAt, sendsOverNetwork } from './faults.ts'
import { deliverable, type Message } from './network/network.ts'
import type { ProcessHistory, ProcessInWorld } from './process-in-world.ts'
import { endedProcess, historyOf, joined, processBegun, shownProcess } from './process-in-world.ts'
import { initialProcesses, type ProcessStart } from './process-start.ts'
import { takesSteadily } from './waiting.ts'

export class World {
  readonly events: Event[] = []
  /** In the order they came about; an execution goes on after one, without the process that failed. */
  readonly violations: Violation[] = []
  readonly #subject: Runnable
  readonly #invariants: readonly StateProperty[]
  readonly #processes = new Map<string, ProcessInWorld>()
  /** Position of each process in vector clocks. */
  readonly #positions = new Map<string, number>()
  /** Messages to processes that have not begun. */
  readonly #early: Message[] = []
  /** What processes announced last, if there are invariants about it. */
  readonly #announced = new Map<string, Value>()
  #messages = 0
  readonly #spent: SpentFaults | undefined
  /** The process that is cut off from all others. */
  #cutOff: string | undefined = undefined

  /** Processes that have not run to their first operation yet, if they begin backwards. */
  readonly #late: ProcessInWorld[] | undefined

  /** What a process does before its first operation is no event: it happens at once, or backwards, when more than a spawn is asked for. */
  constructor(subject: Runnable, beginsBackwards: boolean = false) {
    this.#subject = subject
    this.#late = beginsBackwards ? [] : undefined
    this.#invariants = seeing(subject.properties, 'state')
    this.#spent = subject.faults === undefined ? undefined : new SpentFaults(subject.faults)
    for (const start of initialProcesses(subject)) this.#begin(start, [])
  }

  /** Every decision that may be taken now, in a fixed order; faults last, because nothing has to go wrong. */
  enabled(): Decision[] {
    return [...this.moves(), ...this.faults()]
  }

  /** Decisions one of which is taken, unless a fault strikes: without them the execution may end here. */
  moves(): Decision[] {
    this.#beginLate()
    return [...this.#processes.values()].flatMap((process) => this.#movesOf(process))
  }

  /** Faults that may strike now, and the end of a partition. */
  faults(): Decision[] {
    if (this.#spent === undefined) return []
    return [...this.#processes.values()].flatMap((process) => this.#faultsOf(process))
  }

  #faultsOf(process: ProcessInWorld): Decision[] {
    const { coroutine, hasCrashed, isJoined, owesCopy, dying } = process
    const id = coroutine.start.id
    if (this.#subject.faults === undefined) return []
    const isAllowed = (fault: Fault): boolean => this.#spent?.allows(fault) ?? false
    const struck =
      hasCrashed || isJoined || owesCopy || dying ? [] : faultsAt(coroutine, this.#subject).filter(isAllowed)
    const decisions = struck.map((kind) => ({ kind, process: id }) as Decision)
    if (this.#cutOff === id) decisions.push({ kind: 'heal', process: id })
    if (this.#cutOff === undefined && isAllowed('partition') && this.#isReachable(id))
      decisions.push({ kind: 'partition', process: id })
    return decisions
  }

  /** Whether a partition would keep a message from being delivered now: until then it makes no difference. */
  #isReachable(cutOff: string): boolean {
    return [...this.#processes.values()].some((process) =>
      this.#deliverableTo(process).some((message) => crosses(message, cutOff)),
    )
  }

  #movesOf(process: ProcessInWorld): Decision[] {
    const pending = pendingOf(process)
    const id = process.coroutine.start.id
    if (pending === undefined) return []
    switch (pending.kind) {
      case 'send':
      case 'spawn':
        return [{ kind: 'step', process: id }]
      case 'join':
        return this.#hasEnded(pending.target as Address<never>) ? [{ kind: 'step', process: id }] : []
      case 'receive':
        return this.#deliveries(process)
      case 'poll':
        return [{ kind: 'timeout', process: id }, ...this.#deliveries(process)]
      case 'choose':
        return (pending.payload as readonly unknown[]).map((_, option) => ({ kind: 'choose', process: id, option }))
      default:
        return []
    }
  }

  #deliveries(process: ProcessInWorld): Decision[] {
    const id = process.coroutine.start.id
    const cutOff = this.#cutOff
    const messages = this.#deliverableTo(process)
    const arriving = cutOff === undefined ? messages : messages.filter((message) => !crosses(message, cutOff))
    return arriving.map(({ number }) => ({ kind: 'deliver', process: id, message: number }))
  }

  /** What the pending receive may take, if the network were whole. */
  #deliverableTo(process: ProcessInWorld): readonly Message[] {
    const { coroutine, inbox } = process
    const pending = pendingOf(process)
    if (pending?.kind !== 'receive' && pending?.kind !== 'poll') return []
    const isTaken = ({ from, value }: Message) => takesSteadily(coroutine.start.id, pending, value, from)
    return deliverable(inbox, isTaken, () => this.#unread())
  }

  #unread(): readonly Message[] {
    const inboxes = [...this.#processes.values()].flatMap(({ inbox }) => inbox)
    return [...inboxes, ...this.#early.filter(({ to }) => !this.#processes.has(to))]
  }

  #hasEnded(address: Address<never>): boolean {
    const process = this.#processes.get(address.id)
    if (process === undefined || process.dying !== undefined) return false
    return process.hasCrashed || process.coroutine.status === 'returned'
  }

  allows(decision: Decision): boolean {
    const process = this.#processes.get(decision.process)
    if (process === undefined) return false
    if (process.coroutine.pending?.kind !== 'spawn') this.#beginLate()
    const isSame = (enabled: Decision): boolean => sameDecision(enabled, decision)
    return this.#movesOf(process).some(isSame) || (this.#spent !== undefined && this.#faultsOf(process).some(isSame))
  }

  /** Makes an enabled decision happen. */
  take(decision: Decision): void {
    const process = this.#processes.get(decision.process)
    invariant(process !== undefined, `${describeDecision(decision)} is enabled when it is taken`)
    if (decision.kind === 'partition' || decision.kind === 'heal') return this.#separate(process, decision.kind)
    process.events++
    const position = this.#positions.get(decision.process) as number
    process.clock[position] = (process.clock[position] ?? 0) + 1
    if (decision.kind === 'crash' || decision.kind === 'restart') return this.#crash(process, decision.kind)
    const pending = pendingOf(process)
    invariant(pending !== undefined, `${describeDecision(decision)} is enabled when it is taken`)
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
          ...(operation.target === callStep ? { isCall: true } : {}),
        })
        return this.#resume(process, value)
      }
      case 'lose':
      case 'duplicate':
        this.#spent?.spend(decision.kind)
        this.#send(process, operation, decision.kind === 'lose' ? 'lost' : 'duplicated')
        process.owesCopy = decision.kind === 'duplicate'
        return process.owesCopy ? undefined : this.#resume(process, undefined)
      case 'crash':
      case 'restart':
      case 'partition':
      case 'heal':
        return invariant(false, 'crashes and partitions are no operations of a process')
      default:
        return unreachable(decision, 'decision')
    }
  }

  #crash(process: ProcessInWorld, kind: 'crash' | 'restart'): void {
    this.#spent?.spend(kind)
    if (crash(process, kind, this.events)) this.#noteProgress(process)
  }

  /** No event of the process itself: it does not notice. */
  #separate(process: ProcessInWorld, kind: 'partition' | 'heal'): void {
    const { id } = process.coroutine.start
    if (kind === 'partition') this.#spent?.spend(kind)
    this.#cutOff = kind === 'partition' ? id : undefined
    this.events.push({ kind, process: id, index: process.events })
  }

  #step(process: ProcessInWorld, operation: Operation): void {
    const { stack } = operation
    const { id } = process.coroutine.start
    const index = process.events - 1
    if (operation.kind === 'send') {
      this.#send(process, operation, process.owesCopy ? 'copy' : undefined)
      process.owesCopy = false
      if (process.dying === undefined) return this.#resume(process, undefined)
      return speaks(process, process.dying) ? this.#noteProgress(process) : undefined
    }
    if (operation.kind === 'spawn') {
      const { child } = process.coroutine
      this.events.push({ kind: 'spawn', process: id, index, stack, child: child.id, daemon: child.daemon })
      this.#begin(child, [...process.clock])
      return this.#resume(process, Address.of(child.id))
    }
    const target = (operation.target as Address<never>).id
    this.events.push({ kind: 'join', process: id, index, stack, target })
    const ended = this.#processes.get(target)
    invariant(ended !== undefined, 'who is joined has begun')
    ended.isJoined = true
    process.clock = joined(process.clock, ended.clock)
    this.#resume(process, undefined)
  }

  #send(process: ProcessInWorld, operation: Operation, fate: 'lost' | 'duplicated' | 'copy' | undefined): void {
    const { id } = process.coroutine.start
    const message: Message = {
      number: this.#messages++,
      from: id,
      to: (operation.target as Address<never>).id,
      value: operation.payload as Value,
      network: (operation.detail as NetworkName | undefined) ?? this.#subject.network,
      sender: this.#positions.get(id) as number,
      clock: [...process.clock],
      notification: process.coroutine.notifying && process.dying === undefined,
      travels: sendsOverNetwork(process.coroutine, operation) && !isNeverCutOff(operation),
    }
    const { number, to, network, notification } = message
    const value = this.#shown(message)
    const { stack } = operation
    const index = process.events - 1
    const event = {
      kind: 'send',
      process: id,
      index,
      stack,
      message: number,
      to,
      value,
      network,
      notification,
    } as const
    this.events.push(fate === undefined ? event : { ...event, fate })
    if (fate === 'lost') return
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
    this.#resume(process, value, message)
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
    const coroutine = new Coroutine(start, this.#subject, undefined, this.#late !== undefined)
    const process = processBegun(coroutine, inbox, clock)
    this.#processes.set(start.id, process)
    if (this.#late === undefined) this.#noteProgress(process)
    else this.#late.push(process)
  }

  #beginLate(): void {
    for (let last = this.#late?.pop(); last !== undefined; last = this.#late?.pop()) {
      last.coroutine.begin()
      this.#noteProgress(last)
    }
  }

  #resume(process: ProcessInWorld, answer: unknown, source?: Message): void {
    process.history.push({ operation: process.coroutine.pending as Operation, answer, source })
    process.coroutine.resume(answer, source)
    this.#noteProgress(process)
  }

  #noteProgress(process: ProcessInWorld): void {
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
    const { id } = coroutine.start
    if (this.#invariants.length === 0 || coroutine.announced === this.#announced.get(id)) return
    this.#announced.set(id, coroutine.announced as Value)
    for (const { violation } of this.#invariants) {
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
    return [...this.#processes.values()].map(historyOf)
  }

  /** Messages that nobody has received, in sending order, and how much of the others each process knows of. */
  underWay(): { readonly unread: readonly Message[]; readonly clocks: ReadonlyMap<string, readonly number[]> } {
    const processes = [...this.#processes.values()]
    const early = this.#early.filter(({ to }) => !this.#processes.has(to))
    const unread = [...processes.flatMap(({ inbox }) => inbox), ...early]
    unread.sort((left, right) => left.number - right.number)
    return { unread, clocks: new Map(processes.map(({ coroutine, clock }) => [coroutine.start.id, clock])) }
  }

  shown(): readonly Shown[] {
    return [...this.#processes.values()].map(shownProcess)
  }

  /** The execution as its judges see it, once nothing is enabled. */
  ending(): Ending {
    return { processes: [...this.#processes.values()].map((process) => endedProcess(process, this.#cutOff)) }
  }

  /** What is wrong with the end of an execution in which nothing is enabled. */
  endViolations(): Violation[] {
    const ending = this.ending()
    return seeing(this.#subject.properties, 'ending').flatMap((one) => one.violation(ending) ?? [])
  }

  /** Whether some process neither returned nor is a daemon waiting for more. */
  isBlocked(): boolean {
    return this.ending().processes.some(
      ({ status, daemon }) => status !== 'returned' && status !== 'crashed' && !(daemon && status === 'waiting'),
    )
  }
}
