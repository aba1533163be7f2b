/** A first-in, first-out queue without a bound. */
import { encodeValue, type Value } from '../../../core/value.ts'
import { showValue } from '../../../core/value-text.ts'
import { tableSpecification } from '../operation-table.ts'
import { queueDecision } from '../queue-axioms.ts'
import { queueRanks } from '../queue-order.ts'
import type { Specification } from '../specification.ts'
import { foundNothing, listOf, refusalOnly, somethingExpected } from './contents.ts'
import { operationNames } from './names.ts'

/** `dequeue` returns the oldest value and takes it out, `peek` leaves it there; both return nothing if there is none. */
export function queue(initial: Value = []): Specification<readonly Value[]> {
  const start = listOf(initial)
  return tableSpecification<readonly Value[]>({
    name: 'queue',
    aliases: operationNames.queue,
    initial: () => start,
    key: (state) => encodeValue(state),
    describe: (state) => showValue(state, 60),
    decide: (calls, show) => queueDecision(calls, start, show),
    ranks: queueRanks,
    rules: {
      enqueue: {
        takes: 1,
        says: refusalOnly,
        expects: somethingExpected,
        apply: (state, [value]) => ({ state: [...state, value], returns: true }),
      },
      dequeue: {
        takes: 0,
        observes: foundNothing,
        apply: (state) => (state.length === 0 ? { state } : { state: state.slice(1), returns: state[0] }),
      },
      peek: { takes: 0, observes: true, apply: (state) => ({ state, returns: state[0] }) },
      size: { takes: 0, observes: true, apply: (state) => ({ state, returns: state.length }) },
    },
  })
}
