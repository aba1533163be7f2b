/** For each setting that a request stands for: drive, judge, add up, stop or resume. */
import { type Diagnostic, DiagnosticError, orThrow } from '../core/diagnostic.ts'
import type { Counterexample, Evidence, SuspectedExecution } from '../core/evidence.ts'
import type { Setting } from '../core/setting.ts'
import type { Unhurried } from '../core/unhurried.ts'
import {
  addCounts,
  type Counts,
  countedExecutions,
  exploredIn,
  noCounts,
  type Raced,
  type Rest,
} from '../core/verdict.ts'
import { type Driven, type EndOfSearch, isBudget, type Progress, type Watch, withRest } from '../distribute/driver.ts'
import type { Paths } from '../program/path.ts'
import type { Failing } from '../program/program.ts'
import { AssignedAfterAllError } from '../semantics/memory/search-error.ts'
import { auditOf, type Heard } from './audit.ts'
import { type Audited, calledAgain } from './calls-again.ts'
import { judgedWithValues } from './concrete.ts'
import { drive, settingsAhead } from './drive.ts'
import { explained, probeQuietly } from './explained.ts'
import { keyOf } from './objects/alike.ts'
import { askedInJobOrder } from './objects/job-order-answer.ts'
import { prepared } from './prepared.ts'
import { confirmedProof } from './prove/confirm.ts'
import { raceOf } from './race.ts'
import { type CheckRequest, type Explored, replaySubject } from './request.ts'
import type { SettingsAhead } from './settings-ahead.ts'
import { shardTold } from './shard-told.ts'
import { inTime, type Limits, lessPatience, limitsOf, spent, spentNow, unlessSpent } from './spent.ts'
import { isAboutAll } from './stumbles.ts'
import type { SweepOptions, Swept } from './swept.ts'

const progressMilliseconds = 100
/** What takes longer is told of. */
const unnoticedMilliseconds = 200

/** Settings of an earlier run, between two looks at whether somebody wants to stop. */
const skippedAtOnce = 1_000

/** Mistakes of the user are thrown. */
export async function swept(request: CheckRequest, options: SweepOptions): Promise<Swept> {
  try {
    return await new SettingSweep(request, options).run()
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error
    throw new DiagnosticError(explained(error.diagnostic, request.explored.paths))
  }
}

class SettingSweep {
  readonly #request: CheckRequest
  /** Asked between settings as well: one may be too small for the driver to look at budgets. */
  readonly #limits: Limits
  readonly #ahead: SettingsAhead | undefined
  readonly #options: SweepOptions
  readonly #counterexamples = new Map<string, Counterexample>()
  readonly #evidence: Evidence[] = []
  readonly #suspected: SuspectedExecution[] = []
  #alike = 0
  #failing: Failing | undefined
  #verified = 0
  #because: EndOfSearch = 'exhausted'
  #unconfirmed = 0
  #stumbled: Swept['stumbled']
  #counts: Counts
  /** Counts of the settings that were explored to their end, those of earlier runs included. */
  #done: Counts
  #explored: number
  #reportedAt = 0
  #executed = 0
  #by: CheckRequest
  #raced: readonly Raced[] | undefined
  #last: Pick<Driven, 'remaining' | 'picked' | 'shard'> = { remaining: [] }

  constructor(request: CheckRequest, options: SweepOptions) {
    this.#request = request
    this.#by = request
    this.#options = options
    this.#limits = limitsOf(request, options)
    this.#ahead = settingsAhead(request, this.#limits, options.threads)
    const { sweep, engine } = request
    // Counts that are there from the beginning, so that readers find them: also of a search that is stopped in its first execution.
    const { units, counted } = engine
    const own = sweep === undefined && (units === 'whole' || counted.isOneOf === true) ? [] : counted.names
    const none = [...(sweep?.counted.names ?? []), ...own]
    this.#counts = options.resume?.counts ?? Object.fromEntries(none.map((name) => [name, 0]))
    this.#done = this.#counts
    this.#explored = options.resume?.explored ?? 0
  }

  async run(): Promise<Swept> {
    try {
      await this.#sweep()
      await this.#finish()
    } finally {
      this.#ahead?.dismiss(this.#request.witness)
    }
    return this.#result()
  }

