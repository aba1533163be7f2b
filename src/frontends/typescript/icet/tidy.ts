/** The term as it is handed out: without jumps to where control goes anyway, without empty branches, numbered from 1 in order. */
import type { Expression, IcetProcess, Statement } from '../../../program/icet.ts'
import { ifThen } from './terms.ts'

/** Numbers are unique over all processes: steps of a proof name statements by them. */
export function tidied(processes: readonly IcetProcess[]): readonly IcetProcess[] {
  let last = 0
  const number = () => ++last
  return processes.map((process) => ({ ...process, body: numbered(tidyBlock(process.body, 'end'), number) }))
}

/** What happens after a block: a jump, or something else. */
type After = 'end' | 'continue' | 'break' | undefined

function tidyBlock(block: readonly Statement[], after: After): readonly Statement[] {
  const result: Statement[] = []
  for (const [index, statement] of block.entries()) {
    const next = block[index + 1]
    const tidy = tidyStatement(statement, next === undefined ? after : jumpOf(next))
    if (tidy !== undefined) result.push(tidy)
    if (leaves(statement)) break
  }
  const end = result.at(-1)
  if (end !== undefined && end.kind === after) result.pop()
  return result
}

function jumpOf({ kind }: Statement): After {
  return kind === 'end' || kind === 'continue' || kind === 'break' ? kind : undefined
}

/** Nothing after it is ever reached. */
function leaves({ kind }: Statement): boolean {
  return kind === 'break' || kind === 'continue' || kind === 'end' || kind === 'fail'
}

function tidyStatement(statement: Statement, after: After): Statement | undefined {
  switch (statement.kind) {
    case 'if': {
      const then = tidyBlock(statement.then, after)
      const otherwise = tidyBlock(statement.otherwise, after)
      if (then.length > 0) return ifThen(statement, statement.condition, then, otherwise)
      if (otherwise.length === 0) return undefined
      return ifThen(statement, opposite(statement.condition), otherwise, [])
    }
    case 'while':
      return { ...statement, body: tidyBlock(statement.body, 'continue') }
    // Their `continue` was a fall to the end of the round, so there is no jump to leave out.
    case 'each':
    case 'repeat':
      return { ...statement, body: tidyBlock(statement.body, undefined) }
    default:
      return statement
  }
}

function opposite(condition: Expression): Expression {
  if (condition.kind === 'not') return condition.of
  if (condition.kind === 'binary' && condition.operator === '===') return { ...condition, operator: '!==' }
  if (condition.kind === 'binary' && condition.operator === '!==') return { ...condition, operator: '===' }
  return { kind: 'not', of: condition }
}

function numbered(block: readonly Statement[], number: () => number): readonly Statement[] {
  return block.map((statement) => {
    const id = number()
    switch (statement.kind) {
      case 'if': {
        const then = numbered(statement.then, number)
        return ifThen({ id, place: statement.place }, statement.condition, then, numbered(statement.otherwise, number))
      }
      case 'while':
      case 'each':
      case 'repeat':
        return { ...statement, id, body: numbered(statement.body, number) }
      default:
        return { ...statement, id }
    }
  })
}
