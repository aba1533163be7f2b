/** Bodies of functions. */
import type { Expression, Statement } from './ast.ts'
import { typeOfExpression } from './check-expression.ts'
import { checkStatement } from './check-statement.ts'
import { checkStatements, contextOf, type Rules, typeOf } from './function-context.ts'
import { type Project, refuse } from './project.ts'
import type { FunctionSymbol } from './symbols.ts'
import type { Type } from './type.ts'
import { typeText } from './type-relations.ts'

const rules: Rules = { typeOf: typeOfExpression, check: checkStatement }

/** The type of the assumption of a test, which sees parameters and nothing else. */
export function typeOfAssumption(project: Project, expression: Expression): Type {
  return typeOf(contextOf(project, rules, undefined), expression)
}

export function checkBody(project: Project, symbol: FunctionSymbol): void {
  if (symbol.body === undefined) return
  checkStatements(contextOf(project, rules, symbol), symbol.body)
  if (symbol.returns.kind === 'void' || symbol.returns.kind === 'unknown' || symbol.body.some(surelyReturns)) return
  refuse(project, {
    code: 'E717',
    message: `"${symbol.name}" does not return a value of type "${typeText(symbol.returns)}" on all paths`,
    hint: 'end every path with "return …;", or with "assert false;" if it cannot be taken',
    at: symbol.at,
  })
}

/** Loops may be left or not entered, and cases of `receive` return no value: nothing inside of them counts. */
function surelyReturns(statement: Statement): boolean {
  switch (statement.kind) {
    case 'block':
      return statement.body.some(surelyReturns)
    case 'if':
      return surelyReturns(statement.then) && statement.otherwise !== undefined && surelyReturns(statement.otherwise)
    case 'return':
    case 'goto':
    case 'raise':
      return true
    case 'assert':
    case 'assume':
      return statement.condition.kind === 'bool' && !statement.condition.value
    default:
      return false
  }
}
