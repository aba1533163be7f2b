/** Checks a class: client after client, smallest first, until one fails, all are done, or a budget is spent. */
import type { AtomicSection } from '../../core/code.ts'
import { type Diagnostic, DiagnosticError, failure, type Result, success } from '../../core/diagnostic.ts'
import { type ClientCounterexample, execution } from '../../core/evidence.ts'
import { running } from '../../core/running.ts'
import { addCounts, type BudgetName, type Counts, exploredIn, type Verdict } from '../../core/verdict.ts'
import { type Driven, type Host, isBudget, type Progress } from '../../distribute/driver.ts'
import { driveInline } from '../../distribute/inline.ts'
import { statefulOptions } from '../../engines/stateful/options.ts'
import { stateful } from '../../engines/stateful/stateful.ts'
import type { Client } from '../../properties/linearizability/client.ts'
import { clientCount } from '../../properties/linearizability/client-count.ts'
import { clients as clientsIn } from '../../properties/linearizability/client-enumeration.ts'
import { objectPaths } from '../../semantics/memory/object-path.ts'
import { AssignedAfterAllError } from '../../semantics/memory/search-error.ts'
import { ObjectWorld } from '../../semantics/memory/world.ts'
import { guardDeterminism } from '../guard.ts'
import { realHost } from '../host.ts'
import { located } from '../locate.ts'
import { alikeKey } from './alike.ts'
import { findCauses } from './causes.ts'
import { judgedFinding } from './counterexample.ts'
import { declaredAt } from './declared-at.ts'
import { engineOptionsOf, type ObjectProgress, type ObjectRequest, type ObjectRunOptions, scopeOf } from './request.ts'
import { subjectOf } from './subjects.ts'

export interface ObjectChecked {
  readonly verdict: Verdict
  readonly seconds: number
  /** Counts of the clients that were explored to their end: where a search that a budget ended goes on. */
  readonly done: Counts
}

export async function runObjectCheck(
  request: ObjectRequest,
  options: ObjectRunOptions = {},
): Promise<Result<ObjectChecked>> {
  const host = options.host ?? realHost
  const startedAt = host.now()
  const release = guardDeterminism()
  running.mistake = undefined
  try {
    const run = new ObjectRun(request, options, host)
    const verdict = await reached(run)
    if (!verdict.ok) return failure(...verdict.diagnostics.map((one) => located(declaredAt(one, request.check))))
    return success({ verdict: verdict.value, seconds: (host.now() - startedAt) / 1000, done: run.done })
  } finally {
    running.mistake = undefined
    release()
  }
}

async function reached(run: ObjectRun): Promise<Result<Verdict>> {
  try {
    return await run.verdict()
  } catch (error) {
    if (error instanceof DiagnosticError) return failure(error.diagnostic)
    throw error
  }
}

/** What came out of checking all clients with some sections. */
interface Sweep {
  readonly counterexamples: readonly ClientCounterexample[]
  readonly failing: Client | undefined
  readonly verified: number
  readonly because: BudgetName | undefined
  readonly diagnostic: Diagnostic | undefined
}

class ObjectRun {
  readonly #request: ObjectRequest
  readonly #options: ObjectRunOptions
  readonly #host: Host
  readonly #startedAt: number
  readonly #outOf: number
  #counts: Counts
  #done: Counts
  #alike = 0
  #phase: ObjectProgress['phase'] = 'searching'
  #lastProgress: number

  constructor(request: ObjectRequest, options: ObjectRunOptions, host: Host) {
    this.#request = request
    this.#options = options
    this.#host = host
    this.#startedAt = host.now()
    this.#lastProgress = this.#startedAt
    this.#counts = options.resume ?? nothingYet(request)
    this.#done = this.#counts
    const { clients } = request
    this.#outOf = clients.kind === 'given' ? clients.clients.length : Number(clientCount(clients.space))
  }

  get done(): Counts {
    return this.#done
  }

