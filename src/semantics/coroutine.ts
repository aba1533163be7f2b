/**
 * One process of the user's, run from one visible operation to the next. Invisible operations (`self`, passed assertions) are
 * answered on the way; monitors' notifications are put in as sends of their own (Must, §2.3.6: just before a send,
 * just after a receive). What a coroutine asks next depends only on the answers it was given: engines rely on that to restart
 * a process instead of saving its state.
 */

import { type Diagnostic, DiagnosticError } from '../core/diagnostic.ts'
import { mostOf } from '../core/faults.ts'
import { invariant, throwDefect } from '../core/invariant.ts'
import { type Notification, Operation, type SpawnDetail, withPlaces } from '../core/operation.ts'
import type { Hot, Violation } from '../core/property.ts'
import { currentHost, enterProcess, forgetOperations, leaveProcess, loopLimit, running } from '../core/running.ts'
import { type Thrown, thrownBy } from '../core/thrown.ts'
import { Address, type Value } from '../core/value.ts'
import type { Runnable } from '../program/program.ts'
import { Connections, type EarlierLife, firstLife } from './connections.ts'
import { type HeldCollections, holding } from './held-collections.ts'
import { notificationsOf, observedOf } from './observed.ts'
import {
  bareYield,
  changedMessage,
  iteratorFrom,
  mistakeOf,
  notDeterministic,
  notMonitoring,
  refuseActing,
  refuseEndless,
  tooLong,
  unawaited,
  unperformed,
  valueReturned,
} from './process-mistakes.ts'
import { childStart, type ProcessStart } from './process-start.ts'
import { isReceived, tellAnswer, tellClock, tellPending, tellServices, tellStart } from './process-witness.ts'
import { type Called, calledBy } from './refinement/call-step.ts'
import { ViolatedError } from './violated-error.ts'
import { thrownOn } from './waiting.ts'

/** An operation that was performed, as far as its process knows. */
export interface Answered {
  readonly kind: string
  readonly answer: unknown
  /** Where a message came from; none for a poll that found nothing, whose answer may be that of a message. */
  readonly source?: unknown
}

export class Coroutine {
  readonly start: ProcessStart
  readonly address: Address<never>
  status: 'asking' | 'returned' | 'stopped' | 'failed' = 'asking'
  /** The visible operation the process wants next, while it is asking. */
  pending: Operation | undefined = undefined
  /** The assumption that stopped the process: it might have crashed before it, and then nobody assumed anything. */
  stoppedAt: Operation | undefined = undefined
  /** Visible operations answered so far. */
  position = 0
  returned: unknown = undefined
  violation: Violation | undefined = undefined
  /** Set while the pending operation tells a monitor something. */
  notifying = false
  /** What the process exposed last. */
  announced: unknown = undefined
  /** What a monitor waits for, if it does. */
  hot: Hot | undefined = undefined
  /** With services, where processes may crash. */
  readonly connections: Connections | undefined
  readonly earlier: EarlierLife

  readonly #subject: Runnable
  #collections: HeldCollections | undefined
  #generator: Iterator<unknown, unknown, unknown> = notBegun
  /** Children asked for so far, the pending one last. */
  readonly #children: SpawnDetail[]
  /** Notifications that stand before a send or after a receive. */
  #queue: Operation[] = []
  /** Notifications asked for one after the other, the pending one last; and whether they come before what they tell. */
  #told = 0
  #tellsFirst = false
  /** What to do when the queue is empty: perform this operation, or resume with this answer. */
  #held: Operation | undefined = undefined
  #answer: unknown = undefined
  #source: unknown = undefined
  /** A call of an abstract object that is pending. */
  #called: Called | undefined = undefined

