/**
 * One round of online checking (LMC §3.3, Figure 6): what can follow the live state, within a budget of time. A violation is
 * replayed from that state under the reference semantics before anybody hears of it.
 */
import { getHeapStatistics } from 'node:v8'
import { type Diagnostic, DiagnosticError, failure, type Result, success } from '../../core/diagnostic.ts'
import type { Counterexample } from '../../core/evidence.ts'
import { sameViolation, type Violation } from '../../core/property.ts'
import type { Value } from '../../core/value.ts'
import type { Found, Host } from '../../distribute/driver.ts'
import type { Program } from '../../program/program.ts'
import type { AbstractObject } from '../../program/refinement.ts'
import { runnableOf } from '../../semantics/machines/runnable.ts'
import { Ghost } from '../../semantics/refinement/ghost.ts'
import { pathsOf } from '../../semantics/world-path.ts'
import { hostWith } from '../host.ts'
import { judged } from '../judge.ts'
import { located } from '../locate.ts'
import { unlessSpent } from '../spent.ts'
import type { LiveState } from './live-state.ts'
import { type Raced, type RaceEngine, race } from './race.ts'

export interface Prediction {
  readonly counterexample: Counterexample
  /** Events of machines that lead there; 0 if the live state itself is the violation. */
  readonly events: number
}

export interface RoundResult {
  readonly raced: Raced
  readonly prediction: Prediction | undefined
}

export interface RoundOptions {
  readonly milliseconds: number
  readonly engine?: RaceEngine | undefined
  readonly signal?: AbortSignal | undefined
  readonly host?: Host | undefined
}

export async function runRound(live: LiveState, options: RoundOptions): Promise<Result<RoundResult>> {
  const limit = getHeapStatistics().heap_size_limit
  const limits = { ...options, memory: { one: limit * 0.6, both: limit * 0.85 } }
  try {
    const refined = refinedIn(live)
    if (options.engine === 'local' && refined.refines.length > 0) return failure(located(localUndecided(live.program)))
    const raced = await race(live.machines, { ...limits, refined }, options.host ?? heapHost)
    if (raced.diagnostic !== undefined) return failure(located(raced.diagnostic))
    if (raced.found === undefined) return success({ raced, prediction: undefined })
    const isNow = isViolatedNow(live, raced.found.violation)
    const found = isNow ? beginningOf(live, raced.found) : raced.found
    const subject = pathsOf(runnableOf(live.machines, { maxSteps: found.decisions.length + 1 }, refined))
    const judgement = judged({ engine: raced.by ?? 'local', subject }, found)
    // The budget is that of the search: what it found is worth more than the next round.
    const judging = { host: options.host ?? heapHost, startedAt: 0, budget: {}, signal: options.signal }
    const confirmed = await unlessSpent(judgement, judging)
    if ('spent' in confirmed) return success({ raced: { ...raced, because: 'interrupt' }, prediction: undefined })
    const { answer } = confirmed
    if (!answer.ok) return failure(...answer.diagnostics.map(located))
    return success({ raced, prediction: predicted(answer.value, isNow) })
  } catch (error) {
    if (error instanceof DiagnosticError) return failure(located(error.diagnostic))
    throw error
  }
}

/** What is not collected counts as well, but never for long: the collector works harder as the limit comes closer. */
const heapHost = hostWith(() => getHeapStatistics().used_heap_size)

interface RefinedNow {
  readonly refines: readonly AbstractObject[]
  /** Calls that were made before. */
  readonly called: readonly Value[]
}

function refinedIn({ machines, snapshot }: LiveState): RefinedNow {
  return { refines: machines.refines ?? [], called: (snapshot.calls ?? []).map(({ call }) => call) }
}

function localUndecided({ name, stack }: Program): Diagnostic {
  return {
    code: 'E302',
    message: `from a snapshot, engine "local" cannot decide properties of kind "refinement", which system "${name}" has`,
    hint: 'leave out --engine, or use --engine stateful',
    stack,
  }
}

function isViolatedNow(live: LiveState, violation: Violation): boolean {
  const { machines } = live
  const { refines, called } = refinedIn(live)
  const ghost = new Ghost(refines, undefined, called)
  if (ghost.violations(ghost.first).some((one) => sameViolation(one, violation))) return true
  return machines.invariants.some((one) => {
    const found = one.violation(machines.start.states)
    return found !== undefined && sameViolation(found, violation)
  })
}

/** All machines are where they are, and nothing has happened yet: messages under way have no part in it. */
function beginningOf({ machines }: LiveState, { violation, decisions }: Found): Found {
  const { length } = machines.machines
  return { violation, decisions: decisions.slice(0, length), foundIn: length }
}

function predicted(counterexample: Counterexample, isNow: boolean): Prediction {
  const happened = counterexample.decisions.filter(({ kind }) => kind === 'deliver' || kind === 'timeout').length
  return { counterexample, events: isNow ? 0 : happened }
}
