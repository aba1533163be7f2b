/** What queues, stacks and priority queues have in common: values go in, and nothing is what an empty one gives back. */
import type { CallResult } from '../../../core/history.ts'
import type { Value } from '../../../core/value.ts'
import { saying, saysNothing } from '../operation-table.ts'
import { isNothing } from '../specification.ts'

export function listOf(initial: Value): readonly Value[] {
  return Array.isArray(initial) ? (initial as readonly Value[]) : []
}

/** For operations that put something in and never fail: a result false cannot be, any other says nothing. */
export function refusalOnly(value: Value): CallResult {
  return value === false ? saying(false) : saysNothing
}

/** If nothing could be put in, taking it out would look like taking from an empty object. */
export function somethingExpected([value]: readonly Value[]): string | undefined {
  return isNothing(value) ? 'a value other than null and undefined, which mean that there is none' : undefined
}

/** For operations that take something out: with this result they found nothing and changed nothing. */
export function foundNothing(result: CallResult): boolean {
  return result.kind === 'returned' && isNothing(result.value)
}
