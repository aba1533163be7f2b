/**
 * Which process is running user code right now. The model, the determinism guard and the loop counter need to know, and user
 * code sits between them and whoever resumed it, so it is the one piece of state that cannot be passed along.
 */
import { type Diagnostic, DiagnosticError } from './diagnostic.ts'
import { grouped } from './grouped.ts'
import type { VacuityCode } from './witness.ts'

/** The event loop of an async process, as those see it who do not know how it works. */
export interface AsyncHost {
  /** Operations that were made and that nobody has asked for so far, in the order of their calls. */
  readonly called: object[]
  /** What `await value` performs. */
  awaited(value: unknown): unknown
  /** Calls an async function, given as its generator. */
  call(
    body: (...args: never[]) => Iterator<unknown, unknown, unknown>,
    self: unknown,
    args: ArrayLike<unknown>,
  ): unknown
  /** From now on the order of jobs may be seen. */
  readonly jobs: object
  /** The promise that stands for what is awaited. */
  promised(value: object): object
  /** The promise of one of them. */
  promiseOf(operation: object): PromiseLike<unknown>
  /** A receive that is withdrawn: rejected by a signal, or answered with `undefined` after some milliseconds. */
  limit(receive: object, by: { readonly signal: unknown; readonly within: number | undefined }): void
  /** What the function of the process gave, as something that asks for operations; nothing if it is no promise. */
  processOf(given: unknown): Iterator<unknown, unknown, unknown> | undefined
  /** Code of the process does not run any more. */
  leave(): void
  /** What stands in the place of a global of the host's; nothing if that is not controlled. */
  global(name: string): unknown
}

/** What a process that may crash has at services. */
export interface OwnConnections {
  /** How often the process has begun again after a crash. */
  readonly life: number
  /** It has sent one more request. */
  asks(service: string): void
  /** The service has one thing more of the process's, such as an open transaction, or one less; which, if the service asks. */
  holds(service: string, more: 1 | -1, which?: number): void
}

/** Something of a service that says little as long as no execution has it. */
interface Looked {
  readonly code: VacuityCode
  readonly subject: string
  readonly isThere: boolean
}

interface Running {
  /** Id of the process whose code runs, or nobody. */
  process: string | undefined
  /** What that process has at services, where processes may crash in the executions that are explored. */
  connections: OwnConnections | undefined
  /** The event loop of that process, if it is async. */
  async: AsyncHost | undefined
  /** Makes an event loop; while the function of a process is called, that of the process. */
  readonly hosts: { make: (() => AsyncHost) | undefined; mayBegin: boolean }
  /** Whether the process has set a timer or read a clock since somebody looked. */
  clocked: boolean
  /** Whether the timers of that process fire as those of others are due. */
  isSynchronous: boolean
  /** What services of the program are taken to do, since somebody looked. */
  readonly assumed: string[]
  /** What its services want to see in some execution, and what they have seen. */
  readonly looked: Looked[]
  /** Whether a timer of a class would have fired once more than is explored, since somebody looked. */
  timersCut: boolean
  /** The message with which the process goes on, as its engine knows it, if it is one. */
  source: unknown
  /** Loop iterations left before the next operation; see `model/coroutine.ts`. */
  fuel: number
  /** Calls of async functions begun but not awaited so far. */
  unawaited: number
  /** Where the last of them was made, when places are captured. */
  unawaitedAt: string | undefined
  /** Where the last operation was made whose answer is known at once, when places are captured: such operations are shared. */
  settledAt: string | undefined
  /** Operations made and not performed so far, and, when places are captured, which. */
  unperformed: number
  readonly made: { readonly kind: string; readonly stack: string | undefined }[]
  /** Code in which operations of processes do nothing: nobody performs them. */
  inert: 'handler' | 'question' | undefined
  /** The mistake the process made, kept here because user code may catch what is thrown. */
  mistake: Diagnostic | undefined
}

export const running: Running = {
  process: undefined,
  connections: undefined,
  async: undefined,
  hosts: { make: undefined, mayBegin: false },
  clocked: false,
  isSynchronous: false,
  assumed: [],
  looked: [],
  timersCut: false,
  source: undefined,
  fuel: 0,
  unawaited: 0,
  unawaitedAt: undefined,
  settledAt: undefined,
  unperformed: 0,
  made: [],
  inert: undefined,
  mistake: undefined,
}

/** Told of arrays that become a text, or a number, while a check runs: the language reads all their elements for it. */
export const conversions: { ofArray: ((array: unknown) => void) | undefined } = { ofArray: undefined }

/** Another process runs now, or the same one after its operation. */
export function forgetOperations(): void {
  running.unperformed = 0
  running.made.length = 0
}

/** The event loop of the process that runs, which begins with the first call of an async function or use of a promise. */
export function asyncHost(): AsyncHost | undefined {
  if (running.async !== undefined || !running.hosts.mayBegin) return running.async
  running.hosts.mayBegin = false
  running.async = running.hosts.make?.()
  return running.async
}

