/** A log to which one appends and from which one reads by offset, as of a partition of a message broker. */
import type { Value } from '../../../core/value.ts'
import { type OperationRule, saying, saysNothing, tableSpecification } from '../operation-table.ts'
import type { Specification } from '../specification.ts'
import { listOf } from './contents.ts'
import { operationNames } from './names.ts'
import { Spine } from './spine.ts'

/**
 * `append` returns the offset of the new entry, from 0; a result that is not a number says nothing. `read(offset)` returns the
 * entry or nothing if there is none yet, `poll(offset)` the list of all entries from there on, `poll(offset, most)` at most
 * so many, `size` the number of entries.
 */
export function log(initial: Value = []): Specification<Spine> {
  const start = listOf(initial)
  return tableSpecification<Spine>({
    name: 'log',
    aliases: operationNames.log,
    initial: () => Spine.of(start),
    key: (state) => state.id,
    copies: Spine.copies,
    describe: (state) => state.describe(),
    rules: {
      append: {
        takes: 1,
        says: (value) => (typeof value === 'number' ? saying(value) : saysNothing),
        // The offset is asked first: an entry that would get another one is not worth a new state.
        apply: (state, [value], result) =>
          result.kind === 'returned' && result.value !== state.size
            ? []
            : { state: state.with(value), returns: state.size },
      },
      read: {
        takes: 1,
        observes: true,
        expects: offsetExpected,
        apply: (state, [offset]) => ({ state, returns: entryAt(state, offset as number) }),
      },
      poll: {
        takes: [1, 2],
        observes: true,
        expects: offsetExpected,
        apply: (state, [offset, most = Number.POSITIVE_INFINITY]) => ({
          state,
          returns: state.from(offset as number).slice(0, most as number),
        }),
      },
      size: { takes: 0, observes: true, apply: (state) => ({ state, returns: state.size }) },
    } satisfies { readonly [operation: string]: OperationRule<Spine> },
  })
}

function offsetExpected(args: readonly Value[]): string | undefined {
  const fine = args.every((arg) => Number.isSafeInteger(arg) && (arg as number) >= 0)
  return fine ? undefined : 'offsets and counts that are whole numbers from 0'
}

function entryAt(state: Spine, offset: number): Value {
  if (offset >= state.size) return undefined
  let cell = state
  while (cell.size > offset + 1 && cell.below !== undefined) cell = cell.below
  return cell.value
}
