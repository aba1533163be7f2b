/** Histories that several tests of pictures draw. */
import type { Call, CallResult, History } from '../../../src/core/history.ts'
import type { Value } from '../../../src/core/value.ts'
import type { HistoryPicture } from '../../../src/reports/history-picture.ts'

interface Times {
  readonly at: number
  /** Never, unless given. */
  readonly until?: number
}

export function called(
  process: string,
  [operation, ...args]: readonly [string, ...Value[]],
  { at, until }: Times,
  result: CallResult | { readonly value: Value } = { value: undefined },
): Call {
  const returned: CallResult = 'kind' in result ? result : { kind: 'returned', value: result.value }
  return {
    process,
    operation,
    args,
    invoked: at,
    returned: until ?? Number.POSITIVE_INFINITY,
    result: until === undefined ? { kind: 'pending' } : returned,
  }
}

/** Two pops take the same element; a third never returns. */
export const twicePopped: HistoryPicture = {
  history: {
    calls: [
      called('p1', ['push', 1], { at: 0, until: 3 }),
      called('p2', ['push', 2], { at: 1, until: 6 }),
      called('p3', ['pop'], { at: 4, until: 8 }, { value: 1 }),
      called('p1', ['pop'], { at: 5, until: 9 }, { value: 1 }),
      called('p2', ['pop'], { at: 7 }),
    ],
  },
  order: [0, 1, 2],
  stuck: 3,
  words: 'pop() of p1 returned 1, but 1 had been popped before',
}

/** Calls of four processes, each overlapping the next two. */
export function queueHistory(length: number): History {
  return {
    calls: Array.from({ length }, (_, at) =>
      called(
        `p${(at % 4) + 1}`,
        at % 2 === 0 ? ['enqueue', { id: at }] : ['dequeue'],
        { at: at * 10, until: at * 10 + 25 },
        { value: at % 2 === 0 ? undefined : { id: at - 1 } },
      ),
    ),
  }
}
