/**
 * Fields of calls that an object reads and that no call has: a slip where the call is announced makes the object compare with `undefined`, and it may allow
 * everything. The object is asked once more for it, the first times and then one time in so many; what there is to read is told every time.
 */
import type { Value } from '../../core/value.ts'
import type { Witness } from '../../core/witness.ts'
import type { AbstractCall, AbstractObject, Applied } from '../../program/refinement.ts'

/** A prime, so that no rhythm of the search is met. */
const lookedAtFirst = 4_096
const lookedAtEvery = 251

export class FieldsOfCalls {
  readonly #witness: Witness | undefined
  #asked = 0

  constructor(witness: Witness | undefined) {
    this.#witness = witness
  }

  /** The call is made in this state, and that came of it. */
  look(object: AbstractObject, state: Value, call: AbstractCall, applied: Applied): void {
    if (this.#witness === undefined || object.fieldsLacked === undefined) return
    const count = this.#asked++
    this.met(object, 'refused' in applied ? state : applied.state, call)
    if (count >= lookedAtFirst && count % lookedAtEvery > 0) return
    for (const field of object.fieldsLacked(state, call)) this.#witness.ask('field-never-there', field, 0)
  }

  /** A call, and a state that there is. */
  met(object: AbstractObject, state: Value, call: AbstractCall): void {
    for (const field of object.fieldsThere?.(state, call) ?? []) this.#witness?.answer('field-never-there', field)
  }
}
