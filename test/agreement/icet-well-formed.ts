/** Terms that an extraction could give: loops are left where they may be, and everything mentioned exists. */
import { blocksOf, expressionsOf, type Icet, partsOf, type Statement, statementsOf } from '../../src/program/icet.ts'

export function isWellFormed(icet: Icet): boolean {
  const sets = new Set(icet.processes.flatMap(({ name, count }) => (count === undefined ? [] : [name])))
  const singles = new Set(icet.processes.flatMap(({ name, count }) => (count === undefined ? [name] : [])))
  const parameters = new Set(icet.parameters.map(({ name }) => name))
  const isKnown = (statement: Statement): boolean => {
    if ((statement.kind === 'each' || statement.kind === 'pick') && !sets.has(statement.set)) return false
    if (statement.kind === 'repeat' && statement.count.kind === 'parameter' && !parameters.has(statement.count.name))
      return false
    return expressionsOf(statement).every((expression) =>
      [...partsOf(expression)].every(
        (part) =>
          (part.kind !== 'process' || singles.has(part.name)) &&
          (part.kind !== 'parameter' || parameters.has(part.name)),
      ),
    )
  }
  return icet.processes.every(
    ({ body, count }) =>
      (count === undefined || count.kind === 'number' || parameters.has(count.name)) &&
      [...statementsOf(body)].every(isKnown) &&
      leavesLoops(body, false),
  )
}

/** Whether every `break` and `continue` stands in a `while`, with no other loop in between. */
function leavesLoops(block: readonly Statement[], inWhile: boolean): boolean {
  return block.every((statement) => {
    if (statement.kind === 'break' || statement.kind === 'continue') return inWhile
    const inside = statement.kind === 'while' || (statement.kind === 'if' && inWhile)
    return blocksOf(statement).every((inner) => leavesLoops(inner, inside))
  })
}
