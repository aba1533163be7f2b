/**
 * Invariants of a system in which machines play the same part: each says the same, whichever of them is which. It is asked in every order of them, of
 * each combination of local states that is met; of a conflict each pair of local states is asked, which are few.
 */
import { KeyIndex } from '../../collections/key-index.ts'
import type { Violation } from '../../core/property.ts'
import type { Unhurried } from '../../core/unhurried.ts'
import type { SystemInvariant } from '../../program/machines.ts'
import type { LocalGraph } from './local-graph.ts'
import type { MachineRenaming, MachineRenamings } from './machine-renaming.ts'

type Decomposed = NonNullable<SystemInvariant['decomposed']>

/** Two machines in two of their local states. */
type Pair = readonly [machine: number, local: number, other: number, otherLocal: number]

/** What an invariant says: violated, or nothing. */
export type Said = Violation | undefined

type Refuse = (by: MachineRenaming, invariant: SystemInvariant, said: { before: Said; instead: Said }) => never

/** Pairs, or invariants of a combination, between two breaths. */
const askedPerBreath = 64

export class AlikeInvariants {
  readonly #graph: LocalGraph
  readonly #renamings: MachineRenamings
  readonly #refuse: Refuse
  readonly #whole: readonly number[]
  /** By number: pairs that were asked. */
  readonly #pairs = new Map<number, Set<string>>()
  /** Combinations of local states that were asked. */
  readonly #combinations = new KeyIndex()

  constructor(graph: LocalGraph, renamings: MachineRenamings, refuse: Refuse) {
    this.#graph = graph
    this.#renamings = renamings
    this.#refuse = refuse
    const { invariants } = graph.machines
    this.#whole = invariants.flatMap(({ decomposed }, at) => (decomposed === undefined ? [at] : []))
    for (const [at, { decomposed }] of invariants.entries())
      if (decomposed !== undefined) this.#pairs.set(at, new Set())
  }

  /** `violated`: by number, the invariants that this combination violates. */
  *compare(locals: readonly number[], violated: ReadonlyMap<number, Violation>): Unhurried<void> {
    for (const [at, known] of this.#pairs)
      for (const [machine, local] of locals.entries())
        for (let other = 0; other < machine; other++)
          yield* this.#comparePair(at, known, [other, locals[other] as number, machine, local])
    if (this.#whole.length > 0) yield* this.#compareWhole(locals, violated)
  }

  *#comparePair(at: number, known: Set<string>, pair: Pair): Unhurried<void> {
    if (known.has(pair.join())) return
    known.add(pair.join())
    const asked = this.#graph.machines.invariants[at] as SystemInvariant
    const conflicts = this.#conflict(asked.decomposed as Decomposed, pair)
    const met = [pair]
    for (const one of met)
      for (const by of this.#renamings.generators) {
        const image = imageOf(one, by)
        const key = image.join()
        if (known.has(key)) continue
        known.add(key)
        met.push(image)
        if (this.#conflict(asked.decomposed as Decomposed, image) !== conflicts)
          this.#refuse(
            by,
            asked,
            conflicts ? { before: falseOf(asked), instead: undefined } : { before: undefined, instead: falseOf(asked) },
          )
        if (met.length % askedPerBreath === 0) yield
      }
  }

  #conflict({ fact, conflict }: Decomposed, [machine, local, other, otherLocal]: Pair): boolean {
    const [left, right] = [
      fact(machine, this.#graph.state(machine, local)),
      fact(other, this.#graph.state(other, otherLocal)),
    ]
    return left !== undefined && right !== undefined && conflict(left, right)
  }

  *#compareWhole(locals: readonly number[], violated: ReadonlyMap<number, Violation>): Unhurried<void> {
    if (this.#combinations.find(locals.join()) >= 0) return
    this.#combinations.add(locals.join())
    const { machines, invariants } = this.#graph.machines
    const met = [locals]
    for (const one of met)
      for (const by of this.#renamings.generators) {
        const image = by.locals(one)
        const key = image.join()
        if (this.#combinations.find(key) >= 0) continue
        this.#combinations.add(key)
        met.push(image)
        const states = machines.map((_, machine) => this.#graph.state(machine, image[machine] as number))
        for (const at of this.#whole) {
          const asked = invariants[at] as SystemInvariant
          const [before, instead] = [violated.get(at), asked.violation(states)]
          if ((instead === undefined) !== (before === undefined)) this.#refuse(by, asked, { before, instead })
        }
        if (met.length % askedPerBreath === 0) yield
      }
  }
}

/** Of two machines in conflict nobody has said more. */
function falseOf({ name }: SystemInvariant): Violation {
  return { kind: 'invariant', property: name, message: 'the invariant is false', process: undefined, stack: undefined }
}

/** The machine of the lower number first. */
function imageOf([machine, local, other, otherLocal]: Pair, by: MachineRenaming): Pair {
  const [one, two] = [by.machine(machine), by.machine(other)]
  const [left, right] = [by.local(machine, local), by.local(other, otherLocal)]
  return one < two ? [one, left, two, right] : [two, right, one, left]
}
