/**
 * One search explored by workers on other machines, with the answer of one thread. It begins here; what is left after a second becomes a
 * run, whose records are put together as the parts that threads explore are: see `Parts`. Nothing is counted but records.
 */
import type { Diagnostic } from '../core/diagnostic.ts'
import { invariant } from '../core/invariant.ts'
import { type BudgetName, unitFormat, type WorkUnit } from '../core/verdict.ts'
import { type Carrier, type News, piecesOf, type UnitRecord } from './carrier.ts'
import { type Driven, type Host, isBudget, type Search, type Watch } from './driver.ts'
import { driveInline, InlineDrive } from './inline.ts'
import { type Part, Parts } from './parts.ts'

const sliceMilliseconds = 50
const progressMilliseconds = 100
/** Of the first units: enough for some workers to begin at once. */
const firstPieces = 16
/** Each is of all alternatives at the place of the search that is nearest to its root. */
const firstGifts = 4
/** Workers write down what is left within a second of being asked; who does not is in the middle of a very long step, or dead. */
const patienceMilliseconds = 3_000

/** The first unit of a run. */
export const firstUnit = 'u0'

/** For engines that weigh their units, and without a budget of executions. */
export async function driveScattered(search: Search, watch: Watch, host: Host, carrier: Carrier): Promise<Driven> {
  const startedAt = host.now()
  if (!carrier.isBegun) {
    const here = await begunHere(search, watch, host, carrier.after)
    if ('because' in here) return here
    await carrier.begin(here.driven, piecesOf(here.left, weighing(search), firstPieces))
  }
  return await new ScatteredDrive(watch, host, carrier, startedAt).run()
}

function weighing({ engine, options }: Search): (unit: WorkUnit) => number {
  return (unit) => {
    invariant(engine.weighs !== undefined, 'an engine whose search is given away in parts says how large they are')
    return engine.weighs(unit, options)
  }
}

interface Begun {
  readonly driven: Driven
  readonly left: readonly WorkUnit[]
}

/** All of a search that is over soon; or what was explored in the first second, and what is left, in parts. */
async function begunHere(search: Search, watch: Watch, host: Host, after: number): Promise<Driven | Begun> {
  const startedAt = host.now()
  const isAborted = (): boolean => watch.signal?.aborted === true
  // A budget that ends sooner ends the search here.
  const isWorthIt = after < (watch.budget.milliseconds ?? Number.POSITIVE_INFINITY)
  let isBegun = false
  const isLate = (): boolean => isWorthIt && isBegun && host.now() - startedAt >= after
  let wanted = firstGifts
  let gifts: readonly WorkUnit[] = []
  const sharing = {
    isAsked: () => wanted > 0 && isLate(),
    // What is given later comes before what was given earlier.
    given: (units: readonly WorkUnit[]) => {
      wanted = units.length === 0 ? 0 : wanted - 1
      gifts = [...units, ...gifts]
    },
    explored: () => undefined,
  }
  const signal = {
    get aborted() {
      return isAborted() || (wanted === 0 && isLate())
    },
  }
  const drive = new InlineDrive(search, { ...watch, signal, sharing }, host)
  const slice = { milliseconds: Math.min(sliceMilliseconds, after) }
  while (!drive.slice(slice)) {
    isBegun = true
    await host.pause()
  }
  const driven = drive.result()
  if (!isBudget(driven.because)) return splitFurther(driven, gifts)
  const isLost = driven.remaining.length === 0
  const left = isLost ? [] : [...driven.remaining, ...gifts]
  if (driven.because !== 'interrupt' || isAborted()) return { ...driven, remaining: left }
  // There is too much to write down: it stays here.
  if (isLost) return await driveInline(search, watch, host)
  return { driven: { ...driven, because: 'exhausted', remaining: [] }, left }
}

/** A search that ended has nothing left but what it gave away before; behind a violation nothing counts. */
function splitFurther(driven: Driven, gifts: readonly WorkUnit[]): Driven | Begun {
  const isOpen = (driven.because === 'exhausted' || driven.because === 'undecided') && gifts.length > 0
  return isOpen ? { driven, left: gifts } : driven
}

/** Stands for the work units of a unit, which lie elsewhere. */
interface StandIn {
  readonly id: string
  readonly weight: number
}

class ScatteredDrive {
  readonly #watch: Watch
  readonly #host: Host
  readonly #carrier: Carrier
  readonly #startedAt: number
  #parts = newParts()
  /** By unit, those without a record. */
  readonly #pending = new Map<string, Part>()
  readonly #seen = new Map<string, UnitRecord['seen']>()
  #reportedAt: number

  constructor(watch: Watch, host: Host, carrier: Carrier, startedAt: number) {
    this.#watch = watch
    this.#host = host
    this.#carrier = carrier
    this.#startedAt = startedAt
    this.#reportedAt = startedAt
    carrier.heed(() => this.#spent() !== undefined)
    this.#begin()
  }

  #begin(): void {
    this.#parts = newParts()
    this.#pending.clear()
    this.#seen.clear()
    this.#pending.set(firstUnit, this.#parts.first([standIn({ id: firstUnit, weight: 1 })]))
  }

