/** Runs a request to its verdict: guard, sweep, explain; the one way from a program to a verdict for code and command line. */
import { DiagnosticError, failure, orThrow, type Result, success } from '../core/diagnostic.ts'
import { type Evidence, evidenceOf, execution, findingsIn } from '../core/evidence.ts'
import { forgetDefect, invariant } from '../core/invariant.ts'
import { running } from '../core/running.ts'
import type { ShardEvidence } from '../core/shard.ts'
import type { Unhurried } from '../core/unhurried.ts'
import { type BudgetName, type CountedAs, exploredIn, type Rest, type Stumble, type Verdict } from '../core/verdict.ts'
import type { Vacuity } from '../core/witness.ts'
import { type Progress as Driving, type Host, isBudget } from '../distribute/driver.ts'
import type { Program, Rechecked } from '../program/program.ts'
import { coverageTold } from '../semantics/ir/coverage.ts'
import { engineNamed } from './catalogue.ts'
import { causedBy, KeptBuiltIns } from './changed-built-ins.ts'
import { unshardable } from './drive.ts'
import { guardDeterminism } from './guard.ts'
import { realHost, risingHost } from './host.ts'
import { locatedInSearch } from './locate.ts'
import { locatedNotes } from './locate-notes.ts'
import { type CheckRequest, requestAgain } from './request.ts'
import { placeOf } from './source-places.ts'
import { limitsOf, spentNow, unlessSpent } from './spent.ts'
import { watchStrays } from './strays.ts'
import { Stumbles } from './stumbles.ts'
import { swept } from './sweep.ts'
import type { SweepOptions, Swept } from './swept.ts'

export interface Progress extends Driving {
  /** What is done after the search itself. */
  readonly phase?: 'finding causes' | 'checking the repair' | undefined
}

