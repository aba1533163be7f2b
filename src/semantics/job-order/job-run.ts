/**
 * One execution of a client in JavaScript's own job order: its processes start one after the other in one job, in an order that is
 * chosen, and from there on the event loop decides (`src/jobs`). What is left to choose is which timer fires, whenever nothing else is left to do.
 */

import { type Diagnostic, DiagnosticError } from '../../core/diagnostic.ts'
import type { CodeStep } from '../../core/evidence.ts'
import type { Call } from '../../core/history.ts'
import { OwnError } from '../../core/own-error.ts'
import { type AsyncHost, loopLimit, mistake, running } from '../../core/running.ts'
import { showValue } from '../../core/value-text.ts'
import type { Armed } from '../../jobs/armed.ts'
import { Loop, type LoopOwner } from '../../jobs/loop.ts'
import { call } from '../../jobs/lowered.ts'
import type { ObjectCall, ReturnedCall } from '../memory/client-process.ts'
import { asValue, errorText, returnedCall } from '../memory/results.ts'
import { type ObjectEnding, type ObjectFailure, type ObjectSubject, processName } from '../memory/subject.ts'
import { mostRounds } from '../memory/timers.ts'
import { endWalks } from '../memory/world.ts'
import { hostOf } from './host.ts'
import { refuseUnplain, refuseUnplainError } from './plain-results.ts'
import { neverEnds, type Origin, type Site } from './runtime.ts'

/** A client, and how to make its instance: of modules that nobody has used. */
export type JobSubject = Pick<
  ObjectSubject,
  'create' | 'setup' | 'processes' | 'isTimed' | 'prepare' | 'judge' | 'told'
>

/** The calls of one process, as far as they have been made. */
interface Calls {
  readonly process: string
  readonly calls: readonly ObjectCall[]
  readonly made: { readonly args: Call['args']; readonly invoked: number; readonly before: readonly number[] }[]
  readonly returned: (ReturnedCall & { readonly at: number })[]
  isStarted: boolean
}

/** Node ends the program. */
class Ended extends OwnError {}

type Instance = { readonly [operation: string]: (...args: readonly unknown[]) => unknown }

export class JobRun {
  readonly steps: CodeStep[] = []
  readonly #subject: JobSubject
  readonly #loop: Loop
  readonly #host: AsyncHost
  readonly #setup: Calls
  readonly #processes: readonly Calls[]
  #instance: Instance = {}
  #failures: readonly ObjectFailure[] = []
  /** A mistake of the user's that was found where nobody could throw it. */
  #refused: Diagnostic | undefined
  #time = 0

