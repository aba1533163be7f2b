/**
 * Is the user's program a function of the decisions? Repeats executions under the reference semantics and compares them event
 * by event. A difference is the user's mistake (clock, randomness, a variable that outlives or is shared between
 * processes), reported with the process, both versions of what it did, and the place.
 */
import { type Diagnostic, DiagnosticError } from '../core/diagnostic.ts'
import type { Event } from '../core/event.ts'
import { withPlaces } from '../core/operation.ts'
import type { Violation } from '../core/property.ts'
import { Random } from '../core/random.ts'
import { type Decision, describeDecision } from '../core/trace.ts'
import { atOnce, type Unhurried } from '../core/unhurried.ts'
import { valueToJson } from '../core/value-json.ts'
import { showValue } from '../core/value-text.ts'
import type { Difference, Paths } from '../program/path.ts'
import { reordered } from './reorder.ts'
import { type Replayed, replay, replaying } from './replay.ts'

/** Walks and steps of a probe: enough to meet a variable that changes at every use, quick enough to run before giving up. */
const probes = 20
const probeSteps = 2_000

interface Repetition {
  readonly seed: number
  readonly isKnown: (violation: Violation) => boolean
}

/**
 * Repeats one execution, once as it was and once in another order; nothing if every process did the same both times.
 * `isKnown` says which violations the exploration has met: nothing else may be violated now.
 */
export function* repeatedExecution(
  subject: Paths,
  decisions: readonly Decision[],
  options: Repetition,
): Unhurried<Diagnostic | undefined> {
  try {
    return yield* repeatedUnplaced(subject, decisions, options)
  } catch (error) {
    // What goes wrong without a place goes wrong again with one.
    if (error instanceof DiagnosticError && error.diagnostic.stack === undefined) {
      yield* replaying(subject, decisions, { places: true })
    }
    throw error
  }
}

/** Which states are met together is a matter of the order, which is another on purpose. */
const unplaced = { places: false, judgesStates: false }
const placed = { places: true, judgesStates: false }
const backwards = { beginsBackwards: true }

function* repeatedUnplaced(
  subject: Paths,
  decisions: readonly Decision[],
  { seed, isKnown }: Repetition,
): Unhurried<Diagnostic | undefined> {
  const first = yield* replaying(subject, decisions, unplaced)
  const order = first.drift === undefined ? first.path.order?.() : undefined
  const another = order === undefined ? decisions : reordered(decisions, order, new Random(seed))
  yield
  const second = yield* replaying(subject, another, { ...unplaced, ...backwards })
  const violation = [...first.violations, ...second.violations].find((one) => !isKnown(one))
  if (second.drift === undefined && (yield* difference(first, second)) === undefined) {
    const alone = second.path.alone && (yield* second.path.alone())
    return (alone && differently(placedAlone(subject, another) ?? alone)) ?? (violation && failedLater(violation))
  }
  // Once more with places; should the difference hide now, it is reported without one.
  const left = yield* replaying(subject, decisions, placed)
  const right = yield* replaying(subject, another, { ...placed, ...backwards })
  return (yield* comparedReplays(left, right)) ?? (yield* comparedReplays(first, second))
}

interface AnewOptions {
  readonly decisions: readonly Decision[]
  /** Of the order. */
  readonly seed: number
  readonly places: boolean
}

/**
 * Repeats one execution in the same program made anew, where nobody has used its modules yet, in another order: what a module keeps
 * from the first execution on looks the same in all later ones.
 */
export function* repeatedAnew(
  subject: Paths,
  anew: Paths,
  { decisions, seed, places }: AnewOptions,
): Unhurried<Diagnostic | undefined> {
  const options = { places, judgesStates: false }
  const first = yield* replaying(subject, decisions, options)
  const order = first.drift === undefined ? first.path.order?.() : undefined
  const another = order === undefined ? decisions : reordered(decisions, order, new Random(seed))
  return yield* comparedReplays(first, yield* replaying(anew, another, { ...options, ...backwards }))
}

/** The same difference with a place, if it shows again. */
function placedAlone(subject: Paths, order: readonly Decision[]): Difference | undefined {
  return withPlaces(() => {
    const { path } = replay(subject, order, { ...placed, ...backwards })
    return path.alone && atOnce(path.alone())
  })
}

function failedLater({ process = 'main', message, stack }: Violation): Diagnostic {
  return differently({ process, first: 'violated nothing', second: `failed with "${message}"`, stack })
}

/** What differs between two replays of the same decisions, or where both depart from the record. */
export function* comparedReplays(first: Replayed, second: Replayed): Unhurried<Diagnostic | undefined> {
  const differing = yield* difference(first, second)
  if (differing !== undefined) return differently(differing)
  return second.drift === undefined ? undefined : drifted(second)
}

/** Walks at random and repeats each walk: for when something went wrong and the question is whose fault it is. */
export function probeDeterminism(subject: Paths): Diagnostic | undefined {
  for (let probe = 0; probe < probes; probe++) {
    const walk = randomWalk(subject, new Random(probe))
    const found = atOnce(repeatedExecution(subject, walk, { seed: probe, isKnown: () => true }))
    if (found !== undefined) return found
  }
  return undefined
}

function randomWalk(subject: Paths, random: Random): readonly Decision[] {
  const path = subject.begin()
  const decisions: Decision[] = []
  while (decisions.length < probeSteps) {
    const enabled = path.enabled()
    if (enabled.length === 0) break
    const decision = random.pick(enabled)
    decisions.push(decision)
    path.take(decision)
  }
  return decisions
}

