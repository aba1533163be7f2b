/**
 * Creating system states (LMC §4.1 and §4.2): only those that a new state of a machine makes possible, by what an invariant reads
 * (`combinations.ts`), and for one that is a conflict between two machines (LMC-OPT) only pairs whose facts conflict, whatever the others do.
 */
import { DiagnosticError } from '../../core/diagnostic.ts'
import { encodeInOrder, type Value } from '../../core/value.ts'
import type { LocalState, Machines, SystemInvariant } from '../../program/machines.ts'
import { Combinations } from './combinations.ts'
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
  readonly #general: readonly Combinations[]
  readonly #conflicts: readonly Conflicts[]
  /** By machine: how many of its states have been combined. */
  readonly #combined: number[]
  readonly #machines: number
  #pairs = 0

  constructor(subject: Machines, spaces: readonly LocalSpace[]) {
    this.#spaces = spaces
    this.#machines = spaces.length
    this.#combined = spaces.map(() => 0)
    this.#general = subject.invariants.flatMap((invariant) =>
      invariant.decomposed === undefined ? [new Combinations(invariant, spaces)] : [],
    )
    this.#conflicts = subject.invariants.flatMap((invariant) =>
      invariant.decomposed === undefined ? [] : [new Conflicts(invariant.name, invariant.decomposed, this.#machines)],
    )
  }

  /** Combinations asked about so far: pairs of states that conflict, and of what general invariants read. */
  get created(): number {
    return this.#general.reduce((sum, { tried }) => sum + tried, this.#pairs)
  }

  /** Whether states of machines break an invariant, wherever those may be that are `anywhere`. */
  isBroken(invariant: string, states: readonly number[]): boolean {
    const asked = [...this.#conflicts, ...this.#general].find(({ name }) => name === invariant)
    return asked?.isBroken(states) === true
  }

  /** Combines states met since the last call: what breaks an invariant, nothing every so many combinations, and breaths. */
  *next(): Generator<SystemState | 'breath' | undefined, void> {
    for (const [machine, { states }] of this.#spaces.entries()) {
      for (let state = this.#combined[machine] as number; state < states.length; state++) {
        yield* this.#conflicting(machine, state)
        yield* this.#combinations(machine, state)
        this.#combined[machine] = state + 1
      }
    }
  }

  *#conflicting(machine: number, state: number): Generator<SystemState | undefined, void> {
    for (const conflicts of this.#conflicts) {
      for (const other of conflicts.add(machine, state, this.#spaces[machine]?.states[state] as LocalState)) {
        this.#pairs++
        const states: number[] = Array.from({ length: this.#machines }, () => anywhere)
        states[machine] = state
        states[other.machine] = other.state
        yield { states, invariant: conflicts.name }
      }
    }
  }

  *#combinations(machine: number, state: number): Generator<SystemState | 'breath' | undefined, void> {
    for (const one of this.#general)
      for (const states of one.add(machine, state))
        yield states === undefined || states === 'breath' ? states : { states, invariant: one.name }
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
    const text = encodeInOrder(fact)
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
