/**
 * The picture of a history as one page that needs nothing else: no scripts, no network, light and dark. Bars tell what
 * they are when the pointer rests on them, and the table below says the same in text.
 */
import type { AtomicSection } from '../core/code.ts'
import { counted, number } from './count-words.ts'
import { type Band, historyBands, type Segment } from './history-layout.ts'
import { type HistoryPicture, type HistoryWindow, historyWindow, isBad, type PictureCall } from './history-picture.ts'
import { historyStyle } from './history-style.ts'
import { glyphsFor } from './paint.ts'
import { costWords, type RootCause, type SourceLines, sectionFrame, sectionWords } from './sections.ts'
import { clip, clipMiddle, printable, widthOf } from './text-width.ts'

export interface HistoryPageOptions {
  /** The client or the file the history is from; its heading. */
  readonly title: string
  /** The steps that led there, drawn in text. */
  readonly steps?: string | undefined
  readonly rootCauses?: readonly RootCause[] | undefined
  readonly sources?: SourceLines | undefined
  /** Of longer histories, the part around the call that cannot be placed is shown; 1,000 by default. */
  readonly maxCalls?: number | undefined
}

export interface DrawnHistory {
  readonly picture: HistoryPicture
  readonly options: HistoryPageOptions
}

export function historyPage(picture: HistoryPicture, options: HistoryPageOptions): string {
  return historiesPage([{ picture, options }])
}

/** All on one page, in the order given, with a list of them at the top. */
export function historiesPage(drawn: readonly DrawnHistory[]): string {
  const [first] = drawn
  if (first !== undefined && drawn.length === 1) return pageOf(first.options.title, article(first, 0))
  const links = drawn.map(({ options }, at) => `<li><a href="#history-${at + 1}">${escaped(options.title)}</a></li>`)
  const articles = drawn.flatMap((one, at) => [`<article id="history-${at + 1}">`, ...article(one, at), '</article>'])
  return pageOf(`${number(drawn.length)} histories`, [`<nav><ol>${links.join('')}</ol></nav>`, ...articles])
}

function article({ picture, options }: DrawnHistory, at: number): readonly string[] {
  const window = historyWindow(picture, options.maxCalls ?? 1000)
  return [
    `<h1>${escaped(options.title)}</h1>`,
    `<p class="words">${escaped(picture.words)}</p>`,
    ...notes(picture, window, at),
    figure(picture, window, at),
    legend(picture, window),
    ...steps(options),
    ...rootCauses(options),
    table(window),
  ]
}

