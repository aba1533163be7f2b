/**
 * One process of a client under check: a coroutine of user code that can be taken back to an earlier position.
 *
 * A coroutine cannot be copied, so going back means running the current call again from its beginning. Everything the code
 * learnt from outside itself (reads, results of native functions, new objects) was logged; the second run is fed from the log
 * and performs nothing, so it meets the same objects and ends at the same place. `pending` is the operation it stands before.
 */
import { type Diagnostic, DiagnosticError } from '../../core/diagnostic.ts'
import { InternalError, throwDefect } from '../../core/invariant.ts'
import { isOutsideHint } from '../../core/outside.ts'
import { loopLimit, running } from '../../core/running.ts'
import { enterLoop, leaveLoop, runJobs } from './class-loop.ts'
import { placeOfSite } from './code.ts'
import type { Body } from './functions.ts'
import type { Yielded } from './generator-objects.ts'
import type { Heap } from './heap.ts'
import { notRepeated } from './not-repeated.ts'
import { NoticedOperation } from './noticed-operation.ts'
import { isSamePosition } from './positions.ts'
import { lastThrown, refuse, SearchError } from './search-error.ts'

/** Emitted code compares with it: the operation did not answer at once, `go` performs it. */
export const stop = Symbol('stop')

/** Stands in a log where a call that was begun stopped being part of its caller. */
export const leftSite = -100

/** A caller on the way to the current position, innermost first. */
export interface Caller {
  readonly site: number
  readonly live: readonly unknown[]
  readonly parent: Caller | undefined
}

/** An operation a process stands before, or performs at once. */
export interface AccessOperation {
  /** Invisible: independent of everything, never disabled, touches nothing. */
  readonly visible: boolean
  /** An interruption point at every granularity. */
  readonly waits: boolean
  isEnabled(process: ObjectProcess): boolean
  /** Whether it will never be enabled: who stands before it is no part of the state any more. */
  readonly isOver?: boolean
  /** Whether it waits for time to pass. */
  readonly isTimer?: boolean
  touch(heap: Heap, process: ObjectProcess): void
  perform(heap: Heap, process: ObjectProcess): unknown
  /** What it works on, for comparing states: the frame need not remember it. */
  readonly operands: readonly unknown[]
  /** As in 'reads items[1]', for people. */
  readonly text: string
}

export interface Pending {
  readonly site: number
  readonly live: readonly unknown[]
  readonly frame: Caller | undefined
  readonly operation: AccessOperation
}

/** A place where a call stopped, and how long its log was. */
export interface Position {
  readonly pending: Pending
  readonly length: number
  readonly previous: Position | undefined
}

/** What `go` has to do next. */
export type Todo =
  | { readonly kind: 'operation' }
  | { readonly kind: 'yield'; readonly yielded: Yielded }
  | { readonly kind: 'run' | 'run and await' | 'begin'; readonly invocation: Invocation; readonly frame: Caller }

export interface Invocation {
  /** The function that has the body, if it is called as a value. */
  readonly callable?: unknown
  readonly body: Body
  readonly self: unknown
  readonly args: readonly unknown[]
}

/** Something user code threw inside an operation; thrown again when the log is replayed. */
export class Thrown {
  readonly error: unknown

  constructor(error: unknown) {
    this.error = error
  }
}

export type Outcome =
  | { readonly kind: 'returned'; readonly value: unknown }
  | { readonly kind: 'threw'; readonly error: unknown }

/** Decides whether an operation at a site is an interruption point; the world's business. */
export interface Interruptions {
  mayInterrupt(process: ObjectProcess, site: number, waits: boolean): boolean
  /** The operation is not an interruption point and cannot be performed: throws, or lets the process stop here after all. */
  blockedInside(process: ObjectProcess, operation: AccessOperation): void
}

/** Where code comes from that goes on by itself. */
export interface Origin {
  /** The place that began it. */
  readonly frame: Caller | undefined
  /** How many callbacks of timers led to it. */
  readonly round: number
}

const fromNowhere: Origin = { frame: undefined, round: 0 }

export class ObjectProcess {
  readonly number: number
  readonly name: string
  readonly heap: Heap
  readonly #origin: Origin
  readonly #interruptions: Interruptions
  /** Answers of the current call, with the sites that asked. */
  log: unknown[] = []
  logSites: number[] = []
  /** Answers given to the present run; below the length of the log, the run is a repetition. */
  cursor = 0
  frame: Caller | undefined
  todo: Todo = { kind: 'operation' }
  pending: Pending | undefined
  /** Where the current call has stopped so far, the last place first. */
  position: Position | undefined
  /** Children begun in the current call. */
  children = 0
  /** Generators of the user that run, one inside the other. What they were told is a part of the log. */
  passages = 0
  /** Whether an operation is being performed, so that what happens is part of it. */
  isActing = false
  /** Undefined after going back; `ready` makes one from the log when the process is to move. */
  #coroutine: Generator<unknown, unknown, unknown> | undefined
  #invocation: Invocation | undefined
  /** While it is run again: where the log ends, it stops. */
  #isRestarting = false

