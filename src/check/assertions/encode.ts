/** An obligation as SMT-LIB text: what is known, and what would have to be so for the assertion not to follow. */
import type { Obligation } from '../../engines/sequentialize/state.ts'
import { indexedBy } from '../../engines/sequentialize/value.ts'
import type { Count, Literal } from '../../program/icet.ts'
import { type Builtin, builtinOf, typeNames } from './builtins.ts'
import { type Cell, Cells, isAboutOne } from './cells.ts'
import { binaryFunctions, isArithmetic, isOrder, theory } from './javascript-theory.ts'

export interface Encoded {
  readonly cells: readonly Cell[]
  readonly condition: Cell
  readonly truths: readonly { readonly cell: Cell; readonly holds: boolean }[]
  /** Texts by number; a number beyond them is a text that the program does not mention. */
  readonly texts: readonly string[]
  readonly processes: readonly string[]
  readonly obligation: Pick<Obligation, 'process' | 'lost'>
  /** Everything that is known. */
  readonly known: string
  /** The assertion does not hold. */
  readonly fails: string
  /** Values are as programs mean them: numbers whole and where numbers belong, fields of objects. */
  readonly isPlain: string
  /** What has fields is an object. */
  readonly hasFields: string
  /** Operands of arithmetic are numbers, but any. */
  readonly isNumeric: string
  /** Objects that hold the same are the same. */
  readonly isSame: string
  /** Numbers are easy to read. */
  readonly isSmall: string
  /** What a proof takes for granted. */
  readonly assumptions: readonly string[]
}

export type Least = ReadonlyMap<string, number>

export function encode(assertion: Obligation, least: Least): Encoded {
  const cells = new Cells(assertion.names)
  const condition = cells.of(assertion.condition)
  const truths = assertion.truths
    .filter(({ condition: value }) => isAboutOne(value))
    .map(({ condition: value, holds }) => ({ cell: cells.of(value), holds }))
  const { rounds = [] } = assertion
  for (const count of [...boundsIn(assertion, cells), ...rounds])
    if (count.kind === 'parameter') cells.parameter(count.name)
  const writer = new Writer(assertion, cells, least)
  const known = truths.map(
    ({ cell, holds }) => `(assert ${holds ? '' : '(not '}(holds ${cell.name})${holds ? '' : ')'})`,
  )
  return {
    cells: cells.all,
    condition,
    truths,
    texts: writer.texts,
    processes: writer.processes,
    obligation: assertion,
    known: [theory, ...writer.lines, ...known].join('\n'),
    fails: `(assert (not (holds ${condition.name})))`,
    isPlain: [...writer.plain, ...writer.same].join('\n'),
    hasFields: writer.owners.join('\n'),
    isNumeric: [...writer.numeric, ...writer.same].join('\n'),
    isSame: writer.same.join('\n'),
    isSmall: writer.small.join('\n'),
    assumptions: assumptionsOf(cells.all),
  }
}

/** What symbols and indices of members are below. */
function boundsIn({ indices, sets }: Obligation, { all }: Cells): readonly Count[] {
  const members = all.flatMap((cell) => {
    const set = cell.kind === 'term' ? indexedBy(cell.operator) : undefined
    return set === undefined ? [] : [sets?.get(set)]
  })
  return [...(indices?.values() ?? []), ...members.filter((count) => count !== undefined)]
}

function assumptionsOf(cells: readonly Cell[]): readonly string[] {
  const operators = cells.flatMap((cell) => (cell.kind === 'term' ? [cell.operator] : []))
  const builtins = new Set(cells.map(builtinOf).filter((builtin) => builtin?.startsWith('Number.') === true))
  return [
    ...(operators.some(isArithmetic) ? ['whole numbers taken to stay below 2^53'] : []),
    ...[...builtins].map((builtin) => `${builtin} taken as the function of the language`),
  ]
}

class Writer {
  readonly lines: string[] = []
  readonly plain: string[] = []
  readonly owners: string[] = []
  readonly numeric: string[] = []
  readonly small: string[] = []
  readonly same: string[] = []
  readonly texts: string[] = ['', ...typeNames]
  readonly processes: string[] = []
  readonly #functions = new Map<string, string>()
  readonly #assertion: Obligation
  readonly #cells: Cells
  readonly #least: Least
  readonly #types: string

  constructor(assertion: Obligation, cells: Cells, least: Least) {
    this.#assertion = assertion
    this.#cells = cells
    this.#least = least
    const [undefinedType, objectType, ...primitives] = typeNames.map((name) => this.texts.indexOf(name))
    this.lines.push(
      '(declare-const process_type Int)',
      '(declare-fun other_type (Int) Int)',
      `(assert (distinct process_type ${[undefinedType, ...primitives].join(' ')}))`,
    )
    this.#types = [undefinedType, objectType, ...primitives].join(' ')
    for (const cell of cells.all) this.lines.push(`(declare-const ${cell.name} Value)`)
    for (const cell of cells.all) this.#define(cell)
    for (const count of assertion.rounds ?? []) this.#round(count)
  }

