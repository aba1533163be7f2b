/** ICET terms as text that reads like the paper's. */
import { countText, type Expression, type Icet, type IcetProcess, type Statement } from '../../src/program/icet.ts'

export function printIcet({ name, parameters, processes }: Icet): string {
  const declared = parameters.map((parameter) => `${parameter.name} >= ${parameter.least}`)
  return [`${name}: ${declared.length === 0 ? 'no parameters' : declared.join(', ')}`, ...processes.map(printed)].join(
    '\n',
  )
}

function printed({ name, count, daemon, body }: IcetProcess): string {
  const head = `${daemon ? 'daemon ' : ''}${name}${count === undefined ? '' : ` × ${countText(count)}`}`
  return [`${head}:`, ...body.flatMap((statement) => lines(statement, '  '))].join('\n')
}

function lines(statement: Statement, indent: string): string[] {
  const nested = (body: readonly Statement[]) => body.flatMap((inner) => lines(inner, `${indent}  `))
  const block = (head: string, body: readonly Statement[]) => [`${indent}${head} {`, ...nested(body), `${indent}}`]
  switch (statement.kind) {
    case 'if': {
      const { condition, then, otherwise } = statement
      const rest = otherwise.length === 0 ? [] : [`${indent}} else {`, ...nested(otherwise)]
      return [`${indent}if ${text(condition)} {`, ...nested(then), ...rest, `${indent}}`]
    }
    case 'each':
      return block(`for ${statement.variable} in ${statement.set}`, statement.body)
    case 'repeat': {
      const { index, count, body } = statement
      return block(`repeat ${countText(count)}${index === undefined ? '' : ` as ${index}`}`, body)
    }
    case 'while':
      return block('while true', statement.body)
    default:
      return [`${indent}${simple(statement)}`]
  }
}

function simple(statement: Exclude<Statement, { readonly kind: 'if' | 'each' | 'repeat' | 'while' }>): string {
  switch (statement.kind) {
    case 'assign':
      return `${statement.variable} := ${text(statement.value)}`
    case 'send':
      return `send ${text(statement.to)} ← ${text(statement.message)}`
    case 'receive': {
      const { variable, kinds, from } = statement
      const into = variable === undefined ? '' : `${variable} ← `
      return `${into}receive ${kinds?.join('|') ?? 'any'}${from === undefined ? '' : ` from ${text(from)}`}`
    }
    case 'choose':
      return `${statement.variable} ← choose ${statement.options.map(text).join(' | ')}`
    case 'pick':
      return `${statement.variable} ← some ${statement.set}`
    case 'assume':
      return `assume ${text(statement.condition)}`
    case 'assert':
      return `assert ${text(statement.condition)}, '${statement.message}'`
    case 'fail':
      return `fail '${statement.message}'`
    default:
      return statement.kind
  }
}

function text(expression: Expression): string {
  switch (expression.kind) {
    case 'literal':
      return JSON.stringify(expression.value) ?? 'undefined'
    case 'variable':
      return expression.name
    case 'self':
      return 'self'
    case 'process':
      return `@${expression.name}`
    case 'parameter':
      return `#${expression.name}`
    case 'record':
      return `{${expression.fields.map(({ name, value }) => `${name}: ${text(value)}`).join(', ')}}`
    case 'field':
      return `${text(expression.of)}.${expression.name}`
    case 'not':
      return `!${text(expression.of)}`
    case 'binary':
      return `(${text(expression.left)} ${expression.operator} ${text(expression.right)})`
    case 'either':
      return `(${text(expression.condition)} ? ${text(expression.then)} : ${text(expression.otherwise)})`
    case 'opaque':
      return `‹${expression.text}›(${expression.inputs.map(text).join(', ')})`
  }
}