/** Events that are compared between two breaths. */
const stride = 64

interface EventDifference extends Difference {
  /** Both times a message was received, but another one. */
  readonly wasGiven?: boolean
}

/**
 * Compares process by process: in which order they took turns is no business of theirs. A process that was given something
 * else is not to blame for what it did then; somebody else did something else first.
 */
function* difference(first: Replayed, second: Replayed): Unhurried<EventDifference | undefined> {
  const others = eventsByProcess(second)
  const found: EventDifference[] = []
  for (const [process, events] of eventsByProcess(first))
    found.push(...(yield* firstDifference(process, events, others.get(process) ?? [])))
  return found.find((one) => !one.wasGiven) ?? found[0] ?? outcomeDifference(first, second)
}

function* firstDifference(
  process: string,
  events: readonly Event[],
  others: readonly Event[],
): Unhurried<readonly EventDifference[]> {
  const length = Math.max(events.length, others.length)
  for (let at = 0; at < length; at++) {
    if (at % stride === stride - 1) yield
    const [left, right] = [events[at], others[at]]
    if (left !== undefined && right !== undefined && fingerprint(left) === fingerprint(right)) continue
    const stack = right?.stack ?? left?.stack
    const wasGiven = left?.kind === 'receive' && right?.kind === 'receive'
    return [{ process, first: describeMaybe(left), second: describeMaybe(right), stack, wasGiven }]
  }
  return []
}

function eventsByProcess({ events, processes }: Replayed): ReadonlyMap<string, readonly Event[]> {
  const found = new Map<string, Event[]>(processes.map(({ id }) => [id, []]))
  for (const event of events) found.get(event.process)?.push(event)
  return found
}

/** Equal events, yet a process returned something else or the end was judged otherwise. */
function outcomeDifference(first: Replayed, second: Replayed): Difference | undefined {
  for (const process of first.processes) {
    const other = second.processes.find(({ id }) => id === process.id)
    const [left, right] = [showValue(process.value), showValue(other?.value)]
    if (left !== right)
      return { process: process.id, first: `returned ${left}`, second: `returned ${right}`, stack: undefined }
  }
  // Sorted: which of two processes fails first is a matter of the order.
  const [left, right] = [first, second].map(({ violations }) => {
    const messages = violations.map(({ message }) => message)
    return messages.sort().join('; ') || 'held'
  })
  return left === right ? undefined : { process: 'main', first: `${left}`, second: `${right}`, stack: undefined }
}

/** All that two runs of the same execution must have in common about an event: not its place, nor how messages are counted. */
function fingerprint(event: Event): string {
  const { stack: _stack, ...rest } = event
  if (rest.kind === 'fail') return JSON.stringify([rest.kind, rest.process, rest.index, rest.violation.message])
  const numbered = 'message' in rest ? { ...rest, message: 0 } : rest
  return JSON.stringify('value' in numbered ? { ...numbered, value: valueToJson(numbered.value) } : numbered)
}

const usualHint =
  'a process may depend only on what its operations give it: keep variables inside the process function, ' +
  'share nothing between processes or executions, and choose() what is open'

function differently({ process, first, second, stack, hint = usualHint }: Difference): Diagnostic {
  return {
    code: 'E201',
    message: `process "${process}" is not deterministic: in the same execution it first ${first} and then, repeated, ${second}`,
    hint,
    stack,
  }
}

function drifted({ drift, events }: Replayed): Diagnostic | undefined {
  if (drift === undefined) return undefined
  const { process } = drift.decision
  const now = drift.enabled.filter((decision) => decision.process === process).map(describeDecision)
  return {
    code: 'E201',
    message:
      `process "${process}" is not deterministic: at step ${drift.step + 1} of a repeated execution the record says ` +
      `"${describeDecision(drift.decision)}", and now ${now.length === 0 ? 'it can do nothing' : `"${now.join('" or "')}" is possible`}`,
    hint: usualHint,
    stack: events.findLast((event) => event.process === process && event.stack !== undefined)?.stack,
  }
}

function describeMaybe(event: Event | undefined): string {
  return event === undefined ? 'did nothing more' : describeEvent(event)
}

function describeEvent(event: Event): string {
  switch (event.kind) {
    case 'spawn':
      return `spawned ${event.child}`
    case 'join':
      return `joined ${event.target}`
    case 'send':
      return `sent ${showValue(event.value, 60)} to ${event.to}`
    case 'receive':
      return `received ${showValue(event.value, 60)} from ${event.from}`
    case 'timeout':
      return 'received nothing'
    case 'choose':
      return `chose ${showValue(event.value, 60)} of ${event.options} options`
    case 'crash':
      return event.restarts ? 'crashed and restarted' : 'crashed'
    case 'partition':
      return 'was cut off'
    case 'heal':
      return 'was connected again'
    case 'stop':
      return event.halts === true ? 'halted' : 'stopped at an assumption'
    case 'fail':
      return `failed with "${event.violation.message}"`
    case 'call':
    case 'access':
    case 'return':
      return event.text
    case 'enter':
      return `went to ${event.state}`
    case 'announce':
      return `announced ${showValue(event.value, 60)}`
    case 'observe':
      return `observed ${showValue(event.value, 60)}`
    case 'print':
      return `printed ${showValue(event.text, 60)}`
  }
}
