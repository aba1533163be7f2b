/** What expressions of ICET terms evaluate to: what the same expression does in TypeScript, its mistakes included. */
import { unreachable } from '../../core/invariant.ts'
import { mistake } from '../../core/running.ts'
import { Address, type Value } from '../../core/value.ts'
import type { BinaryOperator, Expression } from '../../program/icet.ts'

/** What the function behind an opaque expression gives for these inputs; a pure function of both. */
export type Meaning = (text: string, inputs: readonly Value[]) => Value

/** What an expression may look at. */
export interface TermScope {
  readonly self: Address<never>
  readonly store: Map<string, Value>
  readonly sizes: { readonly [parameter: string]: number }
  readonly meaning: Meaning | undefined
}

export function evaluate(expression: Expression, scope: TermScope): Value {
  switch (expression.kind) {
    case 'literal':
      return expression.value
    case 'variable':
      return scope.store.get(expression.name)
    case 'self':
      return scope.self
    case 'process':
      return Address.of(expression.name)
    case 'parameter':
      return scope.sizes[expression.name]
    case 'record':
      return Object.freeze(
        Object.fromEntries(expression.fields.map(({ name, value }) => [name, evaluate(value, scope)])),
      )
    case 'field':
      return field(evaluate(expression.of, scope), expression.name)
    case 'not':
      return !evaluate(expression.of, scope)
    case 'binary':
      return binary(expression.operator, expression.left, expression.right, scope)
    case 'either':
      return evaluate(evaluate(expression.condition, scope) ? expression.then : expression.otherwise, scope)
    case 'opaque':
      return opaque(
        expression.text,
        expression.inputs.map((input) => evaluate(input, scope)),
        scope.meaning,
      )
    default:
      return unreachable(expression, 'expression')
  }
}

/** Reading a field of nothing throws, as it does in JavaScript. */
function field(of: Value, name: string): Value {
  if (of === undefined || of === null) throw new TypeError(`cannot read field ${name} of ${of}`)
  return Object.hasOwn(of as object, name) ? (of as { readonly [name: string]: Value })[name] : undefined
}

function binary(operator: BinaryOperator, left: Expression, right: Expression, scope: TermScope): Value {
  const first = evaluate(left, scope)
  // What stands to the right of these two may not be defined when it is not needed.
  if (operator === '&&') return first ? evaluate(right, scope) : first
  if (operator === '||') return first ? first : evaluate(right, scope)
  return strict(operator, first as number, evaluate(right, scope) as number)
}

/** Types are the user's compiler's business: here every operand is what JavaScript makes of it. */
function strict(operator: Exclude<BinaryOperator, '&&' | '||'>, left: number, right: number): Value {
  switch (operator) {
    case '===':
      return left === right
    case '!==':
      return left !== right
    case '<':
      return left < right
    case '<=':
      return left <= right
    case '>':
      return left > right
    case '>=':
      return left >= right
    case '+':
      return left + right
    case '-':
      return left - right
    case '*':
      return left * right
    case '/':
      return left / right
    case '%':
      return left % right
    default:
      return unreachable(operator, 'operator')
  }
}

function opaque(text: string, inputs: readonly Value[], meaning: Meaning | undefined): Value {
  if (meaning !== undefined) return meaning(text, inputs)
  return mistake({
    code: 'E208',
    message: `${text} has no meaning in an ICET term`,
    hint: 'run the program it was extracted from, or say what its opaque expressions mean',
  })
}
