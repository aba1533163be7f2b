/**
 * Functions of a few variables written out, value by value: what diagrams are compared with. The value for an assignment is at the index that has
 * bit v set where variable v is true.
 */
import { expect } from 'vitest'
import type { Diagram } from '../../../src/bdd/diagram.ts'
import type { Diagrams } from '../../../src/bdd/diagrams.ts'
import type { Random } from '../../../src/core/random.ts'

export type TruthTable = readonly number[]

/** A diagram and what it should be. */
export interface Known {
  readonly diagram: Diagram
  readonly table: TruthTable
}

export function tableOf(variables: number, value: (index: number) => number): TruthTable {
  return Array.from({ length: 2 ** variables }, (_, index) => value(index))
}

export function zip(a: TruthTable, b: TruthTable, compute: (left: number, right: number) => number): TruthTable {
  return a.map((left, index) => compute(left, b[index] as number))
}

/** By number of variables: all assignments, made once. */
const assignments = new Map<number, readonly ReadonlyMap<number, boolean>[]>()

export function assignmentAt(index: number, variables: number): ReadonlyMap<number, boolean> {
  return new Map(Array.from({ length: variables }, (_, variable) => [variable, ((index >> variable) & 1) === 1]))
}

/** Reads the diagram under every assignment. */
export function readOff(diagrams: Diagrams, diagram: Diagram): TruthTable {
  const { variables } = diagrams
  const all =
    assignments.get(variables) ?? Array.from({ length: 2 ** variables }, (_, index) => assignmentAt(index, variables))
  assignments.set(variables, all)
  return all.map((assignment) => diagrams.valueUnder(diagram, assignment))
}

/** Equal wherever the care set is 1. */
export function expectEqualWithin(one: TruthTable, other: TruthTable, care: TruthTable): void {
  const isCared = (_: number, index: number) => care[index] === 1
  expect(one.filter(isCared)).toEqual(other.filter(isCared))
}

/** The index of the assignment that differs in at most one variable. */
export function withBit(index: number, variable: number, value: boolean): number {
  return value ? index | (1 << variable) : index & ~(1 << variable)
}

/** The table with both values of each variable joined. */
export function over(
  table: TruthTable,
  variables: readonly number[],
  join: (low: number, high: number) => number,
): TruthTable {
  return variables.reduce<TruthTable>(
    (joined, variable) =>
      joined.map((_, index) =>
        join(joined[withBit(index, variable, false)] as number, joined[withBit(index, variable, true)] as number),
      ),
    table,
  )
}

export function isGuard(table: TruthTable): boolean {
  return table.every((value) => value === 0 || value === 1)
}

/** Every diagram is what it should be, and two of them are equal numbers if and only if they are equal functions. */
export function expectKnown(diagrams: Diagrams, known: readonly Known[]): void {
  const byTable = new Map<string, Diagram>()
  for (const { diagram, table } of known) {
    expect(readOff(diagrams, diagram)).toEqual(table)
    const same = byTable.get(table.join())
    if (same !== undefined) expect(diagram).toBe(same)
    byTable.set(table.join(), diagram)
  }
  expect(new Set(byTable.values()).size).toBe(byTable.size)
}

/** A guard made of literals by `steps` random connectives, and its table. */
export function randomGuard(diagrams: Diagrams, random: Random, steps: number): Known {
  const { variables } = diagrams
  const literal = (): Known => {
    const variable = random.below(variables)
    const value = random.below(2) === 1
    return {
      diagram: diagrams.literal(variable, value),
      table: tableOf(variables, (index) => (((index >> variable) & 1) === 1 ? Number(value) : Number(!value))),
    }
  }
  let known = literal()
  for (let step = 0; step < steps; step++) {
    const other = literal()
    const isAnd = random.below(2) === 0
    known = isAnd
      ? { diagram: diagrams.and(known.diagram, other.diagram), table: zip(known.table, other.table, (a, b) => a & b) }
      : { diagram: diagrams.or(other.diagram, known.diagram), table: zip(known.table, other.table, (a, b) => a | b) }
  }
  return known
}

/** A diagram with a few different leaves, made from a table of all codes. */
export function randomSummary(diagrams: Diagrams, random: Random, values: readonly number[]): Known {
  const { variables } = diagrams
  const table = tableOf(variables, () => random.pick(values))
  // In any order of the variables: the first one is the most significant bit of a code.
  const order = random.shuffle(Array.from({ length: variables }, (_, variable) => variable))
  const codes = tableOf(variables, (code) => {
    let index = 0
    order.forEach((variable, at) => {
      if ((code >> (variables - 1 - at)) & 1) index |= 1 << variable
    })
    return table[index] as number
  })
  return { diagram: diagrams.fromTable(order, codes, 0), table }
}
