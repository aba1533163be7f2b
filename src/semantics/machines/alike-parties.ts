/**
 * Parties of a protocol that play the same part: a state is known by what it says of them, whichever of them is which (sorted columns of interchangeable
 * processes). Whether they do play the same part is not believed: in some of the states that are met, others are renamed into each other, and must do the same.
 */
import { permutations } from '../../collections/permutations.ts'
import { DiagnosticError } from '../../core/diagnostic.ts'
import { shown } from '../../core/option-shape.ts'
import { Random } from '../../core/random.ts'
import type { Unhurried } from '../../core/unhurried.ts'
import { encodeInOrder, freezeValue, type Value } from '../../core/value.ts'
import type { LocalState, Outcome } from '../../program/machines.ts'
import type { AlikeParts } from '../../program/system-definition.ts'
import type { Member } from './context.ts'
import { guarded } from './execute.ts'
import { mistakeBehind } from './mistakes.ts'
import type { ValueNumbers } from './value-numbers.ts'

/** What may happen is compared in the first states, then in one of so many. */
const comparedFirst = 64
const comparedEvery = 16
/** Invariants are asked in every order of so many parties: 24 of them. */
const mostInEveryOrder = 4
/** Outcomes that are renamed between two breaths. */
const outcomesPerBreath = 16

/** What a system can tell about a state. */
interface Asked {
  /** All that may happen in it. */
  outcomes(state: LocalState): Unhurried<readonly Outcome[]>
  readonly hasInvariants: boolean
  /** Names of invariants that it violates. */
  violated(state: LocalState): readonly string[]
}

export class AlikeParties {
  readonly #member: Member
  readonly #parts: AlikeParts
  readonly #numbers: ValueNumbers
  readonly #asked: Asked
  readonly #random = new Random(0)
  #met = 0

  constructor(member: Member, parts: AlikeParts, numbers: ValueNumbers, asked: Asked) {
    this.#member = member
    this.#parts = parts
    this.#numbers = numbers
    this.#asked = asked
  }

