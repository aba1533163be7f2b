/**
 * Invariants over one execution and everything equivalent to it: all consistent cuts of its events (Cooper and Marzullo,
 * "Consistent Detection of Global Predicates", 1991), each a state that some order of the same events meets.
 *
 * For engines that see one execution of each class. An invariant is about states that are met together, and those depend on the
 * order that such engines leave open.
 */
import { invariant } from '../core/invariant.ts'
import type { PartialOrder } from '../core/partial-order.ts'
import { type StateProperty, seeing, type Violation, violationKey } from '../core/property.ts'
import type { Decision } from '../core/trace.ts'
import type { Value } from '../core/value.ts'
import type { Path, Paths } from '../program/path.ts'
import type { Runnable } from '../program/program.ts'
import { renumbered } from './partial-order.ts'
import { pathsOf } from './world-path.ts'

export interface CutViolation {
  readonly violation: Violation
  /** An order of some of the decisions that ends where the violation is. */
  readonly decisions: readonly Decision[]
}

export class Cuts {
  readonly #paths: Paths
  readonly #invariants: readonly StateProperty[]
  readonly #told = new Set<string>()

  constructor(subject: Runnable) {
    this.#paths = pathsOf(subject)
    this.#invariants = seeing(subject.properties, 'state')
  }

  /** What has not been told before. */
  violations(execution: () => readonly Decision[]): readonly CutViolation[] {
    if (this.#invariants.length === 0) return []
    const decisions = execution()
    const found: CutViolation[] = []
    const happened = executed(this.#paths.begin({ judgesStates: false }), decisions)
    for (const cut of consistentCuts(happened)) {
      for (const { violation } of this.#invariants) {
        const wrong = violation(cut.states)
        if (wrong === undefined || this.#told.has(violationKey(wrong))) continue
        this.#told.add(violationKey(wrong))
        // In the order of the execution, which the network allows: that of a mailbox is not any that causality leaves.
        const path = cut.path.toSorted((left, right) => left - right)
        found.push({ violation: wrong, decisions: renumbered(decisions, happened.order.events, path) })
      }
    }
    return found
  }
}

interface Executed {
  readonly order: PartialOrder
  /** Before the first decision. */
  readonly states: States
  /** By decision: processes that are in another state after it, its own and one that it begins. */
  readonly changes: readonly (readonly (readonly [process: string, state: Value])[])[]
}

type States = ReadonlyMap<string, Value>

function executed(path: Path, decisions: readonly Decision[]): Executed {
  const none: States = new Map()
  const statesOf = (): States => path.states?.() ?? none
  const states = statesOf()
  let known = states
  const changes = decisions.map((decision) => {
    path.take(decision)
    const now = statesOf()
    const changed = [...now].filter(([process, state]) => known.get(process) !== state)
    known = now
    return changed
  })
  const order = path.order?.()
  invariant(order !== undefined, 'cuts are asked of executions whose order is known')
  return { order, states, changes }
}

interface Cut {
  readonly states: States
  readonly path: readonly number[]
}

/** Each once, by how far each process has got. */
function* consistentCuts({ order, states, changes }: Executed): Generator<Cut> {
  const met = new Set<string>()
  const open: { readonly cut: Cut; readonly done: ReadonlySet<number> }[] = [
    { cut: { states, path: [] }, done: new Set() },
  ]
  const queues = decisionsByProcess(order)
  // Small cuts first: the first violation that is met has the fewest steps.
  for (const { cut, done } of open) {
    for (const queue of queues) {
      const at = queue.find((step) => !done.has(step))
      if (at === undefined || !order.causes[at]?.every((cause) => done.has(cause))) continue
      const doneThen = new Set(done).add(at)
      const key = queues.map((each) => each.findLastIndex((one) => doneThen.has(one))).join()
      if (met.has(key)) continue
      met.add(key)
      const changed = changes[at] ?? []
      const grown = {
        states: changed.length === 0 ? cut.states : new Map([...cut.states, ...changed]),
        path: [...cut.path, at],
      }
      if (changed.length > 0) yield grown
      open.push({ cut: grown, done: doneThen })
    }
  }
}

function decisionsByProcess({ events }: PartialOrder): readonly (readonly number[])[] {
  const queues = new Map<string, number[]>()
  for (const [at, { process }] of events.entries()) {
    const queue = queues.get(process)
    if (queue === undefined) queues.set(process, [at])
    else queue.push(at)
  }
  return [...queues.values()]
}
