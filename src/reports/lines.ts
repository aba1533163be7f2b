/** Parts that several text reports print alike: headings, places, source frames, durations. */
import type { Place } from '../core/diagnostic.ts'
import type { Criterion, VerdictKind } from '../core/verdict.ts'
import type { Glyphs, Paint } from './paint.ts'
import { clip, clipMiddle, isNarrow, pageWidth, printable, widthOf, wrap } from './text-width.ts'

interface Heading {
  readonly kind: VerdictKind
  /** About what the verdict is, and its scope. */
  readonly words: string
  readonly seconds: number
}

/** ' ✓ verified  bank — all 24 executions, …      0.02 s', on as many lines as it takes. */
export function verdictLines({ kind, words, seconds }: Heading, paint: Paint, glyphs: Glyphs): readonly string[] {
  const isUnfinished = kind === 'incomplete'
  const indent = widthOf(kind) + 5
  const time = secondsColumn(seconds)
  const [first = '', ...more] = wrap(words, pageWidth - indent - widthOf(time) - 2)
  const gap = ' '.repeat(Math.max(2, pageWidth - indent - widthOf(first) - widthOf(time)))
  const colour = isUnfinished ? paint.bold : paint.green
  const mark = isUnfinished ? glyphs.unfinished : glyphs.good
  return [
    ` ${colour(mark)} ${colour(kind)}  ${first}${gap}${paint.dim(time)}`,
    ...more.map((line) => ' '.repeat(indent) + line),
  ]
}

/** 'Stack is linearizable' */
export function holdsWords(name: string, criterion: Criterion): string {
  return criterion === 'linearizable'
    ? `${name} is linearizable`
    : `${name} returns only what some order of its calls explains`
}

export function brokenWords(name: string, criterion: Criterion): string {
  return criterion === 'linearizable'
    ? `${name} is not linearizable`
    : `${name} returns what no order of its calls explains`
}

/** Words of ours, whose typography has twins in ASCII. */
export function readable(text: string, glyphs: Glyphs): string {
  return printable(asciiTwins(text, glyphs), glyphs.ascii)
}

export function asciiTwins(text: string, { ascii, times }: Glyphs): string {
  return ascii ? text.replaceAll('→', '->').replaceAll('×', times).replaceAll('≥', '>=') : text
}

/** Sections with an empty line between them; those without lines are left out. */
export function separated(sections: readonly (readonly string[])[]): string {
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')
}

/** 'src/raft.ts:88:13'; what is cut of a long path is its middle. Where nearly all are long, paths are whole, as commands are. */
export function placeText({ file, line, column }: Place, width: number, glyphs: Glyphs): string {
  const text = printable(`${file}:${line}:${column}`, glyphs.ascii)
  return isNarrow() ? text : clipMiddle(text, width, glyphs)
}

/**
 * Source lines as the host framed them, cut at the edge of the page. A text without numbers before its lines may look like a line
 * of ours: then all are marked, so that a caret still stands below its place.
 */
export function frameLines(frame: string, indent: number, glyphs: Glyphs): readonly string[] {
  const lines = frame.replace(/\n+$/, '').split('\n')
  const shown = lines.map((line) => printable(line.replaceAll('\t', '  '), glyphs.ascii))
  const isOpen = (line: string): boolean => !gutter.test(line) && looksLikeOurs(line, glyphs)
  const mark = shown.some(isOpen) ? `${glyphs.lifeline} ` : ''
  const before = ' '.repeat(indent) + mark
  return shown.map((line) => (before + clip(line, pageWidth - widthOf(before), glyphs)).trimEnd())
}

/** '> 12 | ', or the same below it without a number. */
const gutter = /^[> ]*\d* *\|/

/** `secondsText` as wide for most durations: what stands beside it breaks at the same place however fast the machine is. */
export function secondsColumn(seconds: number): string {
  return secondsText(seconds).padStart(6)
}

/** '0.02 s', '2.9 s', '3 min 05 s'. */
function secondsText(seconds: number): string {
  if (seconds < 1) return `${seconds.toFixed(2)} s`
  if (seconds < 99.95) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`
}

/** What to do next, each with a command. */
const steps = ['replay', 'picture', 'repair', 'resume', 'check', 'page'] as const

/** Commands are never cut or broken: they are there to be pasted. A long one gets a line of its own. */
export function commandLine(label: (typeof steps)[number], command: string | undefined): readonly string[] {
  if (command === undefined) return []
  const shown = printable(command, false)
  const line = `   ${label.padEnd(9)}${shown}`
  return widthOf(line) <= pageWidth ? [line] : [`   ${label}`, `   ${shown}`]
}

/**
 * A text of several lines, such as the message of an error. Its first line may begin a line of the page; the further ones are
 * marked, so that none of them can be taken for a line of ours, and neither can what comes to the beginning by being wrapped.
 */
export function paragraph(text: string, width: number, glyphs: Glyphs): readonly string[] {
  const [first = '', ...more] = text
    .replace(/\n+$/, '')
    .split('\n')
    .map((line) => printable(line.trimEnd(), glyphs.ascii))
  return [
    ...apart(wrap(first, width), width, glyphs),
    ...more.flatMap((line) => (line === '' ? [''] : marked(line, width, glyphs))),
  ]
}

/** Lines that begin with words from outside: those that look like lines of ours are marked. */
export function apart(lines: readonly string[], width: number, glyphs: Glyphs): readonly string[] {
  return lines.flatMap((line) => (looksLikeOurs(line, glyphs) ? marked(line, width, glyphs) : [line]))
}

/** A name that begins a line. */
export function beginningName(name: string, glyphs: Glyphs): string {
  return apart([printable(name, glyphs.ascii)], Number.POSITIVE_INFINITY, glyphs).join('')
}

function marked(line: string, width: number, glyphs: Glyphs): readonly string[] {
  return wrap(line, width - 2).map((part) => `${glyphs.lifeline} ${part}`)
}

/** A label and a gap, whatever the letters are that it looks like; a label alone; a command, a hint or a note; a verdict. */
function looksLikeOurs(line: string, { good, bad, unfinished }: Glyphs): boolean {
  const text = line.trimStart()
  if (/^\S+\s{2}|^(?:npx|hint:|note:|or:)\s/.test(text)) return true
  return steps.some((label) => label === text) || [good, bad, unfinished].some((mark) => text.startsWith(`${mark} `))
}
