/**
 * Invariants over one execution and everything equivalent to it: all consistent cuts of its events (Cooper and Marzullo,
 * "Consistent Detection of Global Predicates", 1991), each a state that some order of the same events meets.
 *
 * For engines that see one execution of each class. An invariant is about states that are met together, and those depend on the
 * order that such engines leave open.
 */
import type { Event } from '../core/event.ts'
import { type Violation, violationKey } from '../core/property.ts'
import type { Decision } from '../core/trace.ts'
import type { Value } from '../core/value.ts'
import type { Runnable, StateInvariant } from '../program/program.ts'
import { SenderQueues } from './network/sender-queue.ts'
import { World } from './world.ts'

export interface CutViolation {
  readonly violation: Violation
  /** An order of some of the decisions that ends where the violation is. */
  readonly decisions: readonly Decision[]
}

export class Cuts {
  readonly #subject: Runnable
  readonly #invariants: readonly StateInvariant[]
  readonly #told = new Set<string>()

  constructor(subject: Runnable) {
    this.#subject = { ...subject, stateInvariants: undefined }
    this.#invariants = subject.stateInvariants ?? []
  }

  /** What has not been told before. */
  violations(decisions: readonly Decision[]): readonly CutViolation[] {
    if (this.#invariants.length === 0) return []
    const found: CutViolation[] = []
    const steps = stepsOf(this.#subject, decisions)
    for (const cut of consistentCuts(steps)) {
      for (const { violation } of this.#invariants) {
        const wrong = violation(cut.announced)
        if (wrong === undefined || this.#told.has(violationKey(wrong))) continue
        this.#told.add(violationKey(wrong))
        // In the order of the execution, which the network allows: that of a mailbox is not any that causality leaves.
        const path = cut.path.toSorted((left, right) => left - right)
        found.push({ violation: wrong, decisions: renumbered(path.map((at) => steps[at] as StepOfCut)) })
      }
    }
    return found
  }
}

interface StepOfCut {
  readonly decision: Decision
  /** Earlier steps that must have happened. */
  readonly after: readonly number[]
  /** What its process announces by it, and what a process that it begins announces. */
  readonly announces: readonly (readonly [process: string, state: Value])[]
  /** Number of the message it sends. */
  readonly sends: number | undefined
}

function stepsOf(subject: Runnable, decisions: readonly Decision[]): readonly StepOfCut[] {
  const world = new World(subject)
  const lastOf = new Map<string, number>()
  const sentAt = new Map<number, number>()
  const headOf = new SenderQueues()
  let announced = world.announcements()
  return decisions.map((decision, at) => {
    const eventsBefore = world.events.length
    world.take(decision)
    const event = world.events[eventsBefore] as Event
    const causes = [lastOf.get(decision.process), causeOf(event, sentAt, lastOf), headOf.receivedBefore(event, at)]
    const after = causes.filter((cause) => cause !== undefined)
    lastOf.set(decision.process, at)
    if (event.kind === 'spawn') lastOf.set(event.child, at)
    if (event.kind === 'send') sentAt.set(event.message, at)
    const now = world.announcements()
    const announces = [...now].filter(([process, state]) => announced.get(process) !== state)
    announced = now
    return { decision, after, announces, sends: event.kind === 'send' ? event.message : undefined }
  })
}

function causeOf(event: Event, sentAt: ReadonlyMap<number, number>, lastOf: ReadonlyMap<string, number>) {
  if (event.kind === 'receive') return sentAt.get(event.message)
  return event.kind === 'join' ? lastOf.get(event.target) : undefined
}

interface Cut {
  readonly announced: ReadonlyMap<string, Value>
  readonly path: readonly number[]
}

/** Each once, by how far each process has got. */
function* consistentCuts(steps: readonly StepOfCut[]): Generator<Cut> {
  const met = new Set<string>()
  const open: { readonly cut: Cut; readonly done: ReadonlySet<number> }[] = [
    { cut: { announced: new Map(), path: [] }, done: new Set() },
  ]
  const queues = stepsByProcess(steps)
  // Small cuts first: the first violation that is met has the fewest steps.
  for (const { cut, done } of open) {
    for (const queue of queues) {
      const at = queue.find((step) => !done.has(step))
      const step = at === undefined ? undefined : steps[at]
      if (at === undefined || step === undefined || !step.after.every((cause) => done.has(cause))) continue
      const doneThen = new Set(done).add(at)
      const key = queues.map((each) => each.findLastIndex((one) => doneThen.has(one))).join()
      if (met.has(key)) continue
      met.add(key)
      const announced = step.announces.length === 0 ? cut.announced : new Map([...cut.announced, ...step.announces])
      const grown = { announced, path: [...cut.path, at] }
      if (step.announces.length > 0) yield grown
      open.push({ cut: grown, done: doneThen })
    }
  }
}

function stepsByProcess(steps: readonly StepOfCut[]): readonly (readonly number[])[] {
  const queues = new Map<string, number[]>()
  for (const [at, { decision }] of steps.entries()) {
    const queue = queues.get(decision.process)
    if (queue === undefined) queues.set(decision.process, [at])
    else queue.push(at)
  }
  return [...queues.values()]
}

/** Messages are numbered in sending order, which is another one now. */
function renumbered(steps: readonly StepOfCut[]): readonly Decision[] {
  const numbers = new Map<number, number>()
  return steps.map(({ decision, sends }) => {
    if (sends !== undefined) numbers.set(sends, numbers.size)
    return decision.kind === 'deliver' ? { ...decision, message: numbers.get(decision.message) as number } : decision
  })
}
