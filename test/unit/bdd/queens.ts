/** Placements of n queens that do not attack each other, by conjoining what each square forbids. */
import type { Diagram } from '../../../src/bdd/diagram.ts'
import type { Diagrams } from '../../../src/bdd/diagrams.ts'

export function queens(diagrams: Diagrams, size: number): Diagram {
  const squares = Array.from({ length: size * size }, () => diagrams.variable())
  const literal = (row: number, column: number, value: boolean) =>
    diagrams.literal(squares[row * size + column] as number, value)
  const lines = Array.from({ length: size }, (_, at) => at)
  const board = lines.flatMap((row) => lines.map((column) => ({ row, column })))
  let placements = diagrams.always
  for (const row of lines) {
    const one = lines.reduce((some, column) => diagrams.or(some, literal(row, column, true)), diagrams.never)
    placements = diagrams.and(placements, one)
  }
  for (const { row, column } of board) {
    const attacked = board.filter((other) => {
      const [down, right] = [other.row - row, other.column - column]
      return (down !== 0 || right !== 0) && (down === 0 || right === 0 || Math.abs(down) === Math.abs(right))
    })
    const alone = attacked.reduce<Diagram>(
      (all, other) => diagrams.and(all, literal(other.row, other.column, false)),
      diagrams.always,
    )
    placements = diagrams.and(placements, diagrams.or(literal(row, column, false), alone))
  }
  return placements
}
