/**
 * What abstract objects are beside the states of a program: each is told, one after the other, of the calls that processes announce (thesis, chapter 3:
 * an execution refines the object if every call is allowed). States of objects are numbered, so that a search carries one small number along.
 */
import { invariant } from '../../core/invariant.ts'
import type { Violation } from '../../core/property.ts'
import { encodeInOrder, type Value } from '../../core/value.ts'
import type { Witness } from '../../core/witness.ts'
import {
  type AbstractCall,
  type AbstractObject,
  type Applied,
  answersDiffer,
  callOf,
} from '../../program/refinement.ts'
import { atAnnouncement } from './announced-at.ts'
import { FieldsOfCalls } from './fields-of-calls.ts'

/** What an object is: its state, and the call that was refused, after which it is told no more. */
interface Kept {
  readonly state: Value
  readonly refused?: Violation | undefined
}

interface Ghosts {
  readonly text: string
  readonly objects: readonly Kept[]
  readonly violations: readonly Violation[]
}

export class Ghost {
  readonly #objects: readonly AbstractObject[]
  readonly #numbers = new Map<string, number>()
  readonly #ghosts: Ghosts[] = []
  /** By what was told, then by what was before. Lists of what handlers tell are the same objects again and again; those of actions are alike. */
  readonly #known = new WeakMap<readonly Value[], number[]>()
  readonly #byText = new Map<string, number[]>()
  readonly #witness: Witness | undefined
  readonly #fields: FieldsOfCalls

  /** `called`: what was announced before the execution begins. */
  constructor(objects: readonly AbstractObject[], witness?: Witness | undefined, called: readonly Value[] = []) {
    this.#objects = objects
    this.#witness = witness
    this.#fields = new FieldsOfCalls(witness)
    for (const object of objects) askForCalls(object, witness)
    const begun = objects.map((object) =>
      called.reduce<Kept>((kept, event) => this.#applied(object, kept, event), { state: object.first }),
    )
    this.#number(begun)
  }

  /** Before anything more is announced. */
  get first(): number {
    return 0
  }

  after(ghost: number, told: readonly Value[]): number {
    if (told.length === 0 || this.#objects.length === 0) return ghost
    const known = this.#known.get(told) ?? this.#firstMet(told)
    known[ghost] ??= this.#after(ghost, told)
    return known[ghost] as number
  }

  #firstMet(told: readonly Value[]): number[] {
    const text = encodeInOrder(told)
    const known = this.#byText.get(text) ?? []
    this.#byText.set(text, known)
    this.#known.set(told, known)
    return known
  }

  /** Of calls that were refused on the way. */
  violations(ghost: number): readonly Violation[] {
    return this.#at(ghost).violations
  }

  /** Equal for equal states of all objects, and only for those. */
  text(ghost: number): string {
    return this.#at(ghost).text
  }

  #at(ghost: number): Ghosts {
    const found = this.#ghosts[ghost]
    invariant(found !== undefined, 'states of objects are known by their numbers')
    return found
  }

  #after(ghost: number, told: readonly Value[]): number {
    const { objects } = this.#at(ghost)
    return this.#number(
      this.#objects.map((object, at) =>
        told.reduce<Kept>((kept, event) => this.#applied(object, kept, event), objects[at] as Kept),
      ),
    )
  }

  #applied(object: AbstractObject, kept: Kept, event: Value): Kept {
    const call = kept.refused === undefined ? callOf(object, event) : undefined
    if (call === undefined) return kept
    const applied = atAnnouncement(call, () => object.after(kept.state, call))
    this.#fields.look(object, kept.state, call, applied)
    if ('refused' in applied) return { state: kept.state, refused: refusedCall(object, kept.state, call) }
    tellCalled(call, applied, this.#witness)
    return applied
  }

  #number(objects: readonly Kept[]): number {
    const text = objects.map(({ state, refused }) => encodeInOrder([state, refused?.message ?? null] as Value)).join()
    const known = this.#numbers.get(text)
    if (known !== undefined) return known
    for (const [at, { state }] of objects.entries())
      tellCalls(this.#objects[at] as AbstractObject, state, this.#witness)
    const violations = objects.flatMap(({ refused }) => refused ?? [])
    this.#numbers.set(text, this.#ghosts.length)
    return this.#ghosts.push({ text, objects, violations }) - 1
  }
}

/** Operations without which little is shown, until an execution calls them. */
export function askForCalls({ name, expected }: AbstractObject, witness: Witness | undefined): void {
  for (const operation of expected) witness?.ask('operation-never-called', `${name}.${operation}`, 0)
}

/** Which operations were called: this one, and what it comes to. */
export function tellCalled({ kind }: AbstractCall, { comesTo }: Applied, witness: Witness | undefined): void {
  witness?.answer('operation-never-called', kind)
  if (comesTo !== undefined) witness?.answer('operation-never-called', comesTo.kind)
}

/** What an execution has called, if the object tells by what it is. */
export function tellCalls(object: AbstractObject, state: Value, witness: Witness | undefined): void {
  const calls = witness === undefined ? undefined : object.callsIn?.(state)
  for (const [operation, count] of Object.entries(calls ?? {})) witness?.met(`${object.name}.${operation}`, count)
}

/** The violation that a call is which its object refuses in this state. */
export function refusedCall(object: AbstractObject, state: Value, call: AbstractCall): Violation {
  const applied = object.after(state, call)
  if (!('refused' in applied)) throw answersDiffer(object, call)
  const { reason, rule, consequence } = applied.refused
  const picture = object.drawn?.(state, call)
  return {
    kind: 'refinement',
    property: object.name,
    message: `${object.described(call)}: ${reason}`,
    ...(rule === undefined ? {} : { rule }),
    ...(picture === undefined ? {} : { picture }),
    ...(consequence === undefined ? {} : { consequence }),
  }
}
