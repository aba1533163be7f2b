/** Guards as text for people: ways to make them hold, as conjunctions of variables, and what each variable stands for. */
import type { Diagram, Diagrams } from '../../bdd/diagrams.ts'
import type { Slot } from './state.ts'

/** Ways that are written of one guard. */
const mostWays = 4

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

  /** A line for each variable that was not told before; those that nobody chose tell states apart. */
  *fresh(): Generator<string> {
    const codes: number[] = []
    for (let variable = 0; variable < this.#diagrams.variables; variable++) {
      if (this.#told.has(variable)) continue
      this.#told.add(variable)
      const meanings = this.#meanings.get(variable)
      if (meanings === undefined) codes.push(variable)
      else yield `${nameOf(variable)}: ${[...meanings].join('; or ')}`
    }
    codes.sort((left, right) => this.#diagrams.levelOf(right) - this.#diagrams.levelOf(left))
    for (const [bit, variable] of codes.entries()) yield `${nameOf(variable)}: which state, bit ${bit}`
  }

  /** How a guard can hold, a text each. */
  ways(guard: Diagram): readonly string[] {
    if (guard === this.#diagrams.always) return ['always']
    if (guard === this.#diagrams.never) return ['never']
    const { first, count } = this.#diagrams.ways(guard, mostWays)
    const ways = first.map((way) => this.#wayText(way))
    const more = count - BigInt(first.length)
    return more > 0n ? [...ways, `… ${more.toLocaleString('en')} more`] : ways
  }

  #wayText(way: ReadonlyMap<number, boolean>): string {
    const literals = [...way].sort(([left], [right]) => left - right)
    return literals.map(([variable, value]) => `${value ? '' : '¬'}${nameOf(variable)}`).join(' ∧ ')
  }
}

function nameOf(variable: number): string {
  return `v${variable}`
}