  /** Equal only for states that differ in nothing but which party is which. A breath with each party, or order of them, that is compared. */
  *text(state: LocalState): Unhurried<string> {
    const { text, order } = this.#sorted(state)
    const parties = order.length
    const number = this.#met++
    if (number < comparedFirst)
      for (let one = 0; one < parties; one++) yield* this.#compare(state, text, swapped(parties, one))
    else if (number % comparedEvery === 0) yield* this.#compare(state, text, this.#random.shuffle(inOrder(parties)))
    if (this.#asked.hasInvariants) yield* this.#askInvariants(state, parties)
    return text
  }

  #sorted({ data }: LocalState): { readonly text: string; readonly order: readonly number[] } {
    const texts = this.#columns(data)
    const order = inOrder(texts.length).sort((one, other) => {
      const [left, right] = [texts[one] as string, texts[other] as string]
      return left < right ? -1 : left > right ? 1 : one - other
    })
    const sorted = this.#renamed(data, order)
    // States with the same text are then renamings of each other, whatever "parties" says.
    const back = this.#renamed(sorted, inverse(order))
    if (this.#numbers.whole(back) !== this.#numbers.whole(data))
      this.#refuse(`"renamed" with the order ${order} and back again does not lead to the same state`, ofRenamed)
    return { text: this.#numbers.whole(sorted), order }
  }

  #columns(data: Value): readonly string[] {
    const columns = this.#run('parties', () => this.#parts.parties(data))
    if (!Array.isArray(columns)) this.#refuse(`"parties" returned ${shown(columns)}`, ofRenamed)
    const problem = freezeValue(columns)
    if (problem !== undefined)
      this.#refuse(`what "parties" returned is not a value: ${problem.path} is ${problem.found}`, ofRenamed)
    return columns.map((column) => encodeInOrder(column as Value))
  }

  #renamed(data: Value, order: readonly number[]): Value {
    const renamed = this.#run('renamed', () => this.#parts.renamed(data, order))
    const problem = freezeValue(renamed, { frozen: this.#numbers })
    if (problem !== undefined)
      this.#refuse(`what "renamed" returned is not a value: ${problem.path} is ${problem.found}`, ofRenamed)
    return renamed as Value
  }

  /** User code: it may throw, loop for ever, or try to change the state. */
  #run(part: string, code: () => unknown): unknown {
    const made = guarded(this.#member, code)
    if ('value' in made) return made.value
    const mistake = mistakeBehind(made.problem)
    if (mistake !== undefined) throw new DiagnosticError(mistake)
    return this.#refuse(`"${part}" failed: ${made.problem.message}`, ofRenamed)
  }

  #as(state: LocalState, order: readonly number[]): LocalState {
    return Object.freeze({ ...state, data: this.#renamed(state.data, order) })
  }

  /** Parties change places: the state up to names and what may happen must be the same. */
  *#compare(state: LocalState, text: string, order: readonly number[]): Unhurried<void> {
    yield
    const renamed = this.#as(state, order)
    if (this.#sorted(renamed).text !== text) this.#refuseReferences([state, renamed], order)
    const known: string[] = []
    for (const outcome of yield* this.#asked.outcomes(renamed)) {
      known.push(this.#outcome(outcome))
      if (known.length % outcomesPerBreath === 0) yield
    }
    for (const [compared, outcome] of (yield* this.#asked.outcomes(state)).entries()) {
      if (compared % outcomesPerBreath === outcomesPerBreath - 1) yield
      const at = known.indexOf(this.#outcome(outcome))
      if (at < 0) this.#refuseOutcome(outcome, order)
      known.splice(at, 1)
    }
    if (known.length > 0) this.#refuse(`more can happen when parties stand in the order ${order}`)
  }

  #refuseOutcome({ state, chose }: Outcome, order: readonly number[]): never {
    const renamed = this.#as(state, order)
    if (this.#sorted(renamed).text !== this.#sorted(state).text) this.#refuseReferences([state, renamed], order)
    const what = `${shown(chose?.[0])} cannot happen, or leads to or announces something else,`
    return this.#refuse(`${what} when parties stand in the order ${order}`)
  }

  /** A state and what it is renamed to are the same up to names, unless names decide how parties are put in order. */
  #refuseReferences(states: readonly [LocalState, LocalState], order: readonly number[]): never {
    const [before, after] = states.map(({ data }) => this.#columns(data))
    const isMoved = order.every((party, to) => before?.[party] === after?.[to])
    const what = isMoved
      ? `they differ in something that "parties" does not say, when they stand in the order ${order}`
      : `"parties" says something else of them when they stand in the order ${order}`
    return this.#refuse(`${what}, as where they know each other by name or number`, ofReferences)
  }

  /** What invariants say must be the same: in every order of few parties, in one of many. */
  *#askInvariants(state: LocalState, parties: number): Unhurried<void> {
    const violated = this.#asked.violated(state)
    const few = parties <= mostInEveryOrder
    for (const order of few ? permutations(inOrder(parties)) : [this.#random.shuffle(inOrder(parties))]) {
      yield
      const others = this.#asked.violated(this.#as(state, order))
      const unequal = [...violated, ...others].find((name) => !violated.includes(name) || !others.includes(name))
      if (unequal !== undefined)
        this.#refuse(`invariant "${unequal}" says something else when parties stand in the order ${order}`)
    }
  }

  #outcome({ state, announced = [], violation }: Outcome): string {
    return JSON.stringify([
      this.#sorted(state).text,
      announced.map(({ event }) => encodeInOrder(event)),
      violation?.message,
    ])
  }

  #refuse(problem: string, hint = ofNames): never {
    const { name, stack } = this.#member.definition
    throw new DiagnosticError({ code: 'E235', message: `parties of "${name}" are not alike: ${problem}`, hint, stack })
  }
}

const ofNames =
  'leave out --symmetry, or let nothing depend on which party is which: no names in what is announced, no first or last'
const ofRenamed =
  '"parties" returns a list of all that the state says of each party; "renamed" returns the state with party order[0] as the first, and changes nothing else'

const ofReferences = `leave out --symmetry: parties that refer to each other cannot be taken for one another; if they do not, ${ofRenamed}`

function inOrder(parties: number): number[] {
  return Array.from({ length: parties }, (_, party) => party)
}

/** A party and the next one change places: whoever is like the next one is like all. */
function swapped(parties: number, one: number): readonly number[] {
  const other = (one + 1) % parties
  return inOrder(parties).with(one, other).with(other, one)
}

function inverse(order: readonly number[]): readonly number[] {
  const back = new Array<number>(order.length)
  for (const [at, party] of order.entries()) back[party] = at
  return back
}
