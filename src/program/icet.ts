/**
 * The parameterised core calculus of "Verifying Distributed Programs via Canonical Sequentialization" (§3): a fixed number of
 * process declarations, some of which stand for a symmetric set whose size is a parameter. Data that decides nothing stays
 * opaque.
 *
 * Departures from the paper's syntax: messages have kinds instead of types and a receive may name several kinds (order is
 * kept per sender and receiver among the messages a receive takes, as on our `fifo` network, which is the paper's order when
 * each receive names one kind); `while (true)` with `break` and `continue`; choices among values and among members of a set.
 */
import type { Place } from '../core/diagnostic.ts'

export interface Icet {
  readonly name: string
  readonly parameters: readonly IcetParameter[]
  /** The first is `main` when the program's own body communicates. Names are unique. */
  readonly processes: readonly IcetProcess[]
}

export interface IcetParameter {
  readonly name: string
  /** Sizes range over all whole numbers from here on. */
  readonly least: number
  /** The size under `check`. */
  readonly size: number
  readonly place: Place
}

export interface IcetProcess {
  readonly name: string
  /** How many there are, as a symmetric set; undefined: exactly one, which is no set. */
  readonly count: Count | undefined
  readonly daemon: boolean
  /** Of a set whose members were spawned one by one: their names, all the same or with their index between these. */
  readonly spawnedAs?: 'alike' | readonly [before: string, after: string] | undefined
  readonly body: readonly Statement[]
  readonly place: Place
}

export type Count =
  /** The parameter plus a number, and never less than nothing: `n - 1` is 0 where n is 0. */
  | { readonly kind: 'parameter'; readonly name: string; readonly plus?: number | undefined }
  | { readonly kind: 'number'; readonly value: number }

interface StatementBase {
  /** Unique in the program; of sends and receives also called their tag. */
  readonly id: number
  readonly place: Place
}

export type Statement = StatementBase &
  (
    | { readonly kind: 'assign'; readonly variable: string; readonly value: Expression }
    | { readonly kind: 'send'; readonly to: Expression; readonly message: Expression }
    | {
        readonly kind: 'receive'
        readonly variable: string | undefined
        /** Which messages it takes; undefined: all. */
        readonly kinds: readonly string[] | undefined
        /** From whom; undefined: from anyone. */
        readonly from: Expression | undefined
      }
    /** One of the options, which are all possible. */
    | { readonly kind: 'choose'; readonly variable: string; readonly options: readonly Expression[] }
    /** Some member of a set. */
    | { readonly kind: 'pick'; readonly variable: string; readonly set: string }
    | {
        readonly kind: 'if'
        readonly condition: Expression
        readonly then: readonly Statement[]
        readonly otherwise: readonly Statement[]
      }
    /** Over the members of a set, in the order of the set. */
    | { readonly kind: 'each'; readonly variable: string; readonly set: string; readonly body: readonly Statement[] }
    /** The index counts from 0. */
    | {
        readonly kind: 'repeat'
        readonly index: string | undefined
        readonly count: Count
        readonly body: readonly Statement[]
      }
    /** For ever, unless the body breaks out. */
    | { readonly kind: 'while'; readonly body: readonly Statement[] }
    /** Of the innermost `while`; there is no `each` or `repeat` in between. */
    | { readonly kind: 'break' }
    | { readonly kind: 'continue' }
    /** Ends the process, from anywhere. */
    | { readonly kind: 'end' }
    | { readonly kind: 'assume'; readonly condition: Expression }
    | { readonly kind: 'assert'; readonly condition: Expression; readonly message: string }
    | { readonly kind: 'fail'; readonly message: string }
  )

export type StatementKind = Statement['kind']
export type StatementOf<K extends StatementKind> = Extract<Statement, { readonly kind: K }>

export type Literal = string | number | boolean | null | undefined

export const binaryOperators = ['===', '!==', '<', '<=', '>', '>=', '+', '-', '*', '/', '%', '&&', '||'] as const
export type BinaryOperator = (typeof binaryOperators)[number]