  async #sweep(): Promise<void> {
    const { sweep, setting: asked, keepGoing } = this.#request
    // Settings come in the same order every time: those explored before need not be again.
    let before = this.#finished
    let isFirst = true
    let at = -1
    for (const setting of sweep?.settings() ?? [asked]) {
      at++
      if (before-- > 0) {
        if (before % skippedAtOnce === 0 && (await spentNow(this.#limits)) === 'interrupt') this.#because = 'interrupt'
        if (this.#because === 'interrupt') break
        continue
      }
      // Every run gets on by a setting at least, however small its budget is.
      const spent = isFirst ? undefined : this.#isExecuted ? 'executions' : await spentNow(this.#limits)
      if (sweep !== undefined) this.#report()
      const held = spent ?? (await this.#ahead?.from(at))
      if (typeof held === 'string') this.#because = held
      else if (held === undefined) await this.#exploreUnlessStumbling(setting)
      else before = this.#take(held, this.#ahead?.settingsIn(held) ?? 0) - 1
      isFirst = false
      const isOver = this.#failing !== undefined && (!keepGoing || this.#stumbled !== undefined)
      if (isBudget(this.#because) || isOver) break
    }
  }

  /** A sweep that ended claims something of what threads have called, too. */
  async #finish(): Promise<void> {
    const wrong = this.#because === 'exhausted' ? await this.#ahead?.finish() : undefined
    if (wrong === 'aborted') this.#because = 'interrupt'
    else if (wrong !== undefined) throw new DiagnosticError(wrong)
  }

  /** Settings that hold, as threads have found: so many. */
  #take(held: Counts, settings: number): number {
    this.#because = 'exhausted'
    this.#verified += settings
    this.#executed += exploredIn(held, countedExecutions)
    this.#counts = addCounts(this.#counts, held)
    this.#done = this.#counts
    this.#explored = this.#finished / (this.#request.sweep?.outOf ?? 1)
    return settings
  }

  /** What is found in a setting is not lost by what another one comes to. */
  async #exploreUnlessStumbling(setting: Setting): Promise<void> {
    try {
      await this.#explore(setting)
    } catch (thrown) {
      if (this.#failing === undefined || isAboutAll(thrown)) throw thrown
      const isMistake = thrown instanceof DiagnosticError
      this.#stumbled = {
        by: isMistake ? new DiagnosticError(explained(thrown.diagnostic, this.#request.explored.paths)) : thrown,
      }
      this.#because = 'violation'
    }
  }

  async #explore(setting: Setting): Promise<void> {
    const { sweep, explored: only, exploredUnder } = this.#request
    for (;;) {
      const explored = sweep === undefined ? only : exploredUnder(setting)
      try {
        if (!(await this.#isPrepared(explored))) return
        await this.#add(setting, explored, await this.#drive(setting, explored))
        return await this.#goOnBehindSuspicions(setting, explored)
      } catch (error) {
        // A field of an object turned out to be assigned: now that it is known, its reads are accesses.
        if (error instanceof AssignedAfterAllError) {
          this.#ahead?.distrust()
          continue
        }
        // A program that does not repeat itself breaks what engines may rely on; only if it does is the defect ours.
        const diagnostic = error instanceof DiagnosticError ? undefined : await this.#reasonIn(setting, explored)
        throw diagnostic === undefined ? error : new DiagnosticError(diagnostic)
      }
    }
  }

  /** What is only suspected may stand before a violation. */
  async #goOnBehindSuspicions(setting: Setting, explored: Explored): Promise<void> {
    const isOnly = this.#suspected.length > 0 && this.#counterexamples.size === 0
    if (!isOnly || this.#because !== 'violation') return
    this.#suspected.length = 0
    this.#counts = {}
    this.#explored = 0
    await this.#add(setting, explored, await this.#drive(setting, explored, true))
  }

  /** False if a budget is spent before it is. */
  async #isPrepared(explored: Explored): Promise<boolean> {
    const spentOn = await prepared(explored, this.#request.program, { limits: this.#limits, host: this.#options.host })
    if (spentOn !== undefined) this.#because = spentOn
    return spentOn === undefined
  }

  async #drive(setting: Setting, explored: Explored, goesOn = false): Promise<Driven> {
    const { engine, budget, signal, sweep, options: chosen, rival } = this.#request
    const keepGoing = goesOn || this.#request.keepGoing
    const { host, startedAt, resume, units: most } = this.#options
    const { milliseconds, executions } = budget
    const left = {
      ...budget,
      milliseconds: milliseconds === undefined ? undefined : milliseconds - (host.now() - startedAt),
      // Those of earlier runs do not count against this one.
      executions: executions === undefined ? undefined : executions - this.#executed,
    }
    const whole = sweep === undefined ? resume?.units : undefined
    const units = whole?.slice(0, most)
    const heard: Heard = {}
    const search = { engine, subject: explored.subject, options: chosen, units }
    const watch: Watch = {
      budget: left,
      keepGoing,
      signal,
      audit: auditOf(explored.paths, heard),
      onProgress: (progress) => this.#report(progress),
    }
    const ended =
      rival === undefined ? await drive(this.#request, search, watch, this.#options) : await this.#race(watch)
    const driven = withRest(ended, whole?.slice(units?.length) ?? [])
    if (driven.diagnostic !== undefined) throw new DiagnosticError(driven.diagnostic)
    const { subject } = this.#raced === undefined ? explored : this.#by.explored
    const executed = heard.last && { paths: explored.paths, decisions: heard.last }
    const audited = await this.#audited(driven, setting, { subject, executed })
    return await confirmedProof(this.#request, audited, this.#options)
  }

  /** Searches that ended claim something of all that user code does, and have called it once for each state. */
  async #audited(driven: Driven, setting: Setting, done: Pick<Audited, 'subject' | 'executed'>): Promise<Driven> {
    if (driven.because !== 'exhausted') return driven
    const found = await this.#calledAgain(setting, done)
    if (found !== undefined && 'code' in found) throw new DiagnosticError(found)
    return found === undefined ? driven : { ...driven, because: found.spent }
  }

  async #calledAgain(setting: Setting, done: Pick<Audited, 'subject' | 'executed'>): ReturnType<typeof calledAgain> {
    const { program } = this.#request
    const { reload } = this.#options
    return await calledAgain({ ...done, program, setting, reload, limits: inTime(this.#limits) })
  }

  /** What in the program may be the reason for a failure of ours. */
  async #reasonIn(setting: Setting, { subject, paths }: Explored): Promise<Diagnostic | undefined> {
    const probed = probeQuietly(paths)
    const rival = this.#request.rival?.explored.subject
    for (const one of probed === undefined ? [subject, rival] : []) {
      const found = one && (await this.#calledAgain(setting, { subject: one }))
      if (found !== undefined && 'code' in found) return found
    }
    return probed
  }

  async #race(watch: Watch): Promise<Driven> {
    const { driven, by, raced } = await raceOf(this.#request, watch, this.#options.host)
    this.#by = by
    this.#raced = raced
    // Who answered may count something else.
    this.#counts = {}
    return driven
  }

  /** Settings may be too small to report anything themselves. */
  #report(now: Progress = { counts: noCounts, explored: 0, violations: 0, milliseconds: 0 }): void {
    const { sweep } = this.#request
    const { host, startedAt, onProgress } = this.#options
    const milliseconds = host.now() - startedAt
    if (milliseconds - this.#reportedAt < progressMilliseconds) return
    this.#reportedAt = milliseconds
    onProgress?.({
      counts: sweep === undefined ? now.counts : addCounts(this.#counts, now.counts),
      explored: sweep === undefined ? now.explored : this.#finished / sweep.outOf,
      violations: this.#counterexamples.size + now.violations,
      milliseconds,
      now: now.now,
    })
  }

  async #add(setting: Setting, { paths }: Explored, driven: Driven): Promise<void> {
    const { sweep } = this.#request
    this.#because = driven.because
    await this.#judge(setting, paths, driven)
    const holds = !isBudget(driven.because) && driven.found.length === 0
    if (holds) this.#verified++
    const settings = (sweep?.counted.names ?? []).map((name) => [name, holds ? 1 : 0])
    this.#counts = addCounts(addCounts(this.#counts, driven.counts), Object.fromEntries(settings))
    this.#executed += exploredIn(driven.counts, countedExecutions)
    if (!isBudget(this.#because)) this.#done = this.#counts
    this.#explored = sweep === undefined ? Math.min(1, this.#explored + driven.explored) : this.#finished / sweep.outOf
    this.#last = driven
    this.#evidence.push(...driven.evidence)
  }

  /**
   * What is found is judged after the budget of memory is spent. The first violation is after that of time, too, unless somebody interrupts: whoever searched
   * for a minute wants to see what was found in it. Others are as long as nobody notices that.
   */
  async #judge(setting: Setting, paths: Paths, { found }: Driven): Promise<void> {
    this.#unconfirmed = found.length
    if (found.length === 0) return
    const limits = inTime(this.#limits)
    // To load a program takes longer than to judge most executions.
    const fresh = spent(limits) === undefined ? await this.#freshPaths(setting) : undefined
    const untimed = this.#counterexamples.size === 0 ? 1 : 0
    const judging = (some: Driven['found']) => this.#judging({ setting, paths, fresh, found: some })
    const onPause = this.#tellsOf(found)
    const first = await unlessSpent(judging(found.slice(0, untimed)), { ...limits, budget: {} }, { onPause })
    const others = { patience: lessPatience, onPause }
    const confirmed = 'spent' in first ? first : await unlessSpent(judging(found.slice(untimed)), limits, others)
    if ('spent' in confirmed) this.#because = confirmed.spent
  }

  /** Somebody waits: an execution of thousands of steps takes seconds to repeat, also when the time is over. */
  #tellsOf(found: Driven['found']): () => void {
    const { host, startedAt, onProgress } = this.#options
    const begunAt = host.now()
    const violations = found.length
    const [first] = found
    const confirming = { violations, steps: first?.expand === undefined ? first?.decisions.length : undefined }
    return () => {
      const now = host.now()
      if (now - begunAt < unnoticedMilliseconds) return
      const milliseconds = now - startedAt
      onProgress?.({ counts: this.#counts, explored: this.#explored, violations, milliseconds, confirming })
    }
  }

  *#judging({ setting, paths: subject, fresh, found }: Judging): Unhurried<void> {
    const { program } = this.#request
    for (const one of found) {
      const court = { engine: this.#by.engine.name, subject, fresh, program, setting }
      const answer = orThrow(yield* judgedWithValues(court, one))
      if ('kind' in answer) this.#suspected.push(answer)
      else this.#note(yield* askedInJobOrder(answer, { program, setting, told: this.#counterexamples }), setting)
      this.#unconfirmed--
    }
  }

  #note(counterexample: Counterexample, setting: Setting): void {
    this.#failing ??= { setting, violation: counterexample.violation }
    const key = keyOf(counterexample)
    if (this.#counterexamples.has(key)) this.#alike++
    else this.#counterexamples.set(key, counterexample)
  }

  async #freshPaths(setting: Setting): Promise<Paths | undefined> {
    const program = await this.#options.reload?.()
    return program === undefined ? undefined : replaySubject(program, setting)
  }

  get #isExecuted(): boolean {
    return this.#executed >= (this.#request.budget.executions ?? Number.POSITIVE_INFINITY)
  }

  /** Settings that are done. */
  get #finished(): number {
    const { sweep } = this.#request
    return sweep === undefined ? 0 : (this.#counts[sweep.counted.names[0] as string] ?? 0)
  }

  #result(): Swept {
    return {
      counterexamples: [...this.#counterexamples.values()],
      alike: this.#alike,
      failing: this.#failing,
      verified: this.#verified,
      stumbled: this.#stumbled,
      because: this.#because,
      unconfirmed: this.#unconfirmed,
      counts: this.#counts,
      explored: this.#explored,
      evidence: [...this.#suspected, ...this.#evidence],
      by: this.#by,
      raced: this.#raced,
      picked: this.#last.picked,
      shard: this.#last.shard && shardTold(this.#last.shard, [...this.#counterexamples.values()]),
      rest: this.#rest(),
    }
  }

  /** Of a sweep, settings that were not finished are explored from their beginning; unless none was, there is where to go on. */
  #rest(): Rest | undefined {
    // Whoever went on from here would never hear of what was found and not judged.
    if (this.#unconfirmed > 0) return undefined
    const units = this.#last.remaining
    if (this.#request.sweep === undefined)
      return units.length === 0 ? undefined : { units, counts: this.#counts, explored: this.#explored }
    return this.#finished === 0 ? undefined : { units: [], counts: this.#done, explored: this.#explored }
  }
}

interface Judging {
  readonly setting: Setting
  readonly paths: Paths
  readonly fresh: Paths | undefined
  readonly found: Driven['found']
}
