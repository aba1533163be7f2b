/** Guards as text for people: ways to make them hold, as conjunctions of variables, and what each variable stands for. */
import type { Diagram, Diagrams } from '../../bdd/diagrams.ts'
import { grouped } from '../../core/grouped.ts'
import type { Slot } from './state.ts'

/** Ways that are written of one guard. */
const mostWays = 4

/** How a guard can hold: what each way needs of variables, and how many ways are not told. */
export interface Ways {
  readonly first: readonly ReadonlyMap<number, boolean>[]
  readonly more: bigint
}

export interface NamedVariable {
  readonly name: string
  readonly meaning: string
}

export class VariableNames {
  readonly #diagrams: Diagrams
  /** What one step is called. */
  readonly #step: string
  readonly #meanings = new Map<number, Set<string>>()
  readonly #told = new Set<number>()

  constructor(diagrams: Diagrams, step: 'step' | 'round') {
    this.#diagrams = diagrams
    this.#step = step
  }

  /** In a step, variables stand for what a machine chooses; without a machine, for who moves. */
  chosen(step: number, variables: readonly number[], by: Slot | undefined): void {
    const moves = this.#step === 'round' ? 'who takes what' : 'who moves'
    const what = by === undefined ? moves : `what ${by.ref.process} chooses`
    for (const [bit, variable] of variables.entries())
      this.#mean(variable, `${this.#step} ${step}, ${what}, bit ${bit}`)
  }

  #mean(variable: number, meaning: string): void {
    const known = this.#meanings.get(variable) ?? new Set()
    this.#meanings.set(variable, known.add(meaning))
  }

  /** Variables that were not told before; those that nobody chose tell states apart. */
  *fresh(): Generator<NamedVariable> {
    const codes: number[] = []
    for (let variable = 0; variable < this.#diagrams.variables; variable++) {
      if (this.#told.has(variable)) continue
      this.#told.add(variable)
      const meanings = this.#meanings.get(variable)
      if (meanings === undefined) codes.push(variable)
      else yield { name: nameOf(variable), meaning: [...meanings].join('; or ') }
    }
    codes.sort((left, right) => this.#diagrams.levelOf(right) - this.#diagrams.levelOf(left))
    for (const [bit, variable] of codes.entries()) yield { name: nameOf(variable), meaning: `which state, bit ${bit}` }
  }

  waysOf(guard: Diagram): Ways {
    if (guard === this.#diagrams.always) return { first: [new Map()], more: 0n }
    if (guard === this.#diagrams.never) return { first: [], more: 0n }
    const { first, count } = this.#diagrams.ways(guard, mostWays)
    return { first, more: count - BigInt(first.length) }
  }

  /** How a guard can hold, a text each. */
  ways(guard: Diagram): readonly string[] {
    return waysText(this.waysOf(guard))
  }
}

export function waysText({ first, more }: Ways): readonly string[] {
  if (first.length === 0) return ['never']
  const ways = first.map((way) => (way.size === 0 ? 'always' : wayText(way)))
  return more > 0n ? [...ways, `… ${grouped(more)} more`] : ways
}

function wayText(way: ReadonlyMap<number, boolean>): string {
  const literals = [...way].sort(([left], [right]) => left - right)
  return literals.map(([variable, value]) => `${value ? '' : '¬'}${nameOf(variable)}`).join(' ∧ ')
}

export function nameOf(variable: number): string {
  return `v${variable}`
}
