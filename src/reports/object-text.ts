/** Results about classes as people read them: verdict and scope, or a page about the smallest client that fails. */
import type { ObjectCauses, ObjectCounterexample, ObjectScope } from '../core/object-verdict.ts'
import { accessColumns } from './access-columns.ts'
import { historyLanes } from './history-lanes.ts'
import { commandLine, secondsColumn, verdictLines } from './lines.ts'
import { type ObjectFinding, objectCounterexamples, type ReportedObject } from './object-result.ts'
import { brokenWords, clientWords, holdsWords, objectScopeSentence } from './object-scope.ts'
import { accessSteps, pictureOf } from './object-steps.ts'
import type { Glyphs, Paint } from './paint.ts'
import { counted, number } from './scope.ts'
import { type RankedRepair, rootCausesText, sectionWords } from './sections.ts'
import { clip, pageWidth, printable, widthOf, wrap, wrapItems } from './text-width.ts'

export interface ObjectDress {
  readonly paint: Paint
  readonly glyphs: Glyphs
  readonly legend: boolean
  readonly maxRows?: number | undefined
}

export function textObject(result: ReportedObject, dress: ObjectDress): string {
  if (result.verdict.kind !== 'violated') return shortObject(result, dress)
  const counterexamples = objectCounterexamples(result.verdict)
  return counterexamples
    .map((counterexample, at) => {
      const position = counterexamples.length > 1 ? ` (${at + 1} of ${counterexamples.length})` : ''
      const legend = dress.legend && at === 0
      return objectPage({ result, counterexample, position, isFirst: at === 0 }, { ...dress, legend })
    })
    .concat(alikeLines(result, dress))
    .join('\n\n')
}

/** What `--keep-going` found and nobody wants to read one by one. */
function alikeLines({ alike = 0 }: ReportedObject, dress: ObjectDress): readonly string[] {
  if (alike === 0) return []
  const text = `${counted(alike, 'more violation')} of the same ${alike === 1 ? 'sort is' : 'sorts are'} not shown: the same operations go wrong, in these or larger clients`
  return [noteLines(text, dress).join('\n')]
}

/** ' ✓ verified  Stack is linearizable: 36 clients of up to 2 processes × 2 calls, …' */
function shortObject(result: ReportedObject, { paint, glyphs }: ObjectDress): string {
  const { verdict, program } = result
  const isUnfinished = verdict.kind === 'incomplete'
  const subject = verdict.kind === 'verified' ? holdsWords(program, verdict.scope.criterion) : program
  const head = words(`${subject}: ${objectScopeSentence(verdict)}`, glyphs)
  const facts = wrapItems(
    factsOf(result).map((fact) => words(fact, glyphs)),
    ` ${glyphs.dot} `,
    pageWidth - 3,
  )
  return [
    ...verdictLines({ kind: verdict.kind, words: head, seconds: result.seconds }, paint, glyphs),
    ...[...facts, ...wrap(words(coverageOf(result), glyphs), pageWidth - 3)].map((line) => `   ${paint.dim(line)}`),
    ...(isUnfinished ? commandLine('resume', result.resumeCommand) : []),
  ].join('\n')
}

function factsOf({ file, verdict }: ReportedObject): readonly string[] {
  const { counts, scope } = verdict
  if (verdict.kind === 'passed') return [file]
  return [
    file,
    engineWords(scope),
    counted(counts.transitions, 'transition'),
    counted(counts.finals, 'final state'),
    ...(scope.stateless ? [counted(counts.traces, 'path')] : []),
  ]
}

/** 'stateful, lazy reduction' */
function engineWords({ engine, reduction, safeSets, stateless, order, seed }: ObjectScope): string {
  const reduced = reduction === 'none' ? 'no reduction' : `${reduction} reduction`
  return [
    engine,
    reduced,
    ...(safeSets ? [] : ['without safe sets']),
    ...(stateless ? ['states not remembered'] : []),
    ...(order === 'random' ? [`random order, seed ${seed}`] : []),
  ].join(', ')
}

function coverageOf({ verdict }: ReportedObject): string {
  if (verdict.kind === 'passed') return 'the violation that was recorded does not come about any more'
  if (verdict.kind === 'incomplete') {
    const left = verdict.outOf - verdict.counts.clients
    return `not everything was explored: ${counted(left, 'client')} left`
  }
  const others = verdict.scope.bounds === undefined ? 'other clients' : 'larger clients'
  return `covered: every execution of all these clients; ${others} may still fail`
}

interface ObjectPage {
  readonly result: ReportedObject
  readonly counterexample: ObjectCounterexample
  readonly position: string
  readonly isFirst: boolean
}

function objectPage(page: ObjectPage, dress: ObjectDress): string {
  const { result, counterexample, isFirst } = page
  const finding = result.findings[page.isFirst ? 0 : objectCounterexamples(result.verdict).indexOf(counterexample)]
  const sections = [
    [...headLines(page, dress), ...subjectLines(page, dress)],
    clientLines(counterexample, dress),
    [objectPicture(counterexample, result, dress)],
    isFirst ? causeLines(result, dress) : [],
    commandLines(finding ?? {}, isFirst ? result.repairCommand : undefined),
  ]
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')
}

/** The lanes of the history, what cannot be explained, and the steps that led there. */
function objectPicture(
  counterexample: ObjectCounterexample,
  { sources }: Pick<ReportedObject, 'sources'>,
  { paint, glyphs, legend, maxRows }: ObjectDress,
): string {
  const options = { paint, ascii: glyphs.ascii }
  const picture = pictureOf(counterexample)
  const lanes = historyLanes({ ...picture, words: readable(picture.words, glyphs) }, { ...options, legend })
  const steps = accessColumns(accessSteps(counterexample, sources, glyphs), { ...options, maxRows })
  return `${lanes}\n\n${steps}`
}

