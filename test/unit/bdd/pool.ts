/** Random diagrams with their tables, combined with each other again and again. */
import { expect } from 'vitest'
import { Diagrams } from '../../../src/bdd/diagrams.ts'
import type { Random } from '../../../src/core/random.ts'
import {
  expectEqualWithin,
  isGuard,
  type Known,
  over,
  randomGuard,
  randomSummary,
  readOff,
  type TruthTable,
  withBit,
  zip,
} from './truth-table.ts'

export function withVariables(order: 'above' | 'below', count: number): Diagrams {
  const diagrams = new Diagrams({ order })
  for (let variable = 0; variable < count; variable++) diagrams.variable()
  return diagrams
}

export class Pool {
  readonly diagrams: Diagrams
  readonly random: Random
  known: Known[]
  readonly #difference
  readonly #larger
  readonly #half

  constructor(diagrams: Diagrams, random: Random) {
    this.diagrams = diagrams
    this.random = random
    this.known = [
      ...Array.from({ length: 4 }, () => randomGuard(diagrams, random, 6)),
      ...Array.from({ length: 3 }, () => randomSummary(diagrams, random, [0, 1, 7, -3, 0x7fffffff])),
    ]
    this.#difference = diagrams.operation((left, right) => (left - right) | 0)
    this.#larger = diagrams.operation(Math.max, { commutative: true, absorbs: 0x7fffffff })
    this.#half = diagrams.function((value) => value >> 1)
  }

  any(): Known {
    return this.random.pick(this.known)
  }

  guard(): Known {
    return this.random.pick(this.known.filter(({ table }) => isGuard(table)))
  }

  /** Makes one more by an operation that is drawn. */
  step(): void {
    const { diagrams } = this
    const [a, b, g, h] = [this.any(), this.any(), this.guard(), this.guard()]
    const value = this.random.pick(a.table)
    const variable = this.random.below(diagrams.variables)
    const others = this.random.shuffle(Array.from({ length: diagrams.variables }, (_, at) => at)).slice(0, 3)
    const made: readonly (() => Known)[] = [
      () => ({ diagram: diagrams.and(g.diagram, h.diagram), table: zip(g.table, h.table, (x, y) => x & y) }),
      () => ({ diagram: diagrams.or(g.diagram, h.diagram), table: zip(g.table, h.table, (x, y) => x | y) }),
      () => ({ diagram: diagrams.minus(g.diagram, h.diagram), table: zip(g.table, h.table, (x, y) => x & ~y) }),
      () => ({ diagram: diagrams.not(g.diagram), table: g.table.map((x) => 1 - x) }),
      () => ({
        diagram: diagrams.ite(g.diagram, a.diagram, b.diagram),
        table: g.table.map((x, index) => (x === 1 ? a : b).table[index] as number),
      }),
      () => ({
        diagram: diagrams.apply(this.#difference, a.diagram, b.diagram),
        table: zip(a.table, b.table, (x, y) => (x - y) | 0),
      }),
      () => ({
        diagram: diagrams.apply(this.#larger, a.diagram, b.diagram),
        table: zip(a.table, b.table, Math.max),
      }),
      () => ({ diagram: diagrams.map(this.#half, a.diagram), table: a.table.map((x) => x >> 1) }),
      () => ({ diagram: diagrams.guardOf(a.diagram, value), table: a.table.map((x) => Number(x === value)) }),
      () => ({
        diagram: diagrams.composed(a.diagram, variable, g.diagram),
        table: a.table.map((_, at) => a.table[withBit(at, variable, g.table[at] === 1)] as number),
      }),
      () => ({ diagram: diagrams.some(g.diagram, others), table: over(g.table, others, (x, y) => x | y) }),
      () => ({ diagram: diagrams.every(g.diagram, others), table: over(g.table, others, (x, y) => x & y) }),
      () => this.#restricted('within', a, g),
      () => this.#restricted('constrain', a, g),
    ]
    this.known.push(this.random.pick(made)())
  }

  /** Outside the care set anything will do, so that part is read off. */
  #restricted(kind: 'within' | 'constrain', from: Known, care: Known): Known {
    if (!care.table.includes(1)) return from
    const diagram = this.diagrams[kind](from.diagram, care.diagram)
    const table = readOff(this.diagrams, diagram)
    expectEqualWithin(table, from.table, care.table)
    return { diagram, table }
  }

  addVariable(): void {
    this.diagrams.variable()
    this.known = this.known.map(({ diagram, table }) => ({ diagram, table: [...table, ...table] }))
  }

  forgetHalf(): void {
    this.known = this.random.shuffle(this.known).slice(0, Math.max(6, this.known.length / 2))
    this.known.push(randomGuard(this.diagrams, this.random, 4))
  }

  get roots(): readonly number[] {
    return this.known.map(({ diagram }) => diagram)
  }
}

export function expectReadings(pool: Pool): void {
  const { diagrams } = pool
  const [a, g, h] = [pool.any(), pool.guard(), pool.guard()]
  const ascending = (table: TruthTable) => [...new Set(table)].sort((one, other) => one - other)
  expect(diagrams.leaves(a.diagram)).toEqual(ascending(a.table))
  expect(diagrams.leavesWithin(a.diagram, g.diagram)).toEqual(ascending(a.table.filter((_, at) => g.table[at] === 1)))
  expect(diagrams.disjoint(g.diagram, h.diagram)).toBe(!zip(g.table, h.table, (x, y) => x & y).includes(1))
  expect(diagrams.covers(g.diagram, h.diagram)).toBe(!zip(g.table, h.table, (x, y) => y & ~x).includes(1))
  const satisfied = g.table.reduce((sum, x) => sum + x, 0)
  expect(diagrams.count(g.diagram)).toBe(BigInt(satisfied))
  expect(diagrams.count(g.diagram, diagrams.variables + 3)).toBe(BigInt(satisfied * 8))
  const model = diagrams.model(g.diagram)
  expect(model === undefined).toBe(satisfied === 0)
  if (model !== undefined) expect(diagrams.valueUnder(g.diagram, model)).toBe(1)
}