export interface RunOptions extends Pick<SweepOptions, 'resume' | 'units' | 'reload' | 'threads'> {
  readonly host?: Host | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

export interface Checked {
  readonly verdict: Verdict
  readonly seconds: number
  /** The most bytes of memory that the process ever took, as far as the host knows. */
  readonly peakBytes?: number | undefined
  /** What a budget left, for a run that goes on. */
  readonly rest?: Rest | undefined
}

export async function runCheck(asked: CheckRequest, options: RunOptions = {}): Promise<Result<Checked>> {
  const { request, host: outside } = fromNow(asked, options.host ?? realHost)
  const whole = unshardable(request)
  if (whole !== undefined) return failure(whole)
  const startedAt = outside.now()
  const release = guardDeterminism()
  const kept = new KeptBuiltIns(`program "${request.program.name}"`, placeOf(request.program.stack)?.file)
  const host = kept.hosting(outside)
  const strays = watchStrays('check')
  forgetMistakes()
  try {
    const found = await swept(request, { ...options, host, startedAt })
    const causes = await causesOf(request, found, { ...options, host, startedAt })
    const verdict = verdictOf(request, found, { ...causes, before: options.resume })
    const rest = verdict.kind === 'incomplete' ? found.rest : undefined
    kept.look()
    const dropped = await strays.settled()
    if (dropped !== undefined) throw new DiagnosticError(dropped)
    const placed = await locatedNotes(verdict, found.by, host)
    const seconds = (host.now() - startedAt) / 1000
    return success({ verdict: placed, seconds, peakBytes: outside.peak?.(), rest })
  } catch (thrown) {
    const error = causedBy(kept, thrown)
    if (!(error instanceof DiagnosticError)) throw error
    return failure(...(await Promise.all(error.diagnostics.map((one) => locatedInSearch(one, request, host)))))
  } finally {
    forgetMistakes()
    strays.release()
    release()
  }
}

/** The request with the memory that it may come to, from what is resident now; and the host that measures it from there. */
function fromNow(request: CheckRequest, host: Host): { readonly request: CheckRequest; readonly host: Host } {
  const { growth, bytes = Number.POSITIVE_INFINITY } = request.budget
  if (growth === undefined) return { request, host }
  // Only where Node was told to let us: what earlier searches left behind is not what this one begins with.
  globalThis.gc?.()
  const before = host.memory()
  const budget = { ...request.budget, bytes: Math.min(bytes, before + growth) }
  return { request: { ...request, budget }, host: risingHost(host, before) }
}

/** A mistake that user code caught, or one thrown where no process could report it, must not be met in the next check. */
function forgetMistakes(): void {
  forgetDefect()
  running.mistake = undefined
  running.unawaited = 0
}

/** What the program knows about the causes of its first violation. */
async function causesOf(
  request: CheckRequest,
  { failing, counts, stumbled }: Swept,
  options: RunOptions & Pick<SweepOptions, 'host' | 'startedAt'>,
): Promise<Omit<Known, 'before'>> {
  const { program, wantsCauses, scope } = request
  const { host, startedAt } = options
  const stumbles = new Stumbles((one) => locatedInSearch(one, request, host), forgetMistakes)
  if (stumbled !== undefined) await stumbles.note('search', stumbled.by)
  if (failing === undefined || !wantsCauses || program.explain === undefined)
    return { causes: [], stumbled: stumbles.first }
  const tell = (phase: Progress['phase']) => (progress: Driving) => options.onProgress?.({ ...progress, phase })
  tell('finding causes')({ counts, violations: 1, milliseconds: host.now() - startedAt, explored: 0 })
  const limits = limitsOf(request, options)
  const recheck = async (repaired: Program): Promise<Rechecked> => {
    if ((await spentNow(limits)) !== undefined) return unsettled
    const settled = async () => {
      // A repair is checked in full, whichever engine found that one is needed.
      const again = orThrow(requestAgain(request, repaired, orThrow(engineNamed('stateful', repaired))))
      const found = await swept(again, { host, startedAt, onProgress: tell('checking the repair') })
      return { failing: found.failing?.setting, verified: found.verified, isComplete: !isBudget(found.because) }
    }
    return await stumbles.unless('repair', settled, unsettled)
  }
  let cut: BudgetName | undefined
  const unlessOver = async <Answer>(work: Unhurried<Answer>): Promise<Answer | undefined> => {
    const ended = await unlessSpent(work, limits, { patience: 0 })
    if ('answer' in ended) return ended.answer
    cut = ended.spent
    return undefined
  }
  const { explain } = program
  const causes = await stumbles.unless('causes', () => explain(failing, { seed: scope.seed, recheck, unlessOver }), [])
  return { causes, unexplained: causes.length === 0 ? cut : undefined, stumbled: stumbles.first }
}

const unsettled: Rechecked = { failing: undefined, verified: 0, isComplete: false }

interface Known {
  readonly causes: readonly Evidence[]
  /** What ended the search for causes before any were found. */
  readonly unexplained?: BudgetName | undefined
  readonly stumbled?: Stumble | undefined
  /** What a file says of earlier runs. */
  readonly before: Rest | undefined
}

function verdictOf({ sweep }: CheckRequest, found: Swept, { causes, unexplained, stumbled, before }: Known): Verdict {
  const { because, explored, alike, rest, by } = found
  const { picked } = found
  const scope = picked === undefined ? by.scope : { ...by.scope, options: { ...by.scope.options, ...picked } }
  const coverage = coverageTold(by.witness)
  const judged = {
    scope,
    counts: found.counts,
    ...(found.raced === undefined ? {} : { raced: found.raced }),
    ...(coverage === undefined ? {} : { coverage }),
    ...(found.shard === undefined ? {} : { shard: { ...found.shard, ...shardEvidence(found) } }),
  }
  const evidence: readonly Evidence[] = [...found.counterexamples.map(execution), ...causes, ...found.evidence]
  if (findingsIn(evidence).length > 0) {
    const ended = { exhausted: because === 'exhausted', ...(isBudget(because) ? { because } : {}) }
    const { unconfirmed } = found
    const open = { ...(unconfirmed === 0 ? {} : { unconfirmed }) }
    const more = {
      ...open,
      ...(sweep === undefined ? {} : { alike }),
      ...(unexplained === undefined ? {} : { unexplained }),
    }
    return { kind: 'violated', ...judged, evidence, ...ended, ...more, ...(stumbled === undefined ? {} : { stumbled }) }
  }
  // What is only suspected is no reason to say that everything holds.
  const isOpen = evidenceOf(evidence, 'suspected').length > 0
  // What a shard lacks, others may have.
  if (because === 'exhausted' && !isOpen && found.shard !== undefined) return { kind: 'passed', ...judged, evidence }
  if (because === 'exhausted' && !isOpen) {
    const vacuity =
      before === undefined ? by.witness.open() : unknownBefore(before, sweep?.counted ?? by.engine.counted)
    // What an earlier run saw is not known.
    const operations = before === undefined ? by.witness.outcomes() : []
    const called = before === undefined ? by.witness.most() : []
    const told = {
      ...(vacuity.length === 0 ? {} : { vacuity }),
      ...(operations.length === 0 ? {} : { operations }),
      ...(called.length === 0 ? {} : { called }),
    }
    return { kind: claimed(by), ...judged, evidence, ...told }
  }
  const budget = isBudget(because) ? because : undefined
  const remaining = rest?.units ?? []
  const more = {
    ...(sweep === undefined ? {} : { outOf: sweep.outOf }),
    ...(found.unconfirmed > 0 ? { isUnconfirmed: true } : {}),
  }
  return { kind: 'incomplete', ...judged, evidence, because: budget, explored, remaining, ...more }
}

function shardEvidence({ because, by }: Swept): Pick<ShardEvidence, 'ended' | 'claim' | 'seen'> {
  invariant(because !== 'diagnostic' && because !== 'outrun', 'a search with a verdict was not ended by a mistake')
  return { ended: because, claim: claimed(by), seen: by.witness.known() }
}

/** A search of all states of classes is one of all values, which no search could list; within a bound on steps it proves nothing. */
function claimed({ engine, scope }: CheckRequest): 'proved' | 'verified' | 'passed' {
  const isUnbounded = scope.values?.of === 'all' && scope.maxSteps === undefined
  return engine.claims === 'verified' && isUnbounded ? 'proved' : engine.claims
}

/** What is known of earlier runs only as far as a file says so. */
function unknownBefore({ counts }: Rest, counted: CountedAs): readonly Vacuity[] {
  return [
    { code: 'taken-from-file', subject: counted.noun, count: exploredIn(counts, counted) },
    { code: 'not-looked-for', subject: 'a search that was resumed', count: 0 },
  ]
}
