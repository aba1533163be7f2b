/** A set. Elements are independent of each other, unless the whole set is read. */
import type { CallResult } from '../../../core/history.ts'
import { compareValues, encodeValue, type Value } from '../../../core/value.ts'
import { showValue } from '../../../core/value-text.ts'
import { booleanOnly, returned, tableSpecification } from '../operation-table.ts'
import type { Specification } from '../specification.ts'
import { operationNames } from './names.ts'

/** Members by their canonical text, so that membership is structural. */
type Members = ReadonlyMap<string, Value>

/**
 * `add` and `remove` return whether they changed the set, `contains` whether the element is in it; results of `add` and
 * `remove` that are not true or false say nothing. `read` returns a list of all members in any order, `size` their number.
 *
 * A part (one element) has two states and, after read-only calls, four kinds of calls: `add` and `remove`, each answered or
 * not. The search takes calls of one kind in order of their returns, so it visits at most 2 n (a + 1) (r + 1) configurations
 * for n calls of which a adds and r removes are unanswered: no shortcut is needed.
 */
export function set(initial: Value = []): Specification<Members> {
  const members = membersOf(initial)
  return tableSpecification<Members>({
    name: 'set',
    aliases: operationNames.set,
    initial: () => members,
    key: (state) => [...state.keys()].sort().join(','),
    describe: (state) => `{${[...state.values()].map((value) => showValue(value, 20)).join(', ')}}`,
    partition: (operation, [element]) => (operation === 'read' || operation === 'size' ? undefined : element),
    rules: {
      add: {
        takes: 1,
        says: booleanOnly,
        observes: (result) => returned(result, false),
        apply(state, [element]) {
          const key = encodeValue(element)
          if (state.has(key)) return { state, returns: false }
          return { state: new Map(state).set(key, element), returns: true }
        },
      },
      remove: {
        takes: 1,
        says: booleanOnly,
        observes: (result) => returned(result, false),
        apply(state, [element]) {
          const rest = new Map(state)
          return rest.delete(encodeValue(element)) ? { state: rest, returns: true } : { state, returns: false }
        },
      },
      contains: {
        takes: 1,
        observes: true,
        apply: (state, [element]) => ({ state, returns: state.has(encodeValue(element)) }),
      },
      read: { takes: 0, observes: true, apply: (state, _args, result) => ({ state, returns: listed(state, result) }) },
      size: { takes: 0, observes: true, apply: (state) => ({ state, returns: state.size }) },
    },
  })
}

function membersOf(initial: Value): Members {
  const items = initial instanceof Set ? [...initial] : Array.isArray(initial) ? (initial as readonly Value[]) : []
  return new Map(items.map((item) => [encodeValue(item), item]))
}

/** The members in the order in which they were observed, so that any order fits. */
function listed(state: Members, result: CallResult): Value {
  const observed = result.kind === 'returned' ? result.value : undefined
  if (observed instanceof Set) return new Set(state.values())
  const members = [...state.values()].sort(compareValues)
  if (!Array.isArray(observed) || observed.length !== members.length) return members
  const sorted = [...(observed as readonly Value[])].sort(compareValues)
  return encodeValue(sorted) === encodeValue(members) ? observed : members
}
