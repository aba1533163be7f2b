/**
 * Fields of calls that an object reads and that no call has, or none of those that have another field in its place: a slip where the call is announced makes
 * the object compare with `undefined`, and it may allow everything. The object is asked once more for it, the first times and then one time in so many; what
 * there is to read is told every time.
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
  /** Fields that some call or state has. */
  readonly #there = new Set<string>()
  /** By field: names that calls have in its place. */
  readonly #slips = new Map<string, Set<string>>()

  constructor(witness: Witness | undefined) {
    this.#witness = witness
  }

  /** The call is made in this state, and that came of it. */
  look(object: AbstractObject, state: Value, call: AbstractCall, applied: Applied): void {
    if (this.#witness === undefined || object.fieldsLacked === undefined) return
    const count = this.#asked++
    this.met(object, 'refused' in applied ? state : applied.state, call)
    if (count >= lookedAtFirst && count % lookedAtEvery > 0) return
    for (const { field, instead } of object.fieldsLacked(state, call)) {
      this.#witness.ask('field-never-there', field, 0)
      if (instead !== undefined) this.#notes(field, instead)
    }
  }

  /** A call, and a state that there is. */
  met(object: AbstractObject, state: Value, call: AbstractCall): void {
    for (const field of object.fieldsThere?.(state, call) ?? []) {
      this.#witness?.answer('field-never-there', field)
      if (this.#there.has(field)) continue
      this.#there.add(field)
      for (const instead of this.#slips.get(field) ?? []) this.#tell(field, instead)
    }
  }

  #notes(field: string, instead: string): void {
    const known = this.#slips.get(field) ?? new Set()
    this.#slips.set(field, known.add(instead))
    if (this.#there.has(field)) this.#tell(field, instead)
  }

  /** Other calls have the field. Where none has, that is told. */
  #tell(field: string, instead: string): void {
    this.#witness?.ask('field-never-there', `${field} with "${instead}"`, 0)
  }
}
