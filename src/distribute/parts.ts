/**
 * The parts of a search, in the order in which one thread would explore them. The first that ends the search, by a violation say, is
 * the one that one thread would have met: what comes after it does not count. Nothing is ever counted but what parts say when they end,
 * so that a part which is lost can be explored again.
 */
import { violationKey } from '../core/property.ts'
import { addCounts, type BudgetName, type Counts, noCounts, type WorkUnit } from '../core/verdict.ts'
import type { PartProgress } from './crew.ts'
import { type Driven, type EndOfSearch, type Found, isBudget } from './driver.ts'

export interface Part {
  readonly id: number
  /** Undefined is the whole search. */
  readonly units: readonly WorkUnit[] | undefined
  /** Its share of the whole search, as it is found; what it gives away is taken off. */
  weight: number
  /** Who gave it away. */
  readonly from: Part | undefined
  progress: PartProgress
  driven: Driven | undefined
  /** It does not count any more. */
  isDropped: boolean
}

function endsSearch({ because }: Driven): boolean {
  return because === 'violation' || because === 'diagnostic'
}

const nothingYet: PartProgress = { counts: noCounts, violations: 0, explored: 0 }

export class Parts {
  readonly #weigh: (units: readonly WorkUnit[]) => number
  readonly #order: Part[] = []
  readonly #waiting = new Set<Part>()
  #made = 0
  /** The first part that ended the search, and all that come after it. */
  #last: Part | undefined
  readonly #beyond: Part[] = []

  constructor(weigh: (units: readonly WorkUnit[]) => number) {
    this.#weigh = weigh
  }

  first(units: readonly WorkUnit[] | undefined): Part {
    const part = this.#part(units, undefined)
    this.#order.push(part)
    return part
  }

  /** Of what a part gives away, so many parts; later gifts come before earlier ones. */
  give(from: Part, units: readonly WorkUnit[], many: number): readonly Part[] {
    const each = Math.ceil(units.length / Math.max(1, Math.min(many, units.length)))
    const given: Part[] = []
    for (let at = 0; at < units.length; at += each) given.push(this.#part(units.slice(at, at + each), from))
    for (const part of given) {
      from.weight -= part.weight
      this.#waiting.add(part)
    }
    this.#order.splice(this.#order.indexOf(from) + 1, 0, ...given)
    return given
  }

  #part(units: readonly WorkUnit[] | undefined, from: Part | undefined): Part {
    const weight = units === undefined ? 1 : this.#weigh(units)
    return {
      id: this.#made++,
      units,
      weight,
      from,
      progress: nothingYet,
      driven: undefined,
      isDropped: false,
    }
  }

  /** A part that nobody explores; somebody does from now on. */
  take(): Part | undefined {
    for (const part of this.#waiting) {
      this.#waiting.delete(part)
      return part
    }
    return undefined
  }

  get waiting(): number {
    return this.#waiting.size
  }

  /** What ended the search drops all that comes after it. */
  end(part: Part, driven: Driven): void {
    part.driven = driven
    this.#endAt(part)
  }

  #endAt(part: Part): void {
    if (part.driven === undefined || !endsSearch(part.driven)) return
    this.#last = part
    const later = this.#order.splice(this.#order.indexOf(part) + 1)
    for (const one of later) this.#drop(one)
    this.#beyond.unshift(...later)
  }

  /** Nothing of it counts that was told, nor what it gave away: another part with its units waits in its place. */
  again(lost: Part): void {
    const isFrom = (one: Part): boolean => one.from !== undefined && (one.from === lost || isFrom(one.from))
    for (const parts of [this.#order, this.#beyond])
      for (const one of parts.filter(isFrom)) {
        parts.splice(parts.indexOf(one), 1)
        this.#drop(one)
      }
    const part = this.#part(lost.units, lost.from)
    this.#order[this.#order.indexOf(lost)] = part
    this.#drop(lost)
    this.#waiting.add(part)
    if (this.#last?.isDropped === true) this.#reopen()
  }

  /** What ended the search is lost: what comes after it counts after all. */
  #reopen(): void {
    this.#last = undefined
    const later = this.#beyond.splice(0)
    this.#order.push(...later)
    for (const one of later) one.isDropped = false
    for (const one of later) if (one.driven === undefined && !one.isDropped) this.again(one)
    const first = this.#order.find(({ driven }) => driven !== undefined && endsSearch(driven))
    if (first !== undefined) this.#endAt(first)
  }

  #drop(part: Part): void {
    part.isDropped = true
    this.#waiting.delete(part)
  }

  progress(): PartProgress {
    let [counts, violations, explored]: [Counts, number, number] = [noCounts, 0, 0]
    for (const { driven, progress } of this.#order) {
      counts = addCounts(counts, (driven ?? progress).counts)
      violations += driven?.found.length ?? progress.violations
      explored += (driven ?? progress).explored
    }
    return { counts, violations, explored: Math.min(1, explored) }
  }

  /** When nobody explores any more. */
  result(spent: BudgetName | undefined): Driven {
    const all = this.#order
    const found = new Map<string, Found>()
    for (const one of all.flatMap(({ driven }) => driven?.found ?? [])) {
      const key = violationKey(one.violation)
      if (!found.has(key)) found.set(key, one)
    }
    const remaining = this.#remaining()
    const because = this.#last?.driven?.because ?? this.#because(spent, remaining)
    return {
      because,
      counts: this.progress().counts,
      explored: this.progress().explored,
      found: [...found.values()],
      evidence: all.flatMap(({ driven }) => driven?.evidence ?? []),
      diagnostic: this.#last?.driven?.diagnostic,
      remaining: isBudget(because) ? remaining : [],
    }
  }

  #because(spent: BudgetName | undefined, remaining: readonly WorkUnit[]): EndOfSearch {
    const ends = this.#order.map(({ driven }) => driven?.because)
    if (spent !== undefined && (remaining.length > 0 || ends.some((end) => end !== undefined && isBudget(end))))
      return spent
    return ends.includes('undecided') ? 'undecided' : 'exhausted'
  }

  /** All of it in order, or nothing: a part that could not write down what it left leaves a hole. */
  #remaining(): readonly WorkUnit[] {
    const isLost = ({ driven }: Part): boolean =>
      driven !== undefined && isBudget(driven.because) && driven.remaining.length === 0
    if (this.#order.some(isLost)) return []
    return this.#order.flatMap(({ driven, units }) => (driven === undefined ? (units ?? []) : driven.remaining))
  }
}
