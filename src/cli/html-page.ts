/** `--html`: everything that has a history to draw, on one page. */
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { accessColumns } from '../reports/access-columns.ts'
import { type DrawnHistory, historiesPage } from '../reports/history-html.ts'
import type { HistoryPicture } from '../reports/history-picture.ts'
import { objectCounterexamples, type ReportedObject } from '../reports/object-result.ts'
import { accessSteps, pictureOf } from '../reports/object-steps.ts'
import { rankedRepairs } from '../reports/object-text.ts'
import { glyphsFor } from '../reports/paint.ts'
import type { Io } from './io.ts'
import { typed, unlessUnwritable } from './search.ts'

export class HtmlPage {
  readonly #path: string
  readonly #drawn: DrawnHistory[] = []

  constructor(path: string) {
    this.#path = path
  }

  addHistory(file: string, picture: HistoryPicture): void {
    this.#drawn.push({ picture, options: { title: file } })
  }

  /** Only what failed has a history to draw. */
  addObject({ program, verdict, sources }: ReportedObject): void {
    for (const [at, counterexample] of objectCounterexamples(verdict).entries()) {
      const causes = at === 0 && verdict.kind === 'violated' ? verdict.causes : undefined
      const repairs = causes === undefined ? [] : rankedRepairs(causes)
      const steps = accessColumns(accessSteps(counterexample, sources, glyphsFor(false)), { maxRows: 400 })
      const rootCauses = repairs.length === 0 ? [] : [{ repairs }]
      const options = { title: `${program}: ${counterexample.client}`, steps, rootCauses, sources }
      this.#drawn.push({ picture: pictureOf(counterexample), options })
    }
  }

  write(io: Io): void {
    const file = resolve(io.cwd, this.#path)
    if (this.#drawn.length === 0) {
      io.stderr.write(` note: ${typed(file, io)} was not written, as nothing failed that could be drawn\n`)
      return
    }
    const done = (): string => {
      writeFileSync(file, historiesPage(this.#drawn))
      return typed(file, io)
    }
    const written = unlessUnwritable(done, 'page', { io })
    const several = this.#drawn.length > 1 ? ` with ${this.#drawn.length} histories` : ''
    if (written !== undefined) io.stderr.write(` wrote ${written}${several}\n`)
  }
}
