/** Every small change of a term that a wrong translation could have made of it, each on its own. */
import {
  blocksOf,
  type Expression,
  expressionsOf,
  type Icet,
  type IcetProcess,
  type Literal,
  type Statement,
  statementsOf,
} from '../../src/program/icet.ts'
import { withBlocks } from '../agreement/icet-build.ts'

export interface Mutant {
  readonly what: string
  readonly icet: Icet
}

export function* mutantsOf(icet: Icet): Generator<Mutant> {
  for (const [at, process] of icet.processes.entries()) {
    const withProcess = (changed: IcetProcess): Icet => ({
      ...icet,
      processes: icet.processes.map((one, index) => (index === at ? changed : one)),
    })
    const kinds = kindsIn(icet)
    for (const { what, block } of blockMutants(process.body, { icet, kinds, process })) {
      yield { what: `${icet.name}, ${process.name}: ${what}`, icet: withProcess({ ...process, body: block }) }
    }
    if (process.name !== 'main')
      yield {
        what: `${icet.name}, ${process.name}: daemon`,
        icet: withProcess({ ...process, daemon: !process.daemon }),
      }
  }
}

interface Around {
  readonly icet: Icet
  readonly process: IcetProcess
  readonly kinds: readonly string[]
}

type Block = readonly Statement[]
interface ChangedBlock {
  readonly what: string
  readonly block: Block
}

function* blockMutants(block: Block, around: Around): Generator<ChangedBlock> {
  for (const [at, statement] of block.entries()) {
    const put = (...instead: Block): Block => [...block.slice(0, at), ...instead, ...block.slice(at + 1)]
    const line = `line ${statement.place.line}, ${statement.kind}`
    yield { what: `${line} dropped`, block: put() }
    const next = block[at + 1]
    if (next !== undefined)
      yield { what: `${line} after the next`, block: [...block.slice(0, at), next, statement, ...block.slice(at + 2)] }
    for (const { what, statement: other } of statementMutants(statement, around))
      yield { what: `${line} ${what}`, block: put(...(Array.isArray(other) ? (other as Block) : [other as Statement])) }
    for (const [index, inner] of blocksOf(statement).entries()) {
      for (const changed of blockMutants(inner, around)) {
        const blocks = blocksOf(statement).map((one, other) => (other === index ? changed.block : one))
        yield { what: changed.what, block: put(withBlocks(statement, blocks)) }
      }
    }
  }
}

function* statementMutants(
  statement: Statement,
  around: Around,
): Generator<{ readonly what: string; readonly statement: Statement | Block }> {
  switch (statement.kind) {
    case 'if':
      yield { what: 'always', statement: statement.then }
      yield { what: 'never', statement: statement.otherwise }
      yield { what: 'branches swapped', statement: withBlocks(statement, [statement.otherwise, statement.then]) }
      break
    case 'each':
    case 'repeat':
      yield { what: 'once', statement: statement.body }
      break
    case 'choose':
      if (statement.options.length > 1)
        yield { what: 'with an option less', statement: { ...statement, options: statement.options.slice(1) } }
      break
    case 'receive': {
      const other = around.kinds.find((kind) => statement.kinds?.includes(kind) !== true)
      if (other !== undefined) yield { what: `of kind ${other}`, statement: { ...statement, kinds: [other] } }
      if (statement.kinds !== undefined) yield { what: 'of any kind', statement: { ...statement, kinds: undefined } }
      if (statement.from !== undefined) yield { what: 'from anyone', statement: { ...statement, from: undefined } }
      break
    }
  }
  for (const [index, expression] of expressionsOf(statement).entries()) {
    for (const { what, expression: changed } of expressionMutants(expression, around))
      yield { what, statement: withExpression(statement, index, changed) }
  }
}

/** The statement with another expression, by position in `expressionsOf`. */
function withExpression(statement: Statement, index: number, changed: Expression): Statement {
  switch (statement.kind) {
    case 'assign':
      return { ...statement, value: changed }
    case 'send':
      return index === 0 ? { ...statement, to: changed } : { ...statement, message: changed }
    case 'receive':
      return { ...statement, from: changed }
    case 'choose':
      return { ...statement, options: statement.options.map((one, at) => (at === index ? changed : one)) }
    case 'if':
    case 'assume':
    case 'assert':
      return { ...statement, condition: changed }
    default:
      return statement
  }
}

