/**
 * Calls of an abstract object in a complete graph, and what comes before each, as clocks tell: whether they are allowed is seen without following the
 * execution. Clocks are causes (`semantics/partial-order.ts`) and nothing else, so this is for executions in which nothing else keeps an order.
 */
import { callStep, type NetworkName } from '../../core/operation.ts'
import type { Value } from '../../core/value.ts'
import { type AbstractObject, callOf } from '../../program/refinement.ts'
import type { CallsInOrder } from '../../semantics/refinement/call-orders.ts'
import type { GraphEvent } from './graph.ts'
import type { GraphSearch } from './search.ts'

const withoutOrder: ReadonlySet<NetworkName | undefined> = new Set(['bag', 'fifo', 'causal'])

/** Nothing, if more than causes counts: what is received first, partitions, or handlers that call and do more in the same step. */
export function callsIn(search: GraphSearch, object: AbstractObject): readonly CallsInOrder[] | undefined {
  const { graph, subject, isEager } = search
  if (isEager || subject.faults !== undefined || subject.exposing !== undefined || subject.reference !== undefined)
    return undefined
  if (graph.order.some(({ kind, network }) => kind === 'send' && !withoutOrder.has(network))) return undefined
  const calls = graph.order.flatMap((event) => callOfEvent(object, event) ?? [])
  return calls.map(({ event, call }) => {
    const past = new Set<number>()
    for (const [at, one] of calls.entries()) if (isBefore(one.event, event)) past.add(at)
    return { calls: [call], past }
  })
}

function callOfEvent(object: AbstractObject, event: GraphEvent) {
  if (event.kind !== 'choose' || event.operation?.target !== callStep) return undefined
  const call = callOf(object, (event.payload as readonly Value[])[0])
  return call && { event, call }
}

/** In the causal prefix, and not the same. */
function isBefore(event: GraphEvent, of: GraphEvent): boolean {
  return event.index < (event.process === of.process ? of.index : (of.clock[event.process.number] ?? 0))
}
