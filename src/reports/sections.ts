/**
 * Root causes of a linearizability violation: lines that must run without interruption, in their source (thesis §2.3.2,
 * where a root cause is a set of atomic sections), and the other repairs in the order of how many linearizable
 * executions they disable.
 */
import type { AtomicSection } from '../core/code.ts'
import { number } from './count-words.ts'
import { type Glyphs, glyphsFor, type Paint, plainPaint } from './paint.ts'
import { clip, clipMiddle, isNarrow, padEnd, pageWidth, printable, widthOf, wrap } from './text-width.ts'

export interface RankedRepair {
  readonly sections: readonly AtomicSection[]
  /** Linearizable executions that the sections would make impossible, among those looked at. */
  readonly disables: number
  /** Of the violating executions looked at, how many it rules out; all of them unless said otherwise. */
  readonly rulesOut?: { readonly count: number; readonly of: number } | undefined
}

/** Repairs of one cause, the best first. */
export interface RootCause {
  readonly repairs: readonly RankedRepair[]
}

/** The lines of a file, if it is there to be shown. */
export type SourceLines = (file: string) => readonly string[] | undefined

export interface SectionsOptions {
  readonly paint?: Paint | undefined
  readonly ascii?: boolean | undefined
}

export function rootCausesText(
  causes: readonly RootCause[],
  sources: SourceLines,
  options: SectionsOptions = {},
): string {
  const dress = { paint: options.paint ?? plainPaint, glyphs: glyphsFor(options.ascii ?? false) }
  return causes.map((cause, at) => causeLines(cause, at + 1, { ...dress, sources }).join('\n')).join('\n\n')
}

/** 'lines 8–9 of Stack.pop' */
export function sectionWords({ function: name, lines }: AtomicSection, range = '–'): string {
  const { first, last } = lines
  return `${first === last ? `line ${first}` : `lines ${first}${range}${last}`} of ${name}`
}

/** 'disables no linearizable execution' */
function disablesWords(count: number): string {
  if (count === 0) return 'disables no linearizable execution'
  return `disables ${number(count)} linearizable execution${count === 1 ? '' : 's'}`
}

/** 'rules out 35 of 41 violating executions, disables 41 linearizable ones'; the first part only if it is not all. */
export function costWords({ disables, rulesOut }: RankedRepair): string {
  if (rulesOut === undefined || rulesOut.count >= rulesOut.of) return disablesWords(disables)
  const partly = `rules out ${number(rulesOut.count)} of ${number(rulesOut.of)} violating executions`
  const cost =
    disables === 0 ? 'no linearizable one' : `${number(disables)} linearizable one${disables === 1 ? '' : 's'}`
  return `${partly}, disables ${cost}`
}

export interface FrameLine {
  readonly number: number
  readonly text: string
  readonly isInside: boolean
}

/** Lines left out of a long section. */
export interface FrameGap {
  readonly leftOut: number
}

const context = 1
const longest = 12

/**
 * The lines of a section with one before and one after it; common indentation and the middle of long sections are left
 * out.
 */
export function sectionFrame({ lines }: AtomicSection, source: readonly string[]): readonly (FrameLine | FrameGap)[] {
  const first = Math.max(1, lines.first - context)
  const last = Math.min(source.length, lines.last + context)
  const texts = source.slice(first - 1, last).map((text) => text.replaceAll('\t', '  ').trimEnd())
  const written = texts.filter((text) => text !== '')
  const indent = Math.min(...written.map((text) => text.length - text.trimStart().length))
  const framed = texts.map((text, at) => ({
    number: first + at,
    text: text.slice(indent),
    isInside: lines.first <= first + at && first + at <= lines.last,
  }))
  const kept = Math.floor(longest / 2) + context
  if (framed.length <= 2 * kept + 1) return framed
  const leftOut = framed.length - 2 * kept
  return [...framed.slice(0, kept), { leftOut }, ...framed.slice(kept + leftOut)]
}

interface Dress {
  readonly paint: Paint
  readonly glyphs: Glyphs
  readonly sources: SourceLines
}

function causeLines({ repairs }: RootCause, count: number, dress: Dress): readonly string[] {
  const [best, ...others] = repairs
  if (best === undefined) return []
  const { paint, glyphs } = dress
  const label = `root cause ${count}`
  const [only, ...more] = best.sections
  const title =
    only === undefined || more.length > 0
      ? `${best.sections.length} sections must be atomic, each by itself`
      : `${sectionWords(only, glyphs.range)} must be atomic`
  const file = only === undefined || more.length > 0 ? '' : only.file
  const [first = '', ...rest] = isNarrow() ? wrap(`${label}  ${title}`, pageWidth - 3) : [`${label}  ${title}`]
  const head = isNarrow() ? first : withFile(first, file, pageWidth - 1, glyphs)
  const below = isNarrow() ? [...rest, ...(file === '' ? [] : [printable(file, glyphs.ascii)])] : []
  const painted = head.replace(label, paint.bold(label))
  const frames = best.sections.flatMap((section) => [
    ...(more.length === 0
      ? []
      : [`   ${withFile(sectionWords(section, glyphs.range), section.file, pageWidth - 3, glyphs)}`]),
    ...frameLines(section, dress),
  ])
  return [` ${painted}`, ...below.map((line) => `   ${line}`), ...frames, ...costLines(best, others, dress)]
}

