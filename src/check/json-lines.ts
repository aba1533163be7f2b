/** Files with a value on each line, read in pieces: they may be larger than any text can be. */
import { isUtf8 } from 'node:buffer'
import { readSync } from 'node:fs'
import { TextDecoder } from 'node:util'
import { UnreadableError } from '../artifact/named-file.ts'

const frameWidth = 90

/** The line with its number, and a mark below the column. */
export function frameOf({ text, number }: Line, column: number): string {
  const shift = Math.max(0, column - frameWidth / 2)
  const shown = text.replaceAll('\t', ' ').slice(shift, shift + frameWidth)
  return `> ${number} | ${shown}\n  ${' '.repeat(String(number).length)} | ${' '.repeat(column - 1 - shift)}^`
}

export interface Line {
  readonly text: string
  /** From 1. */
  readonly number: number
  /** Nothing comes after it, not even the end of the line. */
  readonly isLast: boolean
  readonly isTooLong: boolean
}

const longestLine = 1 << 24

/** The lines of a text that comes in pieces of any size. */
export function* linesOf(pieces: Iterable<string>): Generator<Line> {
  let rest = ''
  let number = 0
  for (const piece of pieces) {
    let start = 0
    for (let end = piece.indexOf('\n'); end >= 0; end = piece.indexOf('\n', start)) {
      yield lineOf(rest + piece.slice(start, end), ++number, false)
      rest = ''
      start = end + 1
    }
    rest += piece.slice(start)
    if (rest.length > longestLine) break
  }
  if (rest !== '') yield lineOf(rest, ++number, true)
}

function lineOf(text: string, number: number, isLast: boolean): Line {
  const isTooLong = text.length > longestLine
  const start = number === 1 && text.startsWith('\uFEFF') ? 1 : 0
  return { text: isTooLong ? text.slice(0, 200) : text.slice(start), number, isLast, isTooLong }
}

const pieceBytes = 1 << 20

/** The text of an open file, which is UTF-8: letters that are taken for one another make other values. */
export function* pieces(file: number): Generator<string> {
  const buffer = Buffer.allocUnsafe(pieceBytes)
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let lines = 0
  for (let count = readSync(file, buffer); count > 0; count = readSync(file, buffer)) {
    const piece = buffer.subarray(0, count)
    const text = decoded(decoder, piece, lines)
    yield text
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++
  }
  yield decoded(decoder, undefined, lines)
}

function decoded(decoder: TextDecoder, piece: Buffer | undefined, linesBefore: number): string {
  try {
    return decoder.decode(piece, { stream: piece !== undefined })
  } catch {
    throw new UnreadableError(
      linesBefore === 0 ? (otherFormat(piece) ?? notUtf8(piece, 0)) : notUtf8(piece, linesBefore),
    )
  }
}

function otherFormat(piece: Buffer | undefined): string | undefined {
  const [first, second] = piece ?? []
  if (first === 0x1f && second === 0x8b) return 'it is compressed with gzip; gunzip it first'
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    return 'it is UTF-16, and UTF-8 is read; iconv -f utf-16 -t utf-8 makes it so'
  return undefined
}

/** The first line that is no UTF-8; what a piece begins with may be the rest of a letter. */
function notUtf8(piece: Buffer | undefined, linesBefore: number): string {
  let line = linesBefore + 1
  let start = 0
  for (let end = piece?.indexOf(newline) ?? -1; piece !== undefined && end >= 0; end = piece.indexOf(newline, start)) {
    if (!isUtf8(piece.subarray(start, end)) && (start > 0 || linesBefore === 0)) break
    line++
    start = end + 1
  }
  return `line ${line} is not UTF-8; iconv -f latin1 -t utf-8 makes it so, if it is Latin-1`
}

const newline = 0x0a
