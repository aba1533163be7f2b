/**
 * The only way to standard output and standard error. Names, messages and values come from programs, files and networks; whatever
 * they hold, a terminal, a log or a parser sees text of one line: what would move a cursor, hide or reorder letters, or give an
 * order to GitHub's runner comes out as an escape. Colours are ours: their marks hold a number that nobody outside knows.
 */
import { randomBytes } from 'node:crypto'
import type { Paint } from '../reports/paint.ts'
import { printable, unseen } from '../reports/text-width.ts'

/** A stream as its host gives it. */
export interface Sink {
  write(text: string): void
  readonly isTTY: boolean
  readonly columns: number
}

const secret = randomBytes(8).toString('hex')
const colourMark = new RegExp(`\u0001${secret}(\\d+)m`)

function style(on: number, off: number): (text: string) => string {
  return (text) => `\u0001${secret}${on}m${text}\u0001${secret}${off}m`
}

/** Become colours where they are written by a `Terminal`. */
export const colours: Paint = {
  bold: style(1, 22),
  dim: style(2, 22),
  red: style(31, 39),
  green: style(32, 39),
  cyan: style(36, 39),
}

export class Terminal {
  readonly #sink: Sink
  readonly #isRunner: boolean

  /** `isRunner`: lines are read by GitHub's runner, which takes orders from them. */
  constructor(sink: Sink, isRunner: boolean) {
    this.#sink = sink
    this.#isRunner = isRunner
  }

  get isTTY(): boolean {
    return this.#sink.isTTY
  }

  get columns(): number {
    return this.#sink.columns
  }

  /** A report: lines that were laid out, of texts that are on one line each. */
  write(text: string): void {
    this.#sink.write(
      text
        .split('\n')
        .map((line) => this.#shown(line))
        .join('\n'),
    )
  }

  /** One line, whatever is in it. */
  line(text: string): void {
    this.#sink.write(`${this.#shown(printable(text, false))}\n`)
  }

  /** JSON means the same with its letters escaped. */
  json(text: string): void {
    const visible = text.replace(unseen, (character) => (character === '\n' ? character : unitEscapes(character)))
    this.#sink.write(`${visible.replaceAll('##[', '#\\u0023[')}\n`)
  }

  /** A patch is applied as it is: whoever wants to look at it has its file. */
  patch(text: string): void {
    if (this.isTTY || this.#isRunner) this.write(text.replaceAll('\t', '        '))
    else this.#sink.write(text)
  }

  /** In the place of the line before, until `clear`. */
  progress(line: string): void {
    this.#sink.write(`\r\u001b[K${printable(line, false).slice(0, Math.max(20, this.columns - 1))}`)
  }

  clear(): void {
    this.#sink.write('\r\u001b[K')
  }

  #shown(line: string): string {
    const parts = line.split(colourMark).map((part, at) => (at % 2 === 1 ? `\u001b[${part}m` : printable(part, false)))
    const shown = parts.join('')
    return this.#isRunner ? shown.replace(order, '$1: ').replaceAll('##[', '## [') : shown
  }
}

/** Colours do not count: what reads the lines may drop them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
const order = /^((?:\s|\u001b\[\d+m)*):(?=:)/

function unitEscapes(character: string): string {
  return Array.from({ length: character.length }, (_, at) => {
    return `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`
  }).join('')
}
