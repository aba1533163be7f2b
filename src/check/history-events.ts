/**
 * Events of a recorded history, one after another, made into calls.
 *
 * The order of lines is the order of events, except where lines have the same `time`: a clock cannot tell those apart, so calls
 * that may have overlapped must not be ordered. Of such lines invocations come first and returns last, as far as each
 * process's own order allows.
 */
import type { Place } from '../core/diagnostic.ts'
import type { Call, CallResult } from '../core/history.ts'
import { sameValue, type Value } from '../core/value.ts'
import type { EventType, HistoryEvent } from './history-line.ts'

/** What a recorder of Knossos' kind means by `value` depends on how many arguments the operation takes. */
type ArityOf = (operation: string) => number | undefined

export interface EventsOptions {
  readonly file: string
  readonly arityOf: ArityOf
  /** Whether a key is the first argument of an operation; else it names one of several objects. */
  readonly keyIsArgument: boolean
  readonly observedFailures: readonly string[]
}

export interface Contradiction {
  readonly message: string
  readonly hint: string
}

type Draft = { -readonly [Field in keyof Call]: Call[Field] } & { hasFailed?: boolean }

interface Waiting {
  readonly draft: Draft
  readonly isInvocation: boolean
}

export class HistoryEvents {
  readonly #options: EventsOptions
  readonly #calls: Draft[] = []
  /** Open calls by process; a process that ended in `info` goes on under another name. */
  readonly #open = new Map<string, Draft>()
  readonly #names = new Map<string, string>()
  readonly #keys = new Map<Call, Value>()
  /** Events with the same time, in the order of their lines. */
  #group: Waiting[] = []
  #time: number | undefined
  #hasTimes: boolean | undefined
  #moment = 0
  #failed = 0

  constructor(options: EventsOptions) {
    this.#options = options
  }

  /** Takes the next event, or says how it contradicts those before. */
  add(event: HistoryEvent, line: number): Contradiction | undefined {
    const wrong = this.#timeProblem(event) ?? this.#orderProblem(event)
    if (wrong !== undefined) return wrong
    if (event.time === undefined || event.time !== this.#time) this.#settle()
    this.#time = event.time
    if (event.type === 'invoke') this.#invoke(event, { file: this.#options.file, line, column: 1 })
    else this.#end(event)
    return undefined
  }

  /** All calls, in order of invocation; those still open are pending. */
  finish(): { readonly calls: readonly Call[]; readonly failed: number; readonly keys: ReadonlyMap<Call, Value> } {
    this.#settle()
    const calls = this.#failed === 0 ? this.#calls : this.#calls.filter(({ hasFailed }) => hasFailed !== true)
    return { calls, failed: this.#failed, keys: this.#keys }
  }

  #timeProblem({ time }: HistoryEvent): Contradiction | undefined {
    this.#hasTimes ??= time !== undefined
    if (this.#hasTimes !== (time !== undefined)) {
      return {
        message: 'some events have a time and others have none',
        hint: 'either all lines have a time or none has',
      }
    }
    if (time === undefined || this.#time === undefined || time >= this.#time) return undefined
    return {
      message: `time goes backwards: ${time} comes after ${this.#time}`,
      hint: 'sort the lines by time; where times are equal, keep the order of each process',
    }
  }

  #orderProblem(event: HistoryEvent): Contradiction | undefined {
    const { process, type, operation } = event
    const open = this.#open.get(process)
    if (type === 'invoke') {
      if (open === undefined) return undefined
      const message = `process ${process} calls ${operation} while its ${open.operation} (line ${open.place?.line}) has not returned`
      return { message, hint: 'a process has one open call at a time; a call whose end is not known ends with "info"' }
    }
    if (open === undefined) {
      return {
        message: `process ${process} ends a call it did not make`,
        hint: 'an "invoke" of the process must come before',
      }
    }
    if (operation === undefined || operation === open.operation) return this.#argumentsProblem(event, open)
    const message = `process ${process} ends ${operation}, but its open call is ${open.operation} (line ${open.place?.line})`
    return { message, hint: 'the end of a call names the same operation as its "invoke", or none' }
  }

  /** Whoever repeats the arguments says the same of the same call. */
  #argumentsProblem({ process, args, key, style }: HistoryEvent, open: Draft): Contradiction | undefined {
    if (args === undefined || style !== 'own') return undefined
    const all = key !== undefined && this.#options.keyIsArgument ? [key, ...args] : args
    if (sameValue(all, open.args)) return undefined
    const message = `process ${process} ends ${open.operation} with other arguments than it was called with (line ${open.place?.line})`
    return { message, hint: 'the end of a call repeats the arguments of its "invoke", or leaves them out' }
  }

