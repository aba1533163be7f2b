/** Text in terminal columns: what a user's value may put on a line, how wide it is, and how it is cut or wrapped. */

import { grouped } from '../core/grouped.ts'
import { beginningOf } from '../core/value-text.ts'
import type { Glyphs } from './paint.ts'

/** What is drawn in columns needs some; and lines that are longer than the widest are hard to read. */
const [narrowest, widest] = [40, 100]

/** No terminal report has a wider line, but for commands to paste. */
export let pageWidth: number = widest

/** For a terminal that is so wide: said once, before anything is printed. */
export function setPageWidth(columns: number): void {
  pageWidth = Math.max(narrowest, Math.min(widest, columns))
}

/** Whether pages are narrower than what they are laid out for: then nothing is cut that may go on in another line. */
export function isNarrow(): boolean {
  return pageWidth < widest
}

/** What no reader sees: control, format and unassigned characters, letters without a shape, separators of lines. */
export const unseen = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu

/** Most texts: visible, one column each, and the same whatever is done to them. */
const plain = /^[\x20-\x7e]*$/

/**
 * The text on one line without anything that moves the cursor or cannot be seen, which becomes an escape. In ASCII, everything
 * beyond it does.
 */
export function printable(text: string, ascii: boolean): string {
  if (plain.test(text)) return text
  const visible = text.normalize('NFC').replaceAll('\ufe0f', '').replace(unseen, escaped)
  return ascii ? visible.replace(/[^\x20-\x7e]/gu, asciiEscape) : visible
}

/** Our own typography has plain twins; what users wrote is escaped. */
const asciiTwins: { readonly [character: string]: string } = {
  '…': '...',
  '·': '*',
  '–': '-',
  '—': '--',
  '“': '"',
  '”': '"',
}

function asciiEscape(character: string): string {
  return asciiTwins[character] ?? escaped(character)
}

function escaped(character: string): string {
  if (character === '\n') return '\\n'
  if (character === '\t') return '\\t'
  return `\\u{${(character.codePointAt(0) as number).toString(16)}}`
}

/** Columns that printable text takes: marks take none, East Asian wide characters and emoji two. */
export function widthOf(text: string): number {
  if (plain.test(text)) return text.length
  let width = 0
  for (const character of text) width += characterWidth(character)
  return width
}

const marks = /^\p{M}$/u
const wide =
  /^[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{1b2ff}\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]$/u

export function characterWidth(character: string): number {
  if (character <= '\x7e') return 1
  if (marks.test(character)) return 0
  return wide.test(character) ? 2 : 1
}

/** The text, or its beginning with an ellipsis when it is wider than `width`. */
export function clip(text: string, width: number, glyphs: Glyphs): string {
  if (widthOf(text) <= width) return text
  const kept = beginning(text, width - widthOf(glyphs.ellipsis))
  return kept === '' ? beginning(glyphs.ellipsis, width) : kept + glyphs.ellipsis
}

/** Like `clip`, but keeps the end as well: names of processes often differ only there. */
export function clipMiddle(text: string, width: number, glyphs: Glyphs): string {
  if (widthOf(text) <= width) return text
  const room = width - widthOf(glyphs.ellipsis)
  if (room < 2) return clip(text, width, glyphs)
  const end = [...beginning([...text].reverse().join(''), Math.floor(room / 2))].reverse().join('')
  return beginning(text, room - widthOf(end)) + glyphs.ellipsis + end
}

function beginning(text: string, width: number): string {
  let used = 0
  let kept = ''
  for (const character of text) {
    used += characterWidth(character)
    if (used > width) break
    kept += character
  }
  return kept
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)))
}

/** A hundred lines. What is longer is data, and not to be read. */
const longestRead = 10_000

/** The text, or its beginning and how much of it is left out. */
function abridged(text: string): string {
  if (text.length <= longestRead) return text
  const kept = beginningOf(text, longestRead)
  return `${kept} ... ${grouped(text.length - kept.length)} more characters`
}

/** Lines of at most `width` columns, broken at spaces where possible; they keep the indentation of the text. */
export function wrap(whole: string, width: number): string[] {
  const text = abridged(whole)
  const indent = Math.min((/^ */.exec(text) as RegExpExecArray)[0].length, Math.floor(width / 2))
  const room = width - indent
  const lines: string[] = []
  let line = ''
  for (const word of text
    .trimStart()
    .split(' ')
    .flatMap((one) => pieces(one, room))) {
    if (line !== '' && widthOf(line) + 1 + widthOf(word) > room) {
      lines.push(line)
      line = word
    } else {
      line = line === '' ? word : `${line} ${word}`
    }
  }
  return [...lines, line].map((one) => (one === '' ? '' : ' '.repeat(indent) + one.trimEnd()))
}

/** Items on as few lines as they fit on, none broken unless it is wider than a line. */
export function wrapItems(items: readonly string[], separator: string, width: number): string[] {
  const lines: string[] = []
  for (const item of items) {
    const before = lines.at(-1)
    const longer = `${before}${separator}${item}`
    if (before !== undefined && widthOf(longer) <= width) lines[lines.length - 1] = longer
    else lines.push(...wrap(item, width))
  }
  return lines
}

function pieces(word: string, width: number): string[] {
  const found = ['']
  let used = 0
  for (const character of word) {
    const columns = characterWidth(character)
    used += columns
    if (used > width) {
      found.push('')
      used = columns
    }
    found[found.length - 1] += character
  }
  return found
}
