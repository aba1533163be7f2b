/** The text of a file under change: inserts that nest as the syntax does, and the import of what inserted code calls. */
import type MagicString from 'magic-string'
import type { Place } from '../../core/diagnostic.ts'
import { type ParsedSource, placeAt } from './parse.ts'
import { becomeOne } from './tokens.ts'

export class Edits {
  readonly source: ParsedSource
  /** A name that occurs nowhere in the file. */
  readonly prefix: string
  readonly #text: MagicString
  /** Where the helpers come from. */
  readonly #module: string
  #usesHelpers = false

  constructor(source: ParsedSource, text: MagicString, module = 'allways/coroutine') {
    this.source = source
    this.#text = text
    this.#module = module
    this.prefix = unusedName(source.text)
  }

  /** Code that calls one of the helpers. */
  helper(name: string): string {
    this.#usesHelpers = true
    return `${this.prefix}.${name}`
  }

  /** In front of a node; what is put there later stands further out. */
  before(offset: number, code: string): void {
    this.#text.prependRight(offset, this.#spaced(offset, code, offset))
  }

  /** Behind a node; what is put there later stands further out. */
  after(offset: number, code: string): void {
    this.#text.appendLeft(offset, this.#spaced(offset, code, offset))
  }

  /** Lines that the old text had are kept, so that everything behind stays on its line. */
  replace(start: number, end: number, code: string): void {
    const lines = this.source.text.slice(start, end).replaceAll(/[^\n]/g, '')
    this.#text.update(start, end, this.#spaced(start, code + lines, end))
  }

  /** With blanks where it would become one word with what stands around it. */
  #spaced(start: number, code: string, end: number): string {
    const { text } = this.source
    const before = text.slice(Math.max(0, start - 2), start)
    const behind = text.slice(end, end + 2)
    if (code === '') return start < end && becomeOne(before, behind) ? ' ' : ''
    return `${becomeOne(before, code) ? ' ' : ''}${code}${becomeOne(code, behind) ? ' ' : ''}`
  }

  /** Puts what stands between two offsets elsewhere, with all that becomes of it. */
  move(start: number, end: number, to: number): void {
    this.#text.move(start, end, to)
  }

  /** Where a token begins between two offsets that hold nothing but punctuation, words and comments; -1 if nowhere. */
  find(token: string, from: number, to: number): number {
    const at = this.source.text.indexOf(token, from)
    if (at < 0 || at >= to) return -1
    const comment = this.source.comments.find((candidate) => candidate.start <= at && at < candidate.end)
    return comment === undefined ? at : this.find(token, comment.end, to)
  }

  placeOf(offset: number): Place {
    return placeAt(this.source.text, this.source.file, offset)
  }

  /** Imports are hoisted, so the import can stand at the end, where it moves nothing. */
  finish(): void {
    if (this.#usesHelpers) this.#text.append(`\nimport * as ${this.prefix} from '${this.#module}'\n`)
  }
}

function unusedName(text: string): string {
  let name = '$allways'
  for (let number = 2; text.includes(name); number++) name = `$allways${number}`
  return name
}