  constructor(subject: JobSubject) {
    endWalks()
    this.#subject = subject
    this.#loop = new Loop(this.#owner(), 'any')
    this.#host = hostOf(this.#loop)
    this.#setup = callsOf('setup', subject.setup)
    this.#processes = subject.processes.map((calls, index) => callsOf(processName(index), calls))
    this.#run(() => {
      this.#instance = this.#loop.enter(() => this.#as(this.#setup, subject.create)) as Instance
      this.#loop.runJobs()
    })
    this.#setUp()
  }

  /** Who may be next: processes that have not started; then timers, by whose code armed them. */
  choices(): readonly string[] {
    if (this.#failures.length > 0) return []
    const waiting = this.#waitingToStart
    return waiting.length > 0 ? waiting.map(({ process }) => process) : this.#timers().map(timerName)
  }

  take(choice: string): void {
    const waiting = this.#waitingToStart
    const process = waiting.find((one) => one.process === choice)
    if (process !== undefined) this.#run(() => this.#start(process, waiting.length === 1))
    else this.#fire(this.#timers().find((one) => timerName(one) === choice) as Armed)
  }

  get isEnded(): boolean {
    return this.choices().length === 0
  }

  ending(): ObjectEnding {
    const calls = this.#processes.flatMap(historyOf).sort((left, right) => left.invoked - right.invoked)
    const waiting = this.#processes.flatMap(({ process, made, returned, calls: all }) => {
      const operation = all[returned.length]?.operation
      const isWaiting = made.length > returned.length && operation !== undefined
      return isWaiting ? [{ process, operation, forWhat: this.#lastAwaited(process), site: -1 }] : []
    })
    return {
      setup: historyOf(this.#setup),
      history: { calls },
      results: this.#processes.map(({ returned }) => returned.map(({ text }) => text)),
      before: this.#subject.isTimed ? this.#processes.map(({ made }) => made.map(({ before }) => before)) : [],
      waiting,
      failures: this.#failures,
    }
  }

  #lastAwaited(process: string): string {
    const { site } = this.steps.findLast((step) => step.process === process && step.kind === 'access') ?? {}
    const at = site === undefined ? '' : ` at ${site.function.file}:${site.line}`
    return `a promise that nobody resolves any more${at}`
  }

  get #waitingToStart(): readonly Calls[] {
    return this.#processes.filter(({ isStarted, calls }) => !isStarted && calls.length > 0)
  }

  /** Jobs come when all have started. */
  #start(process: Calls, isLast: boolean): void {
    const start = (): void => void this.#as(process, () => call(this.#bodyOf(process), undefined, []))
    process.isStarted = true
    if (isLast) this.#loop.turn(start)
    else this.#loop.enter(start)
  }

  /** As people would write it: each call is awaited, whatever it gives. */
  #bodyOf(process: Calls): () => Generator<unknown, void, unknown> {
    const run = this
    return function* () {
      for (const one of process.calls) {
        const args = run.#makes(process, one)
        try {
          const value = yield run.#operation(one.operation)(...args)
          run.#returns(process, one, { kind: 'returned', value })
        } catch (error) {
          run.#returns(process, one, { kind: 'threw', error })
        }
      }
    }
  }

  #operation(name: string): (...args: readonly unknown[]) => unknown {
    return (...args) => (this.#instance[name] as Instance[string]).apply(this.#instance, [...args])
  }

  #makes(process: Calls, { operation, args }: ObjectCall): readonly unknown[] {
    const values = args.map((one) =>
      one.kind === 'value' ? structuredClone(one.value) : process.returned[one.call]?.raw,
    )
    const shown = values.map((one) => asValue(one))
    const before = this.#processes.map(({ returned }) => returned.length)
    process.made.push({ args: shown, invoked: this.#time++, before })
    this.#tell(process.process, 'call', `${operation}(${shown.map((one) => showValue(one)).join(', ')})`)
    return values
  }

  #returns(process: Calls, { operation }: ObjectCall, outcome: Parameters<typeof returnedCall>[0]): void {
    try {
      if (outcome.kind === 'returned') refuseUnplain(operation, outcome.value)
      else refuseUnplainError(operation, outcome.error)
      const returned = returnedCall(outcome)
      process.returned.push({ ...returned, at: this.#time++ })
      const { result } = returned
      const shown = result.kind === 'returned' ? showValue(result.value) : result.kind === 'threw' ? result.error : '?'
      this.#tell(process.process, 'return', `${operation} → ${shown}`)
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error
      this.#refused ??= error.diagnostic
    }
  }

  /** Calls in brackets, alone: time passes where they wait for it. */
  #setUp(): void {
    const { calls, returned } = this.#setup
    if (calls.length === 0) return
    this.#run(() => this.#start(this.#setup, true))
    for (let fired = 0; returned.length < calls.length; fired++) {
      const [timer] = this.#timers()
      if (timer === undefined || fired > mostFirings) throw new DiagnosticError(neverReturns(calls[returned.length]))
      this.#fire(timer)
    }
    this.steps.length = 0
  }

  /** Those that have fired often enough do not fire any more, as if they were not armed. */
  #timers(): readonly Armed[] {
    for (;;) {
      const timers = this.#loop.mayFire()
      const over = timers.filter(({ context }) => ((context as Origin | undefined)?.round ?? 0) >= mostRounds)
      if (over.length === 0) return timers
      running.timersCut = true
      for (const one of over) this.#loop.armed.disarm(one)
    }
  }

  #fire(timer: Armed): void {
    const origin = timer.context as Origin
    const armedIn: { context: unknown } = timer
    armedIn.context = this.#originOf(timerName(timer), origin.round + 1)
    this.#run(() => this.#loop.fire(timer))
  }

  #as<Result>({ process }: Calls, code: () => Result): Result {
    this.#loop.context = this.#originOf(process, 0)
    const result = code()
    this.#loop.context = undefined
    return result
  }

  #originOf(process: string, round: number): Origin {
    return { process, round, awaits: (site) => this.#tell(process, 'access', 'awaits', site) }
  }

  #tell(process: string, kind: CodeStep['kind'], text: string, site?: Site): void {
    this.steps.push({ process, kind, text, site: site && codeSite(site) })
  }

  #run(code: () => void): void {
    underControl(this.#host, () => {
      try {
        code()
      } catch (error) {
        if (!(error instanceof Ended)) throw error
      }
    })
    if (this.#refused !== undefined) throw new DiagnosticError(this.#refused)
  }

  #owner(): LoopOwner {
    const ends = (words: string): never => {
      this.#failures = [{ words, site: -1 }]
      throw new Ended()
    }
    return {
      unhandledRejection: (reason) => ends(`unhandled rejection: ${errorText(reason)}`),
      uncaughtException: (error) => {
        throw error instanceof Ended || error instanceof DiagnosticError ? error : ends(`uncaught ${errorText(error)}`)
      },
      rejectionHandled: () => {},
      foreignPromise: () => mistake(foreignPromise),
      endlessJobs: () => mistake(neverEnds),
    }
  }
}