function pageOf(title: string, parts: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(title)}</title>
<style>
${historyStyle}
</style>
</head>
<body>
<main>
${parts.join('\n')}
</main>
</body>
</html>
`
}

/** What links go to; the page may have several. */
function stuckId(at: number): string {
  return at === 0 ? 'stuck' : `stuck-${at + 1}`
}

function notes({ stuck }: HistoryPicture, { earlier, later }: HistoryWindow, at: number): readonly string[] {
  const left = [
    ...(earlier === 0 ? [] : [counted(earlier, 'earlier call')]),
    ...(later === 0 ? [] : [counted(later, 'later call')]),
  ]
  return [
    ...(left.length === 0 ? [] : [`<p class="note">${left.join(' and ')} left out.</p>`]),
    ...(stuck === undefined
      ? []
      : [`<p class="note"><a href="#${stuckId(at)}">Go to the call that cannot come next</a></p>`]),
  ]
}

/** Pixels: a column of the layout is as wide as a character of the labels. */
const columnWidth = 8
const laneHeight = 48
const barHeight = 26
const margin = 12
/** From the middle of a line of text to its base line. */
const textDrop = 5
const longestLabel = 60
const glyphs = glyphsFor(false)

function figure(picture: HistoryPicture, window: HistoryWindow, at: number): string {
  const [band = { segments: [], width: 0 }] = historyBands(window, {
    width: Number.POSITIVE_INFINITY,
    label: (call) => widthOf(labelText(call)),
    result: (call) => widthOf(resultText(call)) + 1,
    mark: (call) => widthOf(markText(call)) + 2,
  })
  const lanes = new Map(window.lanes.map((name, at) => [name, margin + at * laneHeight]))
  const height = window.lanes.length * laneHeight + 2 * margin
  const ends = band.segments.map(({ call, to, ends }) => to + (ends ? widthOf(resultText(call)) : 0) + 3)
  const scene = { band, lanes, stuckId: stuckId(at), width: Math.max(band.width, ...ends) * columnWidth + margin }
  const names = 2 * margin + columnWidth * Math.max(1, ...window.lanes.map((name) => widthOf(laneText(name))))
  const label = `${counted(picture.history.calls.length, 'call')} in ${counted(window.lanes.length, 'lane')}`
  return [
    '<figure>',
    `<svg class="names" width="${names}" height="${height}" aria-hidden="true">`,
    ...window.lanes.map((name) => laneName(name, scene)),
    '</svg>',
    `<svg width="${scene.width}" height="${height}" role="img" aria-label="${label}">`,
    ...[...lanes.values()].map((top) => laneLine(top, scene)),
    ...band.segments.map((segment) => bar(segment, scene)),
    path(scene),
    ...band.segments.map((segment) => texts(segment, scene)),
    ...band.segments.map((segment) => mark(segment, scene)),
    '</svg>',
    '</figure>',
  ]
    .filter((line) => line !== '')
    .join('\n')
}

interface Scene {
  readonly band: Band
  /** Upper edges of lanes. */
  readonly lanes: ReadonlyMap<string, number>
  readonly stuckId: string
  readonly width: number
}

function laneName(name: string, { lanes }: Scene): string {
  const y = (lanes.get(name) ?? 0) + laneHeight / 2 + textDrop
  return `<text class="process" x="${margin}" y="${y}"><title>${escaped(name)}</title>${escaped(laneText(name))}</text>`
}

function laneLine(top: number, { width }: Scene): string {
  const y = top + laneHeight / 2
  return `<line class="lane" x1="0" y1="${y}" x2="${width}" y2="${y}"/>`
}

function bar({ call, from, to, ends }: Segment, scene: Scene): string {
  const { x, y } = corner(call, from, scene)
  const width = (to - from + 1) * columnWidth
  return [
    `<g class="${isBad(call) ? 'call stuck' : 'call'}"${call.isStuck ? ` id="${scene.stuckId}"` : ''}>`,
    `<title>${escaped(callWords(call))}</title>`,
    ends
      ? `<rect x="${x}" y="${y}" width="${width}" height="${barHeight}" rx="4"/>`
      : `<path d="M${x + width} ${y}H${x}V${y + barHeight}H${x + width}"/>`,
    '</g>',
  ].join('')
}

/** Above the line of the order, which would go through them. */
function texts({ call, from, to, ends }: Segment, scene: Scene): string {
  const { x, y } = corner(call, from, scene)
  const end = x + (to - from + 1) * columnWidth
  const base = y + barHeight / 2 + textDrop
  return [
    `<text class="${isBad(call) ? 'label stuck' : 'label'}" x="${x + columnWidth}" y="${base}">${escaped(labelText(call))}</text>`,
    ends ? `<text class="result" x="${end + 4}" y="${base}">${escaped(resultText(call))}</text>` : '',
  ].join('')
}

function mark({ call, point }: Segment, scene: Scene): string {
  if (point === undefined) return ''
  const { x, y } = pointAt(call, point, scene)
  const classes = isBad(call) ? 'mark stuck' : 'mark'
  const text = markText(call)
  const radius = 9 + 3 * (text.length - 1)
  return [
    `<g class="${classes}"><title>${escaped(callWords(call))}</title>`,
    `<rect x="${x - radius}" y="${y - 9}" width="${2 * radius}" height="18" rx="9"/>`,
    `<text x="${x}" y="${y + 4}">${text}</text></g>`,
  ].join('')
}

/** Through the points in the order of their numbers, and to the call that cannot come next. */
function path(scene: Scene): string {
  const points = scene.band.segments.flatMap(({ call, point }) =>
    point === undefined || call.isWaiting ? [] : [{ call, point }],
  )
  points.sort((left, right) => left.point - right.point)
  const corners = points.map(({ call, point }) => pointAt(call, point, scene)).map(({ x, y }) => `${x},${y}`)
  return corners.length < 2 ? '' : `<polyline class="order" points="${corners.join(' ')}"/>`
}

function corner({ call }: PictureCall, column: number, { lanes }: Scene): { x: number; y: number } {
  const top = (lanes.get(call.process) ?? 0) + (laneHeight - barHeight) / 2
  return { x: column * columnWidth, y: top }
}

function pointAt(call: PictureCall, column: number, scene: Scene): { x: number; y: number } {
  const { x, y } = corner(call, column, scene)
  return { x: x + ((widthOf(markText(call)) + 2) * columnWidth) / 2, y: y + barHeight / 2 }
}

function laneText(name: string): string {
  return clipMiddle(printable(name, false), 16, glyphs)
}

function labelText({ label }: PictureCall): string {
  return clipMiddle(printable(label, false), longestLabel, glyphs)
}

function resultText({ result }: PictureCall): string {
  return result === undefined ? '' : `→ ${clip(printable(result, false), longestLabel, glyphs)}`
}

function markText(call: PictureCall): string {
  return isBad(call) ? '✗' : String(call.number ?? '')
}

/** All there is to know about a call, in a line per fact. */
function callWords({ call, label, result, number: place, isStuck, isWaiting }: PictureCall): string {
  const facts = [
    `${call.process}: ${label}`,
    result === undefined ? 'never returned' : call.result.kind === 'threw' ? result : `returned ${result}`,
    `called at ${call.invoked}${result === undefined ? '' : `, returned at ${call.returned}`}`,
    ...(isStuck
      ? ['cannot come next in the order']
      : place === undefined
        ? []
        : [`number ${number(place)} in the order`]),
    ...(isWaiting ? ['waits for ever'] : []),
    ...(call.place === undefined ? [] : [`${call.place.file}:${call.place.line}`]),
  ]
  return facts.join('\n')
}

function legend({ order = [], stuck, waiting = [] }: HistoryPicture, { moments }: HistoryWindow): string {
  const items = [
    ...(order.length === 0
      ? []
      : [
          `<span class="key mark-key">1</span> ${stuck === undefined ? 'an' : 'the longest'} order that explains the results`,
        ]),
    ...(stuck === undefined
      ? []
      : [`<span class="key stuck-key">✗</span> cannot come ${order.length === 0 ? 'first' : 'next'}`]),
    ...(waiting.length === 0 ? [] : ['<span class="key stuck-key">✗</span> waits for ever']),
    ...(moments.some(({ call }) => call.result === undefined) ? ['a bar without a right end never returned'] : []),
    ...(moments.some(({ call }) => call.call.result.kind === 'unknown') ? ['→ ? the result is not known'] : []),
    'from left to right in the order of calls and returns; lengths are not durations',
  ]
  return `<p class="legend">${items.join(' · ')}</p>`
}

function steps({ steps: drawn }: HistoryPageOptions): readonly string[] {
  if (drawn === undefined) return []
  return ['<section>', '<h2>Steps</h2>', `<pre class="steps">${escaped(drawn)}</pre>`, '</section>']
}

function rootCauses({ rootCauses: causes = [], sources }: HistoryPageOptions): readonly string[] {
  return causes.flatMap(({ repairs }, at) => {
    const [best, ...others] = repairs
    if (best === undefined) return []
    return [
      '<section>',
      `<h2>Root cause ${at + 1}</h2>`,
      ...best.sections.flatMap((section) => [
        `<p>${escaped(sectionWords(section))} must be atomic <span class="file">${escaped(section.file)}</span></p>`,
        ...codeBlock(section, sources?.(section.file)),
      ]),
      `<p class="note">${costWords(best)}</p>`,
      ...(others.length === 0 ? [] : [alternatives(others)]),
      '</section>',
    ]
  })
}

function codeBlock(section: AtomicSection, source: readonly string[] | undefined): readonly string[] {
  if (source === undefined || source.length < section.lines.first) return []
  const rows = sectionFrame(section, source).map((line) => {
    if ('leftOut' in line)
      return `<span class="row inside"><span class="number">…</span>(${number(line.leftOut)} lines)</span>`
    const classes = line.isInside ? 'row inside' : 'row'
    return `<span class="${classes}"><span class="number">${line.number}</span>${escaped(line.text)}</span>`
  })
  return [`<pre>${rows.join('')}</pre>`]
}

function alternatives(repairs: RootCause['repairs']): string {
  const items = repairs.map((repair) => {
    const words = repair.sections.map((section) => sectionWords(section)).join(' and ')
    return `<li>or: ${escaped(words)} <span class="note">${costWords(repair)}</span></li>`
  })
  return `<ul>${items.join('')}</ul>`
}

function table({ moments }: HistoryWindow): string {
  const calls = moments.flatMap(({ kind, call }) => (kind === 'invoke' ? [call] : []))
  const rows = calls.map(
    (call) =>
      `<tr${isBad(call) ? ' class="stuck"' : ''}><td>${escaped(call.call.process)}</td><td>${escaped(call.label)}</td>` +
      `<td>${escaped(call.result ?? 'never returned')}</td><td>${call.call.invoked}</td>` +
      `<td>${call.result === undefined ? '' : call.call.returned}</td><td>${markText(call)}</td></tr>`,
  )
  const head = ['process', 'call', 'result', 'called', 'returned', 'order'].map(
    (name) => `<th scope="col">${name}</th>`,
  )
  return `<details><summary>${counted(calls.length, 'call')} as a table</summary>
<table><thead><tr>${head.join('')}</tr></thead><tbody>
${rows.join('\n')}
</tbody></table></details>`
}

/** Nothing that users wrote can end the text it stands in, or bring characters that cannot be seen. */
function escaped(text: string): string {
  const visible = text.split('\n').map((line) => printable(line, false))
  return visible
    .join('\n')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