export type Expression =
  | { readonly kind: 'literal'; readonly value: Literal }
  /** Of the process itself; processes share none. Read before it is assigned it is undefined. */
  | { readonly kind: 'variable'; readonly name: string }
  /** The process that evaluates it. */
  | { readonly kind: 'self' }
  /** The process of that name, which is no set. */
  | { readonly kind: 'process'; readonly name: string }
  /** The value of a parameter. */
  | { readonly kind: 'parameter'; readonly name: string }
  | {
      readonly kind: 'record'
      readonly fields: readonly { readonly name: string; readonly value: Expression }[]
    }
  | { readonly kind: 'field'; readonly of: Expression; readonly name: string }
  | { readonly kind: 'not'; readonly of: Expression }
  | {
      readonly kind: 'binary'
      readonly operator: BinaryOperator
      readonly left: Expression
      readonly right: Expression
    }
  /** Conditional expression. */
  | {
      readonly kind: 'either'
      readonly condition: Expression
      readonly then: Expression
      readonly otherwise: Expression
    }
  /** A pure function of its inputs about which nothing is known. Equal text and inputs give equal results. */
  | {
      readonly kind: 'opaque'
      readonly text: string
      readonly inputs: readonly Expression[]
      /** Of a member of this set: its index, a whole number from 0 to below the number of members. */
      readonly indexIn?: string | undefined
    }

export function countText(count: Count): string {
  if (count.kind === 'number') return String(count.value)
  const { name, plus = 0 } = count
  return plus === 0 ? name : `${name} ${plus < 0 ? '-' : '+'} ${Math.abs(plus)}`
}

/** How much it is where the parameter is that. */
export function countWith(count: Count, parameter: (name: string) => number): number {
  return count.kind === 'number' ? count.value : Math.max(0, parameter(count.name) + (count.plus ?? 0))
}

/** What an operator other than equality and the logical ones comes to, as JavaScript computes it; undefined for those. */
export function computed(operator: string, left: Literal, right: Literal): Literal {
  const [a, b] = [left as number, right as number]
  switch (operator) {
    case '<':
      return a < b
    case '<=':
      return a <= b
    case '>':
      return a > b
    case '>=':
      return a >= b
    case '+':
      return a + b
    case '-':
      return a - b
    case '*':
      return a * b
    case '/':
      return a / b
    case '%':
      return a % b
    default:
      return undefined
  }
}

/** By number. */
export function statementsById({ processes }: Icet): ReadonlyMap<number, Statement> {
  return new Map(processes.flatMap(({ body }) => [...statementsOf(body)].map((one) => [one.id, one] as const)))
}

/** Statements directly inside, block by block. */
export function blocksOf(statement: Statement): readonly (readonly Statement[])[] {
  switch (statement.kind) {
    case 'if':
      return [statement.then, statement.otherwise]
    case 'each':
    case 'repeat':
    case 'while':
      return [statement.body]
    default:
      return []
  }
}

/** Every statement, outer ones first. */
export function* statementsOf(block: readonly Statement[]): Generator<Statement> {
  for (const statement of block) {
    yield statement
    for (const inner of blocksOf(statement)) yield* statementsOf(inner)
  }
}

/** Expressions a statement evaluates itself, not those of statements inside. */
export function expressionsOf(statement: Statement): readonly Expression[] {
  switch (statement.kind) {
    case 'assign':
      return [statement.value]
    case 'send':
      return [statement.to, statement.message]
    case 'receive':
      return statement.from === undefined ? [] : [statement.from]
    case 'choose':
      return statement.options
    case 'if':
    case 'assume':
    case 'assert':
      return [statement.condition]
    default:
      return []
  }
}

/** The expression itself and those inside, outer ones first. */
export function* partsOf(expression: Expression): Generator<Expression> {
  yield expression
  for (const part of directParts(expression)) yield* partsOf(part)
}

function directParts(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'record':
      return expression.fields.map(({ value }) => value)
    case 'field':
    case 'not':
      return [expression.of]
    case 'binary':
      return [expression.left, expression.right]
    case 'either':
      return [expression.condition, expression.then, expression.otherwise]
    case 'opaque':
      return expression.inputs
    default:
      return []
  }
}

/** The variable a statement sets, if it sets one. */
export function assignedBy(statement: Statement): string | undefined {
  switch (statement.kind) {
    case 'assign':
    case 'choose':
    case 'pick':
    case 'receive':
    case 'each':
      return statement.variable
    case 'repeat':
      return statement.index
    default:
      return undefined
  }
}