/** The text with the name of the file at the right edge. */
function withFile(text: string, file: string, width: number, glyphs: Glyphs): string {
  const shown = clipMiddle(printable(file, glyphs.ascii), 40, glyphs)
  const left = clip(printable(text, glyphs.ascii), width - widthOf(shown) - 2, glyphs)
  return shown === '' ? left : padEnd(left, width - widthOf(shown)) + shown
}

const notes = ['nothing may come', 'between these lines'] as const
const oneLineNote = 'nothing may come in the middle'
const bracketWidth = 5 + oneLineNote.length

function frameLines(section: AtomicSection, { paint, glyphs, sources }: Dress): readonly string[] {
  const source = sources(section.file)
  if (source === undefined || source.length < section.lines.first) return []
  const frame = sectionFrame(section, source)
  const digits = String(section.lines.last + context).length
  const room = pageWidth - 3 - digits - 3
  const texts = frame.map((line) =>
    'leftOut' in line ? `(${number(line.leftOut)} lines)` : printable(line.text, glyphs.ascii),
  )
  const inside = frame.flatMap((line, at) => (isInside(line) ? [widthOf(texts[at] as string)] : []))
  const width = Math.min(room - bracketWidth, Math.max(...inside))
  let row = 0
  return frame.map((line, at) => {
    const text = texts[at] as string
    const label = 'leftOut' in line ? glyphs.ellipsis.slice(0, digits) : String(line.number)
    const gutter = label.padStart(digits)
    if (!isInside(line)) return `   ${paint.dim(`${gutter} ${glyphs.lifeline} ${clip(text, room, glyphs)}`.trimEnd())}`
    const bar = paint.red(glyphs.ascii ? '#' : '┃')
    const code = padEnd(clip(text, width, glyphs), width)
    return `   ${paint.dim(gutter)} ${bar} ${code}  ${bracket(row++, inside.length, glyphs)}`.trimEnd()
  })
}

function isInside(line: FrameLine | FrameGap): boolean {
  return 'leftOut' in line || line.isInside
}

/** A brace over all rows of the section, with the words at its middle. */
function bracket(row: number, rows: number, { ascii }: Glyphs): string {
  if (rows === 1) return `${ascii ? '<-' : '◂'} ${oneLineNote}`
  const middle = Math.floor((rows - 1) / 2)
  const [top, between, centre, bottom] = ascii ? ['\\', '|', '>', '/'] : ['⎫', '⎪', '⎬', '⎭']
  const brace = row === 0 ? top : row === rows - 1 ? bottom : row === middle ? centre : between
  return `${brace} ${notes[row - middle] ?? ''}`
}

const alternativesShown = 5

/** Longer words about what a repair costs stand below it. */
const widestBeside = 45

function costLines(best: RankedRepair, others: readonly RankedRepair[], { paint, glyphs }: Dress): readonly string[] {
  const range = glyphs.range
  const texts = others
    .slice(0, alternativesShown)
    .map(({ sections }) => sections.map((section) => sectionWords(section, range)).join(' and '))
  const shown = texts.map((text) => printable(text, glyphs.ascii))
  const costs = others.map(costWords)
  const besides = costs.slice(0, alternativesShown).filter((cost) => widthOf(cost) <= widestBeside)
  const room = pageWidth - 7 - 2 - Math.max(0, ...besides.map(widthOf))
  const width = Math.min(room, Math.max(0, ...shown.map(widthOf)))
  const left = others.length - alternativesShown
  return [
    `   ${paint.dim(disablesWords(best.disables))}`,
    ...shown.flatMap((text, at) => {
      const cost = costs[at] as string
      if (widthOf(cost) > widestBeside) {
        const lines = wrap(text, pageWidth - 7)
        return [...lines.map((line, part) => `   ${part === 0 ? 'or: ' : '    '}${line}`), `       ${paint.dim(cost)}`]
      }
      const lines = wrap(text, width)
      return lines.map((line, part) =>
        part === 0 ? `   or: ${padEnd(line, width)}  ${paint.dim(cost)}` : `       ${line}`,
      )
    }),
    ...(left > 0 ? [`   ${paint.dim(`${glyphs.ellipsis} ${number(left)} more`)}`] : []),
  ]
}
