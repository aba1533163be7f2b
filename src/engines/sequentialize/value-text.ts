/** Values and expressions for readers of a sequential program. */
import type { Expression } from '../../program/icet.ts'
import type { Value } from './value.ts'

const longest = 60

export function valueText(value: Value): string {
  switch (value.kind) {
    case 'constant':
      return literalText(value.value)
    case 'process':
      return partyText(value.id)
    case 'parameter':
      return value.name
    case 'self':
      return value.set
    case 'symbol':
    case 'unknown':
      return '…'
    case 'record': {
      const fields = [...value.fields].map(([name, part]) => `${name}: ${valueText(part)}`)
      return shortened(`{ ${fields.join(', ')} }`)
    }
    case 'term':
      return shortened(termText(value.operator, value.inputs.map(valueText)))
  }
}

/** A party as readers know it: a member by the name of its set. */
export function partyText(id: string): string {
  return id.replace(/[#/]$/, '')
}

/** Whether the text leaves something open. */
export function isOpen(text: string): boolean {
  return text.includes('…')
}

export function expressionText(expression: Expression): string {
  switch (expression.kind) {
    case 'literal':
      return literalText(expression.value)
    case 'variable':
    case 'process':
    case 'parameter':
      return expression.name
    case 'self':
      return 'self'
    case 'record': {
      const fields = expression.fields.map(({ name, value }) => `${name}: ${expressionText(value)}`)
      return shortened(`{ ${fields.join(', ')} }`)
    }
    case 'field':
      return `${part(expression.of)}.${expression.name}`
    case 'not':
      return `!${part(expression.of)}`
    case 'binary':
      return `${part(expression.left)} ${expression.operator} ${part(expression.right)}`
    case 'either':
      return termText('?:', [expression.condition, expression.then, expression.otherwise].map(part))
    case 'opaque':
      return shortened(expression.text)
  }
}

function part(expression: Expression): string {
  const text = expressionText(expression)
  return expression.kind === 'binary' || expression.kind === 'either' ? `(${text})` : text
}

function literalText(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value)
}

function termText(operator: string, inputs: readonly string[]): string {
  const [first = '', second = '', third = ''] = inputs
  if (operator === '?:') return `${first} ? ${second} : ${third}`
  if (operator === '!') return `!${first}`
  if (operator.startsWith('.')) return `${first}${operator}`
  if (operator.startsWith('`')) return operator.slice(1, -1)
  return `${first} ${operator} ${second}`
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length <= longest ? line : `${line.slice(0, longest - 1)}…`
}
