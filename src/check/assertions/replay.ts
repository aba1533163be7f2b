/**
 * Evaluates an obligation with JavaScript's own operators, so that a counterexample of the solver counts only if it is one in
 * JavaScript too. Values of opaque functions are the model's.
 */
import { computed } from '../../program/icet.ts'
import { builtinOf } from './builtins.ts'
import type { Cell } from './cells.ts'
import type { Encoded } from './encode.ts'
import { type Concrete, isThing, keyOfConcrete, type Model } from './model.ts'

/** Values that were free to choose and mattered. */
export type Witness = readonly { readonly cell: Cell; readonly value: Concrete }[]

/** The values with which everything known holds and the assertion does not; undefined if it is not so. */
export function counterexampleIn(model: Model, encoded: Encoded): Witness | undefined {
  const replay = new Replay(model)
  try {
    for (const { cell, holds } of encoded.truths) if (Boolean(replay.value(cell)) !== holds) return undefined
    if (replay.value(encoded.condition)) return undefined
  } catch (error) {
    if (error instanceof NotModelled) return undefined
    throw error
  }
  return replay.used
}

/** What JavaScript would do is not known here. */
class NotModelled extends Error {}

class Replay {
  readonly #used = new Map<Cell, Concrete>()
  readonly #model: Model
  readonly #values = new Map<string, Concrete>()
  /** Results of opaque functions by function and inputs. */
  readonly #results = new Map<string, string>()

  constructor(model: Model) {
    this.#model = model
  }

  get used(): Witness {
    return [...this.#used].map(([cell, value]) => ({ cell, value }))
  }

  value(cell: Cell): Concrete {
    if (this.#values.has(cell.name)) return this.#values.get(cell.name)
    const value = this.#evaluate(cell)
    this.#values.set(cell.name, value)
    return value
  }

  #evaluate(cell: Cell): Concrete {
    switch (cell.kind) {
      case 'constant':
        return cell.value
      case 'process':
        return { kind: 'process', key: cell.id, fields: new Map() }
      case 'record': {
        const fields = new Map([...cell.fields].map(([name, part]) => [name, this.value(part)]))
        const parts = [...fields].map(([name, part]) => `${JSON.stringify(name)}: ${keyOfConcrete(part)}`)
        return { kind: 'record', key: `{ ${parts.join(', ')} }`, fields }
      }
      case 'term':
        return this.#term(cell)
      default:
        return this.#given(cell)
    }
  }

  #given(cell: Cell): Concrete {
    if (!this.#model.has(cell.name)) throw new NotModelled()
    const value = this.#model.get(cell.name)
    this.#used.set(cell, value)
    return value
  }

  #term(cell: Extract<Cell, { kind: 'term' }>): Concrete {
    const [first, second, third] = cell.inputs as [Cell, Cell, Cell]
    switch (cell.operator) {
      case '!':
        return !this.value(first)
      case '?:':
        return this.value(this.value(first) ? second : third)
      case '&&':
        return this.value(first) ? this.value(second) : this.value(first)
      case '||':
        return this.value(first) ? this.value(first) : this.value(second)
      case '===':
        return equal(this.value(first), this.value(second))
    }
    if (cell.operator.startsWith('.')) return this.#field(cell, this.value(first))
    // Everything else with one input, such as what a variable is that was perhaps never set, the solver chose freely as well.
    if (cell.operator.startsWith('`') || cell.inputs.length !== 2) return this.#opaque(cell)
    return compute(cell.operator, this.value(first), this.value(second))
  }

  #field(cell: Extract<Cell, { kind: 'term' }>, of: Concrete): Concrete {
    if (!isThing(of)) throw new NotModelled()
    return of.kind === 'record' ? of.fields.get(cell.operator.slice(1)) : this.#result(cell, [of])
  }

  #opaque(cell: Extract<Cell, { kind: 'term' }>): Concrete {
    const inputs = cell.inputs.map((input) => this.value(input))
    const builtin = builtinOf(cell)
    if (builtin === undefined) return this.#result(cell, inputs)
    const [input] = inputs
    switch (builtin) {
      case 'typeof':
        if (isThing(input) && input.kind === 'process') throw new NotModelled()
        return typeof input
      case 'Number.isInteger':
        return Number.isInteger(input)
      case 'Number.isFinite':
        return Number.isFinite(input)
      case 'Number.isNaN':
        return Number.isNaN(input)
    }
  }

  /** A function has one result for the same inputs. */
  #result(cell: Extract<Cell, { kind: 'term' }>, inputs: readonly Concrete[]): Concrete {
    const value = this.#given(cell)
    const call = JSON.stringify([cell.operator, ...inputs.map(keyOfConcrete)])
    const key = keyOfConcrete(value)
    if ((this.#results.get(call) ?? key) !== key) throw new NotModelled()
    this.#results.set(call, key)
    return value
  }
}

/** Whether objects that hold the same are the same object is not known. */
function equal(left: Concrete, right: Concrete): boolean {
  if (!isThing(left) || !isThing(right)) return left === right
  if (left.kind === 'process' && right.kind === 'process') return left.key === right.key
  if (left.kind === 'process' || right.kind === 'process') return false
  if (left.kind === 'record' || right.kind === 'record' || left.key === right.key) throw new NotModelled()
  return false
}

function compute(operator: string, left: Concrete, right: Concrete): Concrete {
  if (isThing(left) || isThing(right)) throw new NotModelled()
  const value = computed(operator, left, right)
  if (value === undefined) throw new NotModelled()
  return value
}
