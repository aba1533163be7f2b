/** A lock that one process at a time can hold; any process may release it. */
import type { Value } from '../../../core/value.ts'
import {
  booleanOnly,
  type OperationRule,
  returned,
  saying,
  saysNothing,
  tableSpecification,
} from '../operation-table.ts'
import type { Specification } from '../specification.ts'
import { operationNames } from './names.ts'

const free = 0
const held = 1
type LockState = typeof free | typeof held

/**
 * `acquire` can happen while the lock is free, `release` while it is held. `tryAcquire` returns whether it got the lock.
 * An `acquire` that returns false gave up, which it may do at any time.
 */
export function lock(initial: Value = 'free'): Specification<LockState> {
  return tableSpecification<LockState>({
    name: 'lock',
    aliases: operationNames.lock,
    initial: () => (initial === 'held' || initial === true ? held : free),
    key: (state) => state,
    describe: (state) => (state === held ? 'held' : 'free'),
    rules: { acquire, release, tryAcquire },
  })
}

const acquire: OperationRule<LockState> = {
  takes: 0,
  says: (value) => (value === false ? saying(false) : saysNothing),
  observes: (result) => returned(result, false),
  apply(state, _args, result) {
    if (returned(result, false)) return { state, returns: false }
    return state === free ? { state: held } : []
  },
}

const release: OperationRule<LockState> = {
  takes: 0,
  says: () => saysNothing,
  apply: (state) => (state === held ? { state: free } : []),
}

const tryAcquire: OperationRule<LockState> = {
  takes: 0,
  says: booleanOnly,
  observes: (result) => returned(result, false),
  apply: (state) => ({ state: held, returns: state === free }),
}
