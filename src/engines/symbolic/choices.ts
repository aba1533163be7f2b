/**
 * Choices as variables: each option that is possible somewhere gets a code, and options that exclude each other share one, so that nothing is spent where
 * nothing is chosen. Every execution has one assignment of the variables (symbolic counting is exact): codes without an option are dead, and variables of
 * a choice that an execution does not make are false in it.
 *
 * PSym (§5.2, `encodeUsing`) numbers all candidates of the frontier and gives left-over codes to the last one, which counts executions twice.
 */
import type { Diagram, Diagrams } from '../../bdd/diagrams.ts'

/** Where each option is taken. */
export interface Chosen {
  readonly guard: Diagram
  /** Where each option is possible, within the guard. */
  readonly possible: readonly Diagram[]
  readonly taken: readonly Diagram[]
  /** By which it is chosen, the least significant bit first. */
  readonly variables: readonly number[]
}

interface Spent {
  readonly variable: number
  /** Where it stands for something in this step. */
  used: Diagram
}

export class Choices {
  readonly #diagrams: Diagrams
  #spent: Spent[] = []

  constructor(diagrams: Diagrams) {
    this.#diagrams = diagrams
  }

  /** Exactly one of the options that are possible, wherever the guard holds and one is possible at all. */
  among(guard: Diagram, options: readonly Diagram[], alive: Diagram): Chosen {
    const diagrams = this.#diagrams
    const possible = options.map((option) => diagrams.and(guard, option))
    const colours = this.#coloured(possible, alive)
    const count = Math.max(0, ...colours) + 1
    const bits = count <= 1 ? 0 : 32 - Math.clz32(count - 1)
    const variables = Array.from({ length: bits }, () => this.#variable(guard))
    const codes = this.#codes(count, variables)
    const taken = possible.map((option, at) => diagrams.and(option, codes[colours[at] as number] as Diagram))
    return { guard, possible, taken, variables }
  }

  /** Options of one colour exclude each other. */
  #coloured(possible: readonly Diagram[], alive: Diagram): readonly number[] {
    const diagrams = this.#diagrams
    const members: Diagram[] = []
    return possible.map((option) => {
      const live = diagrams.disjoint(option, alive) ? diagrams.never : diagrams.and(option, alive)
      if (live === diagrams.never) return 0
      const found = members.findIndex((member) => diagrams.disjoint(member, live))
      const colour = found < 0 ? members.length : found
      members[colour] = diagrams.or(members[colour] ?? diagrams.never, live)
      return colour
    })
  }

  /** Guards over variables, exactly one of which holds unless a code is left over. */
  #codes(count: number, variables: readonly number[]): readonly Diagram[] {
    const diagrams = this.#diagrams
    return Array.from({ length: count }, (_, code) =>
      variables.reduce<Diagram>(
        (all, variable, at) => diagrams.and(all, diagrams.literal(variable, ((code >> at) & 1) === 1)),
        diagrams.always,
      ),
    )
  }

  /** One that nobody uses in this step where the guard holds. */
  #variable(guard: Diagram): number {
    const diagrams = this.#diagrams
    const free = this.#spent.find(({ used }) => diagrams.disjoint(used, guard))
    if (free !== undefined) {
      free.used = diagrams.or(free.used, guard)
      return free.variable
    }
    const variable = diagrams.variable()
    this.#spent.push({ variable, used: guard })
    return variable
  }

  /** Variables of this step. */
  get variables(): readonly number[] {
    return this.#spent.map(({ variable }) => variable)
  }

  /** A step is over: the next one has variables of its own. */
  forget(): void {
    this.#spent = []
  }

  /** Makes it as it is now again; variables that came later stay, and stand for nothing until they are asked for. */
  snapshot(): () => void {
    const before = this.#spent.map(({ used }) => used)
    return () => {
      for (const [at, one] of this.#spent.entries()) one.used = before[at] ?? this.#diagrams.never
    }
  }

  /** At the end of a step: variables are false where they stand for nothing. */
  settled(): Diagram {
    const diagrams = this.#diagrams
    const all = this.#spent.reduce<Diagram>(
      (rest, { variable, used }) => diagrams.and(rest, diagrams.or(used, diagrams.literal(variable, false))),
      diagrams.always,
    )
    return all
  }
}
