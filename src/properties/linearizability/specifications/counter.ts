/** A counter. */
import type { Value } from '../../../core/value.ts'
import { type OperationRule, saying, saysNothing, tableSpecification } from '../operation-table.ts'
import { isNothing, type Specification } from '../specification.ts'
import { operationNames } from './names.ts'

export interface CounterOptions {
  /**
   * What `increment`, `decrement` and `add` return, whose names do not say: the new value unless told otherwise. A result
   * that is nothing fits in any case. `getAndIncrement`, `incrementAndGet` and their like say it themselves.
   */
  readonly returns?: 'old' | 'new' | undefined
}

export function counter(initial = 0, { returns = 'new' }: CounterOptions = {}): Specification<number> {
  return tableSpecification({
    name: 'counter',
    aliases: operationNames.counter,
    initial: () => initial,
    key: (count) => count,
    describe: String,
    rules: {
      get: { takes: 0, observes: true, apply: (count) => ({ state: count, returns: count }) },
      increment: { ...step(() => 1, returns), says: valueOrNothing },
      decrement: { ...step(() => -1, returns), says: valueOrNothing },
      add: { ...stepBy(returns), says: valueOrNothing },
      getAndIncrement: step(() => 1, 'old'),
      incrementAndGet: step(() => 1, 'new'),
      getAndDecrement: step(() => -1, 'old'),
      decrementAndGet: step(() => -1, 'new'),
      getAndAdd: stepBy('old'),
      addAndGet: stepBy('new'),
    },
  })
}

function step(by: (args: readonly Value[]) => number, returns: 'old' | 'new'): OperationRule<number> {
  return {
    takes: 0,
    apply(count, args) {
      const next = count + by(args)
      return { state: next, returns: returns === 'old' ? count : next }
    },
  }
}

function stepBy(returns: 'old' | 'new'): OperationRule<number> {
  return {
    ...step(([by]) => by as number, returns),
    takes: 1,
    expects: ([by]) => (typeof by === 'number' ? undefined : 'a number'),
  }
}

function valueOrNothing(value: Value) {
  return isNothing(value) ? saysNothing : saying(value)
}
