/**
 * Trace files: a trace, which is all that replay reads, and derived parts for people and for viewers that have no program at
 * hand. Files may come from anywhere, so everything that is read is validated; what is wrong is a diagnostic with its path.
 */

import { join } from 'node:path'
import { longestArtifact, notJson, parsedJson } from '../artifact/artifact.ts'
import { namedText } from '../artifact/named-file.ts'
import { schemaProblems } from '../artifact/schemas.ts'
import { writeWhole } from '../artifact/write.ts'
import { failure, type Result, success } from '../core/diagnostic.ts'
import type { DiagnosticCode } from '../core/diagnostic-codes.ts'
import type { Violation } from '../core/property.ts'
import { type Decision, type Trace, traceFormat } from '../core/trace.ts'
import { atOnce, breath, mappedUnhurried, type Unhurried } from '../core/unhurried.ts'
import { fingerprintText } from '../core/value.ts'
import { settingFromJson, settingToJson } from './setting-json.ts'
import { Field, originFromJson, programFromJson } from './trace-fields.ts'
import {
  type BriefContext,
  briefNotes,
  briefViolation,
  notesFromJson,
  notesToJson,
  type TraceContext,
  type TraceNotes,
} from './trace-notes.ts'

export const defaultTraceDirectory = '.allways/traces'

/** Writes a trace below `directory` and returns its path. Equal traces have equal names; nobody sees a half-written file. */
export function writeTrace(directory: string, trace: Trace, context: TraceContext): string {
  return atOnce(writingTrace(directory, trace, context))
}

/** The same, with time to look at the clock. */
export function* writingTrace(directory: string, trace: Trace, context: TraceContext): Unhurried<string> {
  const path = join(directory, traceName(trace, context.counterexample.violation))
  yield
  const content = { ...traceToJson(trace), ...(yield* notesToJson(context)) }
  writeWhole(path, `${yield* unhurriedJson(content)}\n`)
  return path
}

/** All that replay needs, without what it derives: where somebody waits for the end. */
export function writeBriefTrace(directory: string, trace: Trace, context: BriefContext): string {
  const path = join(directory, traceName(trace, context.counterexample.violation))
  writeWhole(path, `${JSON.stringify({ ...traceToJson(trace), ...briefNotes(context) })}\n`)
  return path
}

/** As `JSON.stringify(content, undefined, 2)` writes it: what is long are the lists in it. */
export function* unhurriedJson(content: object): Unhurried<string> {
  const fields: string[] = []
  for (const [name, value] of Object.entries(content)) {
    const isLong = Array.isArray(value) && value.length > breath
    const text = isLong ? yield* listText(value) : indented(value, '  ')
    if (text !== undefined) fields.push(`  ${JSON.stringify(name)}: ${text}`)
  }
  return fields.length === 0 ? '{}' : `{\n${fields.join(',\n')}\n}`
}

function* listText(items: readonly unknown[]): Unhurried<string> {
  const texts = yield* mappedUnhurried(items, (item) => `    ${indented(item, '    ') ?? 'null'}`)
  return `[\n${texts.join(',\n')}\n  ]`
}

/** Lines break between the parts of JSON, and nowhere in them. */
function indented(value: unknown, by: string): string | undefined {
  return JSON.stringify(value, undefined, 2)?.replaceAll('\n', `\n${by}`)
}

/** Short enough that the command to show the picture still fits on a line. */
const nameWidth = 20

/** Enough that no two traces that anybody keeps have the same name. */
const digestWidth = 12

function traceName(trace: Trace, { kind, property, process }: Violation): string {
  const { program, decisions } = trace
  const subject = kind === 'monitor' ? (process ?? kind) : property
  const told = program.origin === undefined ? [subject] : []
  const key = JSON.stringify([program.name, program.file, nameOf(trace), decisions, kind, ...told])
  const first = slug(program.name, 12) || 'program'
  const second = slug(subject, nameWidth - first.length) || kind
  return `${first}.${second}.${fingerprintText(key).slice(0, digestWidth)}.trace.json`
}

/** What tells two settings of one program apart; what is as usual is left out, so that names do not change with it. */
function nameOf({ program: { origin }, setting }: Trace): object {
  const { params, network, faults, start } = settingToJson(setting)
  if (origin !== undefined) {
    const { granularity, criterion, deadlock, order, specification } = setting.options
    const subject = { [origin.kind]: origin.name }
    const inJobs = order === 'jobs' ? { order } : {}
    return { client: setting.params.client, subject, granularity, criterion, deadlock, specification, ...inJobs }
  }
  const isFaulty = Object.keys(faults as object).length > 0
  return { params, network, ...(isFaulty ? { faults } : {}), ...(start === 'initial' ? {} : { start }) }
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
  const { format, program, setting, decisions, repeatsFrom, foundBy } = trace
  return { format, program, setting: settingToJson(setting), decisions, repeatsFrom, foundBy }
}

