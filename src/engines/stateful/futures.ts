/**
 * What can still happen after a state, as one number: the accesses of all actions reachable from it in the explored graph,
 * with the processes that perform them, in the object numbers of that state.
 *
 * Equal futures have equal numbers and every operation is remembered, so that the many states that share their future cost
 * a few look-ups each. Objects that only come into being later are dropped on the way back: nothing before can touch them.
 */
import { bit } from '../../collections/bit-mask.ts'
import { PairMap } from '../../collections/pair-map.ts'
import { SequenceInterner } from '../../collections/sequence-interner.ts'
import { clashing, samePart } from '../../program/stateful.ts'
import { type Actions, sameNumbers } from './actions.ts'

/** The future in which no process accesses anything. */
export const noFuture = 0

/** Per entry of a future, in ascending order: object, part, mode; then the mask of processes. */
const entrySize = 4

export class Futures {
  readonly #actions: Actions
  readonly #futures = new SequenceInterner()
  /** By label, with 0 as the right half of the pair: what one action accesses. */
  readonly #ofAction = new PairMap()
  /** By two futures, the lesser first. */
  readonly #unions = new PairMap()
  /** By future and renaming: the same future in the numbers of the state before the step. */
  readonly #before = new PairMap()

  constructor(actions: Actions) {
    this.#actions = actions
    this.#futures.intern([])
  }

  /** The future before a step: the action, then what follows it. */
  before(label: number, renaming: number, future: number): number {
    return this.union(this.#ofLabel(label), this.#renamedBack(future, renaming))
  }

  union(left: number, right: number): number {
    if (left === right || right === noFuture) return left
    if (left === noFuture) return right
    const [less, greater] = left < right ? [left, right] : [right, left]
    const known = this.#unions.get(less, greater)
    if (known !== undefined) return known
    const result = this.#futures.intern(merged(this.#futures.at(less), this.#futures.at(greater)))
    this.#unions.set(less, greater, result)
    return result
  }

  /** Processes whose actions in the future depend on the action; both in the numbers of one state. */
  dependents(future: number, label: number): number {
    const entries = this.#futures.at(future)
    const action = this.#actions.sequence(label)
    let processes = 0
    for (let access = 1; access < action.length; access += 3) {
      for (let entry = 0; entry < entries.length; entry += entrySize) {
        if (
          entries[entry] === action[access] &&
          samePart(entries[entry + 1] as number, action[access + 1] as number) &&
          clashing(entries[entry + 2] as number, action[access + 2] as number)
        )
          processes |= entries[entry + 3] as number
      }
    }
    return processes
  }

  #ofLabel(label: number): number {
    const known = this.#ofAction.get(label, 0)
    if (known !== undefined) return known
    const action = this.#actions.sequence(label)
    const processes = bit(this.#actions.process(label))
    let result = noFuture
    for (let access = 1; access < action.length; access += 3) {
      const [object, part, mode] = [
        action[access] as number,
        action[access + 1] as number,
        action[access + 2] as number,
      ]
      result = this.union(result, this.#futures.intern([object, part, mode, processes]))
    }
    this.#ofAction.set(label, 0, result)
    return result
  }

  #renamedBack(future: number, renaming: number): number {
    if (renaming === sameNumbers || future === noFuture) return future
    const known = this.#before.get(future, renaming)
    if (known !== undefined) return known
    const inverse = this.#actions.inverse(renaming)
    const entries = this.#futures.at(future)
    const kept: number[][] = []
    for (let entry = 0; entry < entries.length; entry += entrySize) {
      const object = inverse[entries[entry] as number] ?? -1
      if (object >= 0) kept.push([object, ...entries.slice(entry + 1, entry + entrySize)])
    }
    kept.sort((left, right) => order(left, 0, right, 0))
    const result = this.#futures.intern(kept.flat())
    this.#before.set(future, renaming, result)
    return result
  }
}

/** Compares object, part and mode of two entries. */
function order(left: readonly number[], atLeft: number, right: readonly number[], atRight: number): number {
  for (let field = 0; field < 3; field++) {
    const difference = (left[atLeft + field] as number) - (right[atRight + field] as number)
    if (difference !== 0) return difference
  }
  return 0
}

/** Both are sorted and the result is; entries that differ in their processes alone become one. */
function merged(left: readonly number[], right: readonly number[]): number[] {
  const result: number[] = []
  let [atLeft, atRight] = [0, 0]
  while (atLeft < left.length || atRight < right.length) {
    const which = atLeft === left.length ? 1 : atRight === right.length ? -1 : order(left, atLeft, right, atRight)
    const from = which <= 0 ? left : right
    const at = which <= 0 ? atLeft : atRight
    const processes =
      (which <= 0 ? (left[atLeft + 3] as number) : 0) | (which >= 0 ? (right[atRight + 3] as number) : 0)
    result.push(from[at] as number, from[at + 1] as number, from[at + 2] as number, processes)
    if (which <= 0) atLeft += entrySize
    if (which >= 0) atRight += entrySize
  }
  return result
}
