/** The driver: one unit after the other in this thread, in slices between which timers and signals get their turn. */
import { type Diagnostic, DiagnosticError } from '../core/diagnostic.ts'
import { type Evidence, findingsIn } from '../core/evidence.ts'
import { violationKey } from '../core/property.ts'
import type { Decision } from '../core/trace.ts'
import { addCounts, type BudgetName, type Counts, noCounts } from '../core/verdict.ts'
import type { EngineEvent, EngineRequest } from '../engines/engine.ts'
import { Audits } from './audits.ts'
import {
  type Auditing,
  type Driven,
  type Driver,
  type EndOfSearch,
  type Found,
  type Host,
  isBudget,
  type Search,
  type Slice,
  type Watch,
} from './driver.ts'
import { Signs } from './signs.ts'
import { UnitQueue } from './unit-queue.ts'

const sliceMilliseconds = 50
const progressMilliseconds = 100

/**
 * What may be spent on writing down what is left of a search: nobody waits longer for an answer to Ctrl-C. So many units are
 * always written down, however slow the computer is.
 */
const surrenderMilliseconds = 100
const fewUnits = 64
const mostUnits = 200_000
const unitsPerLook = 16
/** A search that is ended because of memory needs some to write down what is left. */
const memoryToSurrender = 1.2

/** The clock is read once in so many executions; the stride doubles while that is more often than once a millisecond. */
const longestStride = 4096

export const driveInline: Driver = async (search, watch, host) => {
  const drive = new InlineDrive(search, watch, host)
  while (!drive.slice({ milliseconds: sliceMilliseconds })) await host.pause()
  return drive.result()
}

type Execution = Extract<EngineEvent, { readonly kind: 'execution' }>
type Exploration = Generator<EngineEvent, void, EngineRequest>

interface Leaving {
  readonly because: BudgetName
  readonly since: number
}

/** One search in progress. */
export class InlineDrive {
  readonly #search: Search
  readonly #watch: Watch
  readonly #host: Host
  readonly #startedAt: number
  readonly #units: UnitQueue
  readonly #found = new Map<string, Found>()
  readonly #evidence: Evidence[] = []
  #isUndecided = false
  #exploration: Exploration | undefined
  #because: EndOfSearch | undefined
  /** The budget that is spent, while what is left is written down. */
  #leaving: Leaving | undefined
  #diagnostic: Diagnostic | undefined

  #counts = noCounts
  /** What the unit that is being explored says it has counted, if it does so itself. */
  #unitCounts = noCounts
  /** Executions explored, complete and blocked together. */
  #executions = 0
  /** Shares of the search: units that are finished, and the unit that is not. */
  #exploredBefore = 0
  #exploredNow = 0

  /** Executions until something is due: a look at the clock, an audit, or the end of the executions' budget. */
  #countdown = 1
  #stride = 1
  #lastLook: number
  #lastProgress: number
  #slice: Slice = { milliseconds: sliceMilliseconds }
  #sliceStart = 0
  #sliceSigns = 0
  readonly signs = new Signs()
  readonly #audits: Audits
  /** The audit of the last execution, while it lasts. */
  #auditing: Auditing | undefined

  constructor(search: Search, watch: Watch, host: Host, audits = new Audits(watch.audit)) {
    this.#search = search
    this.#watch = watch
    this.#audits = audits
    this.#host = host
    this.#units = new UnitQueue(search.units, watch.sharing)
    this.#startedAt = host.now()
    this.#lastLook = this.#startedAt
    this.#lastProgress = this.#startedAt
  }

