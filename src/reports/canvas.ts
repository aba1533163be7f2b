/** One line of a picture: text is put at columns, later text over earlier, and painted at the end. */
import type { Paint, Style } from './paint.ts'
import { characterWidth } from './text-width.ts'

export class Canvas {
  readonly width: number
  /** Invariant: a character two columns wide is followed by an empty cell. */
  readonly #cells: string[]
  readonly #styles: (Style | undefined)[]

  constructor(width: number) {
    this.width = width
    this.#cells = Array.from({ length: width }, () => ' ')
    this.#styles = Array.from({ length: width }, () => undefined)
  }

  /** Puts text at a column and returns the column after it; what does not fit is lost. */
  put(column: number, text: string, style?: Style): number {
    let at = column
    let base = column
    for (const character of text) {
      const columns = characterWidth(character)
      if (columns === 0) {
        if (at > column) this.#cells[base] += character
        continue
      }
      if (at + columns > this.width) return at
      this.#clear(at)
      if (columns === 2) this.#clear(at + 1)
      this.#cells[at] = character
      if (columns === 2) this.#cells[at + 1] = ''
      this.#styles.fill(style, at, at + columns)
      base = at
      at += columns
    }
    return at
  }

  /** Overwriting one half of a wide character leaves a space for the other. */
  #clear(at: number): void {
    if (this.#cells[at] === '' && at > 0) this.#cells[at - 1] = ' '
    if (this.#cells[at + 1] === '') this.#cells[at + 1] = ' '
    this.#cells[at] = ' '
  }

  /** Columns up to the last character that is not a space. */
  get used(): number {
    let last = this.width
    while (last > 0 && this.#cells[last - 1] === ' ') last--
    return last
  }

  render(paint: Paint): string {
    let line = ''
    for (let at = 0; at < this.used; ) {
      const style = this.#styles[at]
      let text = ''
      while (at < this.used && this.#styles[at] === style) text += this.#cells[at++]
      line += style === undefined ? text : paint[style](text)
    }
    return line
  }
}
