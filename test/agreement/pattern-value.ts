/** What a pattern of a proof comes to when the symbols in it are known, by the operators of JavaScript. */
import { Address, type Value } from '../../src/core/value.ts'
import type { Value as Pattern } from '../../src/engines/sequentialize/value.ts'
import type { Meaning } from '../../src/semantics/icet/evaluate.ts'

/** By symbol, or by key of a term; a value may be undefined, so it is boxed. */
export type Bindings = Map<string, Known>

interface Known {
  readonly value: Value
}

export interface Circumstances {
  readonly sizes: { readonly [parameter: string]: number }
  readonly meaning: Meaning
  readonly self?: string
}

export function symbolKey(symbol: number): string {
  return `symbol ${symbol}`
}

/** Undefined where something in it is not known. */
export function worth(pattern: Pattern, bindings: Bindings, around: Circumstances): Known | undefined {
  switch (pattern.kind) {
    case 'constant':
      return { value: pattern.value }
    case 'process':
      return pattern.id.endsWith('#') ? undefined : { value: Address.of(pattern.id) }
    case 'self':
      return around.self === undefined ? undefined : { value: Address.of(around.self) }
    case 'parameter':
      return { value: around.sizes[pattern.name] }
    case 'symbol':
      return bindings.get(symbolKey(pattern.id))
    case 'term': {
      const inputs = pattern.inputs.map((input) => worth(input, bindings, around))
      const known = inputs.flatMap((input) => (input === undefined ? [] : [input.value]))
      return known.length < inputs.length ? undefined : applied(pattern.operator, known, around.meaning)
    }
    // Two records that look alike need not be the same.
    case 'record':
    case 'unknown':
      return undefined
  }
}

function applied(operator: string, inputs: readonly Value[], meaning: Meaning): Known | undefined {
  if (operator.startsWith('`')) return { value: meaning(operator.slice(1, -1), inputs) }
  if (operator.startsWith('.')) return fieldOf(inputs[0], operator.slice(1))
  const [first, second, third] = inputs as [number, number, number]
  switch (operator) {
    case '!':
      return { value: !first }
    case '?:':
      return { value: first ? second : third }
    case '&&':
      return { value: first && second }
    case '||':
      return { value: first || second }
    case '===':
      return inputs.some(isRecord) ? undefined : { value: first === second }
    default:
      return inputs.some(isRecord) ? undefined : arithmetic(operator, first, second)
  }
}

function isRecord(value: Value): boolean {
  return typeof value === 'object' && value !== null && !(value instanceof Address)
}

function fieldOf(of: Value, name: string): Known | undefined {
  if (of === undefined || of === null || of instanceof Address) return undefined
  return { value: Object.hasOwn(of as object, name) ? (of as { readonly [field: string]: Value })[name] : undefined }
}

function arithmetic(operator: string, left: number, right: number): Known | undefined {
  switch (operator) {
    case '<':
      return { value: left < right }
    case '<=':
      return { value: left <= right }
    case '>':
      return { value: left > right }
    case '>=':
      return { value: left >= right }
    case '+':
      return { value: left + right }
    case '-':
      return { value: left - right }
    case '*':
      return { value: left * right }
    case '/':
      return { value: left / right }
    case '%':
      return { value: left % right }
    default:
      return undefined
  }
}
