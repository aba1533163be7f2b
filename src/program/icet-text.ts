/** Expressions of terms as text. */
import type { Expression, Literal } from './icet.ts'

/** How parts of an expression are written that not all readers want alike. */
export interface ExpressionStyle {
  readonly process: (name: string) => string
  readonly record: (text: string) => string
  readonly opaque: (text: string, inputs: readonly string[]) => string
}

export function expressionText(expression: Expression, style: ExpressionStyle): string {
  const inner = (part: Expression): string => expressionText(part, style)
  const operand = (part: Expression): string =>
    part.kind === 'binary' || part.kind === 'either' ? `(${inner(part)})` : inner(part)
  switch (expression.kind) {
    case 'literal':
      return literalText(expression.value)
    case 'variable':
    case 'parameter':
      return expression.name
    case 'process':
      return style.process(expression.name)
    case 'self':
      return 'self'
    case 'record': {
      const fields = expression.fields.map(({ name, value }) => `${name}: ${inner(value)}`)
      return style.record(fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`)
    }
    case 'field':
      return `${operand(expression.of)}.${expression.name}`
    case 'not':
      return `!${operand(expression.of)}`
    case 'binary':
      return `${operand(expression.left)} ${expression.operator} ${operand(expression.right)}`
    case 'either': {
      const { condition, then, otherwise } = expression
      return `${operand(condition)} ? ${operand(then)} : ${operand(otherwise)}`
    }
    case 'opaque':
      return style.opaque(expression.text, expression.inputs.map(inner))
  }
}

export function literalText(value: Literal): string {
  return typeof value === 'string' ? quoted(value) : String(value)
}

export function quoted(text: string): string {
  return `'${text.replaceAll("'", "\\'")}'`
}
