/**
 * A system in which each machine remembers the calls that it has announced: what a call must not meet, and what it lacks, are then invariants over the states
 * of machines, and searches that put such states together can decide them. An object takes part that says which calls conflict and what each needs.
 *
 * Why that is the same. Two calls that conflict are refused in either order, so a state with both shows it. A call that lacks another one is refused; in the
 * state right after it nobody has made the other one, and a state in which nobody has can have no earlier one in which somebody had.
 */
import { SequenceInterner } from '../../collections/sequence-interner.ts'
import { DiagnosticError } from '../../core/diagnostic.ts'
import { invariant } from '../../core/invariant.ts'
import type { Violation } from '../../core/property.ts'
import { encodeInOrder, type Value } from '../../core/value.ts'
import type { Announced, LocalState, MachineEvent, Machines, Outcome, SystemInvariant } from '../../program/machines.ts'
import { type AbstractCall, type AbstractObject, callOf } from '../../program/refinement.ts'
import { atAnnouncement } from '../refinement/announced-at.ts'
import { decidingByPairs, undecidedCall } from '../refinement/by-pairs.ts'
import { assumeDeclared, compareDeclared } from '../refinement/declared-calls.ts'
import { FieldsOfCalls } from '../refinement/fields-of-calls.ts'

/** A call that was made, by number, and calls of the same handler that come after it. */
interface Made {
  readonly call: number
  readonly behind: readonly number[]
}

interface Called {
  readonly object: AbstractObject
  readonly call: AbstractCall
}

/** The data of a machine, and what it has called so far, by number. */
type Calling = { readonly own: Value; readonly calls: number }

export class CallingMachines implements Machines {
  readonly machines: Machines['machines']
  readonly start: Machines['start']
  readonly network: Machines['network']
  readonly faults: Machines['faults']
  readonly byzantine: Machines['byzantine']
  readonly invariants: readonly SystemInvariant[]
  readonly refines: readonly AbstractObject[]
  readonly #inner: Machines
  readonly #history = new Histories()
  /** By state: the one that handlers know. */
  readonly #states = new WeakMap<LocalState, LocalState>()