function headLines(
  { result, counterexample, position }: ObjectPage,
  { paint, glyphs }: ObjectDress,
): readonly string[] {
  const right = `violated   ${secondsColumn(result.seconds)}`
  const text = words(`${objectHeadline(result, counterexample)}${position}`, glyphs)
  const shown = clip(text, pageWidth - 3 - widthOf(right) - 2, glyphs)
  const gap = ' '.repeat(pageWidth - 3 - widthOf(shown) - widthOf(right))
  return [` ${paint.red(glyphs.bad)} ${paint.bold(shown)}${gap}${paint.red('violated')}${paint.dim(right.slice(8))}`]
}

/** 'Stack is not linearizable' */
export function objectHeadline(
  { program, verdict }: ReportedObject,
  { violation, history }: ObjectCounterexample,
): string {
  if (violation.kind !== 'deadlock') return brokenWords(program, verdict.scope.criterion)
  const waiting = history.calls.filter(({ result }) => result.kind === 'pending').length
  return `${program} deadlocks: ${waiting === 1 ? 'a process waits' : `${number(waiting)} processes wait`} for ever`
}

function subjectLines({ result, isFirst }: ObjectPage, { paint, glyphs }: ObjectDress): readonly string[] {
  if (!isFirst) return []
  const { file, place, verdict } = result
  const where = place === undefined ? file : `${place.file}:${place.line}`
  const text = [where, engineWords(verdict.scope), objectScopeSentence(verdict)].join(' · ')
  return wrap(words(text, glyphs), pageWidth - 3).map((line) => `   ${paint.dim(line)}`)
}

/** The client as it is typed after --client: whole, because it is there to be pasted. */
function clientLines({ client }: ObjectCounterexample, { paint, glyphs }: ObjectDress): readonly string[] {
  return wrap(words(client, glyphs), pageWidth - 3).map((line) => `   ${paint.bold(line)}`)
}

function causeLines({ verdict, sources }: ReportedObject, dress: ObjectDress): readonly string[] {
  if (verdict.kind !== 'violated' || verdict.causes === undefined) return []
  const { causes, scope } = verdict
  const { paint, glyphs } = dress
  const repairs = rankedRepairs(causes)
  if (repairs.length === 0) return noteLines('no lines were found that would rule this out by being atomic', dress)
  return [
    rootCausesText([{ repairs }], sources, { paint, ascii: glyphs.ascii }),
    ...partialLines(causes, dress),
    ...appliedLines(causes, scope, dress),
    ...(causes.capped ? noteLines('limits were reached: there may be other repairs', dress) : []),
  ]
}

export function rankedRepairs({ repairs, violating }: ObjectCauses): readonly RankedRepair[] {
  return repairs.map(({ sections, ruledOut, disabled }) => ({
    sections,
    disables: disabled,
    rulesOut: { count: ruledOut, of: violating },
  }))
}

/** Executions that are as if the calls had run one after the other cannot be ruled out by any lines. */
function partialLines({ repairs, violating }: ObjectCauses, dress: ObjectDress): readonly string[] {
  const ruledOut = repairs[0]?.ruledOut ?? 0
  if (ruledOut >= violating) return []
  return noteLines(
    `this rules out ${number(ruledOut)} of ${counted(violating, 'violating execution')} looked at`,
    dress,
  )
}

/** What the class is like with the repair: 'with these lines atomic, all 234 clients of … verify'. */
function appliedLines({ repairs, applied }: ObjectCauses, scope: ObjectScope, dress: ObjectDress): readonly string[] {
  const { range } = dress.glyphs
  if (applied === undefined) return noteLines('whether that is enough for all clients was not settled', dress)
  const first = new Set(repairs[0]?.sections.map((section) => sectionWords(section)))
  const added = applied.sections.filter((section) => !first.has(sectionWords(section)))
  const more = added.map((section) => sectionWords(section, range)).join(' and ')
  const others = added.length === 0 ? [] : noteLines(`other clients also need ${more} to be atomic`, dress)
  const clients = clientWords(scope, applied.clients)
  const isOnly = applied.clients === 1
  const which = scope.bounds === undefined ? clients : clients.replace(/^1 /, 'the only ').replace(/^(?=\d)/, 'all ')
  const outcome = applied.holds
    ? `with these lines atomic, ${which} ${isOnly ? 'verifies' : 'verify'}`
    : `with these lines atomic, ${counted(applied.clients, 'client')} ${isOnly ? 'verifies' : 'verify'}; the others were not settled`
  return [...others, ...noteLines(outcome, dress)]
}

function noteLines(text: string, { paint, glyphs }: ObjectDress): readonly string[] {
  return wrap(words(text, glyphs), pageWidth - 3).map((line) => `   ${paint.bold(line)}`)
}

function commandLines({ replayCommand }: ObjectFinding, repairCommand: string | undefined): readonly string[] {
  return [...commandLine('replay', replayCommand), ...commandLine('repair', repairCommand)]
}

/** Words of ours, whose typography has twins in ASCII. */
function words(text: string, glyphs: Glyphs): string {
  return printable(readable(text, glyphs), glyphs.ascii)
}

function readable(text: string, { ascii, times }: Glyphs): string {
  return ascii ? text.replaceAll('→', '->').replaceAll('×', times) : text
}
