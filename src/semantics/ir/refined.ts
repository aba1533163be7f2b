/**
 * Abstract objects beside the machines of an IR program: told at once what machines send and announce, as monitors are, where events have a meaning as
 * calls. What that meaning is a function in TypeScript says; it is asked once for each payload, and again to see that it answers the same.
 */
import { type Diagnostic, DiagnosticError, type Place } from '../../core/diagnostic.ts'
import type { Event } from '../../core/event.ts'
import { invariant } from '../../core/invariant.ts'
import { shown } from '../../core/option-shape.ts'
import type { Violation } from '../../core/property.ts'
import { runAs } from '../../core/running.ts'
import { stackOf, thrownBy } from '../../core/thrown.ts'
import { sameValue, type Value } from '../../core/value.ts'
import type { Witness } from '../../core/witness.ts'
import type { Ir } from '../../ir/ir.ts'
import { type AbstractCall, type AbstractObject, type CalledByEvents, makerOf } from '../../program/refinement.ts'
import { conflictingCalls } from '../refinement/conflicting-calls.ts'
import { Ghost } from '../refinement/ghost.ts'
import { isHandle, toForeign } from './foreign.ts'
import { Broken } from './monitors.ts'
import type { IrValue } from './value.ts'

/** What is sent or announced, and where. */
interface Told {
  readonly event: number
  readonly payload: IrValue
  /** Of the program, where it is known. */
  readonly place?: Place | undefined
}

const noCalls: readonly AbstractCall[] = []

export class RefinedObjects {
  readonly #refines: readonly CalledByEvents[]
  readonly #names: readonly string[]
  readonly #ghost: Ghost
  readonly #witness: Witness | undefined
  /** By event that has a meaning: its calls, by payload. Equal payloads are one object. */
  readonly #known = new Map<number, Map<IrValue, readonly AbstractCall[]>>()

  constructor(refines: readonly CalledByEvents[], { events }: Pick<Ir, 'events'>, witness?: Witness | undefined) {
    this.#refines = refines
    this.#names = events.map(({ name }) => name)
    this.#witness = witness
    this.#ghost = new Ghost(
      refines.map(({ object }) => object),
      witness,
    )
    for (const { object, calls } of refines) {
      for (const event of Object.keys(calls)) {
        witness?.ask('operation-never-called', byEvent(object.name, event), 0)
        const at = this.#names.indexOf(event)
        if (at >= 0) this.#known.set(at, new Map())
      }
    }
  }

  /** Before anything is told. */
  get first(): number {
    return this.#ghost.first
  }

  /** Whether an event is a call of some object. */
  isCall(event: number): boolean {
    return this.#known.has(event)
  }

  /** One for each object that the event is a call of. */
  calls(told: Told): readonly AbstractCall[] {
    const known = this.#known.get(told.event)
    if (known === undefined) return noCalls
    const made = known.get(told.payload) ?? this.#asked(told)
    known.set(told.payload, made)
    return made
  }

  /** What the objects are then. Throws what is refused. */
  after(refined: number, told: Told): number {
    const calls = this.calls(told)
    if (calls.length === 0) return refined
    const after = this.#ghost.after(refined, calls as readonly Value[])
    const [violation] = this.#ghost.violations(after)
    if (violation !== undefined) throw new Broken(violation)
    return after
  }

  /** A refused call, with the call since which it is refused, and where both are among the events. */
  explained(violation: Violation, events: readonly Event[]): Violation {
    const found = this.#refines.find(({ object }) => object.name === violation.property)
    invariant(found !== undefined, 'who refuses a call is one of the objects')
    const last = events.findLast((event) => event.kind === 'announce' && event.isCall === true)
    const place = last?.place
    return { ...violation, ...(place && { place }), ...conflictingCalls(found.object, events) }
  }

  #asked(told: Told): readonly AbstractCall[] {
    const event = this.#names[told.event] as string
    return this.#refines.flatMap(({ object, calls }) => {
      if (!Object.hasOwn(calls, event)) return []
      const means = calls[event] as (payload: unknown) => unknown
      const ask = (): unknown => answerOf(`"${event}" of specification "${object.name}"`, means, told)
      const call = ask()
      const problem = problemOf(call, object)
      if (problem !== undefined)
        throw new DiagnosticError({
          code: 'E227',
          message: `"${event}" in "calls" of specification "${object.name}" ${problem.message}`,
          hint: problem.hint,
          place: told.place,
        })
      if (!sameValue(ask() as Value, call as Value)) throw new DiagnosticError(unsteady(event, object.name, told))
      this.#witness?.answer('operation-never-called', byEvent(object.name, event))
      return [call as AbstractCall]
    })
  }
}

/** As a subject of what never happened. */
function byEvent(object: string, event: string): string {
  return `${object}, by event ${event},`
}

/** The payload is made anew each time: who changes it changes nothing here. */
function answerOf(who: string, means: (payload: unknown) => unknown, { payload, place }: Told): unknown {
  try {
    return runAs(who, () => means(toForeign(payload)))
  } catch (error) {
    if (error instanceof DiagnosticError) throw error
    throw new DiagnosticError({
      code: 'E227',
      message: `${who} threw ${thrownBy(error).message}`,
      hint: 'it says what an event means: return a call of the specification',
      stack: stackOf(error),
      place,
    })
  }
}

function problemOf(call: unknown, object: AbstractObject): Pick<Diagnostic, 'message' | 'hint'> | undefined {
  const hint = `return what one of its operations makes: ${object.operations.join(', ')}`
  const maker = makerOf(call as Value)
  if (maker === undefined) return { message: `returns ${shown(call)}, and not a call`, hint }
  if (maker !== object) return { message: `returns a call of another specification, named "${maker.name}"`, hint }
  if (!holdsHandle(call)) return undefined
  return {
    message: 'returns a call with a machine or an event in it, which cannot be told from others there',
    hint: 'give machines numbers in P, and send or announce these',
  }
}

function holdsHandle(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (isHandle(value)) return true
  if (value instanceof Map) return [...value].flat().some(holdsHandle)
  return (value instanceof Set ? [...value] : Object.values(value)).some(holdsHandle)
}

function unsteady(event: string, object: string, { place }: Told): Diagnostic {
  return {
    code: 'E201',
    message: `"${event}" in "calls" of specification "${object}" returned another call for the same payload`,
    hint: 'what an event means may depend on its payload alone: no clock, no randomness, nothing that it remembers',
    place,
  }
}
