/**
 * The picture of a history in text: one lane per process, a bar per call, numbers where the calls take effect in the
 * longest order that explains their results, and a cross in the call that cannot come next. At most 100 columns.
 */
import { Canvas } from './canvas.ts'
import { counted } from './count-words.ts'
import { type Band, historyBands, labelStart, type Segment } from './history-layout.ts'
import { type HistoryPicture, type HistoryWindow, historyWindow, isBad, type PictureCall } from './history-picture.ts'
import { apart, beginningName } from './lines.ts'
import { type Glyphs, glyphsFor, type Paint, plainPaint } from './paint.ts'
import { clip, clipMiddle, padEnd, pageWidth, printable, widthOf, wrap, wrapItems } from './text-width.ts'

export interface HistoryLanesOptions {
  readonly paint?: Paint | undefined
  readonly ascii?: boolean | undefined
  /** Explains the notation; on by default. */
  readonly legend?: boolean | undefined
  /** Of longer histories, the part around the call that cannot be placed is shown; 24 by default. */
  readonly maxCalls?: number | undefined
}

export function historyLanes(picture: HistoryPicture, options: HistoryLanesOptions = {}): string {
  const page = pageOf(historyWindow(picture, options.maxCalls ?? 24), options)
  const { paint, glyphs, window } = page
  const bands = historyBands(window, {
    width: page.width,
    label: (call) => widthOf(labelText(call, glyphs)),
    result: (call) => widthOf(resultText(call, glyphs)),
    mark: (call) => widthOf(markText(call, glyphs)),
  })
  const leftOut = (count: number, which: string) =>
    count === 0 ? [] : [`   ${paint.dim(`${glyphs.ellipsis} ${counted(count, `${which} call`)} left out`)}`]
  const lines = [
    ...leftOut(window.earlier, 'earlier'),
    ...bands.flatMap((band, at) => [
      ...(at === 0 ? [] : ['']),
      ...bandLines(band, { hasOthers: bands.length > 1, isLast: at === bands.length - 1 }, page),
    ]),
    ...leftOut(window.later, 'later'),
    ...wordLines(picture, glyphs).map((line) => `   ${line}`.trimEnd()),
  ]
  const legend = (options.legend ?? true) ? legendLines(picture, page, bands.length > 1) : []
  return [...lines, ...legend.map((line) => `   ${paint.dim(line)}`)].join('\n')
}

function wordLines({ words }: HistoryPicture, glyphs: Glyphs): readonly string[] {
  const width = pageWidth - 3
  const lines = words.split('\n').flatMap((line) => wrap(printable(line, glyphs.ascii), width))
  return apart(lines, width, glyphs)
}

interface Page {
  readonly window: HistoryWindow
  readonly paint: Paint
  readonly glyphs: Glyphs
  readonly titleWidth: number
  /** Columns beside the titles. */
  readonly width: number
}

const widestTitle = 12
/** A call and its result stand side by side. */
const widestText = (): number => Math.min(34, Math.max(12, Math.floor(pageWidth / 2) - 6))

function pageOf(window: HistoryWindow, { paint = plainPaint, ascii = false }: HistoryLanesOptions): Page {
  const titles = window.lanes.map((name) => widthOf(beginningName(name, glyphsFor(ascii))))
  const titleWidth = Math.min(widestTitle, Math.max(1, ...titles))
  return { window, paint, glyphs: glyphsFor(ascii), titleWidth, width: pageWidth - 3 - titleWidth - 2 }
}

function labelText({ label }: PictureCall, glyphs: Glyphs): string {
  return clipMiddle(printable(label, glyphs.ascii), widestText(), glyphs)
}

function resultText({ result }: PictureCall, glyphs: Glyphs): string {
  if (result === undefined) return ''
  return ` ${glyphs.ascii ? '->' : '→'} ${clip(printable(result, glyphs.ascii), widestText(), glyphs)}`
}

function markText(call: PictureCall, glyphs: Glyphs): string {
  if (isBad(call)) return glyphs.bad
  return call.number === undefined ? '' : numberText(call.number, glyphs)
}

/** ① to ⑳; larger ones have no such character that is one column wide everywhere. */
function numberText(number: number, { ascii }: Glyphs): string {
  return ascii || number > 20 ? String(number) : String.fromCodePoint(0x245f + number)
}

function neverReturned({ ascii }: Glyphs): string {
  return ascii ? '.' : '╌'
}

function goesOn({ ascii }: Glyphs): string {
  return ascii ? '>' : '»'
}

interface BandPlace {
  readonly hasOthers: boolean
  readonly isLast: boolean
}

function bandLines({ segments }: Band, { hasOthers, isLast }: BandPlace, page: Page): readonly string[] {
  const { window, paint, glyphs, titleWidth, width } = page
  return window.lanes.flatMap((name) => {
    const own = segments.filter(({ call }) => call.call.process === name)
    // A lane that is empty everywhere would not be there; one that is empty here shows in another band.
    if (own.length === 0 && hasOthers) return []
    const canvas = new Canvas(width)
    for (const segment of own) drawSegment(canvas, { ...segment, isLast }, glyphs)
    const title = padEnd(clipMiddle(beginningName(name, glyphs), titleWidth, glyphs), titleWidth)
    return [`   ${paint.bold(title)}  ${canvas.render(paint)}`.trimEnd()]
  })
}

/** '├─ push(1) ──①──┤ → undefined' */
function drawSegment(canvas: Canvas, segment: Segment & Pick<BandPlace, 'isLast'>, glyphs: Glyphs): void {
  const { call, from, to, begins, ends, point, isLast } = segment
  const bad = isBad(call) ? 'red' : undefined
  const line = bad ?? 'dim'
  canvas.put(from, glyphs.line.repeat(to - from + 1), line)
  canvas.put(from, begins ? glyphs.tailRight : goesOn(glyphs), line)
  canvas.put(from + labelStart - 1, ` ${labelText(call, glyphs)} `, bad)
  if (point !== undefined) canvas.put(point, markText(call, glyphs), bad ?? 'cyan')
  canvas.put(to, ends ? glyphs.tailLeft : isLast ? neverReturned(glyphs) : goesOn(glyphs), line)
  if (ends) canvas.put(to + 1, clip(resultText(call, glyphs), canvas.width - to - 1, glyphs), bad)
}

function legendLines(picture: HistoryPicture, { window, glyphs }: Page, hasBands: boolean): readonly string[] {
  const calls = window.moments.flatMap(({ kind, call }) => (kind === 'point' ? [call] : []))
  const numbers = calls.flatMap(({ number }) => (number === undefined ? [] : [numberText(number, glyphs)])).slice(0, 3)
  const isStuck = picture.stuck !== undefined
  const isPending = window.moments.some(({ call }) => call.result === undefined)
  const isWaiting = window.moments.some(({ call }) => call.isWaiting)
  const items = [
    ...(numbers.length === 0
      ? []
      : [`${numbers.join(' ')} ${isStuck ? 'the longest' : 'an'} order that explains the results`]),
    ...(isStuck ? [`${glyphs.bad} cannot come ${picture.order?.length ? 'next' : 'first'}`] : []),
    ...(isWaiting ? [`${glyphs.bad} waits for ever`] : []),
    ...(hasBands ? [`${goesOn(glyphs)} goes on below`] : []),
    ...(isPending ? [`${neverReturned(glyphs)} never returned`] : []),
  ]
  return wrapItems(items, ` ${glyphs.dot} `, pageWidth - 3)
}
