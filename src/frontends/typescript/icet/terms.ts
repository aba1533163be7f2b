/** Terms with a branch that is called `then`. */
import type { Expression, Statement, StatementOf } from '../../../program/icet.ts'

export function either(condition: Expression, then: Expression, otherwise: Expression): Expression {
  return { kind: 'either', condition, then, otherwise }
}

export function ifThen(
  { id, place }: Pick<Statement, 'id' | 'place'>,
  condition: Expression,
  then: readonly Statement[],
  otherwise: readonly Statement[],
): StatementOf<'if'> {
  return { id, place, kind: 'if', condition, then, otherwise }
}
