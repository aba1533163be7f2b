/** A client that fails: its calls as lanes, the steps that led there, and the lines that must be atomic. */
import {
  type Causes,
  type ClientCounterexample,
  type ClientExecution,
  evidenceOf,
  type JobOrderAnswer,
  type SectionsEvidence,
} from '../core/evidence.ts'
import type { Violation } from '../core/property.ts'
import type { Scope, Stumble } from '../core/verdict.ts'
import { accessColumns } from './access-columns.ts'
import { areBounded, clientWords } from './client-account.ts'
import { accessSteps, pictureOf } from './client-steps.ts'
import { counted, number } from './count-words.ts'
import { historyLanes } from './history-lanes.ts'
import { apart, asciiTwins, commandLine, readable } from './lines.ts'
import type { PageDress } from './page.ts'
import type { Reported, ReportedFinding } from './result.ts'
import { type RankedRepair, rootCausesText, sectionWords } from './sections.ts'
import { pageWidth, wrap } from './text-width.ts'

interface ClientFound {
  readonly result: Reported
  readonly found: ClientCounterexample
  readonly finding: ReportedFinding
  readonly at: number
}

export function clientSections(page: ClientFound, dress: PageDress): readonly (readonly string[])[] {
  const { result, found, finding, at } = page
  const isFirst = at === 0
  return [
    [...noteLines(found.client.text, dress), ...jobOrderLines(found, dress)],
    [picture(page, dress)],
    isFirst ? evidenceOf(result.verdict.evidence, 'sections').flatMap((one) => causeLines(one, result, dress)) : [],
    isFirst ? stumbleLines(result, dress) : [],
    [
      ...commandLine('replay', finding.replayCommand),
      ...commandLine('repair', isFirst && stumbleOf(result) === undefined ? result.commands?.repair : undefined),
    ],
  ]
}

/** Whether it takes time to fail. */
function jobOrderLines({ jobOrder }: ClientCounterexample, { glyphs }: PageDress): readonly string[] {
  if (jobOrder === undefined) return []
  const width = pageWidth - 3
  return apart(wrap(readable(jobOrderWords(jobOrder), glyphs), width), width, glyphs).map((line) => `   ${line}`)
}

function jobOrderWords(answer: JobOrderAnswer): string {
  if (answer.fails === true) return 'also when every promise is resolved at once'
  if (answer.fails === 'unknown')
    return `whether also when every promise is resolved at once is not known: ${answer.because}`
  const { awaits } = answer
  if (awaits.length === 0) return 'not when every promise is resolved at once'
  const isOneFile = new Set(awaits.map(({ file }) => file)).size === 1
  const [first = '', ...others] = awaits
    .slice(0, mostLines)
    .map(({ file, line }) => (isOneFile ? `${line}` : `${file}:${line}`))
  const last = others.pop()
  const listed = last === undefined ? first : `${[first, ...others].join(', ')} and ${last}`
  return `needs line${last === undefined ? '' : 's'} ${listed} to take time`
}

const mostLines = 3

/** The lanes of the history, what cannot be explained, and the steps that led there. */
function picture({ result, found }: ClientFound, { paint, glyphs, legend, maxRows }: PageDress): string {
  const options = { paint, ascii: glyphs.ascii }
  const drawn = pictureOf(found)
  const lanes = historyLanes({ ...drawn, words: asciiTwins(drawn.words, glyphs) }, { ...options, legend })
  const steps = accessColumns(accessSteps(found, sourcesOf(result), glyphs), { ...options, maxRows })
  return `${lanes}\n\n${steps}`
}

export function sourcesOf({ sources }: Reported): NonNullable<Reported['sources']> {
  return sources ?? (() => undefined)
}

/** 'Account deadlocks: 2 processes wait for ever'; nothing for what calls returned. */
export function clientHeadline(
  program: string,
  { kind, message }: Violation,
  { history }: ClientExecution,
): string | undefined {
  if (kind === 'exception')
    return `${program} fails: ${/^[^:]*(?=:)|^uncaught \w+/.exec(message)?.[0] ?? 'an exception'}`
  if (kind !== 'deadlock') return undefined
  const waiting = history.calls.filter(({ result }) => result.kind === 'pending').length
  return `${program} deadlocks: ${waiting === 1 ? 'a process waits' : `${number(waiting)} processes wait`} for ever`
}

