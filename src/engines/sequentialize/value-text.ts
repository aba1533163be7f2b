/** Values and expressions for readers of a sequential program. */
import type { Expression } from '../../program/icet.ts'
import { type ExpressionStyle, literalText, expressionText as textOf } from '../../program/icet-text.ts'
import { indexedBy, isPerhapsUnset, type Value } from './value.ts'

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
      return isPerhapsUnset(value) ? '…' : shortened(termText(value.operator, value.inputs.map(valueText)))
  }
}

/** A party as readers know it: a member by the name of its set. */
export function partyText(id: string): string {
  return id.replace(/[#/]$/, '')
}

const style: ExpressionStyle = { process: (name) => name, record: shortened, opaque: shortened }

export function expressionText(expression: Expression): string {
  return textOf(expression, style)
}

function termText(operator: string, inputs: readonly string[]): string {
  const [first = '', second = '', third = ''] = inputs
  if (operator === '?:') return `${first} ? ${second} : ${third}`
  if (operator === '!') return `!${first}`
  if (operator.startsWith('.')) return `${first}${operator}`
  if (indexedBy(operator) !== undefined) return operator
  if (operator.startsWith('`')) return operator.slice(1, -1)
  return `${first} ${operator} ${second}`
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length <= longest ? line : `${line.slice(0, longest - 1)}…`
}
