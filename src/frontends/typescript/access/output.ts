/**
 * Rewritten code as pieces: text of ours, and slices of the user's source. Pieces may stand in any order, so a rewriting
 * says what the result is, not how to edit the source. Rendering keeps slices that stand in source order as they are, with
 * their places in the source map, and puts line breaks where needed for every slice to stay on its line.
 */
import type MagicString from 'magic-string'
import { becomeOne } from '../tokens.ts'

export type Code = string | Slice | Late | readonly Code[]

/** A part of the source, by offsets. */
interface Slice {
  readonly start: number
  readonly end: number
}

/** Text that is known only when more of the function around has been read. */
export class Late {
  text = ''
}

export function slice(start: number, end: number): Code {
  return start < end ? { start, end } : ''
}

/** Pieces with a separator between. */
export function joined(items: readonly Code[], separator = ', '): Code {
  return items.flatMap((item, index) => (index === 0 ? [item] : [separator, item]))
}

/** The first character that is not space. */
export function firstCharacter(code: Code, source: string): string {
  for (const piece of pieces(code)) {
    const text = textOf(piece, source).trimStart()
    if (text !== '') return text.charAt(0)
  }
  return ''
}

export function render(code: Code, source: string, target: MagicString): void {
  const lines = new LineCounter(source)
  let cursor = 0
  let line = 0
  let buffer = ''
  const flush = (to: number, padding: string): void => {
    const text = buffer + padding
    if (to > cursor) target.update(cursor, to, text)
    else if (opens(text) && to < source.length) {
      // A call that begins before its first operand stands where that stands.
      cursor = to + 1
      target.update(to, cursor, text + source.charAt(to))
    } else if (text !== '') target.appendLeft(cursor, text)
    line += breaksIn(text)
    buffer = ''
  }
  for (const piece of spaced(code, source)) {
    if (typeof piece === 'string' || piece instanceof Late || piece.start < cursor) {
      buffer += textOf(piece, source)
      continue
    }
    // Where slices are adjacent nothing may come between: a line break behind `return` would end the statement.
    const adjacent = piece.start === cursor && buffer === ''
    const missing = lines.lineAt(piece.start) - line - breaksIn(buffer)
    flush(piece.start, adjacent ? '' : '\n'.repeat(Math.max(0, missing)))
    line += lines.lineAt(piece.end) - lines.lineAt(piece.start)
    cursor = piece.end
  }
  flush(source.length, '')
}

function opens(text: string): boolean {
  return /(?:\(|, )$/.test(text)
}

/** Pieces with a blank where two would become one token, as `return` and a name that stands for `[1]`. */
function* spaced(code: Code, source: string): Generator<string | Slice | Late> {
  let last = ''
  let end: number | undefined
  for (const piece of pieces(code)) {
    const text = textOf(piece, source)
    if (text === '') continue
    const start = isSlice(piece) ? piece.start : undefined
    // Neither what stood side by side in the source, nor names that we make of parts.
    const isMeant = start === end
    if (!isMeant && becomeOne(last, text)) yield ' '
    yield piece
    last = text.slice(-2)
    end = isSlice(piece) ? piece.end : undefined
  }
}

function* pieces(code: Code): Generator<string | Slice | Late> {
  if (typeof code === 'string' || code instanceof Late) yield code
  else if (isList(code)) for (const item of code) yield* pieces(item)
  else yield code
}

function isList(code: Code): code is readonly Code[] {
  return Array.isArray(code)
}

function textOf(piece: string | Slice | Late, source: string): string {
  if (typeof piece === 'string') return piece
  return piece instanceof Late ? piece.text : source.slice(piece.start, piece.end)
}

function breaksIn(text: string): number {
  return text.split('\n').length - 1
}

/** Lines of ascending offsets, counted from 0. */
class LineCounter {
  readonly #starts: readonly number[]

  constructor(source: string) {
    const starts = [0]
    for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1)
    this.#starts = starts
  }

  lineAt(offset: number): number {
    let low = 0
    let high = this.#starts.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((this.#starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return low
  }
}

function isSlice(piece: Code): piece is Slice {
  return typeof piece !== 'string' && !(piece instanceof Late) && !isList(piece)
}
