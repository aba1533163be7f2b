/**
 * What an engine reports is a claim; the judge replays it under the reference semantics before anybody sees it. A claim that
 * does not hold is the user's mistake if the program does not repeat itself, and otherwise ours.
 */
import { failure, type Result, success } from '../core/diagnostic.ts'
import type { Counterexample } from '../core/evidence.ts'
import { InternalError } from '../core/invariant.ts'
import type { Decision } from '../core/trace.ts'
import type { Unhurried } from '../core/unhurried.ts'
import type { Found } from '../distribute/driver.ts'
import type { Paths } from '../program/path.ts'
import { comparedReplays, probeDeterminism, repeatedExecution } from '../semantics/determinism.ts'
import { replaying, reproduced } from '../semantics/replay.ts'

/** An engine claimed a violation that the reference semantics does not have. */
export class UnconfirmedError extends InternalError {
  /** What the engine claimed to lead to the violation; saved for the report. */
  readonly decisions: readonly Decision[]

  constructor(engine: string, found: Found) {
    const { kind, message, process } = found.violation
    const who = process === undefined ? '' : ` in process "${process}"`
    super(`engine "${engine}" reported a violation that does not reproduce (${kind}${who}: ${message})`)
    this.decisions = found.decisions
  }
}

export interface Court {
  readonly engine: string
  readonly subject: Paths
  /** The same program loaded anew, so that what earlier executions left behind in the user's modules cannot hide. */
  readonly fresh?: Paths | undefined
}

export function* judged(court: Court, found: Found): Unhurried<Result<Counterexample>> {
  const { repeatsFrom } = found
  const decisions = found.expand?.() ?? found.decisions
  // Engines that remember states go deeper than one execution may be long: what is decided ends, so it bounds nothing.
  const options = { places: true, decisions: decisions.length, repeatsFrom }
  const first = yield* replaying(court.subject, decisions, options)
  for (const subject of [court.subject, court.fresh ?? court.subject]) {
    // To note places takes longer than all the rest, and they are needed only where something differs.
    const other = yield* replaying(subject, decisions, { ...options, places: false })
    const different = yield* comparedReplays(first, other)
    if (different === undefined) continue
    if (different.stack !== undefined) return failure(different)
    const placed = yield* replaying(subject, decisions, options)
    return failure((yield* comparedReplays(first, placed)) ?? different)
  }
  const drawn = { ...first, ...court.subject.drawn?.(first) }
  const violation = reproduced(drawn, found.violation)
  if (violation === undefined) {
    const again = yield* repeatedExecution(court.subject, decisions, { seed: 0, isKnown: () => true })
    const probed = again ?? probeDeterminism(court.subject)
    if (probed !== undefined) return failure(probed)
    throw new UnconfirmedError(court.engine, found)
  }
  return success({
    violation,
    decisions,
    events: drawn.events,
    foundIn: found.expand === undefined ? found.foundIn : decisions.length,
    ...(repeatsFrom === undefined ? {} : { repeatsFrom, eventsBeforeRound: first.eventsBeforeRound }),
    processes: drawn.processes,
    client: first.client,
  })
}
