/**
 * Creating system states (LMC §4.1 and §4.2): only those that a new state of a machine makes possible, and for an invariant that
 * is a conflict between two machines (LMC-OPT) only pairs whose facts conflict, whatever the others do.
 */
import { DiagnosticError } from '../../core/diagnostic.ts'
import { encodeValue, type Value } from '../../core/value.ts'
import type { LocalState, Machines, SystemInvariant } from '../../program/machines.ts'
import type { LocalSpace } from './local-space.ts'
import { anywhere } from './needs.ts'

/** States of machines that break an invariant, if they can come together. */
export interface SystemState {
  /** By machine; `anywhere` for those that take no part. */
  readonly states: readonly number[]
  readonly invariant: string
}

export class SystemStates {
  readonly #spaces: readonly LocalSpace[]
  readonly #general: readonly SystemInvariant[]
  readonly #conflicts: readonly Conflicts[]
  /** By machine: how many of its states have been combined. */
  readonly #combined: number[]
  readonly #machines: number
  /** Combinations asked about so far. */
  created = 0

  constructor(subject: Machines, spaces: readonly LocalSpace[]) {
    this.#spaces = spaces
    this.#machines = spaces.length
    this.#combined = spaces.map(() => 0)
    this.#general = subject.invariants.filter(({ decomposed }) => decomposed === undefined)
    this.#conflicts = subject.invariants.flatMap((invariant) =>
      invariant.decomposed === undefined ? [] : [new Conflicts(invariant.name, invariant.decomposed, this.#machines)],
    )
  }

  /** Whether states of machines break an invariant; for one about all machines none is `anywhere`. */
  isBroken(invariant: string, states: readonly number[]): boolean {
    const conflicts = this.#conflicts.find(({ name }) => name === invariant)
    if (conflicts !== undefined) return conflicts.isBroken(states)
    const all = states.map((state, machine) => this.#spaces[machine]?.states[state] as LocalState)
    return this.#general.some(({ name, violation }) => name === invariant && violation(all) !== undefined)
  }

  /** Combines states met since the last call. Yields what breaks an invariant, and nothing every so many combinations. */
  *next(): Generator<SystemState | undefined, void> {
    for (const [machine, { states }] of this.#spaces.entries()) {
      for (let state = this.#combined[machine] as number; state < states.length; state++) {
        yield* this.#conflicting(machine, state)
        if (this.#general.length > 0) yield* this.#combinations(machine, state)
        this.#combined[machine] = state + 1
      }
    }
  }

  *#conflicting(machine: number, state: number): Generator<SystemState | undefined, void> {
    for (const conflicts of this.#conflicts) {
      for (const other of conflicts.add(machine, state, this.#spaces[machine]?.states[state] as LocalState)) {
        this.created++
        const states: number[] = Array.from({ length: this.#machines }, () => anywhere)
        states[machine] = state
        states[other.machine] = other.state
        yield { states, invariant: conflicts.name }
      }
    }
  }

  *#combinations(machine: number, state: number): Generator<SystemState | undefined, void> {
    const limits = this.#combined.map((count, other) => (other === machine ? 1 : count))
    if (limits.some((count) => count === 0)) return
    const numbers = limits.map(() => 0)
    numbers[machine] = state
    const states = numbers.map((number, other) => this.#spaces[other]?.states[number] as LocalState)
    for (;;) {
      this.created++
      for (const invariant of this.#general)
        if (invariant.violation(states) !== undefined) yield { states: [...numbers], invariant: invariant.name }
      if (this.created % 4096 === 0) yield undefined
      if (!this.#advance(machine, numbers, limits, states)) return
    }
  }

  /** The next combination in place, like an odometer that leaves out the machine. False after the last. */
  #advance(machine: number, numbers: number[], limits: readonly number[], states: LocalState[]): boolean {
    for (let at = this.#machines - 1; at >= 0; at--) {
      if (at === machine) continue
      const next = (numbers[at] as number) + 1
      const wraps = next === limits[at]
      numbers[at] = wraps ? 0 : next
      states[at] = this.#spaces[at]?.states[numbers[at] as number] as LocalState
      if (!wraps) return true
    }
    return false
  }
}

/**
 * States of all machines by the facts they state. What user code throws about states that may never come together proves
 * nothing: it counts as a violation, and what it really was is told if an execution leads there.
 */
class Conflicts {
  readonly name: string
  readonly #decomposed: NonNullable<SystemInvariant['decomposed']>
  /** By machine and by text of the fact. */
  readonly #facts: readonly Map<string, { readonly fact: Value; readonly states: number[] }>[]
  /** By machine and state. */
  readonly #factOf: readonly (Value | undefined)[][]
  /** By machine: states about which no fact could be told. */
  readonly #unanswered: readonly Set<number>[]

  constructor(name: string, decomposed: NonNullable<SystemInvariant['decomposed']>, machines: number) {
    this.name = name
    this.#decomposed = decomposed
    this.#facts = Array.from({ length: machines }, () => new Map())
    this.#factOf = Array.from({ length: machines }, () => [])
    this.#unanswered = Array.from({ length: machines }, () => new Set())
  }

  isBroken(states: readonly number[]): boolean {
    if (states.some((state, machine) => this.#unanswered[machine]?.has(state))) return true
    const facts = states.map((state, machine) => this.#factOf[machine]?.[state])
    return facts.some(
      (left, machine) =>
        left !== undefined &&
        facts.some((right, other) => other > machine && right !== undefined && this.#isConflict(left, right)),
    )
  }

  /** Notes a state; states that conflict with it: of other machines, or itself if nothing could be told about it. */
  add(
    machine: number,
    number: number,
    state: LocalState,
  ): readonly { readonly machine: number; readonly state: number }[] {
    const fact = answered(() => this.#decomposed.fact(machine, state))
    if (fact === unanswered) {
      this.#unanswered[machine]?.add(number)
      return [{ machine, state: number }]
    }
    if (fact === undefined) return []
    const facts = this.#factOf[machine] as (Value | undefined)[]
    facts[number] = fact
    const text = encodeValue(fact)
    const same = this.#facts[machine]?.get(text)
    if (same === undefined) this.#facts[machine]?.set(text, { fact, states: [number] })
    else same.states.push(number)
    return this.#facts.flatMap((facts, other) =>
      other === machine
        ? []
        : [...facts.values()]
            // Asked in the order of machines, as a look at all states would.
            .filter(({ fact: another }) =>
              machine < other ? this.#isConflict(fact, another) : this.#isConflict(another, fact),
            )
            .flatMap(({ states }) => states.map((each) => ({ machine: other, state: each }))),
    )
  }

  #isConflict(left: Value, right: Value): boolean {
    return answered(() => this.#decomposed.conflict(left, right)) !== false
  }
}

const unanswered = Symbol('unanswered')

function answered<Answer>(ask: () => Answer): Answer | typeof unanswered {
  try {
    return ask()
  } catch (error) {
    if (error instanceof DiagnosticError) return unanswered
    throw error
  }
}
