/** Short ways to write histories. */
import type { Call, CallResult, History } from '../../../../src/core/history.ts'
import type { Value } from '../../../../src/core/value.ts'

/** A call from one moment to another; what it returned, if anything. */
export function call(
  process: string,
  [invoked, returned]: readonly [number, number],
  operation: string,
  args: readonly Value[] = [],
  value?: Value,
): Call {
  return { process, operation, args, invoked, returned, result: { kind: 'returned', value } }
}

export function pendingCall(process: string, invoked: number, operation: string, args: readonly Value[] = []): Call {
  return { process, operation, args, invoked, returned: Number.POSITIVE_INFINITY, result: { kind: 'pending' } }
}

export function withResult(one: Call, result: CallResult): Call {
  return { ...one, result }
}

export function historyOf(...calls: readonly Call[]): History {
  return { calls: [...calls].sort((left, right) => left.invoked - right.invoked) }
}

/** Calls of one process, one after another. */
export function inARow(process: string, ...calls: readonly (readonly [string, readonly Value[], Value?])[]): History {
  return historyOf(
    ...calls.map(([operation, args, value], at) => call(process, [2 * at, 2 * at + 1], operation, args, value)),
  )
}