  constructor(inner: Machines) {
    this.#inner = inner
    this.machines = inner.machines
    this.network = inner.network
    this.faults = inner.faults
    this.byzantine = inner.byzantine
    this.refines = inner.refines ?? []
    const { states, announced = [], called } = inner.start
    this.#refuseUndecided(announced.flat())
    // Those of several machines have an order, as those of one handler have: whose they are makes no difference to what they rule out.
    const made = called === undefined ? announced : [called.map((event) => ({ event, after: 0 }))]
    const begun = states.map((state, machine) =>
      this.#calling(state, this.#history.after(nothing, this.#calls(made[machine]))),
    )
    this.start = { ...inner.start, states: begun }
    this.invariants = [
      ...inner.invariants.map((one) => this.#of(one)),
      ...this.refines.flatMap((object) => [this.#conflicting(object), this.#lacking(object)]),
    ]
  }

  /** Machines have begun before anybody knew how their calls would be decided. */
  #refuseUndecided(announced: readonly Announced[]): void {
    const refused = announced.map(({ event }) => decidingByPairs(() => undecidedCall(event, this.refines)))
    const first = refused.find((one) => one !== undefined)
    if (first !== undefined)
      throw new DiagnosticError({ ...first, message: `${first.message}; it is announced at the start` })
  }

  internal(machine: number, state: LocalState): ReturnType<Machines['internal']> {
    return this.#inner.internal(machine, this.#own(state))
  }

  handle(machine: number, state: LocalState, event: MachineEvent): readonly Outcome[] {
    const { calls } = state.data as unknown as Calling
    const outcomes = decidingByPairs(() => this.#inner.handle(machine, this.#own(state), event))
    return outcomes.map((outcome) => {
      const made = this.#calls(outcome.announced)
      return { ...outcome, state: this.#calling(outcome.state, this.#history.after(calls, made)) }
    })
  }

  key(state: LocalState): string {
    return `${(state.data as unknown as Calling).calls}|${this.#inner.key(this.#own(state))}`
  }

  /** To be called when the search is over: throws a diagnostic if an object refuses what it does not declare. */
  compareDeclared(): void {
    const fields = new FieldsOfCalls(this.#inner.witness)
    for (const object of this.refines) {
      const calls = this.#history.all(object)
      compareDeclared(object, calls, fields)
      if (calls.length > 0) assumeDeclared(object, ['conflicts', 'needs'], this.#inner.witness)
    }
  }

  from(): Machines {
    throw new Error('a search begins where its machines do')
  }

  #own(state: LocalState): LocalState {
    const own = this.#states.get(state)
    invariant(own !== undefined, 'states of machines that call were made here')
    return own
  }

  #calling(own: LocalState, calls: number): LocalState {
    const data = Object.freeze({ own: own.data, calls })
    const state = Object.freeze({ ...own, data: data as Value })
    this.#states.set(state, own)
    return state
  }

  #calls(announced: readonly Announced[] = []): readonly Called[] {
    return announced.flatMap(({ event }) =>
      this.refines.flatMap((object) => {
        const call = callOf(object, event)
        return call === undefined ? [] : [{ object, call }]
      }),
    )
  }

  /** An invariant of the system, which knows nothing of calls. */
  #of(one: SystemInvariant): SystemInvariant {
    const { decomposed, seen } = one
    const viewed = (state: LocalState): LocalState => ({ ...state, data: (state.data as unknown as Calling).own })
    return {
      ...one,
      violation: (states) => one.violation(states.map((state) => this.#own(state))),
      seen: (states) => (seen ?? one.violation)(states.map(viewed)),
      decomposed: decomposed && {
        ...decomposed,
        fact: (machine, state) => decomposed.fact(machine, this.#own(state)),
      },
    }
  }

  /** Calls of two machines that cannot both be. */
  #conflicting(object: AbstractObject): SystemInvariant {
    const name = `conflicting calls of ${object.name}`
    const known = new Map<string, boolean>()
    const conflict = (left: Value, right: Value): boolean => {
      const key = `${left},${right}`
      const before = known.get(key)
      if (before !== undefined) return before
      const [one, other] = [left, right].map((calls) => this.#history.of(calls as number, object))
      const found = (one ?? []).some((call) => (other ?? []).some((beside) => isConflict(object, call, beside)))
      known.set(key, found)
      return found
    }
    const fact = (_: number, { data }: LocalState): Value => {
      const { calls } = data as unknown as Calling
      return this.#history.of(calls, object).length === 0 ? undefined : calls
    }
    return {
      name,
      isOfCalls: true,
      violation: (states) => {
        const facts = states.map((state, machine) => fact(machine, state))
        const isBroken = facts.some((left, at) =>
          facts.slice(at + 1).some((right) => left !== undefined && right !== undefined && conflict(left, right)),
        )
        return isBroken ? brokenBy(object, name) : undefined
      },
      decomposed: { fact, conflict },
    }
  }

  /** A machine whose own calls cannot both be, or one whose call lacks another by anybody. */
  #lacking(object: AbstractObject): SystemInvariant {
    const name = `calls of ${object.name} that lack another`
    const known = new Map<string, boolean>()
    const violation = (states: readonly LocalState[]): Violation | undefined => {
      const all = states.map(({ data }) => (data as unknown as Calling).calls)
      const key = all.join()
      const isBroken = known.get(key) ?? this.#history.isLacking(all, object)
      known.set(key, isBroken)
      return isBroken ? brokenBy(object, name) : undefined
    }
    return { name, isOfCalls: true, violation, decomposed: undefined }
  }
}

/** What is wrong is found out along an execution, by the object itself. */
function brokenBy({ name }: AbstractObject, message: string): Violation {
  return { kind: 'refinement', property: name, message }
}

function isConflict(object: AbstractObject, one: AbstractCall, other: AbstractCall): boolean {
  return atAnnouncement(one, () => (object.conflicts?.(one, other) ?? object.conflicts?.(other, one)) !== undefined)
}

const nothing = 0

/** Sets of calls that machines have made, by number. A call that conflicts with itself is there twice if it was made twice. */
class Histories {
  readonly #numbers = new Map<string, number>()
  readonly #calls: AbstractCall[] = []
  readonly #made = new Map<string, number>()
  readonly #entries: Made[] = []
  readonly #histories = new SequenceInterner()

  constructor() {
    invariant(this.#histories.intern([]) === nothing, 'the empty history is the first')
  }

  after(history: number, calls: readonly Called[]): number {
    if (calls.length === 0) return history
    const numbers = calls.map(({ call }) => this.#number(call))
    const before = this.#histories.at(history)
    const known = new Set(before.map((entry) => this.#entries[entry]?.call))
    const entries = [...before]
    for (const [at, { object, call: made }] of calls.entries()) {
      const call = numbers[at] as number
      const times = entries.filter((entry) => this.#entries[entry]?.call === call).length
      const behind = numbers.slice(at + 1).filter((one) => one !== call && !known.has(one))
      if (times === 0 || (times === 1 && isConflict(object, made, made))) entries.push(this.#entry({ call, behind }))
      known.add(call)
    }
    return this.#histories.intern(entries.sort((one, other) => one - other))
  }

  /** Calls of an object. */
  of(history: number, object: AbstractObject): readonly AbstractCall[] {
    return this.#histories.at(history).flatMap((entry) => callOf(object, this.#call(entry) as unknown as Value) ?? [])
  }

  /** All that were met. */
  all(object: AbstractObject): readonly AbstractCall[] {
    return this.#calls.filter((call) => callOf(object, call as unknown as Value) !== undefined)
  }

  isLacking(histories: readonly number[], object: AbstractObject): boolean {
    return histories.some((history, machine) => {
      const others = histories.flatMap((one, other) => (other === machine ? [] : this.of(one, object)))
      return this.#isWrong(history, others, object)
    })
  }

  #isWrong(history: number, others: readonly AbstractCall[], object: AbstractObject): boolean {
    const entries = this.#histories.at(history)
    return entries.some((entry, at) => {
      const call = callOf(object, this.#call(entry) as unknown as Value)
      if (call === undefined) return false
      const { behind } = this.#entries[entry] as Made
      const own = entries.filter((one, other) => other !== at && !behind.includes(this.#entries[one]?.call as number))
      const past = own.flatMap((one) => callOf(object, this.#call(one) as unknown as Value) ?? [])
      if (object.needs?.(call, [...others, ...past]) !== undefined) return true
      return entries.slice(at + 1).some((one) => {
        const beside = callOf(object, this.#call(one) as unknown as Value)
        return beside !== undefined && isConflict(object, call, beside)
      })
    })
  }

  #call(entry: number): AbstractCall {
    return this.#calls[(this.#entries[entry] as Made).call] as AbstractCall
  }

  #number(call: AbstractCall): number {
    const text = encodeInOrder(call as unknown as Value)
    const known = this.#numbers.get(text)
    if (known !== undefined) return known
    this.#numbers.set(text, this.#calls.length)
    return this.#calls.push(call) - 1
  }

  #entry(made: Made): number {
    const text = JSON.stringify([made.call, made.behind])
    const known = this.#made.get(text)
    if (known !== undefined) return known
    this.#made.set(text, this.#entries.length)
    return this.#entries.push(made) - 1
  }
}