type ChangedExpression = { readonly what: string; readonly expression: Expression }

function* expressionMutants(expression: Expression, around: Around): Generator<ChangedExpression> {
  yield* rootMutants(expression, around)
  const inside = (part: Expression, put: (changed: Expression) => Expression): Iterable<ChangedExpression> =>
    [...expressionMutants(part, around)].map(({ what, expression: changed }) => ({ what, expression: put(changed) }))
  switch (expression.kind) {
    case 'record':
      for (const [at, field] of expression.fields.entries()) {
        const withField = (value: Expression): Expression => ({
          ...expression,
          fields: expression.fields.map((one, index) => (index === at ? { ...one, value } : one)),
        })
        yield* inside(field.value, withField)
      }
      break
    case 'field':
    case 'not':
      yield* inside(expression.of, (of) => ({ ...expression, of }))
      break
    case 'binary':
      yield* inside(expression.left, (left) => ({ ...expression, left }))
      yield* inside(expression.right, (right) => ({ ...expression, right }))
      break
    case 'either':
      yield* inside(expression.condition, (condition) => ({ ...expression, condition }))
      break
    case 'opaque':
      for (const [at, input] of expression.inputs.entries()) {
        const withInput = (changed: Expression): Expression => ({
          ...expression,
          inputs: expression.inputs.map((one, index) => (index === at ? changed : one)),
        })
        yield* inside(input, withInput)
      }
  }
}

const opposites: { readonly [operator: string]: string } = {
  '===': '!==',
  '!==': '===',
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
  '+': '-',
  '-': '+',
  '*': '+',
  '&&': '||',
  '||': '&&',
}

function* rootMutants(expression: Expression, { process, icet }: Around): Generator<ChangedExpression> {
  switch (expression.kind) {
    case 'literal':
      yield { what: 'another literal', expression: { kind: 'literal', value: otherLiteral(expression.value) } }
      break
    case 'variable': {
      const names = [
        ...new Set(
          [...statementsOf(process.body)].flatMap((one) =>
            'variable' in one && one.variable !== undefined ? [one.variable] : [],
          ),
        ),
      ]
      const other = names.find((name) => name !== expression.name)
      if (other !== undefined)
        yield { what: `${other} for ${expression.name}`, expression: { kind: 'variable', name: other } }
      break
    }
    case 'process': {
      const other = icet.processes.find(({ name, count }) => name !== expression.name && count === undefined)
      if (other !== undefined)
        yield { what: `${other.name} for ${expression.name}`, expression: { ...expression, name: other.name } }
      break
    }
    case 'record':
      for (const { name } of expression.fields)
        yield {
          what: `without ${name}`,
          expression: { ...expression, fields: expression.fields.filter((one) => one.name !== name) },
        }
      break
    case 'not':
      yield { what: 'without !', expression: expression.of }
      break
    case 'binary':
      yield {
        what: `not ${expression.operator}`,
        expression: { ...expression, operator: (opposites[expression.operator] ?? '===') as '===' },
      }
      break
    case 'either':
      // biome-ignore lint/suspicious/noThenProperty: the branch of an expression, which nobody awaits
      yield { what: 'swapped', expression: { ...expression, then: expression.otherwise, otherwise: expression.then } }
      break
    case 'opaque':
      if (expression.inputs.length > 0)
        yield { what: 'with an input less', expression: { ...expression, inputs: expression.inputs.slice(1) } }
  }
}

function otherLiteral(value: Literal): Literal {
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  return typeof value === 'string' ? `${value}x` : 0
}

/** Of messages that are received. */
function kindsIn({ processes }: Icet): readonly string[] {
  const all = processes.flatMap(({ body }) => [...statementsOf(body)])
  return [...new Set(all.flatMap((one) => (one.kind === 'receive' ? (one.kinds ?? []) : [])))]
}