  #define(cell: Cell): void {
    const { name } = cell
    switch (cell.kind) {
      case 'constant':
        return this.#is(name, this.#literal(cell.value))
      case 'process':
        return this.#is(name, `(process ${indexIn(this.processes, cell.id)})`)
      case 'parameter':
        return this.#parameter(name, cell.parameter)
      case 'symbol':
        return this.#symbol(name, cell.id)
      case 'some':
        return this.#free(name)
      case 'record': {
        const fields = [...cell.fields]
        const parts = fields.map(([, part]) => part.name)
        const shape = JSON.stringify(['record', ...fields.map(([field]) => field)])
        return this.#is(name, `(object ${this.#apply(shape, parts, 'Int')})`)
      }
      case 'term':
        return this.#term(cell)
    }
  }

  #is(name: string, expression: string): void {
    this.lines.push(`(assert (= ${name} ${expression}))`)
  }

  /** Nothing is known about it. */
  #free(name: string): void {
    this.lines.push(`(assert (well_formed ${name}))`)
    this.plain.push(`(assert (plain ${name}))`)
    this.small.push(`(assert (small ${name}))`)
  }

  #parameter(name: string, parameter: string): void {
    const least = integer(BigInt(Math.ceil(this.#least.get(parameter) ?? 0)))
    this.lines.push(`(assert ((_ is whole) ${name}))`, `(assert (>= (amount ${name}) ${least}))`)
    this.plain.push(`(assert (plain ${name}))`)
    this.small.push(`(assert (small ${name}))`)
  }

  #symbol(name: string, id: number): void {
    this.#free(name)
    const domain = this.#assertion.domains.get(id)
    if (domain !== undefined) {
      const cases = domain.map((value) => `(= ${name} ${this.#literal(value)})`)
      this.lines.push(`(assert (or false ${cases.join(' ')}))`)
    }
    this.#index(name, this.#assertion.indices?.get(id))
  }

  /** A round is under way, so that there is one. */
  #round(count: Count): void {
    if (count.kind !== 'parameter') return
    const { name } = this.#cells.parameter(count.name)
    this.lines.push(`(assert (< 0 (+ (amount ${name}) ${integer(BigInt(count.plus ?? 0))})))`)
  }

  /** A whole number from 0 to below the count. */
  #index(name: string, count: Count | undefined): void {
    if (count === undefined) return
    const end =
      count.kind === 'number'
        ? integer(BigInt(count.value))
        : `(+ (amount ${this.#cells.parameter(count.name).name}) ${integer(BigInt(count.plus ?? 0))})`
    this.lines.push(
      `(assert ((_ is whole) ${name}))`,
      `(assert (and (<= 0 (amount ${name})) (< (amount ${name}) ${end})))`,
    )
  }

  #term(cell: Extract<Cell, { kind: 'term' }>): void {
    const { name, operator, inputs } = cell
    const [a, b, c] = inputs.map((input) => input.name)
    const builtin = builtinOf(cell)
    const binary = binaryFunctions.get(operator)
    if (builtin !== undefined) this.#is(name, this.#builtin(builtin, a as string))
    else if (binary !== undefined) {
      const applied = binary.isSwapped ? `(${binary.name} ${b} ${a})` : `(${binary.name} ${a} ${b})`
      this.#is(name, isOrder(operator) ? `(bool ${applied})` : applied)
      if (isArithmetic(operator)) this.#computed(name, operator, a as string, b as string)
      for (const input of inputs) this.#operand(input, operator)
    } else if (operator === '!') this.#is(name, `(bool (not (holds ${a})))`)
    else if (operator === '?:') this.#is(name, `(ite (holds ${a}) ${b} ${c})`)
    else if (operator === '&&') this.#is(name, `(ite (holds ${a}) ${b} ${a})`)
    else if (operator === '||') this.#is(name, `(ite (holds ${a}) ${a} ${b})`)
    else if (operator === '===') {
      this.lines.push(`(declare-const same_${name} Bool)`)
      this.same.push(`(assert same_${name})`)
      this.#is(name, `(bool (equal ${a} ${b} same_${name}))`)
    } else this.#opaque(cell)
  }

  /** What programs mean to be a number, and if it is none, how it can be one and yet not whole. */
  #operand(cell: Cell, operator: string): void {
    const { name } = cell
    this.numeric.push(`(assert (or (is_number ${name}) ((_ is undefined_) ${name})))`)
    if (cell.kind === 'constant' || (cell.kind === 'term' && cell.operator === '/')) return
    const text = operator === '+' ? `((_ is text) ${name})` : 'false'
    this.plain.push(`(assert (or ((_ is whole) ${name}) ${text}))`)
  }

  /** Whatever the inputs are, the result of an arithmetic operator is a number, or a text if it adds. */
  #computed(name: string, operator: string, a: string, b: string): void {
    const isResult = operator === '+' ? `((_ is text) ${name})` : 'false'
    this.lines.push(
      `(assert (well_formed ${name}))`,
      `(assert (or (is_number ${name}) ((_ is other) ${name}) ${isResult}))`,
    )
    if (operator === '/') this.lines.push(`(assert (divided ${a} ${b} ${name}))`)
    if (operator !== '+') return
    const text = `(or ((_ is text) ${a}) ((_ is text) ${b}))`
    const other = `(or ((_ is other) ${a}) ((_ is other) ${b}))`
    this.lines.push(`(assert (=> (and ${text} (not ${other})) ((_ is text) ${name})))`)
  }

  #opaque({ name, operator, inputs }: Extract<Cell, { kind: 'term' }>): void {
    const names = inputs.map((input) => input.name)
    this.#is(name, this.#apply(operator, names, 'Value'))
    this.#free(name)
    this.#index(name, this.#assertion.sets?.get(indexedBy(operator) ?? ''))
    if (!operator.startsWith('.')) return
    this.plain.push(
      `(assert (not (or ((_ is bool) ${names[0]}) ((_ is whole) ${names[0]}) ((_ is text) ${names[0]}))))`,
    )
    this.owners.push(`(assert (or ((_ is object) ${names[0]}) ((_ is process) ${names[0]})))`)
  }

  #builtin(builtin: Builtin, input: string): string {
    if (builtin === 'typeof') {
      const type = (name: string): string => String(this.texts.indexOf(name))
      // Functions, symbols and big integers have types of their own.
      this.lines.push(`(assert (distinct (other_type (which ${input})) ${this.#types}))`)
      const number = `(ite (is_number ${input}) ${type('number')} (other_type (which ${input})))`
      const object = `(ite (or ((_ is object) ${input}) ((_ is null_) ${input})) ${type('object')} ${number})`
      const process = `(ite ((_ is process) ${input}) process_type ${object})`
      const text = `(ite ((_ is text) ${input}) ${type('string')} ${process})`
      const bool = `(ite ((_ is bool) ${input}) ${type('boolean')} ${text})`
      return `(text (ite ((_ is undefined_) ${input}) ${type('undefined')} ${bool}))`
    }
    if (builtin === 'Number.isNaN') return `(bool ((_ is not_a_number) ${input}))`
    const fraction = builtin === 'Number.isFinite' ? `((_ is fraction) ${input})` : 'false'
    return `(bool (or ((_ is whole) ${input}) ((_ is minus_zero) ${input}) ${fraction}))`
  }

  #apply(operator: string, inputs: readonly string[], sort: 'Value' | 'Int'): string {
    const key = `${operator} ${inputs.length}`
    let name = this.#functions.get(key)
    if (name === undefined) {
      name = `f${this.#functions.size}`
      this.#functions.set(key, name)
      this.lines.push(`(declare-fun ${name} (${inputs.map(() => 'Value').join(' ')}) ${sort})`)
    }
    return inputs.length === 0 ? name : `(${name} ${inputs.join(' ')})`
  }

  #literal(value: Literal): string {
    if (value === undefined) return 'undefined_'
    if (value === null) return 'null_'
    if (typeof value === 'boolean') return `(bool ${value})`
    if (typeof value === 'string') return `(text ${indexIn(this.texts, value)})`
    if (Number.isNaN(value)) return 'not_a_number'
    if (Object.is(value, -0)) return 'minus_zero'
    if (!Number.isFinite(value)) return `(infinity ${value < 0})`
    return Number.isInteger(value) ? `(whole ${integer(BigInt(value))})` : `(fraction ${rational(value)})`
  }
}

function indexIn(list: string[], item: string): number {
  const index = list.indexOf(item)
  return index < 0 ? list.push(item) - 1 : index
}

function integer(value: bigint): string {
  return value < 0n ? `(- ${-value})` : String(value)
}

/** Doubles are multiples of a power of two. */
function rational(value: number): string {
  let [top, bottom] = [value, 1n]
  while (!Number.isInteger(top)) {
    top *= 2
    bottom *= 2n
  }
  return `(/ ${integer(BigInt(top))} ${bottom})`
}
