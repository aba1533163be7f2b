/**
 * Actions and renamings as numbers, so that a transition of the explored graph is three integers.
 *
 * A label is an action in the object numbers of the state it starts from. `continued` gives the label that describes the
 * same accesses in the numbers of the next state: dependence is only ever asked of two labels in the numbers of one state.
 */
import { PairMap } from '../../collections/pair-map.ts'
import { SequenceInterner } from '../../collections/sequence-interner.ts'
import { type AccessAction, clashing, samePart } from '../../program/stateful.ts'

/** Number of the renaming that changes nothing; it fits states of every size. */
export const sameNumbers = 0

/** Per access of a label, after the process: object, part, mode. */
const accessSize = 3

export class Actions {
  /** A label is the number of its sequence: the process, then three numbers for each access. */
  readonly #labels = new SequenceInterner()
  /** By object number before the step: its number after it, -1 for an object that can no longer be reached. */
  readonly #renamings = new SequenceInterner()
  /** By renaming, once it was asked for. */
  readonly #inverses: (readonly number[] | undefined)[] = []
  /** From label and renaming to the label after it. */
  readonly #continued = new PairMap()
  /** Used again by every `label`; the interner copies what it keeps. */
  readonly #scratch: number[] = []

  constructor() {
    this.#renamings.intern([])
  }

  label({ process, accesses }: AccessAction): number {
    const sequence = this.#scratch
    sequence.length = 0
    sequence.push(process)
    for (const { object, part, mode } of accesses) sequence.push(object, part, mode)
    return this.#labels.intern(sequence)
  }

  process(label: number): number {
    return this.#labels.at(label)[0] as number
  }

  /** Process, then object, part and mode of each access. */
  sequence(label: number): readonly number[] {
    return this.#labels.at(label)
  }

  /** True if nothing can be dependent on the action, now and later. */
  isIndependent(label: number): boolean {
    return this.#labels.at(label).length === 1
  }

  renaming(renaming: readonly number[]): number {
    for (let object = 0; object < renaming.length; object++) {
      if (renaming[object] !== object) return this.#renamings.intern(renaming)
    }
    return sameNumbers
  }

  /** The label in the numbers of the state after a step with this renaming; accesses of lost objects are left out. */
  continued(label: number, renaming: number): number {
    if (renaming === sameNumbers) return label
    const known = this.#continued.get(label, renaming)
    if (known !== undefined) return known
    const numbers = this.#renamings.at(renaming)
    const before = this.#labels.at(label)
    const after = [before[0] as number]
    for (let at = 1; at < before.length; at += accessSize) {
      const object = numbers[before[at] as number] ?? -1
      if (object >= 0) after.push(object, before[at + 1] as number, before[at + 2] as number)
    }
    const result = this.#labels.intern(after)
    this.#continued.set(label, renaming, result)
    return result
  }

  /** For each object number of the state after, its number before; -1 if the object is new. */
  inverse(renaming: number): readonly number[] {
    const known = this.#inverses[renaming]
    if (known !== undefined) return known
    const inverse: number[] = []
    for (const [before, after] of this.#renamings.at(renaming).entries()) {
      if (after < 0) continue
      while (inverse.length <= after) inverse.push(-1)
      inverse[after] = before
    }
    this.#inverses[renaming] = inverse
    return inverse
  }

  /** Both in the numbers of one state. Says nothing about two actions of one process. */
  dependent(left: number, right: number): boolean {
    const [ones, others] = [this.#labels.at(left), this.#labels.at(right)]
    for (let one = 1; one < ones.length; one += accessSize) {
      for (let other = 1; other < others.length; other += accessSize) {
        if (
          ones[one] === others[other] &&
          samePart(ones[one + 1] as number, others[other + 1] as number) &&
          clashing(ones[one + 2] as number, others[other + 2] as number)
        )
          return true
      }
    }
    return false
  }
}
