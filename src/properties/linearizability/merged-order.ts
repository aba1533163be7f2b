/**
 * One order of all calls from an order of each part: always take the first call of the part whose first call was invoked
 * earliest. No call that is left precedes it: such a call would precede the first call of its own part as well, behind which it
 * stands in that part's order.
 */
import type { Call } from '../../core/history.ts'

export function mergedOrder(orders: readonly (readonly Call[])[]): readonly Call[] {
  const heap = orders.filter((order) => order.length > 0).map((order) => ({ order, at: 0 }))
  for (let root = (heap.length >>> 1) - 1; root >= 0; root--) sink(heap, root)
  const merged: Call[] = []
  for (let first = heap[0]; first !== undefined; first = heap[0]) {
    merged.push(first.order[first.at++] as Call)
    const last = first.at === first.order.length ? heap.pop() : undefined
    if (last !== undefined && last !== first) heap[0] = last
    sink(heap, 0)
  }
  return merged
}

interface Rest {
  readonly order: readonly Call[]
  at: number
}

function sink(heap: Rest[], from: number): void {
  for (let at = from; ; ) {
    const [left, right] = [2 * at + 1, 2 * at + 2]
    let least = at
    if (left < heap.length && keyOf(heap, left) < keyOf(heap, least)) least = left
    if (right < heap.length && keyOf(heap, right) < keyOf(heap, least)) least = right
    if (least === at) return
    ;[heap[at], heap[least]] = [heap[least] as Rest, heap[at] as Rest]
    at = least
  }
}

function keyOf(heap: readonly Rest[], at: number): number {
  const rest = heap[at]
  return rest?.order[rest.at]?.invoked ?? Number.POSITIVE_INFINITY
}
