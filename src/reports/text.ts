/** Results as people read them in a terminal: verdict, picture, reason, source, commands to paste; 100 columns at most. */
import type { Diagnostic } from '../core/diagnostic.ts'
import { evidenceOf } from '../core/evidence.ts'
import { atOnce, type Unhurried } from '../core/unhurried.ts'
import type { VerdictKind } from '../core/verdict.ts'
import { number } from './count-words.ts'
import { apart, commandLine, frameLines, placeText, readable, secondsColumn, separated, verdictLines } from './lines.ts'
import { type RecordedHeading, violationPages } from './page.ts'
import { type Glyphs, glyphsFor, type Paint, plainPaint } from './paint.ts'
import { proofSections } from './proof-text.ts'
import { racedWords } from './raced.ts'
import type { Reported } from './result.ts'
import { accountOf } from './scope.ts'
import { suspectedSections } from './suspected-text.ts'
import { padEnd, pageWidth, printable, widthOf, wrap, wrapItems } from './text-width.ts'
import { undecidedSections } from './undecided-text.ts'
import { vacuityLines } from './vacuity.ts'

export interface TextOptions {
  readonly paint?: Paint | undefined
  readonly ascii?: boolean | undefined
  /** Explains the notation of the first picture; on by default. */
  readonly legend?: boolean | undefined
  /** Rows of a picture beyond this many are left out in the middle. */
  readonly maxRows?: number | undefined
  /** Of a trace. */
  readonly recorded?: RecordedHeading | undefined
  /** Without pictures of executions. */
  readonly isBrief?: boolean | undefined
}

/** The whole output of a check: results, mistakes, and a line that sums up when there is more than one result. */
export function textReport(
  results: readonly Reported[],
  diagnostics: readonly Diagnostic[] = [],
  options: TextOptions = {},
): string {
  const firstPicture = results.findIndex(({ verdict }) => verdict.kind === 'violated')
  const blocks = results.map((result, at) =>
    textResult(result, { ...options, legend: (options.legend ?? true) && at === firstPicture }),
  )
  if (diagnostics.length > 0) blocks.push(textDiagnostics(diagnostics, options))
  if (results.length > 1) blocks.push(textSummary(results, diagnostics.length > 0, options))
  return blocks.join('\n\n')
}

/** One result; a failure takes a page, everything else two or three lines and what there is to show. */
export function textResult(result: Reported, options: TextOptions = {}): string {
  return atOnce(resultPages(result, options))
}

/** The same, with time to look at the clock: the picture of a long execution takes as long as that is. */
export function* resultPages(result: Reported, options: TextOptions = {}): Unhurried<string> {
  const { legend = true, maxRows, recorded, isBrief } = options
  const style = { paint: options.paint ?? plainPaint, glyphs: glyphsFor(options.ascii ?? false) }
  const dress = { ...style, legend, maxRows, isBrief }
  if (result.verdict.kind === 'violated') return yield* violationPages(result, { ...dress, recorded })
  const possible: (readonly string[])[] = []
  for (const [at, one] of evidenceOf(result.verdict.evidence, 'suspected').entries())
    possible.push(...(yield* suspectedSections(one, result.suspicions?.[at] ?? {}, dress)))
  for (const [at, one] of evidenceOf(result.verdict.evidence, 'undecided').entries())
    possible.push(...(yield* undecidedSections(one, result.suspicions?.[at] ?? {}, dress)))
  return separated([
    shortLines(result, style),
    ...possible,
    ...result.verdict.evidence.flatMap((one) => proofSections(one, result, style)),
    commandLine('check', result.commands?.check),
  ])
}

interface Dress {
  readonly paint: Paint
  readonly glyphs: Glyphs
}