  constructor(number: number, name: string, heap: Heap, interruptions: Interruptions, origin: Origin = fromNowhere) {
    this.number = number
    this.name = name
    this.heap = heap
    this.#origin = origin
    this.#interruptions = interruptions
  }

  get round(): number {
    return this.#origin.round
  }

  /** Begins a call; it stands before its first operation or has ended afterwards. */
  start(invocation: Invocation): Outcome | undefined {
    this.log = []
    this.logSites = []
    this.position = undefined
    this.#invocation = invocation
    return this.#restart()
  }

  /** Takes over a coroutine that its parent ran up to its first await. */
  adopt(invocation: Invocation, log: unknown[], logSites: number[], pending: Pending): void {
    this.log = log
    this.logSites = logSites
    this.#invocation = invocation
    this.pending = pending
    this.forget()
  }

  get invocation(): Invocation | undefined {
    return this.#invocation
  }

  restore(invocation: Invocation | undefined): void {
    this.#invocation = invocation
    this.forget()
  }

  /** The coroutine is further than it should be; it is run again when it is needed. */
  forget(): void {
    this.#coroutine = undefined
  }

  /** Makes sure that there is a coroutine at the pending operation, and gives that operation. */
  ready(): Pending {
    if (this.#coroutine === undefined) this.#runAgain()
    return this.pending as Pending
  }

  /** Performs the pending operation and runs on to the next one. */
  perform(): Outcome | undefined {
    const { operation, site, frame } = this.ready()
    this.pending = undefined
    lastThrown.error = undefined
    this.heap.at(site, frame)
    operation.touch(this.heap, this)
    const answer = this.#attempt(operation, site)
    this.note(site, answer)
    return this.#resume(answer)
  }

  /** What an operation answers when it need not or must not stop here; `stop` otherwise. */
  offer(site: number, live: readonly unknown[], operation: AccessOperation): unknown {
    if (!this.#isRestarting && !this.#interruptions.mayInterrupt(this, site, operation.waits)) {
      // Whoever awaits lets promises settle first.
      if (operation.waits) runJobs()
      if (operation.isEnabled(this)) return this.now(site, operation)
      this.#interruptions.blockedInside(this, operation)
    }
    this.pending = { site, live, frame: this.frame, operation }
    this.todo = { kind: 'operation' }
    if (!this.#isRestarting) this.#remember(this.pending)
    return stop
  }

  /**
   * A call that comes back to a position with equal values, as retry loops do, goes on as it did from there: the log in between
   * is forgotten, so that running the call again does not take ever longer. Not while it has begun other calls or is in a loop
   * over a collection, whose counts the log carries; and not within a generator, whose history is cut from the log.
   */
  #remember(pending: Pending): void {
    if (this.passages > 0) return
    const { log, logSites } = this
    for (let at = this.children === 0 ? this.position : undefined; at !== undefined; at = at.previous) {
      if (at.pending.site !== pending.site || !isSamePosition(at.pending, pending)) continue
      this.log = log.slice(0, at.length)
      this.logSites = logSites.slice(0, at.length)
      this.cursor = at.length
      this.position = at
      return
    }
    this.position = { pending, length: log.length, previous: this.position }
  }

  /** Performs an operation without stopping. */
  now(site: number, operation: AccessOperation): unknown {
    this.heap.at(site, this.frame)
    operation.touch(this.heap, this)
    const answer = this.#attempt(operation, site)
    this.note(site, answer)
    if (answer instanceof Thrown) throw answer.error
    return answer
  }

  /**
   * Performs an operation that seems to concern no other process, such as the constructor of a class. If shared state is accessed after
   * all, by code that it calls, it is taken back: then it is an action like any other.
   */
  unnoticed(site: number, live: readonly unknown[], operation: AccessOperation): unknown {
    const { heap } = this
    const { mark } = heap
    const touched = heap.touched.length
    heap.at(site, this.frame)
    operation.touch(heap, this)
    const answer = this.#attempt(operation, site)
    if (heap.touched.length > touched) {
      heap.rollBack(mark)
      heap.touched.length = touched
      return this.offer(site, live, new NoticedOperation(operation))
    }
    this.note(site, answer)
    if (answer instanceof Thrown) throw answer.error
    return answer
  }

  note(site: number, answer: unknown): void {
    this.log.push(answer)
    this.logSites.push(site)
    this.cursor++
  }

  get isReplaying(): boolean {
    return this.cursor < this.log.length && this.logSites[this.cursor] !== leftSite
  }

  /** The logged answer to an operation at a site. */
  replayed(site: number): unknown {
    if (this.logSites[this.cursor] !== site) refuse(notRepeated(site, this.logSites[this.cursor]))
    const answer = this.log[this.cursor++]
    if (answer instanceof Thrown) throw answer.error
    return answer
  }

  #runAgain(): void {
    const { pending } = this
    this.#isRestarting = true
    const ended = this.#restart()
    this.#isRestarting = false
    const found = this.pending as Pending | undefined
    if (ended !== undefined || found === undefined || found.site !== pending?.site || this.isReplaying) {
      throw new DiagnosticError(notRepeated(found?.site, pending?.site))
    }
  }

