/**
 * Executions of an IR program that never end, over the states of the search that handles whole messages at once. Fairness is that of paths: what a
 * machine can do by itself all the time it does some time, a line of messages that is never empty moves some time, and of a fair choice that is
 * made again and again each option is taken again and again.
 */
import { IntVector } from '../../../collections/int-vector.ts'
import { PairTable } from '../../../collections/pair-table.ts'
import type { CycleProperty, Violation } from '../../../core/property.ts'
import { livenessProperties, monitorStates } from '../../../semantics/ir/liveness.ts'
import type { Rules } from '../../../semantics/ir/moves.ts'
import { FairGraph } from '../fair-graph.ts'
import type { SpaceStep, StateSpace } from './space.ts'

/** A step by the state it leaves, and as which of that state's steps. */
export interface Taken {
  readonly source: number
  readonly ordinal: number
}

export interface FoundRound {
  readonly violation: Violation
  /** Not there yet: still searching. */
  readonly lasso: { readonly stem: readonly Taken[]; readonly round: readonly Taken[] } | undefined
}

/** Beside entries: of a machine's own moves, of all that it sends, and of options of fair choices. */
const [own, queue, choice] = [-1, -2, -3]

export class IrRounds {
  readonly #rules: Rules
  readonly #space: StateSpace
  readonly #properties: readonly CycleProperty[]
  readonly #fair = new FairGraph()
  readonly #duties = new PairTable()
  readonly #options = new Map<string, number>()
  readonly #sources = new IntVector(1024)
  readonly #ordinals = new IntVector(1024)
  /** By state, a bit for each property: whether it is good, and whether it is one that is asked for. */
  readonly #good: IntVector[]
  readonly #askedFor: IntVector[]

  constructor(rules: Rules, space: StateSpace) {
    this.#rules = rules
    this.#space = space
    this.#properties = livenessProperties(rules.code)
    this.#good = this.#properties.map(() => new IntVector(1024))
    this.#askedFor = this.#properties.map(() => new IntVector(1024))
  }

  get isAsked(): boolean {
    return this.#properties.length > 0
  }

  /** The loaded state, when it is left: states are left in the order of their numbers. */
  addState(hasEnded: boolean): void {
    this.#fair.addState([...new Set(hasEnded ? [] : this.#pending())])
    const { code } = this.#rules
    const states = monitorStates({ monitors: this.#space.watching }, code, hasEnded)
    for (const [at, property] of this.#properties.entries()) {
      this.#good[at]?.push(property.isGood(states) ? 1 : 0)
      this.#askedFor[at]?.push(property.isAskedFor?.(states) === false ? 0 : 1)
    }
  }

  *#pending(): Generator<number> {
    for (const [slot, entry] of this.#space.pending()) yield this.#duty(slot, entry)
  }

  #duty(slot: number, entry: number): number {
    if (entry < 0) return this.#duties.intern(slot, own)
    const { network } = this.#rules.delivery
    if (network === 'bag') return this.#duties.intern(slot, entry)
    return this.#duties.intern(slot, network === 'fifo' ? this.#space.targetOf(entry) : queue)
  }

  #option(name: string): number {
    const known = this.#options.get(name) ?? this.#options.size
    this.#options.set(name, known)
    return this.#duties.intern(known, choice)
  }

  addStep(taken: Taken, step: SpaceStep, target: number): void {
    const { move, ending } = step
    const { offered, taken: chosen } = ending.fair
    const duty = move.sender < 0 ? this.#duty(move.slot, own) : this.#duty(move.sender, move.entry)
    const done = [duty, ...chosen.map((name) => this.#option(name))]
    const first = this.#space.first
    this.#fair.addStep(
      taken.source - first,
      target - first,
      done,
      offered.map((name) => this.#option(name)),
    )
    this.#sources.push(taken.source)
    this.#ordinals.push(taken.ordinal)
  }

  /** When all states have been left. */
  *found(): Generator<FoundRound> {
    for (const [at, { violation }] of this.#properties.entries()) {
      const [good, askedFor] = [this.#good[at] as IntVector, this.#askedFor[at] as IntVector]
      const search = this.#fair.lasso(
        (state) => good.at(state) === 1,
        (state) => askedFor.at(state) === 1,
      )
      let found = search.next()
      for (; !found.done; found = search.next()) yield { violation, lasso: undefined }
      if (found.value === undefined) continue
      const [stem, round] = [this.#taken(found.value.stem), this.#taken(found.value.round)]
      yield { violation, lasso: { stem, round } }
    }
  }

  #taken(steps: readonly number[]): readonly Taken[] {
    return steps.map((step) => ({ source: this.#sources.at(step), ordinal: this.#ordinals.at(step) }))
  }
}