  /** Explores for a while; true when the search is over. */
  slice(slice: Slice): boolean {
    this.#lastLook = this.#host.now()
    this.#sliceStart = this.#lastLook
    this.#sliceSigns = this.signs.count
    this.#slice = slice
    try {
      if (this.#leaving !== undefined) this.#surrender(this.#leaving)
      else if (this.#watch.signal?.aborted) this.#stop('interrupt')
      if (this.#leaving !== undefined || this.#isAuditing()) return this.#because !== undefined
      while (this.#because === undefined) {
        const exploration = this.#nextExploration()
        if (exploration === undefined) this.#because = this.#isUndecided ? 'undecided' : 'exhausted'
        else if (this.#explore(exploration)) return false
      }
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error
      this.#complain(error.diagnostic)
    }
    return true
  }

  /** Ends a search that nobody waits for any more, and lets go of what it remembers. */
  abandon(because: EndOfSearch): void {
    if (this.#because === undefined) this.#end(because)
  }

  result(): Driven {
    const because = this.#because ?? 'exhausted'
    return {
      because,
      counts: this.#allCounts(),
      explored: this.#explored(),
      found: [...this.#found.values()],
      evidence: this.#evidence,
      diagnostic: this.#diagnostic,
      remaining: isBudget(because) ? this.#units.units : [],
      ...this.signs.picked,
    }
  }

  #nextExploration(): Exploration | undefined {
    if (this.#exploration !== undefined) return this.#exploration
    if (this.#units.length === 0) return undefined
    const { engine, subject, options } = this.#search
    this.#exploration = engine.explore(subject, options, this.#units.next(), { room: () => this.#room() })
    return this.#exploration
  }

  #room(): number {
    const { bytes = Number.POSITIVE_INFINITY } = this.#watch.budget
    return bytes - this.#host.memory()
  }

  /**
   * The hot loop. True when the slice is over, false when the unit or the search is. Sums are kept in local variables until
   * something is due: so it costs at most some 15 ns per execution more than a bare loop that counts (engine that does nothing).
   */
  #explore(exploration: Exploration): boolean {
    const units = this.#units
    for (;;) {
      let [blocked, events, longest] = [0, 0, 0]
      let last: Execution | undefined
      let other: Exclude<EngineEvent, Execution> | undefined
      let left = this.#countdown
      const before = left
      while (left > 0) {
        const { done, value } = exploration.next(units.request)
        units.request = undefined
        if (done) break
        if (value.kind !== 'execution') {
          other = value
          break
        }
        left--
        last = value
        if (value.blocked) blocked++
        events += value.events
        if (value.length > longest) longest = value.length
      }
      this.#countdown = left
      if (last !== undefined)
        this.#add({ executions: before - left - blocked, blocked, events, longest }, last.explored)
      if (other !== undefined) {
        this.#note(other)
        if (this.#leaving !== undefined) return this.#because === undefined
        if (other.kind === 'ending' && this.#isAuditing()) return this.#because === undefined
        // A search that is over is not ended by a budget.
        const isUnderWay = other.kind === 'progress' && other.explored < 1
        if (isUnderWay && this.#because === undefined && this.#lookAt()) return this.#because === undefined
      } else if (left > 0) this.#finishUnit()
      else if (last !== undefined && this.#look(last)) return this.#because === undefined
      if (this.#because !== undefined || this.#exploration === undefined) return false
    }
  }

  #add(counts: Counts, explored: number): void {
    this.#counts = addCounts(this.#counts, counts)
    const executions = (counts.executions ?? 0) + (counts.blocked ?? 0)
    this.#executions += executions
    this.#audits.add(executions)
    this.#exploredNow = explored
  }

  /** Does what is due. True when the slice is over or the search has been stopped. */
  #look(event: Execution): boolean {
    if (this.#audits.left <= 0) this.#auditing = this.#audits.begin(event, this.#found)
    return this.#isAuditing() || this.#because !== undefined || this.#lookAt()
  }

  #lookAt(): boolean {
    const now = this.#host.now()
    const spent = this.#exceededBudget(now)
    this.#units.look(this.#explored())
    if (spent !== undefined) {
      this.#stop(spent)
      return true
    }
    if (now - this.#lastProgress >= progressMilliseconds) this.#report(now)
    this.#plan(now)
    return this.#isSliceOver(now - this.#sliceStart)
  }

  #isSliceOver(elapsed: number): boolean {
    const { milliseconds, signs = Number.POSITIVE_INFINITY, atLeast } = this.#slice
    if (this.signs.count - this.#sliceSigns >= signs) return true
    if (elapsed < milliseconds) return false
    return atLeast === undefined || this.signs.count >= atLeast.signs || elapsed >= atLeast.withinMilliseconds
  }

  #exceededBudget(now: number): BudgetName | undefined {
    const { budget, signal } = this.#watch
    if (signal?.aborted) return 'interrupt'
    if (this.#executions >= (budget.executions ?? Number.POSITIVE_INFINITY)) return 'executions'
    if (now - this.#startedAt >= (budget.milliseconds ?? Number.POSITIVE_INFINITY)) return 'time'
    if (budget.bytes !== undefined && this.#host.memory() >= budget.bytes) return 'memory'
    return undefined
  }

  #plan(now: number): void {
    const elapsed = now - this.#lastLook
    if (elapsed < 1 && this.#stride < longestStride) this.#stride *= 2
    else if (elapsed > 4 && this.#stride > 1) this.#stride = Math.ceil(this.#stride / 2)
    this.#lastLook = now
    const toBudget = (this.#watch.budget.executions ?? Number.POSITIVE_INFINITY) - this.#executions
    this.#countdown = Math.max(1, Math.min(this.#stride, toBudget, this.#audits.left))
  }

  /** Goes on with an audit. True when there is more of it than fits into the slice, or the search has been stopped. */
  #isAuditing(): boolean {
    for (let next = this.#auditing?.next(); next !== undefined; next = this.#auditing?.next()) {
      if (next.done) {
        this.#auditing = undefined
        if (next.value !== undefined) this.#complain(next.value)
      } else if (this.#lookAt()) return true
    }
    return false
  }

  #note(event: Exclude<EngineEvent, Execution>): void {
    switch (event.kind) {
      case 'violation': {
        const { violation, decisions, foundIn, counts, expand, repeatsFrom } = event
        this.#unitCounts = counts ?? this.#unitCounts
        const key = violationKey(violation)
        if (!this.#found.has(key)) this.#found.set(key, { violation, decisions, foundIn, expand, repeatsFrom })
        if (!this.#watch.keepGoing) this.#end('violation')
        return
      }
      case 'progress':
        this.#unitCounts = event.counts
        this.#exploredNow = event.explored
        this.signs.add(event)
        return
      case 'ending':
        this.#unitCounts = event.counts
        // The other searches of states do not run the code of processes.
        if (this.#search.engine.needs === 'path') this.#auditEnding(event.decisions)
        return
      case 'evidence':
        this.#evidence.push(event.evidence)
        this.#isUndecided ||= !event.decides
        if (findingsIn([event.evidence]).length > 0 && !this.#watch.keepGoing) this.#end('violation')
        return
      case 'diagnostic':
        return this.#complain(event.diagnostic)
      case 'full':
        return this.#stop('memory')
      case 'bound':
        return this.#giveUp('steps')
      case 'unsaved':
        return this.#giveUp(this.#leaving?.because ?? 'interrupt')
      case 'surplus':
        if (this.#units.keep(event.unit)) this.#countdown = 1
    }
  }

  #auditEnding(decisions: () => readonly Decision[]): void {
    this.#audits.add(1)
    if (this.#audits.left > 0) return
    this.#auditing = this.#audits.begin({ decisions }, this.#found)
  }

  /** A budget is spent: everything unexplored becomes units again, unless the search cannot be split. */
  #stop(because: BudgetName): void {
    if (this.#search.engine.units === 'whole') return this.#end(because)
    if (this.#exploration === undefined) {
      this.#because = because
      return
    }
    this.#units.surrender()
    this.#leaving = { because, since: this.#host.now() }
    this.#surrender(this.#leaving)
  }

  /** As much as fits into a slice, so that whoever does not want to wait for it can end the process. */
  #surrender({ because, since }: Leaving): void {
    const exploration = this.#exploration as Exploration
    const until = this.#host.now() + sliceMilliseconds
    for (let next = exploration.next('surrender'); !next.done; next = exploration.next('surrender')) {
      if (this.#isTooMuch(since)) return this.#giveUp(because)
      if (next.value.kind === 'execution') this.#add(countsOf(next.value), next.value.explored)
      else this.#note(next.value)
      if (this.#because !== undefined) return
      if (this.#units.length % unitsPerLook === 0 && this.#host.now() > until) return
    }
    this.#finishUnit()
    this.#because = this.#units.length === 0 ? 'exhausted' : because
  }

  /** A long execution with many alternatives has more units, each as long, than can be written down. */
  #isTooMuch(startedAt: number): boolean {
    if (this.#units.length > mostUnits) return true
    if (this.#units.length % unitsPerLook !== 0) return false
    const { bytes } = this.#watch.budget
    const isLate = this.#units.length > fewUnits && this.#host.now() - startedAt > surrenderMilliseconds
    return isLate || (bytes !== undefined && this.#host.memory() > bytes * memoryToSurrender)
  }

  /** What is left is not kept: a later run starts again. */
  #giveUp(because: BudgetName): void {
    this.#units.clear()
    this.#end(because)
  }

  #finishUnit(): void {
    this.#units.tell()
    this.#exploration = undefined
    this.#counts = this.#allCounts()
    this.#unitCounts = noCounts
    this.#exploredBefore += this.#exploredNow
    this.#exploredNow = 0
  }

  #complain(diagnostic: Diagnostic): void {
    this.#diagnostic = diagnostic
    this.#end('diagnostic')
  }

  #end(because: EndOfSearch): void {
    this.#units.tell()
    this.#because = because
    this.#exploration?.return()
    this.#exploration = undefined
  }

  #report(now: number): void {
    this.#lastProgress = now
    this.#watch.onProgress?.({
      counts: this.#allCounts(),
      violations: this.#found.size,
      milliseconds: now - this.#startedAt,
      explored: this.#explored(),
      now: this.signs.now,
    })
  }

  #allCounts(): Counts {
    return addCounts(this.#counts, this.#unitCounts)
  }

  #explored(): number {
    return Math.min(1, this.#exploredBefore + this.#exploredNow)
  }
}

function countsOf({ blocked, events, length }: Execution): Counts {
  return { executions: blocked ? 0 : 1, blocked: blocked ? 1 : 0, events, longest: length }
}
