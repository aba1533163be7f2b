/** Deadlock freedom: in an execution where nothing more can happen, only daemons wait. */
import type { Ending, EndProperty, Violation } from '../core/property.ts'

export const deadlockFreedom: EndProperty = { kind: 'deadlock', name: 'no deadlock', sees: 'ending', violation }

function violation(ending: Ending): Violation | undefined {
  // A process stopped by `assume` says "this execution does not count"; a process that waits for it is not to blame.
  if (ending.processes.some((process) => process.status === 'stopped' || process.status === 'failed')) return undefined
  const stuck = ending.processes.filter((process) => process.status === 'waiting' && !process.daemon)
  if (stuck.length === 0) return undefined
  // Sorted by id: the order of processes depends on the interleaving, and the same deadlock must read the same.
  stuck.sort((left, right) => (left.id < right.id ? -1 : 1))
  const who = stuck.map((process) => `${process.id} waits for ${process.waiting?.forWhat ?? 'something'}`)
  return {
    kind: 'deadlock',
    property: 'no deadlock',
    message: who.join('; '),
    waiting: stuck.flatMap((process) => (process.waiting === undefined ? [] : [process.waiting])),
  }
}
