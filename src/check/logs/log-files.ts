/** Logs of machines from files: what each life of each machine did, line by line. What is wrong is a diagnostic with its line. */
import { isUnreadable, shownPath, whyNot, withFile } from '../../artifact/named-file.ts'
import { type Diagnostic, failure, type Place, type Result, success } from '../../core/diagnostic.ts'
import type { DiagnosticCode } from '../../core/diagnostic-codes.ts'
import { frameOf, type Line, linesOf, pieces } from '../json-lines.ts'
import { type LogEvent, type LogHeader, parseLogLine } from './log-line.ts'

interface PlacedEvent extends LogEvent {
  readonly place: Place
}

/** From where a machine began, or came back, to where it stopped or its log ends. */
export interface LoggedLife {
  readonly header: LogHeader
  readonly place: Place
  readonly events: readonly PlacedEvent[]
}

/** `files` as the user sees them. */
export function readLogs(files: readonly string[]): Result<readonly LoggedLife[]> {
  const read = files.map(readLog)
  const mistakes = read.flatMap((one) => (one.ok ? [] : one.diagnostics))
  if (mistakes.length > 0) return failure(...mistakes)
  return success(read.flatMap((one) => (one.ok ? one.value : [])))
}

function readLog(file: string): Result<readonly LoggedLife[]> {
  try {
    return withFile(file, (open) => parseLog(pieces(open), file))
  } catch (error) {
    if (!isUnreadable(error)) throw error
    const message = `the log ${shownPath(file)} cannot be read: ${whyNot(error)}`
    return failure({ code: 'E101', message, hint: 'name a file that allways run --log has written' })
  }
}

/** A log from its text, in pieces of any size. */
function parseLog(text: Iterable<string>, file: string): Result<readonly LoggedLife[]> {
  const reader = new LogReader(file)
  for (const line of linesOf(text)) if (!reader.read(line)) break
  return reader.finish()
}

const mistakesShown = 20

/** Several machines may write to one file, and several lives of one. */
class LogReader {
  readonly #file: string
  readonly #mistakes: Diagnostic[] = []
  readonly #lives: (LoggedLife & { readonly events: PlacedEvent[] })[] = []

  constructor(file: string) {
    this.#file = file
  }

  /** False if there is no point in going on. */
  read(line: Line): boolean {
    if (line.isTooLong) {
      this.#report('E611', line, { message: 'the line is too long', hint: 'a log has one event per line' })
      return false
    }
    if (line.text.trim() === '') return true
    const parsed = parseLogLine(line.text, line.isLast)
    if (parsed.kind === 'problem') this.#report('E611', line, parsed, parsed.column)
    else if (parsed.kind === 'header') this.#lives.push({ header: parsed, place: this.#placeOf(line), events: [] })
    else this.#add(parsed, line)
    // What does not begin as a log is none.
    return this.#lives.length > 0 && this.#mistakes.length < mistakesShown
  }

  finish(): Result<readonly LoggedLife[]> {
    if (this.#mistakes.length > 0) return failure(...this.#mistakes)
    if (this.#lives.length > 0) return success(this.#lives)
    const message = `${shownPath(this.#file)} is empty, and a log begins with whose it is`
    return failure({ code: 'E611', message, hint: 'name a file that allways run --log has written' })
  }

  #add(event: LogEvent, line: Line): void {
    const { machine, step, unlogged } = event
    const life = this.#lives.findLast(({ header }) => header.machine === machine)
    const last = life?.events.at(-1)
    if (life === undefined)
      this.#lacks(line, `"${machine}" has an event before the line with which its log begins`, ofOneLog)
    else if (last?.isStop === true)
      this.#lacks(line, `"${machine}" has an event after it stopped (line ${last.place.line})`, ofOneLog)
    else if (step !== (last?.step ?? 0) + 1)
      this.#lacks(line, `event ${step} of "${machine}" follows event ${last?.step ?? 0}`, missed)
    else if (unlogged > 0) this.#lacks(line, `"${machine}" could not write ${unlogged} of its lines`, missed)
    else if (!beginsAsSaid(life.header, event))
      this.#lacks(line, `"${machine}" does not begin, or come back, with this event`, ofOneLog)
    life?.events.push({ ...event, place: this.#placeOf(line) })
  }

  #lacks(line: Line, message: string, hint: string): void {
    this.#report('E612', line, { message, hint })
  }

  #placeOf({ number }: Line): Place {
    return { file: this.#file, line: number, column: 1 }
  }

  #report(code: DiagnosticCode, line: Line, told: { readonly message: string; readonly hint: string }, column = 1) {
    const place = { ...this.#placeOf(line), column }
    this.#mistakes.push({ code, message: told.message, hint: told.hint, place, frame: frameOf(line, column) })
  }
}

/** A machine starts once; each later life goes on with what was kept. */
function beginsAsSaid({ earlier }: LogHeader, { event, step, isStop }: LogEvent): boolean {
  const isFirst = event === (earlier === undefined ? 'start' : 'restart')
  return step === 1 ? isFirst || isStop : event !== 'start' && event !== 'restart'
}

const ofOneLog = 'each file is the log of machines that allways run --log has written, and not several of them mixed'
const missed =
  'lines are missing or in another order; a machine counts those that it could not write as "unlogged", and more than the disk takes is not written'
