/**
 * What an engine reports is a claim; the judge replays it under the reference semantics before anybody sees it. A claim that
 * does not hold is the user's mistake if the program does not repeat itself, and otherwise ours.
 */
import { failure, type Result, success } from '../core/diagnostic.ts'
import type { Counterexample } from '../core/evidence.ts'
import { InternalError } from '../core/invariant.ts'
import type { Decision } from '../core/trace.ts'
import type { Found } from '../distribute/driver.ts'
import type { Paths } from '../program/path.ts'
import { comparedReplays, probeDeterminism, repeatedExecution } from '../semantics/determinism.ts'
import { replay, reproduced } from '../semantics/replay.ts'

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

export function judged(court: Court, found: Found): Result<Counterexample> {
  const { repeatsFrom } = found
  const decisions = found.expand?.() ?? found.decisions
  // Engines that remember states go deeper than one execution may be long: what is decided ends, so it bounds nothing.
  const replays = [court.subject, court.subject, court.fresh ?? court.subject].map((subject) =>
    replay(subject, decisions, { places: true, decisions: decisions.length, repeatsFrom }),
  )
  const [first, ...others] = replays
  if (first === undefined) throw new InternalError('there is at least one replay')
  const different = others.map((other) => comparedReplays(first, other)).find((one) => one !== undefined)
  if (different !== undefined) return failure(different)
  const violation = reproduced(first, found.violation)
  if (violation === undefined) {
    const again = repeatedExecution(court.subject, decisions, { seed: 0, isKnown: () => true })
    const probed = again ?? probeDeterminism(court.subject)
    if (probed !== undefined) return failure(probed)
    throw new UnconfirmedError(court.engine, found)
  }
  return success({
    violation,
    decisions,
    events: first.events,
    foundIn: found.expand === undefined ? found.foundIn : decisions.length,
    ...(repeatsFrom === undefined ? {} : { repeatsFrom }),
    processes: first.processes,
    client: first.client,
  })
}