export interface TraceFile {
  readonly trace: Trace
  /** The derived parts as they stand in the file; `traceNotes` reads them. */
  readonly derived: unknown
}

/** Reads what replay needs; every problem found is reported, not the first only. */
export function readTrace(path: string): Result<TraceFile> {
  const text = namedText(path, traceFile, path)
  return text.ok ? parseTrace(text.value, path) : text
}

const traceFile = {
  what: 'trace',
  longest: longestArtifact,
  hint: 'a violation is printed with the path of its trace, in .allways/traces unless --trace-dir says otherwise',
}

export function parseTrace(text: string, path: string): Result<TraceFile> {
  const parsed = parsedJson(text)
  if ('why' in parsed) {
    const broken = parsed.why === notJson ? 'the JSON ends early or is broken' : parsed.why
    return text.includes('"allways-trace/') ? damaged(path, [broken]) : notATrace(path, parsed.why)
  }
  const { json } = parsed
  const problems: string[] = []
  const file = new Field(json, '', problems)
  const format = formatProblem(file, path)
  if (format !== undefined) return format
  const trace = traceFromJson(file)
  if (problems.length === 0) problems.push(...schemaProblems('trace-2', withoutDerived(json as object)))
  return problems.length > 0 ? damaged(path, problems) : success({ trace, derived: json })
}

/** What replay reads, and nothing else: whoever replays a trace derives the rest anew. */
function withoutDerived(json: object): object {
  return Object.fromEntries(Object.entries(json).filter(([name]) => read.has(name)))
}

const read: ReadonlySet<string> = new Set(['format', 'program', 'setting', 'decisions', 'repeatsFrom', 'foundBy'])

/** The derived parts, for those that show a trace without its program. */
export function traceNotes(file: TraceFile, path: string): Result<TraceNotes> {
  const problems: string[] = []
  const notes = notesFromJson(new Field(file.derived, '', problems), file.trace)
  if (problems.length === 0 && notes !== undefined) problems.push(...schemaProblems('trace-2', file.derived))
  if (problems.length > 0) return damaged(path, problems)
  if (notes !== undefined) return success(notes)
  return diagnosis('E402', `the trace ${path} has no steps to show`, 'allways replay derives them from the program')
}

/** What the trace was kept for, when the file says so. */
export function recordedViolation({ derived }: TraceFile): Violation | undefined {
  const problems: string[] = []
  const violation = briefViolation(new Field(derived, '', problems))
  return problems.length > 0 ? undefined : violation
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

const decisionKinds = [
  'step',
  'deliver',
  'timeout',
  'choose',
  'lose',
  'duplicate',
  'crash',
  'restart',
  'partition',
  'heal',
] as const

function traceFromJson(file: Field): Trace {
  const program = programFromJson(file.at('program'))
  if (program.origin !== undefined) lookAtClient(file)
  const setting = settingFromJson(file.at('setting'))
  const decisions = file.at('decisions').items().map(decisionFromJson)
  return {
    format: traceFormat,
    program,
    setting,
    decisions,
    ...roundFromJson(file.at('repeatsFrom'), decisions.length),
    foundBy: originFromJson(file.at('foundBy')),
  }
}

function roundFromJson(field: Field, decisions: number): Pick<Trace, 'repeatsFrom'> {
  if (!field.isPresent) return {}
  const repeatsFrom = field.count()
  return { repeatsFrom: repeatsFrom <= decisions ? repeatsFrom : field.wrong(`at most ${decisions}`, 0) }
}

/** What the trace of a class must say beside. */
function lookAtClient(file: Field): void {
  const setting = file.at('setting')
  const options = setting.at('options')
  setting.at('params').at('client').text()
  options.at('granularity').oneOf(['access', 'await'])
  options.at('criterion').oneOf(['linearizable', 'outcomes'])
  options.at('deadlock').oneOf(['error', 'allow'])
  const order = options.at('order')
  if (order.isPresent) order.oneOf(['any', 'jobs'])
  for (const decision of file.at('decisions').items()) decision.at('kind').oneOf(['step'])
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
