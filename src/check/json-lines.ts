/** Files with a value on each line, read in pieces: they may be larger than any text can be. */
import { readSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'

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

/** The text of an open file. */
export function* pieces(file: number): Generator<string> {
  const buffer = Buffer.allocUnsafe(pieceBytes)
  const decoder = new StringDecoder('utf8')
  for (let count = readSync(file, buffer); count > 0; count = readSync(file, buffer)) {
    yield decoder.write(buffer.subarray(0, count))
  }
  yield decoder.end()
}
