/**
 * The judge. Replays decisions under the reference semantics: what happened, which properties broke, and where a trace no
 * longer fits the program. No violation reaches a user that did not reproduce here.
 */
import type { Event } from '../core/event.ts'
import { placeCapture } from '../core/operation.ts'
import { type EndedProcess, sameViolation, type Violation } from '../core/property.ts'
import type { Decision } from '../core/trace.ts'
import type { Runnable } from '../program/program.ts'
import type { ProcessHistory } from './process-in-world.ts'
import { World } from './world.ts'

export interface Replayed {
  readonly events: readonly Event[]
  readonly violations: readonly Violation[]
  readonly processes: readonly EndedProcess[]
  readonly histories: readonly ProcessHistory[]
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
  subject: Runnable,
  decisions: readonly Decision[],
  options: { readonly places: boolean },
): Replayed {
  const before = placeCapture.enabled
  const stackBefore = Error.stackTraceLimit
  placeCapture.enabled = options.places
  // Nested async calls take several frames each, and the user's frame must be among those kept.
  if (options.places) Error.stackTraceLimit = 50
  try {
    return replayIn(new World(subject), decisions)
  } finally {
    placeCapture.enabled = before
    Error.stackTraceLimit = stackBefore
  }
}

function replayIn(world: World, decisions: readonly Decision[]): Replayed {
  let drift: Drift | undefined
  for (const [step, decision] of decisions.entries()) {
    if (!world.allows(decision)) {
      drift = { step, decision, enabled: world.enabled() }
      break
    }
    world.take(decision)
  }
  const ended = world.moves().length === 0
  const violations = ended && drift === undefined ? [...world.violations, ...world.endViolations()] : world.violations
  const processes = world.ending().processes
  return { events: world.events, violations, processes, histories: world.histories(), ended, drift }
}

/** The violation as it comes about under the reference semantics, or nothing if it does not. */
export function reproduced(replayed: Replayed, violation: Violation): Violation | undefined {
  return replayed.drift === undefined ? replayed.violations.find((found) => sameViolation(found, violation)) : undefined
}
