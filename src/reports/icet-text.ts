/** Terms of ICET as text, close to Brisk fig. 3.1: `Π client[clients]`, `for q in client`, the tag of every send and receive. */
import {
  countText,
  type Expression,
  type Icet,
  type IcetParameter,
  type IcetProcess,
  type Statement,
} from '../program/icet.ts'
import { type ExpressionStyle, quoted, expressionText as textOf } from '../program/icet-text.ts'
import { pageWidth, printable, widthOf, wrap } from './text-width.ts'

export function printIcet({ name, parameters, processes }: Icet): string {
  const gutter = Math.max(4, ...processes.flatMap((process) => linesOf(process).map(({ line }) => line.length)))
  const head = [printable(name, false), ...parameters.map(parameterText)]
  const bodies = processes.map((process) => ['', ...linesOf(process).flatMap((line) => shown(line, gutter))])
  return `${[head.join(', '), ...bodies.flat()].join('\n')}\n`
}

/** 'clients ≥ 1 (3 under check)' */
function parameterText({ name, least, size }: IcetParameter): string {
  return `${name} ≥ ${least} (${size} under check)`
}

interface Line {
  /** Where it stands in the source. */
  readonly line: string
  readonly depth: number
  readonly text: string
  readonly tag?: string | undefined
}

function shown({ line, depth, text, tag = '' }: Line, gutter: number): readonly string[] {
  const indent = `${'  '.repeat(Math.min(depth, deepest))}`
  const margin = gutter + 2 + widthOf(indent)
  const suffix = tag === '' ? '' : `  ${tag}`
  const [first = '', ...more] = wrap(printable(text + suffix, false), pageWidth - margin - hanging)
  return [
    `${line.padStart(gutter)}  ${indent}${first}`,
    ...more.map((rest) => `${' '.repeat(margin + hanging)}${rest}`),
  ]
}

const hanging = 4
const deepest = 20

function linesOf(process: IcetProcess): readonly Line[] {
  const { name, count, daemon, body, place } = process
  const title = count === undefined ? name : `Π ${name}[${countText(count)}]`
  const head = { line: String(place.line), depth: 0, text: daemon ? `${title} (daemon)` : title }
  const lines = blockLines(body, 1, place.file)
  return [head, ...(lines.length === 0 ? [{ line: '', depth: 1, text: 'skip' }] : lines)]
}

function blockLines(block: readonly Statement[], depth: number, file: string): readonly Line[] {
  return block.flatMap((statement) => statementLines(statement, depth, file))
}

function statementLines(statement: Statement, depth: number, file: string): readonly Line[] {
  const { place } = statement
  const line = place.file === file ? String(place.line) : `${baseName(place.file)}:${place.line}`
  const head = (text: string, tag?: string): Line => ({ line, depth, text, tag })
  const inner = (block: readonly Statement[]) => blockLines(block, depth + 1, file)
  switch (statement.kind) {
    case 'if': {
      const otherwise = statement.otherwise.length === 0 ? [] : [{ line: '', depth, text: 'else' }]
      const test = head(`if ${expressionText(statement.condition)}`)
      return [test, ...inner(statement.then), ...otherwise, ...inner(statement.otherwise)]
    }
    case 'each':
      return [head(`for ${statement.variable} in ${statement.set}`), ...inner(statement.body)]
    case 'repeat': {
      const index = statement.index === undefined ? '' : ` as ${statement.index}`
      return [head(`repeat ${countText(statement.count)}${index}`), ...inner(statement.body)]
    }
    case 'while':
      return [head('while true'), ...inner(statement.body)]
    case 'send':
      return [head(simpleText(statement), `#${statement.id}`)]
    case 'receive':
      return [head(simpleText(statement), `#${statement.id}`)]
    default:
      return [head(simpleText(statement))]
  }
}

function baseName(file: string): string {
  return file.split(/[\\/]/).at(-1) ?? file
}

function simpleText(statement: Exclude<Statement, { readonly kind: 'if' | 'each' | 'repeat' | 'while' }>): string {
  switch (statement.kind) {
    case 'assign':
      return `${statement.variable} := ${expressionText(statement.value)}`
    case 'send':
      return `send(${expressionText(statement.to)}, ${expressionText(statement.message)})`
    case 'receive':
      return receiveText(statement)
    case 'choose':
      return `${statement.variable} ← one of ${statement.options.map((option) => expressionText(option)).join(', ')}`
    case 'pick':
      return `${statement.variable} ← some of ${statement.set}`
    case 'assume':
      return `assume ${expressionText(statement.condition)}`
    case 'assert':
      return `assert ${expressionText(statement.condition)}, ${quoted(statement.message)}`
    case 'fail':
      return `fail ${quoted(statement.message)}`
    case 'break':
    case 'continue':
    case 'end':
      return statement.kind
  }
}

function receiveText({ variable, kinds, from }: Extract<Statement, { readonly kind: 'receive' }>): string {
  const target = variable === undefined ? '' : `${variable} ← `
  const what = kinds === undefined ? [] : [kinds.map(quoted).join(' | ')]
  const whom = from === undefined ? [] : [`from ${expressionText(from)}`]
  return `${target}receive(${[...what, ...whom].join(', ')})`
}

const style: ExpressionStyle = {
  process: (name) => (/^\w+$/.test(name) ? name : quoted(name)),
  record: (text) => text,
  opaque: (text, inputs) => `«${shortened(text)}»(${inputs.join(', ')})`,
}

export function expressionText(expression: Expression): string {
  return textOf(expression, style)
}

/** Source text that decides nothing. */
function shortened(text: string): string {
  return text.length <= longestText ? text : `${text.slice(0, longestText - 1)}…`
}

const longestText = 40
