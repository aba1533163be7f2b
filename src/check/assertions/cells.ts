/** The values of an obligation as a graph without repetition: what is the same value is the same cell. */
import { indexedBy, leavesOf, type Value } from '../../engines/sequentialize/value.ts'
import type { Literal } from '../../program/icet.ts'

export type Cell = { readonly name: string } & (
  | { readonly kind: 'constant'; readonly value: Literal }
  | { readonly kind: 'process'; readonly id: string }
  | { readonly kind: 'parameter'; readonly parameter: string }
  /** `called` as the source does, if it has a name for it. */
  | { readonly kind: 'symbol'; readonly id: number; readonly called: string | undefined }
  /** Differs from place to place. */
  | { readonly kind: 'some' }
  | { readonly kind: 'record'; readonly fields: ReadonlyMap<string, Cell> }
  | { readonly kind: 'term'; readonly operator: string; readonly inputs: readonly Cell[] }
)

type Shape<C> = C extends Cell ? Omit<C, 'name'> : never

export class Cells {
  /** Inputs before what they are inputs of. */
  readonly all: Cell[] = []
  readonly #byKey = new Map<string, Cell>()
  readonly #names: ReadonlyMap<number, string>

  constructor(names: ReadonlyMap<number, string> = new Map()) {
    this.#names = names
  }

  of(value: Value): Cell {
    switch (value.kind) {
      case 'constant':
        return this.#cell(['constant', literalKey(value.value)], { kind: 'constant', value: value.value })
      case 'process':
        return isOneProcess(value.id)
          ? this.#cell(['process', value.id], { kind: 'process', id: value.id })
          : this.#some()
      case 'parameter':
        return this.parameter(value.name)
      case 'symbol':
        return this.#cell(['symbol', value.id], { kind: 'symbol', id: value.id, called: this.#names.get(value.id) })
      case 'self':
      case 'unknown':
        return this.#some()
      case 'record': {
        const fields = new Map(
          [...value.fields].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, part]) => [name, this.of(part)]),
        )
        const parts = [...fields].flatMap(([name, cell]) => [name, cell.name])
        return this.#cell(['record', ...parts], { kind: 'record', fields })
      }
      case 'term': {
        const inputs = value.inputs.map((input) => this.of(input))
        const names = inputs.map(({ name }) => name)
        return this.#cell(['term', value.operator, ...names], { kind: 'term', operator: value.operator, inputs })
      }
    }
  }

  parameter(name: string): Cell {
    return this.#cell(['parameter', name], { kind: 'parameter', parameter: name })
  }

  #some(): Cell {
    return this.#cell(['some', this.all.length], { kind: 'some' })
  }

  #cell(path: readonly (string | number)[], shape: Shape<Cell>): Cell {
    const key = JSON.stringify(path)
    const known = this.#byKey.get(key)
    if (known !== undefined) return known
    const cell: Cell = { name: `v${this.all.length}`, ...shape }
    this.all.push(cell)
    this.#byKey.set(key, cell)
    return cell
  }
}

/** Says the same at every place it stands; what differs from place to place tells nothing about another place. */
export function isAboutOne(value: Value): boolean {
  return [...leavesOf(value)].every(
    (leaf) => leaf.kind !== 'unknown' && leaf.kind !== 'self' && (leaf.kind !== 'process' || isOneProcess(leaf.id)),
  )
}

/** "Some members of a set" are senders, not one process. */
function isOneProcess(id: string): boolean {
  return !id.endsWith('/')
}

function literalKey(value: Literal): string {
  if (typeof value !== 'number') return value === undefined ? 'undefined' : JSON.stringify(value)
  return Object.is(value, -0) ? '-0' : String(value)
}

/** As in a source text, for people. */
export function textOf(cell: Cell): string {
  switch (cell.kind) {
    case 'constant':
      return typeof cell.value === 'string' ? JSON.stringify(cell.value) : literalKey(cell.value)
    case 'process':
      return cell.id.replace(/#$/, '')
    case 'parameter':
      return cell.parameter
    case 'symbol':
      return cell.called ?? `value ${cell.id}`
    case 'some':
      return 'some value'
    case 'record':
      return `{ ${[...cell.fields].map(([name, part]) => `${name}: ${textOf(part)}`).join(', ')} }`
    case 'term':
      return termText(cell.operator, cell.inputs)
  }
}

function termText(operator: string, inputs: readonly Cell[]): string {
  const parts = inputs.map((input) => (isCompound(input) ? `(${textOf(input)})` : textOf(input)))
  if (operator.startsWith('`')) {
    const source = operator.slice(1, -1)
    return parts.length === 0 ? source : `${source} of ${parts.join(' and ')}`
  }
  if (operator.startsWith('.')) return `${parts[0]}${operator}`
  if (indexedBy(operator) !== undefined) return `${operator} of ${parts[0]}`
  if (operator === '!') return `!${parts[0]}`
  if (operator === '?:') return `${parts[0]} ? ${parts[1]} : ${parts[2]}`
  return parts.join(` ${operator} `)
}

function isCompound(cell: Cell): boolean {
  return cell.kind === 'term' && !cell.operator.startsWith('.')
}