/** The same, if it has begun. */
export function currentHost(): AsyncHost | undefined {
  return running.async
}

/** The function of a process is called. */
export function enterProcess(process: string, connections: OwnConnections | undefined, isSynchronous = false): void {
  Object.assign(running, { process, connections, isSynchronous, fuel: loopLimit, unawaited: 0, async: undefined })
  running.hosts.mayBegin = true
  forgetOperations()
}

/** It has returned. */
export function leaveProcess(): void {
  running.hosts.mayBegin = false
  running.async?.leave()
  running.process = undefined
}

/** Loop iterations a process may make between two operations. */
export const loopLimit = 10_000_000

/** Operations in a row that a process may perform without anybody being asked, such as an assertion that holds. */
export const answeredLimit = 100_000

export function neverWaits(process: string, kind: string): Diagnostic {
  return {
    code: 'E202',
    message: `process "${process}" performed ${grouped(answeredLimit)} operations in a row that wait for nothing, the last one ${kind}(…)`,
    hint: 'bound the loop, or wait with receive() in it',
  }
}

/** An operation is performed that is answered at once: code that was not transformed has no other fuel. */
export function answeredAtOnce(kind: string): void {
  running.fuel -= loopLimit / answeredLimit
  if (running.fuel >= 0) return
  running.fuel = loopLimit
  if (running.process === undefined) return
  running.fuel = -1
  mistake(neverWaits(running.process, kind))
}

/** Processes that may begin in one execution. */
export const processLimit = 2_000

export function tooManyProcesses(process: string): DiagnosticError {
  return new DiagnosticError({
    code: 'E203',
    message: `more than ${grouped(processLimit)} processes began in one execution, the last one "${shortened(process)}"`,
    hint: 'every execution must end: bound the number of processes that are spawned',
  })
}

function shortened(id: string): string {
  return id.length <= 60 ? id : `${id.slice(0, 30)}…${id.slice(-29)}`
}

/** Reports the mistake of the running process from inside its own code, so that the stack shows the user's line. */
export function mistake(...made: readonly [Diagnostic, ...Diagnostic[]]): never {
  const here = deepStack()
  const [first, ...others] = made.map((diagnostic) => ({ ...diagnostic, stack: diagnostic.stack ?? here }))
  const error = new DiagnosticError(first as Diagnostic, ...others)
  // Declarations are made where no process runs, and must not become the mistake of one that runs later.
  if (running.process === undefined) throw error
  // A process has one mistake: what it says is all that is wrong with the call.
  const told = others.length === 0 ? error.diagnostic : together(error.diagnostics)
  running.mistake ??= told
  const thrown = new DiagnosticError(told)
  ofProcesses.add(thrown)
  throw thrown
}

/** Errors that say what `running.mistake` says. */
const ofProcesses = new WeakSet<object>()

/** Whether it was thrown as the mistake of a process, and so is told already where it becomes something else, such as a rejection. */
export function isToldMistake(error: unknown): boolean {
  return error instanceof DiagnosticError && ofProcesses.has(error)
}

function together(all: readonly Diagnostic[]): Diagnostic {
  const joined = (texts: readonly string[], between: string): string => [...new Set(texts)].join(between)
  const message = joined(
    all.map((one) => one.message),
    '; ',
  )
  const hint = joined(
    all.map((one) => one.hint),
    '; ',
  )
  return { ...(all[0] as Diagnostic), message, hint }
}

/** Runs code of the user's that is no process: clocks, randomness and endless loops are mistakes there as well. */
export function runAs<Answer>(name: string, code: () => Answer): Answer {
  const { process, fuel, async, inert, mistake: before } = running
  Object.assign(running, { process: name, fuel: loopLimit, async: undefined, inert: 'question', mistake: undefined })
  try {
    const answer = code()
    throwMistake()
    return answer
  } catch (error) {
    // It may have been caught, and something else thrown in its place.
    throwMistake()
    throw error
  } finally {
    Object.assign(running, { process, fuel, async, inert, mistake: before })
  }
}

/** An operation of processes is made where it would do nothing, and nobody would notice. */
export function refuseOperation(kind: string): void {
  const { inert, process } = running
  if (inert === 'handler')
    mistake({
      code: 'E225',
      message: `process "${process}" calls ${kind}(…), which is for processes and does nothing in a handler`,
      hint: 'a handler acts by its context, as in context.send(to, message) and context.announce(event); actions have "announces"',
    })
  if (inert === 'question')
    mistake({
      code: 'E227',
      message: `${kind}(…) does nothing in ${process}`,
      hint: 'it is asked about what there is, and may depend on nothing else: act where it happens, in a process or a handler',
    })
}

function throwMistake(): void {
  if (running.mistake !== undefined) throw new DiagnosticError(running.mistake)
}

/** Between the user's line and here there may be more of our own frames than a stack shows by default. */
function deepStack(): string | undefined {
  const before = Error.stackTraceLimit
  Error.stackTraceLimit = 50
  const { stack } = new Error()
  Error.stackTraceLimit = before
  return stack
}
