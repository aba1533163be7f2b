/**
 * The judge. Replays decisions under the reference semantics: what happened, which properties broke, and where a trace no
 * longer fits the program. No violation reaches a user that did not reproduce here.
 */
import type { Event } from '../core/event.ts'
import type { ClientExecution } from '../core/evidence.ts'
import { placeCapture } from '../core/operation.ts'
import { type EndedProcess, sameViolation, type Violation } from '../core/property.ts'
import type { Decision } from '../core/trace.ts'
import { atOnce, type Unhurried } from '../core/unhurried.ts'
import { isEnabled, type Path, type PathOptions, type Paths } from '../program/path.ts'
import { Rounds } from './rounds.ts'

export interface Replayed {
  readonly events: readonly Event[]
  readonly violations: readonly Violation[]
  readonly processes: readonly EndedProcess[]
  /** Of a class. */
  readonly client?: ClientExecution | undefined
  /** Of an execution without end: how many of the events come before those that repeat for ever. */
  readonly eventsBeforeRound?: number | undefined
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

type ReplayOptions = PathOptions & { readonly places: boolean; readonly repeatsFrom?: number | undefined }

/** Decisions between two breaths. */
const stride = 16

/** Replays decisions as far as they are enabled. With `places`, events carry the stacks of their operations. */
export function replay(subject: Paths, decisions: readonly Decision[], options: ReplayOptions): Replayed {
  return atOnce(replaying(subject, decisions, options))
}

export function* replaying(
  subject: Paths,
  decisions: readonly Decision[],
  options: ReplayOptions,
): Unhurried<Replayed> {
  const walk = attentively(options, () => {
    const rounds = new Rounds(subject.cycles ?? [], options.repeatsFrom)
    return {
      path: subject.begin({ ...options, details: true }),
      decisions,
      rounds,
      repeatsFrom: options.repeatsFrom,
      step: 0,
    }
  })
  let drift: Drift | undefined
  while (drift === undefined && walk.step < decisions.length) {
    drift = attentively(options, () => takeSome(walk))
    yield
  }
  return attentively(options, () => replayedBy(walk, drift))
}

/** Others may run between two breaths, and are not to notice. */
function attentively<Answer>(options: ReplayOptions, work: () => Answer): Answer {
  const before = placeCapture.enabled
  const stackBefore = Error.stackTraceLimit
  placeCapture.enabled = options.places
  // Nested async calls take several frames each, and the user's frame must be among those kept.
  if (options.places) Error.stackTraceLimit = 50
  try {
    return work()
  } finally {
    placeCapture.enabled = before
    Error.stackTraceLimit = stackBefore
  }
}

interface Walk {
  readonly path: Path
  readonly decisions: readonly Decision[]
  readonly rounds: Rounds
  readonly repeatsFrom: number | undefined
  /** Events before the first decision of the round. */
  eventsBeforeRound?: number | undefined
  /** Decisions taken. */
  step: number
}

function takeSome(walk: Walk): Drift | undefined {
  const { path, decisions, rounds } = walk
  for (const until = Math.min(walk.step + stride, decisions.length); walk.step < until; walk.step++) {
    const { step } = walk
    const decision = decisions[step] as Decision
    if (!isEnabled(path, decision)) return { step, decision, enabled: [...path.enabled(), ...(path.faults?.() ?? [])] }
    if (step === walk.repeatsFrom) walk.eventsBeforeRound = path.events().length
    rounds.before(path, decision, step)
    path.take(decision)
  }
  return undefined
}

function replayedBy(walk: Walk, drift: Drift | undefined): Replayed {
  const { path, decisions, rounds, repeatsFrom } = walk
  const ended = path.enabled().length === 0
  const { processes } = path.ending()
  const client = ended && drift === undefined ? path.client?.() : undefined
  const violations = [...path.violations(), ...(drift === undefined ? rounds.violations(path, decisions.length) : [])]
  const events = path.events()
  // A round of no decisions begins where they end.
  const eventsBeforeRound = repeatsFrom === decisions.length ? events.length : walk.eventsBeforeRound
  return { events, violations, processes, client, eventsBeforeRound, path, ended, drift }
}

/** The violation as it comes about under the reference semantics, or nothing if it does not. */
export function reproduced(replayed: Replayed, violation: Violation): Violation | undefined {
  return replayed.drift === undefined ? replayed.violations.find((found) => sameViolation(found, violation)) : undefined
}
