/**
 * Fields of calls that an object reads and that no call has, or none of those that have another field in its place: a slip where the call is announced makes
 * the object compare with `undefined`, and it may allow everything. And fields of calls that it never reads. The object is asked once more for it, the first
 * times and then one time in so many; what there is to read is told every time.
 *
 * A field that is not there may be one that calls may leave out, and a field that is not read may be there for readers: both are noted. A call that has a
 * field which is never read, in the place of one of nearly the same name which is, is a mistake.
 */
import type { Value } from '../../core/value.ts'
import type { Witness } from '../../core/witness.ts'
import type { AbstractCall, AbstractObject, Applied, LackedOfCall } from '../../program/refinement.ts'
import { placeOfEvent } from './announced-at.ts'

/** A prime, so that no rhythm of the search is met. */
const lookedAtFirst = 4_096
const lookedAtEvery = 251
/** As long as some field was not read, so many calls are looked at one by one: it may be read in states that are rare. */
const lookedAtMost = 32_768

export class FieldsOfCalls {
  readonly #witness: Witness | undefined
  #asked = 0
  /** Fields that some call or state has. */
  readonly #there = new Set<string>()
  /** By field: names that calls have in its place. */
  readonly #slips = new Map<string, Set<string>>()
  readonly #read = new Set<string>()
  readonly #unread = new Set<string>()
  /** By field that is there: what would be a slip if it is never read. */
  readonly #misspelt = new Map<string, string>()

  constructor(witness: Witness | undefined) {
    this.#witness = witness
  }

  /** The call is made in this state, and that came of it. */
  look(object: AbstractObject, state: Value, call: AbstractCall, applied: Applied): void {
    if (this.#witness === undefined || object.fieldsAsked === undefined) return
    const count = this.#asked++
    this.met(object, 'refused' in applied ? state : applied.state, call)
    if (count === lookedAtMost) this.#forgetUnread()
    const isLookedAt = count < lookedAtFirst || count % lookedAtEvery === 0
    if (!isLookedAt && (this.#unread.size === 0 || count > lookedAtMost)) return
    const { lacked, read, unread } = object.fieldsAsked(state, call)
    for (const field of read) this.#reads(field)
    for (const field of unread) if (count < lookedAtMost) this.#leaves(field, call)
    for (const one of lacked) this.#lacks(one, call)
  }

  #lacks({ field, instead, name }: LackedOfCall, call: AbstractCall): void {
    this.#witness?.ask('field-never-there', field, 0, placeOfEvent(call))
    if (instead === undefined) return
    this.#notes(field, instead, call)
    const misspelt = `field "${instead}" of calls of ${call.kind}`
    if (name === undefined || this.#read.has(misspelt)) return
    const slip = `${misspelt} in the place of "${name}"`
    this.#misspelt.set(misspelt, slip)
    this.#witness?.ask('field-misspelt', slip, 0, placeOfEvent(call))
  }

  #reads(field: string): void {
    if (this.#read.has(field)) return
    this.#read.add(field)
    this.#unread.delete(field)
    this.#witness?.answer('field-never-read', field)
    const slip = this.#misspelt.get(field)
    if (slip !== undefined) this.#witness?.answer('field-misspelt', slip)
  }

  #leaves(field: string, call: AbstractCall): void {
    if (this.#read.has(field)) return
    this.#unread.add(field)
    this.#witness?.ask('field-never-read', field, 0, placeOfEvent(call))
  }

  /** Calls are looked at one in so many from here on: whether a field is never read is not known. */
  #forgetUnread(): void {
    for (const field of this.#unread) this.#witness?.answer('field-never-read', field)
    this.#unread.clear()
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

  #notes(field: string, instead: string, call: AbstractCall): void {
    const known = this.#slips.get(field) ?? new Set()
    this.#slips.set(field, known.add(instead))
    if (this.#there.has(field)) this.#tell(field, instead, call)
  }

  /** Other calls have the field. Where none has, that is told. */
  #tell(field: string, instead: string, call?: AbstractCall): void {
    this.#witness?.ask('field-never-there', `${field} with "${instead}"`, 0, call && placeOfEvent(call))
  }
}
