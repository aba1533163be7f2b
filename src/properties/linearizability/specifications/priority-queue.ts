/** A priority queue: the least value comes out first. */
import { encodeValue, type Value } from '../../../core/value.ts'
import { showValue } from '../../../core/value-text.ts'
import { tableSpecification } from '../operation-table.ts'
import { priorityQueueDecision } from '../priority-order.ts'
import type { Specification } from '../specification.ts'
import { foundNothing, listOf, refusalOnly } from './contents.ts'
import { operationNames } from './names.ts'

/** Values are numbers, big integers or texts; numbers of both kinds come before texts. */
export type Priority = number | bigint | string

/** `deleteMin` returns the least value and takes it out, `min` leaves it there; both return nothing if there is none. */
export function priorityQueue(initial: Value = []): Specification<readonly Priority[]> {
  const start = (listOf(initial) as readonly Priority[]).toSorted(comparePriorities)
  return tableSpecification<readonly Priority[]>({
    name: 'priority-queue',
    aliases: operationNames['priority-queue'],
    initial: () => start,
    key: (state) => encodeValue(state),
    describe: (state) => showValue(state, 60),
    decide: (calls, show) => priorityQueueDecision(calls, start, comparePriorities, show),
    rules: {
      insert: {
        takes: 1,
        says: refusalOnly,
        expects: ([value]) => (isPriority(value) ? undefined : 'a number, a big integer or a text'),
        apply: (state, [value]) => ({ state: inserted(state, value as Priority), returns: true }),
      },
      deleteMin: {
        takes: 0,
        observes: foundNothing,
        apply: (state) => (state.length === 0 ? { state } : { state: state.slice(1), returns: state[0] }),
      },
      min: { takes: 0, observes: true, apply: (state) => ({ state, returns: state[0] }) },
      size: { takes: 0, observes: true, apply: (state) => ({ state, returns: state.length }) },
    },
  })
}

function isPriority(value: Value): value is Priority {
  return typeof value === 'bigint' || typeof value === 'string' || (typeof value === 'number' && !Number.isNaN(value))
}

function comparePriorities(left: Priority, right: Priority): number {
  if (typeof left === 'string' && typeof right === 'string') return left < right ? -1 : left > right ? 1 : 0
  if (typeof left === 'string') return 1
  if (typeof right === 'string') return -1
  return left < right ? -1 : left > right ? 1 : 0
}

function inserted(state: readonly Priority[], value: Priority): readonly Priority[] {
  const at = state.findIndex((other) => comparePriorities(value, other) < 0)
  return at < 0 ? [...state, value] : [...state.slice(0, at), value, ...state.slice(at)]
}