/** Timers that fire before a call in brackets returns. */
const mostFirings = 1_000

function callsOf(process: string, calls: readonly ObjectCall[]): Calls {
  return { process, calls, made: [], returned: [], isStarted: false }
}

function historyOf({ process, calls, made, returned }: Calls): readonly Call[] {
  return made.map(({ args, invoked }, index): Call => {
    const { operation } = calls[index] as ObjectCall
    const ended = returned[index]
    const result = ended?.result ?? { kind: 'pending' as const }
    return { process, operation, args, result, invoked, returned: ended?.at ?? Number.POSITIVE_INFINITY }
  })
}

/** The same in every execution that takes the same turns. */
function timerName({ context, id }: Armed): string {
  const { process = 'new' } = (context as Origin | undefined) ?? {}
  return `${process.replace(/:.*/, '')}:${id}`
}

function codeSite({ file, line, column }: Site): CodeStep['site'] {
  return { function: { file, name: '', lines: { first: line, last: line }, loops: [] }, line, column }
}

/** Code of the user's: what it asks of the host is answered by the loop, or refused. */
function underControl(host: AsyncHost, code: () => void): void {
  const { process, fuel, async, inert, mistake: before } = running
  Object.assign(running, { process: 'client', fuel: loopLimit, async: host, inert: 'question', mistake: undefined })
  try {
    code()
    throwMistake()
  } catch (error) {
    throwMistake()
    throw error
  } finally {
    Object.assign(running, { process, fuel, async, inert, mistake: before })
  }
}

function throwMistake(): void {
  if (running.mistake !== undefined) throw new DiagnosticError(running.mistake)
}

const foreignPromise: Diagnostic = {
  code: 'E303',
  message: 'a promise is awaited that the check does not control',
  hint: 'await only async methods of your own code and promises it makes; pass I/O in as an async function and give the check a fake',
}

function neverReturns(one: ObjectCall | undefined): Diagnostic {
  return {
    code: 'E304',
    message: `${one?.operation}() does not return in JavaScript's own job order when it runs alone`,
    hint: 'every operation must come to an end: bound its loops, or give it what it waits for',
  }
}
