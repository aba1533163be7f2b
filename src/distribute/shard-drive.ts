/** One shard of a search: it is cut as all shards cut it, and the pieces of this one are explored in the order of one thread. */
import type { Evidence } from '../core/evidence.ts'
import { violationKey } from '../core/property.ts'
import type { DonePiece, Shard } from '../core/shard.ts'
import { addCounts, type BudgetName, type Counts, countedExecutions, exploredIn, noCounts } from '../core/verdict.ts'
import { Audits } from './audits.ts'
import { Cutting, dealt, type Piece } from './cutting.ts'
import { type Driven, type EndOfSearch, type Found, type Host, isBudget, type Search, type Watch } from './driver.ts'
import { InlineDrive } from './inline.ts'

const sliceMilliseconds = 50

export async function driveShard(search: Search, watch: Watch, host: Host, shard: Shard): Promise<Driven> {
  return await new ShardDrive(search, watch, host, shard).run()
}

class ShardDrive {
  readonly #search: Search
  readonly #watch: Watch
  readonly #host: Host
  readonly #shard: Shard
  /** Of what is explored behind the cutting, during which the first executions are audited. */
  readonly #audits: Audits
  readonly #cutting: Cutting
  readonly #startedAt: number
  /** The share of the whole search that the shard is. */
  #weight = 1
  readonly #done: DonePiece[] = []
  #counts: Counts = noCounts
  #explored = 0
  readonly #evidence: Evidence[] = []
  #isUndecided = false
  readonly #found = new Map<string, { readonly found: Found; readonly at: number }>()
  #last: Driven | undefined
  #because: EndOfSearch | undefined

  constructor(search: Search, watch: Watch, host: Host, shard: Shard) {
    this.#search = search
    this.#watch = watch
    this.#host = host
    this.#shard = shard
    this.#audits = new Audits(watch.audit, 'beside others')
    this.#cutting = new Cutting(search, watch, new Audits(watch.audit && wholeAudits(watch.audit)), shard.of)
    this.#startedAt = host.now()
  }

  async run(): Promise<Driven> {
    await this.#cut()
    const { pieces } = this.#cutting
    const own = dealt(pieces, this.#shard.of)[this.#shard.number - 1] ?? []
    this.#weight = own.reduce((sum, at) => sum + (pieces[at] as Piece).weight, 0)
    for (const at of own) {
      this.#because ??= this.#spent()
      if (this.#because !== undefined) break
      const piece = pieces[at] as Piece
      this.#add(at, piece.driven ?? (await this.#explore(piece.units)))
    }
    return this.#result()
  }

  /** Between cuts others get their turn; a budget that is spent meanwhile leaves nothing explored. */
  async #cut(): Promise<void> {
    for (let isLeft = true; isLeft && this.#because === undefined; ) {
      const until = this.#host.now() + sliceMilliseconds
      do isLeft = this.#cutting.step()
      while (isLeft && this.#host.now() < until)
      await this.#host.pause()
      this.#because = this.#spent()
    }
  }

  #spent(): BudgetName | undefined {
    const { budget, signal } = this.#watch
    if (signal?.aborted === true) return 'interrupt'
    if (exploredIn(this.#counts, countedExecutions) >= (budget.executions ?? Number.POSITIVE_INFINITY))
      return 'executions'
    if (this.#host.now() - this.#startedAt >= (budget.milliseconds ?? Number.POSITIVE_INFINITY)) return 'time'
    return this.#host.memory() >= (budget.bytes ?? Number.POSITIVE_INFINITY) ? 'memory' : undefined
  }

  async #explore(units: Piece['units']): Promise<Driven> {
    const { budget, keepGoing, signal, onProgress } = this.#watch
    const { milliseconds, executions } = budget
    const left = {
      ...budget,
      milliseconds: milliseconds === undefined ? undefined : milliseconds - (this.#host.now() - this.#startedAt),
      executions: executions === undefined ? undefined : executions - exploredIn(this.#counts, countedExecutions),
    }
    const before = { counts: this.#counts, violations: this.#found.size, explored: this.#explored }
    const watch: Watch = {
      budget: left,
      keepGoing,
      signal,
      onProgress: ({ counts, violations, explored, milliseconds: _, ...more }) =>
        onProgress?.({
          ...more,
          counts: addCounts(before.counts, counts),
          violations: before.violations + violations,
          milliseconds: this.#host.now() - this.#startedAt,
          explored: this.#shareOf(before.explored + explored),
        }),
    }
    const drive = new InlineDrive({ ...this.#search, units }, watch, this.#host, this.#audits)
    while (!drive.slice({ milliseconds: sliceMilliseconds })) await this.#host.pause()
    return drive.result()
  }

  /** Of the shard, and not of the search. */
  #shareOf(explored: number): number {
    return this.#weight === 0 ? 1 : Math.min(1, explored / this.#weight)
  }

  #add(at: number, driven: Driven): void {
    this.#last = driven
    this.#counts = addCounts(this.#counts, driven.counts)
    this.#explored += driven.explored
    this.#evidence.push(...driven.evidence)
    for (const found of driven.found) {
      const key = violationKey(found.violation)
      if (!this.#found.has(key)) this.#found.set(key, { found, at })
    }
    const { because } = driven
    // What was cut from it is another piece.
    const isCut = (this.#cutting.pieces[at] as Piece).driven !== undefined && isBudget(because)
    const isDone = isCut || because === 'exhausted' || because === 'undecided'
    if (because === 'undecided') this.#isUndecided = true
    if (isDone || because === 'violation') this.#done.push({ at, counts: driven.counts, share: driven.explored })
    if (!isDone) this.#because = because
  }

  #result(): Driven {
    const because = this.#because ?? (this.#isUndecided ? 'undecided' : 'exhausted')
    const { number, of } = this.#shard
    const { pieces } = this.#cutting
    return {
      because,
      counts: this.#counts,
      explored: this.#shareOf(this.#explored),
      found: [...this.#found.values()].map(({ found }) => found),
      evidence: this.#evidence,
      diagnostic: this.#last?.diagnostic,
      remaining: [],
      shard: {
        ...{ number, of, done: this.#done, pieces: pieces.length, cut: this.#cutting.text() },
        foundIn: new Map([...this.#found].map(([key, { at }]) => [key, at])),
      },
    }
  }
}

/** While time stands still nobody breathes: audits go on to their end. */
function wholeAudits(audit: NonNullable<Watch['audit']>): NonNullable<Watch['audit']> {
  return (...asked) => {
    const auditing = audit(...asked)
    return {
      next: () => {
        for (;;) {
          const next = auditing.next()
          if (next.done === true) return next
        }
      },
    }
  }
}
