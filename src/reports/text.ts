/** Results as people read them in a terminal: verdict, picture, reason, source, commands to paste; 100 columns at most. */
import type { Diagnostic } from '../core/diagnostic.ts'
import { areOfMachines, type Verdict, type VerdictKind } from '../core/verdict.ts'
import { textFinding } from './finding.ts'
import { textHistory } from './history-text.ts'
import { frameLines, placeText, secondsColumn, verdictLines } from './lines.ts'
import { textObject } from './object-text.ts'
import { type Glyphs, glyphsFor, type Paint, plainPaint } from './paint.ts'
import { textProof } from './proof-text.ts'
import { counterexamplesOf, type Reported, type ReportedResult, unknownFinding } from './result.ts'
import { counted, number, scopeSentence } from './scope.ts'
import { padEnd, pageWidth, printable, widthOf, wrap, wrapItems } from './text-width.ts'

export interface TextOptions {
  readonly paint?: Paint | undefined
  readonly ascii?: boolean | undefined
  /** Explains the notation of the first picture; on by default. */
  readonly legend?: boolean | undefined
  /** Rows of a picture beyond this many are left out in the middle. */
  readonly maxRows?: number | undefined
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

/** One result; a failure takes a page, everything else two or three lines. */
export function textResult(result: Reported, options: TextOptions = {}): string {
  const style = { paint: options.paint ?? plainPaint, glyphs: glyphsFor(options.ascii ?? false) }
  const { legend: explains = true, maxRows } = options
  if (result.kind === 'object') return textObject(result, { ...style, legend: explains, maxRows })
  if (result.kind === 'proof') return textProof(result, style)
  if (result.kind === 'history') return textHistory(result, { ...style, legend: explains })
  if (result.verdict.kind !== 'violated') return shortResult(result, style)
  const counterexamples = counterexamplesOf(result.verdict)
  return counterexamples
    .map((counterexample, at) => {
      const finding = result.findings[at] ?? unknownFinding
      const position = counterexamples.length > 1 ? { at: at + 1, of: counterexamples.length } : undefined
      const legend = explains && at === 0
      return textFinding({ result, counterexample, finding, position }, { ...style, legend, maxRows })
    })
    .join('\n\n')
}

interface Dress {
  readonly paint: Paint
  readonly glyphs: Glyphs
}

function shortResult(result: ReportedResult, { paint, glyphs }: Dress): string {
  const { verdict } = result
  const isUnfinished = verdict.kind === 'incomplete'
  const head = printable(`${result.program} ${glyphs.dash} ${scopeSentence(verdict)}`, glyphs.ascii)
  const details = [
    ...wrapItems(
      facts(result).map((fact) => printable(fact, glyphs.ascii)),
      ` ${glyphs.dot} `,
      pageWidth - 3,
    ),
    ...coverage(verdict),
  ]
  return [
    ...verdictLines({ kind: verdict.kind, words: head, seconds: result.seconds }, paint, glyphs),
    ...details.map((line) => `   ${paint.dim(line)}`),
    ...(isUnfinished && result.resumeCommand !== undefined ? [`   resume   ${result.resumeCommand}`] : []),
  ].join('\n')
}

function facts({ file, engine, verdict }: ReportedResult): readonly string[] {
  const { executions, blocked, events, longest, states, transitions } = verdict.counts
  if (states !== undefined) return [file, engine, counted(states, 'state'), counted(transitions ?? 0, 'transition')]
  const split = blocked > 0 ? [`${number(executions)} complete, ${number(blocked)} blocked`] : []
  return [file, engine, ...split, counted(events, 'event'), `longest ${counted(longest, 'step')}`]
}

/** What the verdict does and does not say, in the reader's words. */
function coverage(verdict: Verdict): readonly string[] {
  switch (verdict.kind) {
    case 'verified':
      if (verdict.scope.faults !== undefined && areOfMachines(verdict.scope.faults))
        return ['covered: every order in which messages are delivered, timers fire and requests come, every choice']
      return [
        `covered: every order in which messages can be received, every empty poll, every choice${verdict.scope.faults === undefined ? '' : ', every fault'}`,
      ]
    case 'passed':
      if (verdict.scope.engine === 'replay') return ['the violation that was recorded does not come about any more']
      return ['other executions may still fail; allways check explores all of them']
    case 'incomplete': {
      const { remaining } = verdict
      return [
        remaining.length === 0
          ? 'not everything was explored'
          : `not everything was explored: ${counted(remaining.length, 'part')} of the search left`,
      ]
    }
    default:
      return []
  }
}

/** Mistakes of the user, all that were found. */
export function textDiagnostics(diagnostics: readonly Diagnostic[], options: TextOptions = {}): string {
  const paint = options.paint ?? plainPaint
  const glyphs = glyphsFor(options.ascii ?? false)
  return diagnostics.map((diagnostic) => textDiagnostic(diagnostic, { paint, glyphs })).join('\n\n')
}

function textDiagnostic(diagnostic: Diagnostic, { paint, glyphs }: Dress): string {
  const { code, message, place, frame, hint } = diagnostic
  const [first = '', ...more] = message
    .split('\n')
    .flatMap((line) => wrap(printable(line, glyphs.ascii), pageWidth - 9))
  const lines = [` ${paint.red(glyphs.bad)} ${paint.bold(code)}  ${first}`, ...more.map((line) => `         ${line}`)]
  if (place !== undefined) lines.push(`   ${paint.cyan(placeText(place, pageWidth - 3, glyphs))}`)
  if (frame !== undefined) lines.push(...frameLines(frame, 3, glyphs))
  if (hint !== undefined)
    lines.push(...wrap(printable(`hint: ${hint}`, glyphs.ascii), pageWidth - 3).map((line) => `   ${line}`))
  return lines.join('\n')
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
