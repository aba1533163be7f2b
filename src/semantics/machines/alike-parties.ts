/**
 * Parties of a protocol that play the same part: a state is known by what it says of them, whichever of them is which (sorted columns of interchangeable
 * processes). Whether they do play the same part is not believed: in some of the states that are met, others are renamed into each other, and must do the same.
 */
import { type Diagnostic, DiagnosticError } from '../../core/diagnostic.ts'
import { shown } from '../../core/option-shape.ts'
import { encodeValue, freezeValue, type Value } from '../../core/value.ts'
import type { LocalState, Outcome } from '../../program/machines.ts'
import type { AlikeParts } from '../../program/system-definition.ts'
import type { Member } from './context.ts'
import { guarded } from './execute.ts'
import { mistakeBehind } from './mistakes.ts'
import type { ValueNumbers } from './value-numbers.ts'

/** As with handlers that are run twice: the first states, then one in so many. */
const comparedFirst = 64
const comparedEvery = 256

/** What a system can tell about a state. */
interface Asked {
  /** All that may happen in it. */
  outcomes(state: LocalState): readonly Outcome[]
  /** Names of invariants that it violates. */
  violated(state: LocalState): readonly string[]
}

export class AlikeParties {
  readonly #member: Member
  readonly #parts: AlikeParts
  readonly #numbers: ValueNumbers
  readonly #asked: Asked
  #met = 0

  constructor(member: Member, parts: AlikeParts, numbers: ValueNumbers, asked: Asked) {
    this.#member = member
    this.#parts = parts
    this.#numbers = numbers
    this.#asked = asked
  }

  /** Equal only for states that differ in nothing but which party is which. */
  text(state: LocalState): string {
    const text = this.#sorted(state)
    const number = this.#met++
    if (number < comparedFirst) this.#compareAll(state)
    else if (number % comparedEvery === 0) this.#compare(state, Math.floor(number / comparedEvery))
    return text
  }

  #sorted({ data }: LocalState): string {
    const texts = this.#columns(data)
    const order = texts.map((_, party) => party)
    order.sort((one, other) => {
      const [left, right] = [texts[one] as string, texts[other] as string]
      return left < right ? -1 : left > right ? 1 : one - other
    })
    return this.#numbers.whole(this.#renamed(data, order))
  }

  #columns(data: Value): readonly string[] {
    const columns = this.#run('parties', () => this.#parts.parties(data))
    if (!Array.isArray(columns)) throw new DiagnosticError(this.#wrong(`"parties" returned ${shown(columns)}`))
    const problem = freezeValue(columns)
    if (problem !== undefined)
      throw new DiagnosticError(
        this.#wrong(`what "parties" returned is not a value: ${problem.path} is ${problem.found}`),
      )
    return columns.map((column) => encodeValue(column as Value))
  }

  #renamed(data: Value, order: readonly number[]): Value {
    const renamed = this.#run('renamed', () => this.#parts.renamed(data, order))
    const problem = freezeValue(renamed, { frozen: this.#numbers })
    if (problem !== undefined)
      throw new DiagnosticError(
        this.#wrong(`what "renamed" returned is not a value: ${problem.path} is ${problem.found}`),
      )
    return renamed as Value
  }

  /** User code: it may throw, loop for ever, or try to change the state. */
  #run(part: string, code: () => unknown): unknown {
    const made = guarded(this.#member, code)
    if ('value' in made) return made.value
    throw new DiagnosticError(mistakeBehind(made.problem) ?? this.#wrong(`"${part}" failed: ${made.problem.message}`))
  }

  /** Parties that stand beside each other: whoever is like the next one is like all. */
  #compareAll(state: LocalState): void {
    for (const party of this.#columns(state.data).keys()) this.#compare(state, party)
  }

  /** Two parties change places: states, what may happen, and what invariants say must be the same. */
  #compare(state: LocalState, number: number): void {
    const order = this.#columns(state.data).map((_, party) => party)
    if (order.length < 2) return
    const one = number % order.length
    const other = (one + 1) % order.length
    const swapped = order.with(one, other).with(other, one)
    const renamed = Object.freeze({ ...state, data: this.#renamed(state.data, swapped) })
    const twice = this.#renamed(renamed.data, swapped)
    const parties = `parties ${one} and ${other}`
    if (this.#numbers.whole(twice) !== this.#numbers.whole(state.data))
      throw new DiagnosticError(this.#wrong(`"renamed" that lets ${parties} change places twice does not lead back`))
    if (this.#sorted(renamed) !== this.#sorted(state))
      throw new DiagnosticError(this.#wrong(`"parties" says something else when ${parties} have changed places`))
    const apart = this.#toldApart(state, renamed)
    if (apart !== undefined) throw new DiagnosticError(this.#wrong(`${apart} when ${parties} have changed places`))
  }

  #toldApart(state: LocalState, renamed: LocalState): string | undefined {
    const [violated, others] = [this.#asked.violated(state), this.#asked.violated(renamed)]
    const unequal = [...violated, ...others].find((name) => !violated.includes(name) || !others.includes(name))
    if (unequal !== undefined) return `invariant "${unequal}" says something else`
    const known = this.#asked.outcomes(renamed).map((outcome) => this.#outcome(outcome))
    for (const outcome of this.#asked.outcomes(state)) {
      const at = known.indexOf(this.#outcome(outcome))
      if (at < 0) return `${shown(outcome.chose?.[0])} cannot happen, or leads to or announces something else,`
      known.splice(at, 1)
    }
    return known.length === 0 ? undefined : 'more can happen'
  }

  #outcome({ state, announced = [], violation }: Outcome): string {
    return JSON.stringify([this.#sorted(state), announced.map(({ event }) => encodeValue(event)), violation?.message])
  }

  #wrong(problem: string): Diagnostic {
    const { name, stack } = this.#member.definition
    return {
      code: 'E235',
      message: `parties of "${name}" are not alike: ${problem}`,
      hint: 'leave out --symmetry, or let nothing depend on which party is which: no names in what is announced, no first or last',
      stack,
    }
  }
}