  #invoke(event: HistoryEvent, place: Place): void {
    const { process, operation = '', key } = event
    const own = this.#argumentsOf(event)
    const isFirst = key !== undefined && this.#options.keyIsArgument
    const name = this.#names.get(process) ?? process
    const draft: Draft = {
      process: name,
      operation,
      args: isFirst ? [key, ...own] : own,
      result: pending,
      invoked: 0,
      returned: Number.POSITIVE_INFINITY,
      place,
    }
    if (key !== undefined && !isFirst) this.#keys.set(draft, key)
    this.#open.set(process, draft)
    this.#group.push({ draft, isInvocation: true })
  }

  #end(event: HistoryEvent): void {
    const { process, type } = event
    const draft = this.#open.get(process) as Draft
    this.#open.delete(process)
    if (type === 'info') {
      this.#names.set(process, nextName(draft.process))
      return
    }
    if (type === 'fail' && !this.#options.observedFailures.includes(draft.operation)) {
      draft.hasFailed = true
      this.#failed++
    } else draft.result = resultOf(event, type)
    this.#group.push({ draft, isInvocation: false })
  }

  #argumentsOf({ args, style, value, hasValue, operation = '', key }: HistoryEvent): readonly Value[] {
    if (args !== undefined) return args
    if (style === 'own') return nothing
    const all = this.#options.arityOf(operation)
    const arity = all !== undefined && key !== undefined && this.#options.keyIsArgument ? all - 1 : all
    if (arity !== undefined && arity <= 0) return nothing
    if (arity !== undefined && arity > 1 && Array.isArray(value)) return value as readonly Value[]
    return arity === undefined && (!hasValue || value === null) ? nothing : [value]
  }

  /** Gives the events of one time their moments: see above. */
  #settle(): void {
    const queues = queuesByProcess(this.#group)
    this.#group = []
    let active: readonly Waiting[][] = [...queues.values()]
    while (active.length > 0) {
      for (const queue of active) if (queue.at(-1)?.isInvocation === true) this.#happen(queue.pop())
      active = active.filter((queue) => queue.length > 1)
      for (const queue of active) this.#happen(queue.pop())
    }
    for (const queue of queues.values()) this.#happen(queue.pop())
  }

  #happen(event: Waiting | undefined): void {
    if (event === undefined) return
    const { draft, isInvocation } = event
    if (isInvocation) {
      draft.invoked = this.#moment++
      this.#calls.push(draft)
    } else draft.returned = this.#moment++
  }
}

const pending: CallResult = { kind: 'pending' }
const nothing: readonly Value[] = []

/** The events of each process, the next one last. */
function queuesByProcess(events: readonly Waiting[]): ReadonlyMap<string, Waiting[]> {
  const queues = new Map<string, Waiting[]>()
  for (let at = events.length - 1; at >= 0; at--) {
    const event = events[at] as Waiting
    const queue = queues.get(event.draft.process)
    if (queue === undefined) queues.set(event.draft.process, [event])
    else queue.push(event)
  }
  return queues
}

function resultOf({ style, value, unknown, error }: HistoryEvent, type: EventType): CallResult {
  if (type === 'fail') return { kind: 'returned', value: false }
  if (unknown) return { kind: 'unknown' }
  if (error !== undefined) return { kind: 'threw', error }
  if (style === 'knossos' && (value === null || value === undefined)) return { kind: 'unknown' }
  return common.get(value) ?? { kind: 'returned', value }
}

/** Results that most calls of a long history share. */
const common: ReadonlyMap<Value, CallResult> = new Map(
  [undefined, null, true, false].map((value) => [value, { kind: 'returned', value }]),
)

/** Calls of one process do not overlap, so what comes after a call without end is another one's: `3`, `3~2`, `3~3` … */
function nextName(process: string): string {
  const [name, count = '1'] = process.split(/~(?=\d+$)/)
  return `${name}~${Number(count) + 1}`
}