  /** Runs to its first operation; one that is late, when it is told to `begin`. */
  constructor(start: ProcessStart, subject: Runnable, earlier: EarlierLife = firstLife, isLate = false) {
    this.start = start
    this.earlier = earlier
    this.#children = [...earlier.children]
    this.#subject = subject
    if (mostOf(subject.faults, 'crashes') > 0) this.connections = new Connections(earlier.connections)
    this.#collections = holding(undefined, start.args)
    this.address = Address.of(start.id)
    if (!isLate) this.begin()
  }

  begin(): void {
    this.#generator = this.#begun()
    this.#run(undefined)
    if (this.#subject.witness !== undefined) tellStart(this.#subject, this)
  }

  /** Begins the process anew and answers what it asks, as it was answered before. */
  static replayed(start: ProcessStart, subject: Runnable, answers: readonly Answered[]): Coroutine {
    const coroutine = new Coroutine(start, subject)
    if (subject.monitors.length === 0) {
      coroutine.#replay(answers)
      const last = answers.at(-1)
      if (subject.witness !== undefined && last !== undefined) {
        tellAnswer(subject, coroutine, last)
        tellPending(subject, coroutine)
      }
    } else {
      for (const { kind, answer, source } of answers) {
        coroutine.#expect(kind)
        coroutine.resume(answer, source)
      }
    }
    return coroutine
  }

  /** The process begun again from the beginning; children of its earlier lives keep their names. */
  restarted(): Coroutine {
    const begun = this.pending?.kind === 'spawn' ? this.#children.slice(0, -1) : this.#children
    const { recovered } = this.start
    const start = recovered === undefined ? this.start : { ...this.start, args: recovered(this.announced) }
    return new Coroutine(start, this.#subject, { children: begun, connections: this.connections })
  }

  /** Whether the process is between two operations: a monitor is told of an operation in one go with it. */
  get isBetweenOperations(): boolean {
    if (this.stoppedAt !== undefined) return true
    if (this.notifying) return this.#tellsFirst && this.#told === 1
    return this.#told === 0 || this.pending !== this.#held
  }

  /** Answers the pending operation and runs to the next visible one; see `Answered`. */
  resume(answer: unknown, source?: unknown): void {
    this.position++
    this.#collections = holding(this.#collections, answer)
    if (this.#subject.witness !== undefined)
      tellAnswer(this.#subject, this, { kind: this.pending?.kind, answer, source })
    const asked = this.pending as Operation
    if (this.#failsOn(answer, source)) return
    const call = this.#called
    if (call !== undefined) {
      this.#called = undefined
      if (!this.#announces(call.announced, true)) this.#run(undefined)
      return
    }
    if (this.#subject.monitors.length > 0 && !this.start.monitor && this.#continueNotifying(asked, answer, source))
      return
    // What it asks for next is too much: the place is noted here, because finding it again takes a whole long execution.
    running.source = source
    if (this.#isAtLimit()) withPlaces(() => this.#run(answer))
    else this.#run(answer)
    if (this.#subject.witness !== undefined) tellPending(this.#subject, this)
  }

  /** Whether one more operation would be one too many. */
  #isAtLimit(): boolean {
    return this.position >= this.#subject.maxSteps && this.start.unbounded === undefined
  }

  #run(answer: unknown): void {
    running.process = this.start.id
    running.connections = this.connections
    running.fuel = loopLimit
    try {
      this.#advance(this.#generator.next(answer))
    } catch (error) {
      this.#fail(error)
    } finally {
      running.process = undefined
    }
    this.#refuseMistakes()
  }

  /** Operations that nobody else answers are answered here, but not for ever. */
  #advance(first: unknown): void {
    let result = first
    for (let answered = 0; !this.#takes(result); answered++) {
      refuseEndless(answered, this.start.id, result as Operation)
      result = this.#generator.next(this.#answer)
    }
  }

  /** As `resume` for each answer, entered and left once: every nanosecond here is paid once per replayed operation. */
  #replay(answers: readonly Answered[]): void {
    running.process = this.start.id
    try {
      for (let at = 0; at < answers.length; at++) {
        const { kind, answer, source } = answers[at] as Answered
        this.#expect(kind)
        running.source = source
        const call = this.#called
        this.#called = undefined
        this.position++
        this.#collections = holding(this.#collections, answer)
        if (at + 1 === answers.length && this.#failsOn(answer, source)) break
        running.fuel = loopLimit
        this.#advance(this.#generator.next(call === undefined ? answer : undefined))
      }
    } catch (error) {
      this.#fail(error)
    } finally {
      running.process = undefined
    }
    this.#refuseMistakes()
  }

  #refuseMistakes(): void {
    throwDefect()
    if (running.clocked) tellClock(this.#subject, this)
    if (running.assumed.length + running.looked.length > 0) tellServices(this.#subject)
    if (running.mistake !== undefined) this.#reportMistake()
    if (this.#collections?.isChanged) throw new DiagnosticError(changedMessage(this.start.id, this.pending))
  }

  /** A process that asks for something else than last time is not deterministic. */
  #expect(kind: string): void {
    if (this.pending?.kind !== kind) throw new DiagnosticError(notDeterministic(this, kind))
  }

  /** True when the process waits for an answer from outside or has ended; else `#answer` is what to resume with. */
  #takes(result: unknown): boolean {
    if (running.unawaited > 0) throw new DiagnosticError(unawaited(this.start.id))
    if (!(result instanceof Operation)) return this.#ends(result as IteratorResult<unknown, unknown>)
    if (running.unperformed !== 0) throw new DiagnosticError(unperformed(this.start.id))
    if (this.start.monitor) refuseActing(this.start, result)
    this.#collections = holding(this.#collections, result.payload)
    switch (result.kind) {
      case 'send':
      case 'announce':
        this.#called = calledBy(this.#subject, result)
        if (this.#called !== undefined) return this.#ask(this.#called.step)
        if (this.#subject.monitors.length > 0 || result.kind === 'announce') return this.#announces(result)
        break
      case 'expose':
        this.announced = result.payload
        this.#answer = undefined
        return false
      case 'hot':
      case 'cold':
        if (!this.start.monitor) throw new DiagnosticError(notMonitoring(this.start.id, result))
        this.hot = result.kind === 'cold' ? undefined : { reason: String(result.payload), stack: result.stack }
        this.#answer = undefined
        return false
      case 'self':
        this.#answer = this.address
        return false
      case 'assume':
        this.stoppedAt = result
        return this.#end('stopped')
      case 'assert':
        this.#violate(this.start.monitor ? 'monitor' : 'assertion', String(result.target), result.payload as string)
        return true
      case 'spawn':
        this.#children.push(result.detail as SpawnDetail)
        this.#collections = holding(this.#collections, (result.detail as SpawnDetail).args)
        break
      default:
    }
    return this.#ask(result)
  }

  #ask(operation: Operation): boolean {
    this.pending = operation
    if (this.#isAtLimit()) return this.#tooLong()
    return true
  }

  #end(status: Coroutine['status']): true {
    this.status = status
    this.pending = undefined
    return true
  }

  #ends(result: IteratorResult<unknown, unknown>): true {
    if (!result.done) throw new DiagnosticError(bareYield(this.start.id, result.value))
    if (running.unperformed !== 0) throw new DiagnosticError(unperformed(this.start.id))
    this.returned = valueReturned(this.start.id, result.value, this.pending)
    return this.#end('returned')
  }

  #tooLong(): true {
    if (this.#subject.boundedByUser) return this.#end('stopped')
    throw new DiagnosticError(tooLong(this.start.id, this.#subject, this.pending))
  }

  #violate(kind: Violation['kind'], message: string, stack: string | undefined): void {
    this.violation = { kind, property: message, message, process: this.start.id, stack }
    this.#end('failed')
  }

  #fail(error: unknown): void {
    if (running.mistake !== undefined || error instanceof DiagnosticError) {
      running.mistake ??= (error as DiagnosticError).diagnostic
      return
    }
    running.unawaited = 0
    forgetOperations()
    if (!(error instanceof ViolatedError)) return this.#throws(thrownBy(error))
    this.violation = error.violation
    this.#end('failed')
  }

  /** Whether the filter of the pending receive threw on the message that it is answered with. */
  #failsOn(message: unknown, source: unknown): boolean {
    const thrown = thrownOn(this.start.id, this.pending, message, source)
    if (thrown !== undefined) this.#throws(thrown)
    return thrown !== undefined
  }

  #throws({ isAssertion, sentence, stack }: Omit<Thrown, 'message'>): void {
    this.#violate(isAssertion ? (this.start.monitor ? 'monitor' : 'assertion') : 'exception', sentence, stack)
  }

  #reportMistake(): never {
    const diagnostic = running.mistake as Diagnostic
    running.mistake = undefined
    running.unawaited = 0
    forgetOperations()
    throw new DiagnosticError(mistakeOf(this.start.id, diagnostic))
  }

  /** The process to be, when a spawn is pending. Computed on demand: most coroutines only repeat earlier spawns. */
  get child(): ProcessStart {
    const detail = this.#children.at(-1)
    invariant(detail !== undefined, 'a child is asked for only when a spawn is pending')
    return childStart(this.start, this.#subject, this.#children, detail)
  }

  /** A send that monitors observe: tell them first, then send (the paper's `send_not`). Of a call they are told in one go with it. */
  #announces(operation: Operation, isCalled = false): boolean {
    const observed = observedOf(operation, this.address, (message) => this.#shown(message))
    if (operation.kind === 'announce') this.#subject.overhears?.(operation.payload as Value, operation.stack)
    if (!this.start.monitor) this.#queue = notificationsOf(this.#subject.monitors, observed, operation)
    this.#told = 0
    this.#tellsFirst = !isCalled
    this.#answer = undefined
    this.#held = operation.kind === 'announce' ? undefined : operation
    return this.#nextNotification() || (this.#held !== undefined && this.#ask(operation))
  }

  /** After an answer: go on with the queue, then the held operation. True when something is pending again. */
  #continueNotifying(asked: Operation, answer: unknown, source: unknown): boolean {
    if (this.notifying) {
      if (this.#nextNotification()) return true
      const held = this.#held
      if (held !== undefined) return this.#ask(held)
      running.source = this.#source
      this.#run(this.#answer)
      return true
    }
    this.#held = undefined
    if (!isReceived(asked.kind, source)) return false
    try {
      const observed: Notification = { kind: 'receive', by: this.address, message: this.#shown(answer) }
      this.#queue = notificationsOf(this.#subject.monitors, observed, asked)
    } catch (error) {
      if (!(error instanceof ViolatedError)) throw error
      this.#fail(error)
      return true
    }
    this.#told = 0
    this.#tellsFirst = false
    this.#answer = answer
    this.#source = source
    return this.#nextNotification()
  }

  #nextNotification(): boolean {
    const next = this.#queue.shift()
    this.notifying = next !== undefined
    if (next !== undefined) this.#told++
    return next !== undefined && this.#ask(next)
  }

  /** Monitors are told what people are shown. */
  #shown(message: unknown): unknown {
    const { shownMessage } = this.#subject
    return shownMessage === undefined ? message : shownMessage(message as Value)
  }

  #begun(): Iterator<unknown, unknown, unknown> {
    enterProcess(this.start.id, this.connections, this.#subject.isSynchronous)
    try {
      const given = this.start.body(...(this.start.args as never[]))
      if (running.mistake !== undefined) this.#reportMistake()
      return currentHost()?.processOf(given) ?? iteratorFrom(this.start.id, given)
    } finally {
      leaveProcess()
    }
  }
}

const notBegun: Iterator<unknown, unknown, unknown> = [].values()