function shortLines(result: Reported, { paint, glyphs }: Dress): readonly string[] {
  const { verdict, seconds } = result
  const account = accountOf(verdict)
  const words = readable(`${account.subject(result, glyphs)}${account.sentence(verdict)}`, glyphs)
  const width = pageWidth - 3
  const facts = account.facts(result).map((fact) => readable(fact, glyphs))
  const sentences = [...racedWords(verdict), ...account.coverage(verdict)]
  const details = [
    ...wrapItems(facts, ` ${glyphs.dot} `, width),
    ...sentences.flatMap((line) => wrap(readable(line, glyphs), width)),
  ]
  const notes = vacuityLines(verdict).flatMap((line) => begunByUs(readable(line, glyphs), width, glyphs))
  return [
    ...verdictLines({ kind: verdict.kind, words, seconds }, paint, glyphs),
    ...apart(details, width, glyphs).map((line) => `   ${paint.dim(line)}`),
    ...notes.map((line) => `   ${paint.bold(line)}`),
    ...commandLine('resume', result.commands?.resume),
  ]
}

/** Mistakes of the user, all that were found. */
export function textDiagnostics(diagnostics: readonly Diagnostic[], options: TextOptions = {}): string {
  const paint = options.paint ?? plainPaint
  const glyphs = glyphsFor(options.ascii ?? false)
  const sign = paint.red(glyphs.bad)
  return diagnostics.map((diagnostic) => textDiagnostic(diagnostic, { paint, glyphs, sign })).join('\n\n')
}

/** Diagnostics in spite of which the command goes on. */
export function textWarnings(warnings: readonly Diagnostic[], options: TextOptions = {}): string {
  const paint = options.paint ?? plainPaint
  const glyphs = glyphsFor(options.ascii ?? false)
  return warnings.map((one) => textDiagnostic(one, { paint, glyphs, sign: paint.bold('!') })).join('\n\n')
}

function textDiagnostic(diagnostic: Diagnostic, { paint, glyphs, sign }: Dress & { readonly sign: string }): string {
  const { code, message, place, frame, hint } = diagnostic
  const width = pageWidth - 3
  const [first = '', ...more] = message
    .split('\n')
    .flatMap((line) => wrap(printable(line, glyphs.ascii), pageWidth - 9))
  const lines = [` ${sign} ${paint.bold(code)}  ${first}`, ...more.map((line) => `         ${line}`)]
  const where = place === undefined ? [] : apart([placeText(place, width, glyphs)], width, glyphs)
  lines.push(...where.map((line) => `   ${paint.cyan(line)}`))
  if (frame !== undefined) lines.push(...frameLines(frame, 3, glyphs))
  lines.push(...hintLines(printable(`hint: ${hint}`, glyphs.ascii), width, glyphs).map((line) => `   ${line}`))
  return lines.join('\n')
}

/** A command at the end of a hint, with nothing in it that a shell would take for another one. */
const lastCommand = /npx\sallways\s[^;&|<>`$]*$/

/** A command at its end is there to be pasted: it stands on one line, on one of its own if it is long. */
function hintLines(hint: string, width: number, glyphs: Glyphs): readonly string[] {
  const at = hint.search(lastCommand)
  const command = at < 0 ? '' : hint.slice(at)
  const isWhole = at < 0 || wrap(hint, width).some((line) => line.includes(command))
  if (isWhole) return begunByUs(hint, width, glyphs)
  return [...begunByUs(hint.slice(0, at).trimEnd(), width, glyphs), command]
}

/** The first line is ours, and the others may begin with anything. */
function begunByUs(text: string, width: number, glyphs: Glyphs): readonly string[] {
  const [first = '', ...more] = wrap(text, width)
  return [first, ...apart(more, width, glyphs)]
}

const verdictOrder: readonly VerdictKind[] = ['violated', 'incomplete', 'passed', 'verified', 'proved']

/** '2 verified · 1 violated · some not checked', with the time they took together. */
export function textSummary(results: readonly Reported[], hasDiagnostics: boolean, options: TextOptions = {}): string {
  const { dot } = glyphsFor(options.ascii ?? false)
  const parts = verdictOrder.flatMap((kind) => {
    const count = results.filter(({ verdict }) => verdict.kind === kind).length
    return count === 0 ? [] : [`${number(count)} ${kind}`]
  })
  if (hasDiagnostics) parts.push('some not checked')
  const seconds = results.reduce((sum, result) => sum + result.seconds, 0)
  const text = ` ${parts.join(` ${dot} `)}`
  return padEnd(text, pageWidth - widthOf(secondsColumn(seconds))) + secondsColumn(seconds)
}
