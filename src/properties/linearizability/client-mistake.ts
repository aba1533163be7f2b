/** Mistakes in the text of a client: the line with a caret under the place. */
import type { Diagnostic } from '../../core/diagnostic.ts'

export interface ClientMistake {
  readonly message: string
  readonly hint?: string | undefined
  /** Position in the text, from 0. */
  readonly at: number
  readonly text: string
  /** Where the text came from, if it is a file or an option that can be named: '--client'. */
  readonly file?: string | undefined
}

export function clientMistake({ message, hint, at, text, file }: ClientMistake): Diagnostic {
  const lines = text.split('\n')
  const before = text.slice(0, at).split('\n')
  const line = before.length
  const column = (before.at(-1) as string).length + 1
  return {
    code: 'E306',
    message,
    hint: hint ?? 'a client looks like { push(1) } || { push(2); pop() }',
    ...(file === undefined ? {} : { place: { file, line, column } }),
    frame: frame(lines, line, column),
  }
}

const widest = 90

/** The line alone, with its number if there are several; of a long one the part around the caret. */
function frame(lines: readonly string[], line: number, column: number): string {
  const gutter = lines.length === 1 ? '' : `${line} | `
  const source = lines[line - 1] as string
  const room = widest - gutter.length
  const shift = Math.max(0, column + Math.floor(room / 4) - room)
  const shown = source.replaceAll(/[\t\r]/g, ' ').slice(shift, shift + room)
  const caret = `${' '.repeat(gutter.length + column - 1 - shift)}^`
  return [`${gutter}${shown}`.trimEnd(), caret].join('\n')
}
