/**
 * History files: JSON Lines, one event per line, with an optional header. They are read in pieces, so that a file may be
 * larger than any text can be; only the calls are kept. What is wrong is a diagnostic with its line.
 */

import { isUnreadable, shownPath, whyNot, withFile } from '../artifact/named-file.ts'
import { type Diagnostic, failure, type Result, success } from '../core/diagnostic.ts'
import type { DiagnosticCode } from '../core/diagnostic-codes.ts'
import type { Call, History } from '../core/history.ts'
import type { Value } from '../core/value.ts'
import { valueToJson } from '../core/value-json.ts'
import type { ObjectOf } from '../properties/linearizability/parts.ts'
import type { CallProblem, Specification } from '../properties/linearizability/specification.ts'
import { builtInSpecification } from '../properties/linearizability/specifications/catalogue.ts'
import { HistoryEvents } from './history-events.ts'
import { type HistoryHeader, historyFormat, parseLine } from './history-line.ts'
import { frameOf, type Line, linesOf, pieces } from './json-lines.ts'

export interface HistoryFileOptions {
  /** Instead of the one the header names. A built-in one by its name begins as the header says, unless that names another. */
  readonly specification?: Specification | string | undefined
  /** Operations whose `fail` means that they returned false, beside those of the header. Otherwise they did not happen. */
  readonly observedFailures?: readonly string[] | undefined
}

export interface RecordedHistory {
  readonly history: History
  /** What the calls are to be compared with, if the caller or the header said so. */
  readonly specification: Specification | undefined
  /** Calls that failed and are left out. */
  readonly failed: number
  /** If events have keys that are not arguments: the object a call belongs to. */
  readonly objectOf: ObjectOf | undefined
}

export function readHistory(path: string, options: HistoryFileOptions = {}): Result<RecordedHistory> {
  try {
    return withFile(path, (file) => parseHistory(pieces(file), path, options))
  } catch (error) {
    if (!isUnreadable(error)) throw error
    return failure(unreadable(path, error))
  }
}

/** A history from its text, in pieces of any size. */
export function parseHistory(
  text: Iterable<string>,
  file: string,
  options: HistoryFileOptions = {},
): Result<RecordedHistory> {
  const reader = new HistoryReader(file, options)
  for (const line of linesOf(text)) if (!reader.read(line)) break
  return reader.finish()
}

/** The lines of a history file with these calls. */
export function* historyLines(
  { calls }: History,
  header?: { readonly specification: string; readonly initial?: Value },
): Generator<string> {
  if (header !== undefined) {
    const { specification, initial } = header
    yield JSON.stringify({
      format: historyFormat,
      specification,
      ...(initial === undefined ? {} : { initial: valueToJson(initial) }),
    })
  }
  const starts = calls.map((call) => ({ call, time: call.invoked, isInvocation: true }))
  const ends = calls
    .filter(({ returned }) => returned !== Number.POSITIVE_INFINITY)
    .map((call) => ({ call, time: call.returned, isInvocation: false }))
  const events = [...starts, ...ends].sort(
    (left, right) => left.time - right.time || Number(right.isInvocation) - Number(left.isInvocation),
  )
  for (const { call, time, isInvocation } of events) {
    const { process, operation: op, args } = call
    if (isInvocation) yield JSON.stringify({ process, type: 'invoke', op, args: args.map(valueToJson), time })
    else yield JSON.stringify({ process, type: 'ok', op, ...resultFields(call), time })
  }
}

function resultFields({ result }: Call): object {
  switch (result.kind) {
    case 'returned':
      return result.value === undefined ? {} : { value: valueToJson(result.value) }
    case 'threw':
      return { error: result.error }
    default:
      return { unknown: true }
  }
}

const mistakesShown = 20

/** Puts lines together; goes on after a mistake, to report several at once. */
class HistoryReader {
  readonly #file: string
  readonly #options: HistoryFileOptions
  readonly #mistakes: Diagnostic[] = []
  #events: HistoryEvents | undefined
  #specification: Specification | undefined
  #hasTimeProblem = false
  #hasUnread = false

  constructor(file: string, options: HistoryFileOptions) {
    this.#file = file
    this.#options = options
    const { specification } = options
    this.#specification = typeof specification === 'string' ? undefined : specification
  }

  /** False if there is no point in going on. */
  read(line: Line): boolean {
    if (line.isTooLong) {
      this.#report('E501', line, { message: 'the line is too long', hint: 'a history has one event per line' })
      return false
    }
    if (line.text.trim() === '') return true
    const parsed = parseLine(line.text, line.isLast)
    if (parsed.kind === 'problem') {
      this.#hasUnread = true
      this.#report('E501', line, parsed, parsed.column)
    } else if (parsed.kind === 'header') this.#header(parsed, line)
    else {
      this.#events ??= this.#started([])
      const wrong = this.#events.add(parsed, line.number)
      // A call that could not be read has an end nevertheless.
      if (wrong !== undefined && !(this.#hasUnread && parsed.type !== 'invoke')) this.#report('E502', line, wrong)
    }
    return this.#mistakes.length < mistakesShown
  }

  finish(): Result<RecordedHistory> {
    this.#events ??= this.#started([])
    if (this.#mistakes.length > 0) return failure(...this.#mistakes)
    const { calls, failed, keys } = this.#events.finish()
    const objectOf = keys.size === 0 ? undefined : (call: Call) => keys.get(call)
    return success({ history: { calls }, specification: this.#specification, failed, objectOf })
  }

  #header(header: HistoryHeader, line: Line): void {
    if (this.#events !== undefined) {
      this.#report('E501', line, {
        message: 'the header is not the first line',
        hint: 'a history has one header at most',
      })
      return
    }
    const name = this.#asked ?? header.specification
    if (this.#specification === undefined && name !== undefined) {
      const { initial, returns } = header
      const isMeant = header.specification === undefined || header.specification === name
      const setting = isMeant ? { ...(initial !== undefined && { initial }), returns } : {}
      const found = builtInSpecification(name, setting)
      if ('kind' in found) this.#specification = found
      else this.#report('E501', line, found)
    }
    this.#events = this.#started(header.observedFailures)
  }

  get #asked(): string | undefined {
    const { specification } = this.#options
    return typeof specification === 'string' ? specification : undefined
  }

  #started(observedFailures: readonly string[]): HistoryEvents {
    this.#specification ??= this.#asked === undefined ? undefined : builtIn(this.#asked)
    const specification = this.#specification
    return new HistoryEvents({
      file: this.#file,
      arityOf: (operation) => specification?.arity(operation),
      keyIsArgument: specification?.part !== undefined,
      observedFailures: [...observedFailures, ...(this.#options.observedFailures ?? [])],
    })
  }

  #report(code: DiagnosticCode, line: Line, { message, hint }: CallProblem, column = 1): void {
    // Once times are out of order every later line may be; the first says it all.
    if (message.startsWith('time goes backwards') && this.#hasTimeProblem) return
    this.#hasTimeProblem ||= message.startsWith('time goes backwards')
    const place = { file: this.#file, line: line.number, column }
    this.#mistakes.push({ code, message, hint, place, frame: frameOf(line, column) })
  }
}

function builtIn(name: string): Specification | undefined {
  const found = builtInSpecification(name)
  return 'kind' in found ? found : undefined
}

function unreadable(path: string, error: unknown): Diagnostic {
  const hint = 'name a file with one event or one call on each line'
  return { code: 'E101', message: `the history ${shownPath(path)} cannot be read: ${whyNot(error)}`, hint }
}
