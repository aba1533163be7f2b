/** Summaries whose value under every assignment of a few variables is known, and what must be the case for them. */
import { expect } from 'vitest'
import { type Diagram, Diagrams } from '../../../../src/bdd/diagrams.ts'
import type { Random } from '../../../../src/core/random.ts'
import { concrete, lifted } from '../../../../src/engines/symbolic/summaries/concrete.ts'
import { Lifting } from '../../../../src/engines/symbolic/summaries/lifting.ts'
import { ite } from '../../../../src/engines/symbolic/summaries/merge.ts'
import type { Summary } from '../../../../src/engines/symbolic/summaries/summary.ts'
import { PackedValues } from '../../../../src/semantics/ir/compiled/packed-values.ts'
import { type IrValue, Values } from '../../../../src/semantics/ir/value.ts'

/** A guard, and where it holds. */
export interface KnownGuard {
  readonly guard: Diagram
  readonly table: readonly boolean[]
}

/** A summary, and its value by assignment. */
export interface Known<Value extends IrValue = IrValue> {
  readonly summary: Summary
  readonly table: readonly Value[]
}

export const shapes = ['int', 'bool', 'string', 'null', 'tuple', 'record', 'seq', 'deep', 'set', 'map'] as const
export type Shape = (typeof shapes)[number]

export class KnownSummaries {
  readonly diagrams: Diagrams
  readonly values: Values
  readonly lifting: Lifting
  readonly random: Random
  readonly #variables: readonly number[]

  constructor(random: Random, values = new Values()) {
    this.random = random
    this.values = values
    this.diagrams = new Diagrams({ order: random.pick(['above', 'below']) })
    this.lifting = new Lifting(this.diagrams, new PackedValues(values))
    const variables = Array.from({ length: 1 + random.below(6) }, () => this.diagrams.variable())
    this.#variables = variables.sort((left, right) => this.diagrams.levelOf(left) - this.diagrams.levelOf(right))
  }

  get assignments(): number {
    return 2 ** this.#variables.length
  }

  /** By assignment, what a function of its number says. */
  row<T>(each: (assignment: number) => T): readonly T[] {
    return Array.from({ length: this.assignments }, (_, at) => each(at))
  }

  guard(): KnownGuard {
    const often = 1 + this.random.below(4)
    return this.guardOf(this.row(() => this.random.below(5) < often))
  }

  guardOf(table: readonly boolean[]): KnownGuard {
    const row = table.map((one) => (one ? 1 : 0))
    return { guard: this.diagrams.fromTable(this.#variables, row, 0), table }
  }

  /** The same value everywhere. */
  constant(value: IrValue): Known {
    return { summary: lifted(this.lifting, this.lifting.constant(value)), table: this.row(() => value) }
  }

  merged(condition: KnownGuard, then: Known, otherwise: Known): Known {
    const table = this.row((at) => (condition.table[at] === true ? then : otherwise).table[at] as IrValue)
    return { summary: ite(this.lifting, condition.guard, then.summary, otherwise.summary), table }
  }

  /** Made by merging values of these shapes, or read off a diagram of whole values: there, nothing is left over from others. */
  known(...among: readonly Shape[]): Known {
    if (this.random.below(3) === 0) {
      const table = this.row(() => this.value(this.random.pick(among)))
      const row = table.map((value) => this.lifting.packed.packed(value))
      return { summary: lifted(this.lifting, this.diagrams.fromTable(this.#variables, row, 0)), table }
    }
    let made = this.constant(this.value(this.random.pick(among)))
    for (let more = this.random.below(5); more > 0; more--)
      made = this.merged(this.guard(), this.constant(this.value(this.random.pick(among))), made)
    return made
  }

  /** A diagram of counts, and its table: each in the range that is told for its assignment. */
  counts(below: (assignment: number) => number): { readonly index: Diagram; readonly table: readonly number[] } {
    const table = this.row((at) => this.random.below(below(at)))
    return { index: this.diagrams.fromTable(this.#variables, table, 0), table }
  }

  /** A diagram of packed values. */
  scalar({ summary }: Known): Diagram {
    return concrete(this.lifting, summary)
  }

  value(shape: Shape): IrValue {
    const { values, random } = this
    const list = (of: Shape): IrValue[] => Array.from({ length: random.below(4) }, () => this.value(of))
    switch (shape) {
      case 'int':
        return random.below(4)
      case 'bool':
        return random.below(2) === 0
      case 'string':
        return random.pick(['', 'a', 'b'])
      case 'null':
        return null
      case 'tuple':
        return values.tuple([this.value('int'), this.value('bool')])
      case 'record':
        return values.tuple([this.value('int'), this.value('seq')], ['a', 'b'])
      case 'seq':
        return values.seq(list('int'))
      case 'deep':
        return values.seq(list(random.pick(['seq', 'tuple', 'map'])))
      case 'set':
        return values.set(list(random.pick(['int', 'tuple'])))
      case 'map':
        return values.map(list('int').map((key) => [key, this.value('seq')] as const))
    }
  }

  /** The summary has the values, wherever it is asked for. */
  expect({ summary, table }: Known, where?: readonly boolean[] | undefined): void {
    const whole = this.scalar({ summary, table })
    for (const at of this.row((assignment) => assignment)) {
      if (where?.[at] === false) continue
      const packed = this.diagrams.valueUnder(whole, this.#assignment(at))
      expect(this.lifting.packed.unpacked(packed)).toBe(table[at])
    }
  }

  expectGuard({ guard, table }: KnownGuard, where?: readonly boolean[] | undefined): void {
    for (const at of this.row((assignment) => assignment)) {
      if (where?.[at] === false) continue
      expect(this.diagrams.valueUnder(guard, this.#assignment(at)) === 1).toBe(table[at])
    }
  }

  holds(guard: Diagram, at: number): boolean {
    return this.diagrams.valueUnder(guard, this.#assignment(at)) === 1
  }

  /** Of an assignment. */
  valueIn(summary: Summary, at: number): IrValue {
    return this.lifting.packed.unpacked(this.diagrams.valueUnder(concrete(this.lifting, summary), this.#assignment(at)))
  }

  /** As numbers are read by `fromTable`. */
  #assignment(number: number): ReadonlyMap<number, boolean> {
    const last = this.#variables.length - 1
    return new Map(this.#variables.map((variable, at) => [variable, ((number >> (last - at)) & 1) === 1]))
  }
}