  #restart(): Outcome | undefined {
    const { body, self, args } = this.#invocation as Invocation
    this.cursor = 0
    this.children = 0
    this.passages = 0
    this.frame = this.#origin.frame
    this.pending = undefined
    this.#coroutine = body.apply(self, [...args])
    return this.#resume(undefined)
  }

  #resume(answer: unknown): Outcome | undefined {
    const coroutine = this.#coroutine as Generator<unknown, unknown, unknown>
    const { process: before, isChecking } = machine
    const { process, fuel } = running
    machine.process = this
    machine.isChecking = true
    const loop = enterLoop()
    Object.assign(running, { process: this.name, fuel: loopLimit })
    lastThrown.error = undefined
    try {
      const next = answer instanceof Thrown ? coroutine.throw(answer.error) : coroutine.next(answer)
      throwDefect()
      if (running.mistake !== undefined) throw new DiagnosticError(ofClass(running.mistake))
      if (lastThrown.error !== undefined) throw lastThrown.error
      return next.done === true ? { kind: 'returned', value: next.value } : undefined
    } catch (error) {
      if (running.mistake !== undefined) throw new DiagnosticError(ofClass(running.mistake))
      if (lastThrown.error !== undefined) throw lastThrown.error
      if (isOurs(error)) throw error
      return { kind: 'threw', error }
    } finally {
      leaveLoop(loop)
      machine.process = before
      machine.isChecking = isChecking
      Object.assign(running, { process, fuel })
    }
  }

  #attempt(operation: AccessOperation, site: number): unknown {
    const [{ isChecking }, { process, fuel }] = [machine, running]
    machine.isChecking = true
    this.isActing = true
    Object.assign(running, { process: this.name, fuel: loopLimit })
    const loop = enterLoop()
    try {
      const answer = operation.perform(this.heap, this)
      if (lastThrown.error !== undefined) throw lastThrown.error
      return answer
    } catch (error) {
      const ours = lastThrown.error ?? error
      if (!isOurs(ours)) return new Thrown(error)
      lastThrown.error = placed(ours as Error, site)
      throw lastThrown.error
    } finally {
      leaveLoop(loop)
      this.isActing = false
      machine.isChecking = isChecking
      Object.assign(running, { process, fuel })
    }
  }
}

/** Native code is called from here, not from the user's line, which the stack therefore does not show. */
function placed(error: Error, site: number): Error {
  if (!(error instanceof DiagnosticError) || error.diagnostic.place !== undefined) return error
  const diagnostic = { ...error.diagnostic, place: placeOfSite(site) }
  if (running.mistake === error.diagnostic) running.mistake = diagnostic
  return new DiagnosticError(ofClass(diagnostic))
}

/** What helps a process, such as `poll`, does not help a class. */
function ofClass(diagnostic: Diagnostic): Diagnostic {
  if (diagnostic.code !== 'E209' || isOutsideHint(diagnostic.hint)) return diagnostic
  const hint = 'give the class its clock, its randomness and its timers from outside, and give the check fakes'
  return { ...diagnostic, hint }
}

/** True for errors that user code must not see or turn into results. */
export function isOurs(error: unknown): boolean {
  return error instanceof DiagnosticError || error instanceof SearchError || error instanceof InternalError
}

/** The process whose code runs: none while modules are loaded, constructors run or native code calls back. */
export const machine: Machine = { process: undefined, heap: undefined, isChecking: false }

interface Machine {
  process: ObjectProcess | undefined
  heap: Heap | undefined
  /** Whether it is an operation or the making of an instance that runs, not the loading of modules or a specification. */
  isChecking: boolean
}

/** The making of an instance is part of what is checked. */
export function asChecked<T>(make: () => T): T {
  const { isChecking } = machine
  machine.isChecking = true
  const loop = enterLoop()
  try {
    return make()
  } finally {
    leaveLoop(loop)
    machine.isChecking = isChecking
  }
}
