/** `--html`: everything that has a history to draw, on one page. */
import { resolve } from 'node:path'
import { writeWhole } from '../artifact/write.ts'
import { drawnHistories } from '../reports/drawn-histories.ts'
import { type DrawnHistory, historiesPage } from '../reports/history-html.ts'
import type { Reported } from '../reports/result.ts'
import type { Io } from './io.ts'
import { typed, unlessUnwritable } from './written.ts'

export class HtmlPage {
  readonly #path: string
  readonly #drawn: DrawnHistory[] = []

  constructor(path: string) {
    this.#path = path
  }

  add(result: Reported): void {
    this.#drawn.push(...drawnHistories(result))
  }

  write(io: Io): void {
    const file = resolve(io.cwd, this.#path)
    if (this.#drawn.length === 0) {
      io.stderr.line(` note: ${typed(file, io)} was not written, as nothing failed that could be drawn`)
      return
    }
    const done = (): string => {
      writeWhole(file, historiesPage(this.#drawn))
      return typed(file, io)
    }
    const written = unlessUnwritable(done, 'page', { io })
    const several = this.#drawn.length > 1 ? ` with ${this.#drawn.length} histories` : ''
    if (written !== undefined) io.stderr.line(` wrote ${written}${several}`)
  }
}