function causeLines(causes: SectionsEvidence, result: Reported, dress: PageDress): readonly string[] {
  const { paint, glyphs } = dress
  const repairs = rankedRepairs(causes)
  if (repairs.length === 0) return noteLines('no lines were found that would rule this out by being atomic', dress)
  return [
    rootCausesText([{ repairs }], sourcesOf(result), { paint, ascii: glyphs.ascii }),
    ...partialLines(causes, dress),
    ...(stumbleOf(result)?.during !== 'repair' ? appliedLines(causes, result.verdict.scope, dress) : []),
    ...(causes.capped ? noteLines('limits were reached: there may be other repairs', dress) : []),
  ]
}

/** Why less is known of the causes than there is to know. */
function stumbleLines(result: Reported, dress: PageDress): readonly string[] {
  const stumble = stumbleOf(result)
  if (stumble === undefined) return []
  return noteLines(`${missingBy[stumble.during]}: ${stumbleWords(stumble)}`, dress)
}

const missingBy = {
  search: 'clients behind were not explored',
  causes: 'causes were not found',
  repair: 'whether that is enough for all clients was not settled',
} as const

function stumbleOf({ verdict }: Reported): Stumble | undefined {
  return verdict.kind === 'violated' ? verdict.stumbled : undefined
}

/** 'E209 Date.now() was called (clock.ts:3)' */
function stumbleWords({ code, message, place }: Stumble): string {
  const where = place === undefined ? '' : ` (${place.file}:${place.line})`
  return `${code === undefined ? '' : `${code} `}${message}${where}`
}

export function rankedRepairs({ repairs, violating }: Causes): readonly RankedRepair[] {
  return repairs.map(({ sections, ruledOut, disabled }) => ({
    sections,
    disables: disabled,
    rulesOut: { count: ruledOut, of: violating },
  }))
}

/** Executions that are as if the calls had run one after the other cannot be ruled out by any lines. */
function partialLines({ repairs, violating }: Causes, dress: PageDress): readonly string[] {
  const ruledOut = repairs[0]?.ruledOut ?? 0
  if (ruledOut >= violating) return []
  return noteLines(
    `this rules out ${number(ruledOut)} of ${counted(violating, 'violating execution')} looked at`,
    dress,
  )
}

/** What the class is like with the repair: 'with these lines atomic, all 234 clients of … verify'. */
function appliedLines({ repairs, applied }: Causes, scope: Scope, dress: PageDress): readonly string[] {
  const { range } = dress.glyphs
  if (applied === undefined) return noteLines('whether that is enough for all clients was not settled', dress)
  const first = new Set(repairs[0]?.sections.map((section) => sectionWords(section)))
  const added = applied.sections.filter((section) => !first.has(sectionWords(section)))
  const more = added.map((section) => sectionWords(section, range)).join(' and ')
  const others = added.length === 0 ? [] : noteLines(`other clients also need ${more} to be atomic`, dress)
  const clients = clientWords(scope, applied.clients)
  const isOnly = applied.clients === 1
  const which = areBounded(scope) ? clients.replace(/^1 /, 'the only ').replace(/^(?=\d)/, 'all ') : clients
  const outcome = applied.holds
    ? `with these lines atomic, ${which} ${isOnly ? 'verifies' : 'verify'}`
    : `with these lines atomic, ${counted(applied.clients, 'client')} ${isOnly ? 'verifies' : 'verify'}; the others were not settled`
  return [...others, ...noteLines(outcome, dress), ...noteLines(lockNote, dress)]
}

/** Atomic is more than locked, and those who repair by hand take a lock. */
const lockNote = 'a lock does that only if every method that touches the same data takes it'

function noteLines(text: string, { paint, glyphs }: PageDress): readonly string[] {
  const width = pageWidth - 3
  return apart(wrap(readable(text, glyphs), width), width, glyphs).map((line) => `   ${paint.bold(line)}`)
}
