/** Settings that stand next to each other, explored for a sweep that goes on elsewhere: as many as hold from the first on. */

import type { Setting } from '../core/setting.ts'
import { addCounts, type Counts, noCounts } from '../core/verdict.ts'
import type { Driven } from '../distribute/driver.ts'
import { driveInline } from '../distribute/inline.ts'
import type { Sweep } from '../program/program.ts'
import { realHost } from './host.ts'
import type { CheckRequest } from './request.ts'
import type { Stretch } from './settings-ahead.ts'

export class StretchExplorer {
  readonly #request: CheckRequest
  readonly #sweep: Sweep
  readonly #settings: Iterator<Setting>
  /** Of the next one. */
  #at = 0

  constructor(request: CheckRequest, sweep: Sweep) {
    this.#request = request
    this.#sweep = sweep
    this.#settings = sweep.settings()[Symbol.iterator]()
  }

  /** Stretches come in their order. Not fit: what was called has failed here, and may have left something behind. */
  async explore({ from, length }: Stretch): Promise<{ readonly driven: Driven; readonly isFit: boolean }> {
    let counts = noCounts
    try {
      for (; this.#at < from; this.#at++) this.#settings.next()
      while (this.#at < from + length) {
        const { done, value } = this.#settings.next()
        this.#at++
        const held = done === true ? undefined : await this.#heldIn(value)
        if (held === undefined) break
        counts = addCounts(counts, held)
      }
    } catch {
      // It is explored again where it can be told.
      return { driven: drivenOf(counts), isFit: false }
    }
    return { driven: drivenOf(counts), isFit: true }
  }

  /** What is counted of a setting that holds. */
  async #heldIn(setting: Setting): Promise<Counts | undefined> {
    const { engine, options, keepGoing, exploredUnder } = this.#request
    const { subject, paths } = exploredUnder(setting)
    for (const work = paths.prepare?.(); work?.next().done === false; );
    const driven = await driveInline({ engine, subject, options }, { budget: {}, keepGoing }, realHost)
    const { because, found, evidence, diagnostic } = driven
    const holds = because === 'exhausted' && found.length === 0 && evidence.length === 0 && diagnostic === undefined
    return holds ? addCounts(driven.counts, { [this.#sweep.counted.names[0] as string]: 1 }) : undefined
  }
}

function drivenOf(counts: Counts): Driven {
  return { because: 'exhausted', counts, explored: 0, found: [], evidence: [], remaining: [] }
}
