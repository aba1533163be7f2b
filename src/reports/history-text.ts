/** Results about recorded histories as people read them. */
import { historyLanes } from './history-lanes.ts'
import type { HistoryCounts, ReportedHistory } from './history-result.ts'
import { commandLine, placeText, secondsColumn, verdictLines } from './lines.ts'
import type { Glyphs, Paint } from './paint.ts'
import { budgetWords, counted } from './scope.ts'
import { clip, pageWidth, printable, widthOf, wrap } from './text-width.ts'

interface Dress {
  readonly paint: Paint
  readonly glyphs: Glyphs
  readonly legend: boolean
}

export function textHistory(result: ReportedHistory, dress: Dress): string {
  return result.verdict.kind === 'violated' ? historyPage(result, dress) : shortHistory(result, dress)
}

/** What was checked, in words. */
export function historyScopeSentence({ program, verdict }: ReportedHistory): string {
  const setting = `${countWords(verdict.counts)}, specification ${program}`
  return verdict.kind === 'incomplete' ? `${setting}; stopped by ${budgetWords[verdict.because]}` : setting
}

function countWords({ calls, processes, pending, failed, parts }: HistoryCounts): string {
  return [
    calls === 0 ? 'it is empty' : `${counted(calls, 'call')} by ${counted(processes, 'process')}`,
    ...(failed === 0 ? [] : [`${counted(failed, 'failed call')} left out`]),
    ...(pending === 0 ? [] : [`${counted(pending, 'call')} without an end`]),
    ...(parts <= 1 ? [] : [`${counted(parts, 'independent part')}`]),
  ].join(', ')
}

function shortHistory(result: ReportedHistory, { paint, glyphs }: Dress): string {
  const { verdict, file } = result
  const isUnfinished = verdict.kind === 'incomplete'
  const subject = isUnfinished ? `${file}: not settled` : `${file} is linearizable`
  const words = printable(`${subject}: ${historyScopeSentence(result)}`, glyphs.ascii)
  return verdictLines({ kind: verdict.kind, words, seconds: result.seconds }, paint, glyphs).join('\n')
}

function historyPage(result: ReportedHistory, { paint, glyphs, legend }: Dress): string {
  const { verdict, file } = result
  if (verdict.kind !== 'violated') return ''
  const right = `violated   ${secondsColumn(result.seconds)}`
  const title = clip(printable(`${file} is not linearizable`, glyphs.ascii), pageWidth - 5 - widthOf(right), glyphs)
  const gap = ' '.repeat(pageWidth - 3 - widthOf(title) - widthOf(right))
  const subject = wrap(printable(historyScopeSentence(result), glyphs.ascii), pageWidth - 3)
  const { place, picture } = verdict
  const at =
    place === undefined ? [] : [`   ${paint.bold('At   ')}${paint.cyan(placeText(place, pageWidth - 8, glyphs))}`]
  const page = result.htmlCommand === undefined ? [] : commandLine('page', result.htmlCommand)
  return [
    [
      ` ${paint.red(glyphs.bad)} ${paint.bold(title)}${gap}${paint.red('violated')}${paint.dim(right.slice(8))}`,
      ...subject.map((line) => `   ${paint.dim(line)}`),
    ],
    [historyLanes(picture, { paint, ascii: glyphs.ascii, legend })],
    at,
    page,
  ]
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')
}
