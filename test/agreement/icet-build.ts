/** ICET terms written by hand or drawn at random: statements without numbers and places, which the whole term gets at the end. */
import type { Place } from '../../src/core/diagnostic.ts'
import {
  type BinaryOperator,
  blocksOf,
  type Count,
  type Expression,
  type Icet,
  type IcetParameter,
  type IcetProcess,
  type Literal,
  type Statement,
  type StatementKind,
  type StatementOf,
} from '../../src/program/icet.ts'

const nowhere: Place = { file: 'term.check.ts', line: 1, column: 1 }

type Parts<K extends StatementKind> = Omit<StatementOf<K>, 'id' | 'place' | 'kind'>

function statement<K extends StatementKind>(kind: K, parts: Parts<K>): Statement {
  return { id: 0, place: nowhere, kind, ...parts } as unknown as Statement
}

export const self: Expression = { kind: 'self' }
export const literal = (value: Literal): Expression => ({ kind: 'literal', value })
export const variable = (name: string): Expression => ({ kind: 'variable', name })
export const the = (name: string): Expression => ({ kind: 'process', name })
export const size = (name: string): Expression => ({ kind: 'parameter', name })
export const field = (of: Expression, name: string): Expression => ({ kind: 'field', of, name })
export const not = (of: Expression): Expression => ({ kind: 'not', of })
export const opaque = (text: string, ...inputs: readonly Expression[]): Expression => ({ kind: 'opaque', text, inputs })

export function binary(left: Expression, operator: BinaryOperator, right: Expression): Expression {
  return { kind: 'binary', operator, left, right }
}

export function either(condition: Expression, then: Expression, otherwise: Expression): Expression {
  return { kind: 'either', condition, then, otherwise }
}

export const equals = (left: Expression, right: Expression): Expression => binary(left, '===', right)

/** A message of a kind. */
export function message(kind: string, fields: { readonly [name: string]: Expression } = {}): Expression {
  const rest = Object.entries(fields).map(([name, value]) => ({ name, value }))
  return { kind: 'record', fields: [{ name: 'kind', value: literal(kind) }, ...rest] }
}

export const assign = (name: string, value: Expression): Statement => statement('assign', { variable: name, value })
export const send = (to: Expression, sent: Expression): Statement => statement('send', { to, message: sent })
export const choose = (name: string, ...options: readonly Expression[]): Statement =>
  statement('choose', { variable: name, options })
export const pick = (name: string, set: string): Statement => statement('pick', { variable: name, set })

export function receive(
  name: string | undefined,
  kinds: string | readonly string[] | undefined,
  from?: Expression,
): Statement {
  return statement('receive', { variable: name, kinds: typeof kinds === 'string' ? [kinds] : kinds, from })
}

export function when(
  condition: Expression,
  then: readonly Statement[],
  otherwise: readonly Statement[] = [],
): Statement {
  return statement('if', { condition, then, otherwise })
}

export const each = (name: string, set: string, ...body: readonly Statement[]): Statement =>
  statement('each', { variable: name, set, body })
export const repeat = (index: string | undefined, times: Count | number, ...body: readonly Statement[]): Statement =>
  statement('repeat', { index, count: typeof times === 'number' ? { kind: 'number', value: times } : times, body })
export const forEver = (...body: readonly Statement[]): Statement => statement('while', { body })
export const leave = statement('break', {})
export const again = statement('continue', {})
export const end = statement('end', {})
export const assume = (condition: Expression): Statement => statement('assume', { condition })
export const assert = (condition: Expression, text: string): Statement =>
  statement('assert', { condition, message: text })
export const fail = (text: string): Statement => statement('fail', { message: text })

export const param = (name: string, plus = 0): Count =>
  plus === 0 ? { kind: 'parameter', name } : { kind: 'parameter', name, plus }

export function one(name: string, ...body: readonly Statement[]): IcetProcess {
  return { name, count: undefined, daemon: false, body, place: nowhere }
}

export function many(name: string, count: Count | number, ...body: readonly Statement[]): IcetProcess {
  const size: Count = typeof count === 'number' ? { kind: 'number', value: count } : count
  return { name, count: size, daemon: false, body, place: nowhere }
}

export const daemon = (process: IcetProcess): IcetProcess => ({ ...process, daemon: true })

/** A term with every parameter its processes and statements mention, from 0 on unless told otherwise. */
export function term(
  name: string,
  parameters: readonly (string | { readonly name: string; readonly least: number })[],
  ...processes: readonly IcetProcess[]
): Icet {
  const declared: IcetParameter[] = parameters.map((parameter) => {
    const { name: called, least } = typeof parameter === 'string' ? { name: parameter, least: 0 } : parameter
    return { name: called, least, size: Math.max(3, least), place: nowhere }
  })
  return numbered({ name, parameters: declared, processes })
}

/** The term with unique numbers, and with places that tell statements apart. */
export function numbered(icet: Icet): Icet {
  let last = 0
  const block = (statements: readonly Statement[]): readonly Statement[] => statements.map(renumbered)
  const renumbered = (old: Statement): Statement => {
    const id = ++last
    return withBlocks({ ...old, id, place: { ...nowhere, line: id } }, blocksOf(old).map(block))
  }
  return { ...icet, processes: icet.processes.map((process) => ({ ...process, body: block(process.body) })) }
}

/** The statement with other blocks inside, in the order of `blocksOf`. */
export function withBlocks(statement: Statement, blocks: readonly (readonly Statement[])[]): Statement {
  const [first = [], second = []] = blocks
  switch (statement.kind) {
    case 'if':
      // biome-ignore lint/suspicious/noThenProperty: the branch of a statement, which nobody awaits
      return { ...statement, then: first, otherwise: second }
    case 'each':
    case 'repeat':
    case 'while':
      return { ...statement, body: first }
    default:
      return statement
  }
}
