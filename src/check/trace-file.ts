/**
 * Trace files: a trace, which is all that replay reads, and derived parts for people and for viewers that have no program at
 * hand. Files may come from anywhere, so everything that is read is validated; what is wrong is a diagnostic with its path.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pid } from 'node:process'
import { failure, type Result, success } from '../core/diagnostic.ts'
import type { DiagnosticCode } from '../core/diagnostic-codes.ts'
import { networkNames } from '../core/operation.ts'
import { type Decision, type Trace, traceFormat } from '../core/trace.ts'
import { fingerprintText } from '../core/value.ts'
import { valueToJson } from '../core/value-json.ts'
import type { Counterexample } from '../core/verdict.ts'
import { Field } from './trace-fields.ts'
import { notesFromJson, notesToJson, type TraceContext, type TraceNotes } from './trace-notes.ts'

export const defaultTraceDirectory = '.allways/traces'

/** Writes a trace below `directory` and returns its path. Equal traces have equal names; nobody sees a half-written file. */
export function writeTrace(directory: string, trace: Trace, context: TraceContext): string {
  const path = join(directory, traceName(trace, context.counterexample))
  const content = { ...traceToJson(trace), ...notesToJson(context) }
  mkdirSync(directory, { recursive: true })
  const unfinished = `${path}.${pid}.tmp`
  writeFileSync(unfinished, `${JSON.stringify(content, undefined, 2)}\n`)
  renameSync(unfinished, path)
  return path
}

/** Short enough that the command to show the picture still fits on a line. */
const nameWidth = 28

function traceName(trace: Trace, { violation }: Counterexample): string {
  const program = slug(trace.program.name, 12) || 'program'
  const subject = violation.kind === 'monitor' ? (violation.process ?? violation.kind) : violation.property
  const property = slug(subject, nameWidth - program.length) || violation.kind
  const { setting, decisions } = traceToJson(trace)
  const digest = fingerprintText(
    JSON.stringify([trace.program.name, trace.program.file, setting, decisions, violation.kind, subject]),
  )
  return `${program}.${property}.${digest.slice(0, 4)}.trace.json`
}

/** Lower-case words joined by hyphens; whole words only, unless the first alone is too long. */
function slug(text: string, width: number): string {
  const words =
    text
      .normalize('NFKD')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? []
  let joined = ''
  for (const word of words) {
    const longer = joined === '' ? word.slice(0, width) : `${joined}-${word}`
    if (longer.length > width) break
    joined = longer
  }
  return joined
}

function traceToJson(trace: Trace) {
  const { format, program, setting, start, decisions, foundBy } = trace
  return {
    format,
    program,
    setting: { params: valueToJson(setting.params), network: setting.network },
    start,
    decisions,
    foundBy,
  }
}

export interface TraceFile {
  readonly trace: Trace
  /** The derived parts as they stand in the file; `traceNotes` reads them. */
  readonly derived: unknown
}

/** Reads what replay needs; every problem found is reported, not the first only. */
export function readTrace(path: string): Result<TraceFile> {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    return failure({ code: 'E101', message: `the trace ${path} cannot be read: ${reason(error)}` })
  }
  return parseTrace(text, path)
}

function reason(error: unknown): string {
  const code = (error as { readonly code?: unknown }).code
  if (code === 'ENOENT') return 'there is no such file'
  return code === 'EISDIR' ? 'it is a directory' : String(code ?? error)
}

export function parseTrace(text: string, path: string): Result<TraceFile> {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return text.includes('"allways-trace/')
      ? damaged(path, ['the JSON ends early or is broken'])
      : notATrace(path, 'it is not JSON')
  }
  const problems: string[] = []
  const file = new Field(json, '', problems)
  const format = formatProblem(file, path)
  if (format !== undefined) return format
  const trace = traceFromJson(file)
  return problems.length > 0 ? damaged(path, problems) : success({ trace, derived: json })
}

/** The derived parts, for those that show a trace without its program. */
export function traceNotes(file: TraceFile, path: string): Result<TraceNotes> {
  const problems: string[] = []
  const notes = notesFromJson(new Field(file.derived, '', problems), file.trace)
  if (problems.length > 0) return damaged(path, problems)
  if (notes !== undefined) return success(notes)
  return diagnosis('E402', `the trace ${path} has no steps to show`, 'allways replay derives them from the program')
}

function formatProblem(file: Field, path: string): Result<never> | undefined {
  const format = file.at('format').raw
  if (format === traceFormat) return undefined
  if (typeof format !== 'string') return notATrace(path, 'it has no "format"')
  if (!format.startsWith('allways-trace/')) return notATrace(path, `its format is "${format.slice(0, 40)}"`)
  return diagnosis(
    'E403',
    `the trace ${path} has format ${format.slice(0, 40)}, and this allways reads ${traceFormat}`,
    'use the version of allways that wrote it, or find the violation again',
  )
}

const decisionKinds = ['step', 'deliver', 'timeout', 'choose'] as const

function traceFromJson(file: Field): Trace {
  const program = file.at('program')
  const setting = file.at('setting')
  const foundBy = file.at('foundBy')
  return {
    format: traceFormat,
    program: { name: program.at('name').text(), file: program.at('file').text(), digest: program.at('digest').text() },
    setting: {
      params: Object.fromEntries(
        setting
          .at('params')
          .entries()
          .map(([name, field]) => [name.replace(/^##/, '#'), field.value()]),
      ),
      network: setting.at('network').oneOf(networkNames),
    },
    start: file.at('start').oneOf(['initial']),
    decisions: file.at('decisions').items().map(decisionFromJson),
    foundBy: {
      engine: foundBy.at('engine').text(),
      seed: foundBy.at('seed').whole(),
      version: foundBy.at('version').text(),
    },
  }
}

function decisionFromJson(field: Field): Decision {
  const process = field.at('process').text()
  const kind = field.at('kind').oneOf(decisionKinds)
  switch (kind) {
    case 'deliver':
      return { kind, process, message: field.at('message').count() }
    case 'choose':
      return { kind, process, option: field.at('option').count() }
    default:
      return { kind, process }
  }
}

function notATrace(path: string, why: string): Result<never> {
  return diagnosis(
    'E401',
    `${path} is not a trace: ${why}`,
    `traces are written by allways check, by default to ${defaultTraceDirectory}`,
  )
}

const problemsShown = 5

function damaged(path: string, problems: readonly string[]): Result<never> {
  const more = problems.length > problemsShown ? [`and ${problems.length - problemsShown} more problems`] : []
  const list = [...problems.slice(0, problemsShown), ...more].join('; ')
  return diagnosis('E402', `the trace ${path} is damaged: ${list}`, 'find the violation again with allways check')
}

function diagnosis(code: DiagnosticCode, message: string, hint: string): Result<never> {
  return failure({ code, message, hint })
}
