/**
 * Which invariants are broken in an execution or in one that is equivalent to it, the plain way: all its consistent cuts one by one
 * (Cooper and Marzullo, 1991), each put together from what processes expose.
 */
import type { PartialOrder } from '../../src/core/partial-order.ts'
import { seeing, violationKey } from '../../src/core/property.ts'
import type { Decision } from '../../src/core/trace.ts'
import type { Value } from '../../src/core/value.ts'
import type { Runnable } from '../../src/program/program.ts'
import { pathsOf } from '../../src/semantics/world-path.ts'

type States = ReadonlyMap<string, Value>

/** By key: how many steps the smallest cut has that breaks it. */
export function brokenInCuts(subject: Runnable, decisions: readonly Decision[]): ReadonlyMap<string, number> {
  const broken = new Map<string, number>()
  for (const { states, steps } of consistentCuts(executed(subject, decisions)))
    for (const { violation } of seeing(subject.properties, 'state')) {
      const wrong = violation(states)
      if (wrong === undefined) continue
      const key = violationKey(wrong)
      broken.set(key, Math.min(steps, broken.get(key) ?? steps))
    }
  return broken
}

interface Executed {
  readonly order: PartialOrder
  readonly states: States
  readonly changes: readonly (readonly (readonly [process: string, state: Value])[])[]
}

function executed(subject: Runnable, decisions: readonly Decision[]): Executed {
  const path = pathsOf(subject).begin({ judgesStates: false })
  const states = path.states?.() ?? new Map<string, Value>()
  let known = states
  const changes = decisions.map((decision) => {
    path.take(decision)
    const now = path.states?.() ?? known
    const changed = [...now].filter(([process, state]) => known.get(process) !== state)
    known = now
    return changed
  })
  const order = path.order?.()
  if (order === undefined) throw new Error('processes have an order')
  return { order, states, changes }
}

/** Each once, by how far each process has got. */
function* consistentCuts({ order, states, changes }: Executed) {
  const met = new Set<string>()
  const open = [{ states, done: new Set<number>() }]
  const queues = decisionsByProcess(order)
  for (const cut of open) {
    for (const queue of queues) {
      const at = queue.find((step) => !cut.done.has(step))
      if (at === undefined || !order.causes[at]?.every((cause) => cut.done.has(cause))) continue
      const done = new Set(cut.done).add(at)
      const key = queues.map((each) => each.findLastIndex((one) => done.has(one))).join()
      if (met.has(key)) continue
      met.add(key)
      const grown = new Map([...cut.states, ...(changes[at] ?? [])])
      yield { states: grown, steps: done.size }
      open.push({ states: grown, done })
    }
  }
}

function decisionsByProcess({ events }: PartialOrder): readonly (readonly number[])[] {
  const queues = new Map<string, number[]>()
  for (const [at, { process }] of events.entries()) queues.set(process, [...(queues.get(process) ?? []), at])
  return [...queues.values()]
}