  async run(): Promise<Driven> {
    try {
      return await this.#collected()
    } finally {
      this.#carrier.tell(this.#seen)
    }
  }

  async #collected(): Promise<Driven> {
    for (;;) {
      const news = await this.#carrier.news()
      await this.#addAll(news)
      const { wrong, deadly } = news
      if (wrong !== undefined) return this.#ended(wrong)
      if (deadly !== undefined && this.#pending.has(deadly)) return await this.#withoutWorkers(deadly)
      if (this.#pending.size === 0) return await this.#finished()
      const spent = this.#spent()
      if (spent !== undefined) return await this.#leave(spent)
      this.#report()
      await this.#carrier.wait()
    }
  }

  async #addAll({ records, anew }: News): Promise<void> {
    if (anew === true) this.#begin()
    for (const record of records) this.#add(record)
    const dropped = [...this.#pending].filter(([, { isDropped }]) => isDropped).map(([id]) => id)
    for (const id of dropped) this.#pending.delete(id)
    if (dropped.length > 0) await this.#carrier.drop(dropped)
  }

  #add({ id, driven, children, seen }: UnitRecord): void {
    const part = this.#pending.get(id)
    // What nobody needs any more may have been recorded meanwhile.
    if (part === undefined) return
    this.#pending.delete(id)
    if (part.isDropped) return
    this.#seen.set(id, seen)
    // What is given later comes before what was given earlier.
    for (const child of children.toReversed())
      for (const given of this.#parts.give(part, [standIn(child)], 1)) this.#pending.set(child.id, given)
    this.#parts.end(part, isBudget(driven.because) ? { ...driven, because: 'exhausted' } : driven)
  }

  #spent(): BudgetName | undefined {
    const { budget, signal } = this.#watch
    if (signal?.aborted === true) return 'interrupt'
    if (this.#elapsed() >= (budget.milliseconds ?? Number.POSITIVE_INFINITY)) return 'time'
    return this.#host.memory() >= (budget.bytes ?? Number.POSITIVE_INFINITY) ? 'memory' : undefined
  }

  #elapsed(): number {
    return this.#host.now() - this.#startedAt
  }

  /** A search that ended claims something of what workers have called, too. */
  async #finished(): Promise<Driven> {
    const driven = this.#parts.result(undefined)
    const wrong = driven.because === 'exhausted' ? await this.#carrier.finish() : undefined
    if (wrong === 'aborted') return { ...driven, because: 'interrupt' }
    return wrong === undefined ? driven : { ...driven, because: 'diagnostic', diagnostic: wrong }
  }

  /** All that is left is kept, and what ended its workers comes first. */
  async #withoutWorkers(deadly: string): Promise<Driven> {
    const alone = (await this.#carrier.unitsOf([deadly])).get(deadly) ?? []
    const { remaining: units, ...driven } = await this.#leave('interrupt', deadly)
    if (driven.because !== 'interrupt') return { ...driven, remaining: units }
    const { counts, explored } = driven
    return this.#ended(this.#carrier.deadly(deadly, alone.length, { units, counts, explored }))
  }

  /** What nobody hands over in time is as it was given to him. */
  async #leave(because: BudgetName, first?: string): Promise<Driven> {
    await this.#carrier.leave()
    const since = this.#host.now()
    for (let isLate = false; ; isLate = this.#host.now() - since >= patienceMilliseconds) {
      await this.#carrier.wait()
      const busy = await this.#carrier.busy()
      const news = await this.#carrier.news()
      await this.#addAll(news)
      if (news.wrong !== undefined) return this.#ended(news.wrong)
      if (this.#pending.size === 0) return await this.#finished()
      if (busy > 0 && !isLate) continue
      const left = await this.#carrier.unitsOf([...this.#pending.keys()])
      // Somebody may have recorded one meanwhile: then there is news of it.
      if ([...this.#pending.keys()].every((id) => left.has(id))) return this.#left(because, left, first)
      if (this.#host.now() - since >= 2 * patienceMilliseconds) return this.#ended(this.#carrier.unfinished())
    }
  }

  #left(because: BudgetName, left: ReadonlyMap<string, readonly WorkUnit[]>, first: string | undefined): Driven {
    const driven = this.#parts.result(because)
    const ids = driven.remaining.map(({ state }) => (state as StandIn).id)
    const ordered = [...ids.filter((id) => id === first), ...ids.filter((id) => id !== first)]
    return { ...driven, remaining: ordered.flatMap((id) => left.get(id) ?? []) }
  }

  #ended(wrong: Diagnostic): Driven {
    return { ...this.#parts.result(undefined), because: 'diagnostic', diagnostic: wrong }
  }

  #report(): void {
    const now = this.#host.now()
    if (now - this.#reportedAt < progressMilliseconds) return
    this.#reportedAt = now
    this.#watch.onProgress?.({ ...this.#parts.progress(), milliseconds: now - this.#startedAt })
  }
}

function newParts(): Parts {
  return new Parts((units) => units.reduce((sum, { state }) => sum + (state as StandIn).weight, 0))
}

function standIn(state: StandIn): WorkUnit {
  return { format: unitFormat, engine: '', state }
}
