/** A last-in, first-out stack without a bound. */
import type { Call } from '../../../core/history.ts'
import { encodeValue, type Value } from '../../../core/value.ts'
import { tableSpecification } from '../operation-table.ts'
import type { Specification } from '../specification.ts'
import { stackDecision, stackRanks } from '../stack-nesting.ts'
import { foundNothing, listOf, refusalOnly, somethingExpected } from './contents.ts'
import { operationNames } from './names.ts'
import { Spine } from './spine.ts'

/**
 * `pop` returns the youngest value and takes it out, `peek` leaves it there; both return nothing if there is none. `initial`
 * lists the oldest first.
 */
export function stack(initial: Value = []): Specification<Spine> {
  const start = listOf(initial)
  return tableSpecification<Spine>({
    name: 'stack',
    aliases: operationNames.stack,
    initial: () => Spine.of(start),
    key: (state) => state.id,
    copies: Spine.copies,
    describe: (state) => state.describe(),
    decide: (calls, show) => stackDecision(calls, start, show),
    ranks: (calls) => stackRanks(calls, start) ?? lastOutFirstIn(calls),
    rules: {
      push: {
        takes: 1,
        says: refusalOnly,
        expects: somethingExpected,
        apply: (state, [value]) => ({ state: state.with(value), returns: true }),
      },
      pop: {
        takes: 0,
        observes: foundNothing,
        apply: (state) => (state.below === undefined ? { state } : { state: state.below, returns: state.value }),
      },
      peek: { takes: 0, observes: true, apply: (state) => ({ state, returns: state.value }) },
      size: { takes: 0, observes: true, apply: (state) => ({ state, returns: state.size }) },
    },
  })
}

/** Where values are repeated a search does best to pop what it can, and to push first what comes out last. */
function lastOutFirstIn(calls: readonly Call[]): readonly number[] {
  const times = new Map<string, number>()
  for (const { operation, result, returned } of calls) {
    if (operation !== 'pop' || result.kind !== 'returned') continue
    const name = encodeValue(result.value)
    times.set(name, Math.min(times.get(name) ?? never, returned))
  }
  return calls.map(({ operation, args }) =>
    operation === 'push' ? -(times.get(encodeValue(args[0])) ?? never) : -2 * never,
  )
}

const never = 1e300