  async verdict(): Promise<Result<Verdict>> {
    const request = this.#request
    const sweep = await this.#sweep(request.sections, request.keepGoing)
    if (sweep.diagnostic !== undefined) return failure(sweep.diagnostic)
    const scope = scopeOf(request)
    const counts = this.#counts
    const [first] = sweep.counterexamples
    const executions = sweep.counterexamples.map(execution)
    if (first !== undefined && sweep.failing !== undefined) {
      const isCaused = request.wantsCauses && first.violation.kind === 'linearizability'
      const causes = isCaused ? [{ kind: 'sections', ...(await this.#causes(sweep.failing)) } as const] : []
      const evidence = [...executions, ...causes]
      return success({ kind: 'violated', scope, counts, evidence, exhausted: false, alike: this.#alike })
    }
    const { because } = sweep
    if (because === undefined) return success({ kind: request.engine.claims, scope, counts, evidence: [] })
    const outOf = this.#outOf
    const explored = outOf === 0 ? 0 : (counts.clients ?? 0) / outOf
    return success({ kind: 'incomplete', scope, counts, evidence: [], because, explored, remaining: [], outOf })
  }

  async #causes(client: Client) {
    this.#phase = 'finding causes'
    this.#report(0, 0)
    return await findCauses({
      request: this.#request,
      client,
      nextFailing: async (sections) => {
        this.#phase = 'checking the repair'
        const { failing, verified, because, diagnostic } = await this.#sweep(sections, false)
        if (diagnostic !== undefined) throw new DiagnosticError(diagnostic)
        return { client: failing, verified, isComplete: because === undefined }
      },
    })
  }

  async #sweep(sections: readonly AtomicSection[], keepGoing: boolean): Promise<Sweep> {
    const counterexamples = new Map<string, ClientCounterexample>()
    let failing: Client | undefined
    let verified = 0
    let isFirst = true
    let spent: BudgetName | undefined
    this.#counts = this.#phase === 'searching' ? this.#counts : { ...this.#counts, clients: 0 }
    // The clients come in the same order every time: those explored before need not be again.
    let before = this.#phase === 'searching' ? (this.#options.resume?.clients ?? 0) : 0
    for (const client of this.#clients()) {
      if (before-- > 0) continue
      // Every run gets on by a client at least, however small its budget is.
      if (!isFirst) spent = await this.#spentBetween()
      if (spent !== undefined) break
      const subject = this.#patiently(() => subjectOf(this.#asked, client, sections))
      this.#report(0, 0)
      const search = await this.#search(subject.subject, keepGoing)
      this.#add(search)
      const { diagnostic, found: findings } = search
      const because = endedBy(search)
      if (diagnostic !== undefined) return { counterexamples: [], failing, verified, because, diagnostic }
      for (const finding of findings) {
        const counterexample = judgedFinding(subject, finding)
        const key = alikeKey(counterexample)
        if (counterexamples.has(key)) this.#alike++
        else counterexamples.set(key, counterexample)
      }
      if (findings.length > 0) failing ??= client
      else if (because === undefined) verified++
      spent = because
      if (because !== undefined || (failing !== undefined && !keepGoing)) break
      isFirst = false
    }
    return { counterexamples: [...counterexamples.values()], failing, verified, because: spent, diagnostic: undefined }
  }

  /** A repair is checked in full, whichever engine found that one is needed. */
  get #asked(): ObjectRequest {
    return this.#phase === 'searching' ? this.#request : { ...this.#request, engine: stateful }
  }

  #clients(): Iterable<Client> {
    const { clients } = this.#request
    return clients.kind === 'given' ? clients.clients : clientsIn(clients.space)
  }

  async #search(subject: ConstructorParameters<typeof ObjectWorld>[0], keepGoing: boolean): Promise<Driven> {
    const { budget, engine, signal } = this.#asked
    const { milliseconds, bytes } = budget
    const left = milliseconds === undefined ? undefined : milliseconds - (this.#host.now() - this.#startedAt)
    const onProgress = ({ counts }: Progress): void =>
      this.#report(exploredIn(counts, engine.counted), counts.transitions ?? 0)
    const watch = { budget: { milliseconds: left, bytes }, keepGoing, signal, onProgress }
    const options = engineOptionsOf(this.#asked)
    for (;;) {
      try {
        const view = engine.needs === 'path' ? objectPaths(subject) : new ObjectWorld(subject)
        return await driveInline({ engine, subject: view, options }, watch, this.#host)
      } catch (error) {
        // Now that the field is known to change, its reads are accesses; the search begins anew.
        if (!(error instanceof AssignedAfterAllError)) throw error
      }
    }
  }

  #patiently<T>(make: () => T): T {
    for (;;) {
      try {
        return make()
      } catch (error) {
        if (!(error instanceof AssignedAfterAllError)) throw error
      }
    }
  }

  #spent(): BudgetName | undefined {
    const { budget, signal } = this.#request
    if (signal?.aborted === true) return 'interrupt'
    if (budget.milliseconds !== undefined && this.#host.now() - this.#startedAt > budget.milliseconds) return 'time'
    return budget.bytes !== undefined && this.#host.memory() > budget.bytes ? 'memory' : undefined
  }

  /** Clients may be too small to be asked while they are explored. */
  async #spentBetween(): Promise<BudgetName | undefined> {
    await this.#host.pause()
    return this.#spent()
  }

  #add(driven: Driven): void {
    const because = endedBy(driven)
    const isDone = because === undefined && driven.found.length === 0
    const counts = { ...driven.counts, clients: isDone ? 1 : 0 }
    this.#counts = addCounts(this.#counts, counts)
    if (because === undefined && this.#phase === 'searching') this.#done = this.#counts
  }

  #report(states: number, transitions: number): void {
    const now = this.#host.now()
    if (now - this.#lastProgress < 100) return
    this.#lastProgress = now
    this.#options.onProgress?.({
      phase: this.#phase,
      clients: this.#counts.clients ?? 0,
      outOf: this.#outOf,
      states: (this.#counts.states ?? 0) + states,
      transitions: (this.#counts.transitions ?? 0) + transitions,
      milliseconds: now - this.#startedAt,
    })
  }
}

/** Counts that are there from the beginning, so that readers find them. */
function nothingYet({ engine }: ObjectRequest): Counts {
  const own = engine.options === statefulOptions ? ['states', 'transitions', 'irreducible', 'traces', 'finals'] : []
  return Object.fromEntries(['clients', ...engine.counted.names, ...own].map((name) => [name, 0]))
}

/** The budget that ended a search, if one did. */
function endedBy({ because }: Driven): BudgetName | undefined {
  return isBudget(because) ? because : undefined
}
