/**
 * The judge. Replays decisions under the reference semantics: what happened, which properties broke, and where a trace no
 * longer fits the program. No violation reaches a user that did not reproduce here.
 */
import type { Event } from '../core/event.ts'
import type { ClientExecution } from '../core/evidence.ts'
import { placeCapture } from '../core/operation.ts'
import { type EndedProcess, sameViolation, type Violation } from '../core/property.ts'
import type { Decision } from '../core/trace.ts'
import { freezing } from '../core/value.ts'
import { isEnabled, type Path, type PathOptions, type Paths } from '../program/path.ts'
import { Rounds } from './rounds.ts'

export interface Replayed {
  readonly events: readonly Event[]
  readonly violations: readonly Violation[]
  readonly processes: readonly EndedProcess[]
  /** Of a class. */
  readonly client?: ClientExecution | undefined
  /** Where the decisions lead, for more questions. */
  readonly path: Path
  /** Whether nothing more could happen after the last decision. */
  readonly ended: boolean
  /** The first decision that was not enabled, if any; events and violations are those before it. */
  readonly drift: Drift | undefined
}

export interface Drift {
  /** Position in the list of decisions, from 0. */
  readonly step: number
  readonly decision: Decision
  readonly enabled: readonly Decision[]
}

/** Replays decisions as far as they are enabled. With `places`, events carry the stacks of their operations. */
export function replay(
  subject: Paths,
  decisions: readonly Decision[],
  options: PathOptions & { readonly places: boolean; readonly repeatsFrom?: number | undefined },
): Replayed {
  const before = placeCapture.enabled
  const stackBefore = Error.stackTraceLimit
  placeCapture.enabled = options.places
  freezing.thoroughly = true
  // Nested async calls take several frames each, and the user's frame must be among those kept.
  if (options.places) Error.stackTraceLimit = 50
  try {
    return replayAlong(subject.begin(options), decisions, new Rounds(subject.cycles ?? [], options.repeatsFrom))
  } finally {
    placeCapture.enabled = before
    freezing.thoroughly = false
    Error.stackTraceLimit = stackBefore
  }
}

function replayAlong(path: Path, decisions: readonly Decision[], rounds: Rounds): Replayed {
  let drift: Drift | undefined
  for (const [step, decision] of decisions.entries()) {
    if (!isEnabled(path, decision)) {
      drift = { step, decision, enabled: [...path.enabled(), ...(path.faults?.() ?? [])] }
      break
    }
    rounds.before(path, decision, step)
    path.take(decision)
  }
  const ended = path.enabled().length === 0
  const { processes } = path.ending()
  const client = ended && drift === undefined ? path.client?.() : undefined
  const violations = [...path.violations(), ...(drift === undefined ? rounds.violations(path, decisions.length) : [])]
  return { events: path.events(), violations, processes, client, path, ended, drift }
}

/** The violation as it comes about under the reference semantics, or nothing if it does not. */
export function reproduced(replayed: Replayed, violation: Violation): Violation | undefined {
  return replayed.drift === undefined ? replayed.violations.find((found) => sameViolation(found, violation)) : undefined
}
