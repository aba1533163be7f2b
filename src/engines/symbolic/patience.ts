/**
 * Work on diagrams that takes long, in attempts. One that has taken as much effort as it may at a time is given up, and made again after a breath: what was
 * computed is found again, so that attempts come further and further.
 */
import { DiagramsPaused } from '../../bdd/diagram.ts'
import type { Diagrams } from '../../bdd/diagrams.ts'

/** Effort between two breaths: less than a tenth of a second, also where it takes two microseconds. */
const usualEffort = 40_000
/** What an attempt computed is found again by the next one if there are so many times as many places for it: some fall on the same one. */
const placesPerEffort = 4
/** An attempt that makes fewer nodes, as a share of its effort, may have been busy with what the one before had computed. */
const leastShare = 1 / 16
/** After so many of them, attempts get longer: some results are nodes that are there, and most are found again. */
const mostFutile = 4

/** Between two breaths some effort is made, as a share of what may be made, or there were some stops: a stop takes microseconds, and a breath takes as long. */
const leastBreath = 1 / 10
const mostStops = 16

export class Patience {
  readonly #diagrams: Diagrams
  readonly #effort: number
  #spentAtBreath = 0
  #stops = 0

  constructor(diagrams: Diagrams, effort = usualEffort) {
    this.#diagrams = diagrams
    this.#effort = effort
  }

  /** `undo`: all that an attempt may have changed is as it was; not needed for what can be done twice. */
  *with<T>(work: () => T, undo?: () => void): Generator<undefined, T> {
    const diagrams = this.#diagrams
    for (let [effort, futile] = [this.#effort, 0]; ; ) {
      const before = diagrams.created
      diagrams.pauseAfter(effort)
      try {
        return work()
      } catch (error) {
        if (!(error instanceof DiagramsPaused)) throw error
        undo?.()
        diagrams.remember(effort * placesPerEffort)
      } finally {
        diagrams.pauseAfter()
      }
      if (diagrams.created - before < effort * leastShare && ++futile % mostFutile === 0) effort *= 2
      yield
    }
  }
  /** Asked at each stop, where others could be let in: whether it is time to. */
  isBreathless(): boolean {
    const { spent } = this.#diagrams
    if (spent - this.#spentAtBreath < this.#effort * leastBreath && ++this.#stops < mostStops) return false
    this.#spentAtBreath = spent
    this.#stops = 0
    return true
  }
}
