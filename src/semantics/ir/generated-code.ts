/**
 * Functions as JavaScript, as far as they only compute: from a position in a function to the next instruction that others may notice, or that ends the
 * function. What is generated has numbers and operators only; names, texts and places of a program are values that it is given. Expressions that are
 * rare or take long by themselves stay functions of their own.
 */
import type { Place } from '../../core/diagnostic.ts'
import type { IrBlock, IrEnd, IrExpression, IrFunction, IrInstruction, IrType } from '../../ir/ir.ts'
import { collectionAt } from './collection-expression.ts'
import {
  type Compiling,
  compiledExpression,
  type Environment,
  type Evaluate,
  exact,
  partsOf,
  sizeOf,
} from './expression.ts'

/** Where in a function something is done; what is computed moves it on. */
interface Position extends Environment {
  block: number
  at: number
}

/** Goes on from a segment until something is to be done that is not only computed, or so many blocks have been entered; says how many were. */
type Compute = (position: Position, segment: number, most: number) => number

export interface Computing {
  readonly compute: Compute
  /** By block and instruction: the segment that begins there, if what is there is only computed. */
  readonly segments: readonly (readonly (number | undefined)[])[]
}

/** Nothing where no code may be made from text. */
export function generatedCode(declared: IrFunction, compiling: Compiling): Computing | undefined {
  const generator = new Generator(declared, compiling)
  const source = generator.source()
  try {
    const make = new Function('E', 'P', 'V', source) as (e: unknown, p: unknown, v: unknown) => Compute
    const operations = { exact, size: sizeOf, has, at: collectionAt(compiling) }
    return { compute: make(generator.expressions, generator.places, operations), segments: generator.segments }
  } catch (error) {
    if (error instanceof EvalError) return undefined
    throw error
  }
}

function has(collection: Parameters<typeof partsOf>[0], item: Parameters<typeof partsOf>[0]): boolean {
  return partsOf(collection).includes(item)
}

const computedKinds: ReadonlySet<string> = new Set(['setLocal', 'setField', 'print'])

function isComputed({ kind }: IrInstruction | IrEnd): boolean {
  return computedKinds.has(kind) || kind === 'jump' || kind === 'branch'
}

class Generator {
  readonly expressions: Evaluate[] = []
  readonly places: Place[] = []
  readonly segments: (number | undefined)[][]
  readonly #declared: IrFunction
  readonly #compiling: Compiling

  constructor(declared: IrFunction, compiling: Compiling) {
    this.#declared = declared
    this.#compiling = compiling
    let next = 0
    this.segments = declared.blocks.map(({ instructions, end }) =>
      [...instructions, end].map((one, at, all) => {
        const before = all[at - 1]
        // A segment begins with a block, and behind what is not computed.
        const begins = at === 0 || (before !== undefined && !isComputed(before))
        return begins && isComputed(one) ? next++ : undefined
      }),
    )
  }

  source(): string {
    const cases = this.#declared.blocks.flatMap((block, number) =>
      (this.segments[number] ?? []).flatMap((segment, at) =>
        segment === undefined ? [] : [`case ${segment}: ${this.#segment(block, number, at)}`],
      ),
    )
    return `return function (F, s, most) { const L = F.locals, D = F.fields; let n = 0; for (;;) switch (s) { ${cases.join('\n')} } }`
  }

  #segment(block: IrBlock, number: number, from: number): string {
    const lines: string[] = []
    for (let at = from; at < block.instructions.length; at++) {
      const instruction = block.instructions[at] as IrInstruction
      if (!isComputed(instruction)) return [...lines, stopAt(number, at)].join(' ')
      lines.push(this.#instruction(instruction))
    }
    return [...lines, this.#end(block, number)].join(' ')
  }

  #instruction(instruction: IrInstruction): string {
    switch (instruction.kind) {
      case 'setLocal':
        return `L[${instruction.local}] = ${this.#text(instruction.value)};`
      case 'setField':
        return `D[${instruction.field}] = ${this.#text(instruction.value)};`
      case 'print':
        // Nobody sees the text, and making it may fail.
        return `${this.#text(instruction.message)};`
      default:
        return ''
    }
  }

  #end({ instructions, end }: IrBlock, number: number): string {
    if (end.kind === 'jump') return this.#jump(end.to)
    if (end.kind !== 'branch') return stopAt(number, instructions.length)
    return `if (${this.#text(end.condition)} === true) { ${this.#jump(end.then)} } else { ${this.#jump(end.otherwise)} }`
  }

  /** A block whose first instruction is not computed is where the function stops; so is a loop that goes on for too long. */
  #jump(to: number): string {
    const segment = this.segments[to]?.[0]
    if (segment === undefined) return `F.block = ${to}; F.at = 0; return n + 1;`
    return `if (++n > most) { F.block = ${to}; F.at = 0; return n; } s = ${segment}; continue;`
  }

  #text(expression: IrExpression): string {
    const inner = (one: IrExpression): string => this.#text(one)
    switch (expression.kind) {
      case 'constant': {
        const { value } = expression
        if (value.kind === 'bool' || value.kind === 'int') return `(${value.value})`
        return value.kind === 'null' ? 'null' : this.#evaluated(expression)
      }
      case 'local':
        return `L[${expression.local}]`
      case 'field':
        return `D[${expression.field}]`
      case 'this':
        return 'F.self'
      case 'item':
        return `${inner(expression.of)}.items[${expression.index}]`
      case 'element':
        return expression.of.type.kind === 'seq'
          ? `V.at(${inner(expression.of)}, ${inner(expression.key)}, P[${this.#place(expression.place)}])`
          : this.#evaluated(expression)
      case 'unary':
        if (expression.operator === 'not') return `(${inner(expression.of)} !== true)`
        return expression.operator === 'size' ? `V.size(${inner(expression.of)})` : this.#evaluated(expression)
      case 'binary':
        return this.#binary(expression)
      default:
        return this.#evaluated(expression)
    }
  }

  #binary(expression: Extract<IrExpression, { readonly kind: 'binary' }>): string {
    const { operator, left, right, place } = expression
    const [one, other] = [() => this.#text(left), () => this.#text(right)]
    switch (operator) {
      case 'add':
      case 'subtract':
      case 'multiply':
        return `V.exact(${one()} ${arithmetic[operator]} ${other()}, P[${this.#place(place)}])`
      case 'less':
      case 'lessOrEqual':
        return isWhole(left.type)
          ? `(${one()} ${operator === 'less' ? '<' : '<='} ${other()})`
          : this.#evaluated(expression)
      case 'equal':
        return `(${one()} === ${other()})`
      case 'and':
        return `(${one()} === true && ${other()} === true)`
      case 'or':
        return `(${one()} === true || ${other()} === true)`
      default:
        return this.#evaluated(expression)
    }
  }

  #evaluated(expression: IrExpression): string {
    return `E[${this.expressions.push(compiledExpression(expression, this.#compiling)) - 1}](F)`
  }

  #place(place: Place): number {
    return this.places.push(place) - 1
  }
}

const arithmetic = { add: '+', subtract: '-', multiply: '*' } as const

function isWhole({ kind }: IrType): boolean {
  return kind === 'int' || kind === 'enum'
}

function stopAt(block: number, at: number): string {
  return `F.block = ${block}; F.at = ${at}; return n;`
}
