/** What a solver says that values are, as JavaScript values. */
import type { Literal } from '../../program/icet.ts'
import type { Encoded } from './encode.ts'

/** An object or a process, or a record that is spelled out. */
export interface Thing {
  readonly kind: 'process' | 'object' | 'record'
  /** The same for those that hold the same. */
  readonly key: string
  readonly fields: ReadonlyMap<string, Concrete>
}

export type Concrete = Literal | Thing

/** By name of a cell; what has no JavaScript value that is known here is missing. */
export type Model = ReadonlyMap<string, Concrete>

export function readModel(text: string, { texts, processes }: Pick<Encoded, 'texts' | 'processes'>): Model {
  const model = new Map<string, Concrete>()
  for (const definition of parse(text)) {
    if (!Array.isArray(definition)) continue
    const [word, name, inputs, sort, body] = definition
    if (word !== 'define-fun' || typeof name !== 'string' || !Array.isArray(inputs) || inputs.length > 0) continue
    if (sort !== 'Value' || body === undefined) continue
    const value = readValue(body, texts, processes)
    if (value !== undefined) model.set(name, value.value)
  }
  return model
}

function readValue(
  body: Expression,
  texts: readonly string[],
  processes: readonly string[],
): { readonly value: Concrete } | undefined {
  const [shape, input] = Array.isArray(body) ? body : [body]
  switch (shape) {
    case 'undefined_':
      return { value: undefined }
    case 'null_':
      return { value: null }
    case 'bool':
      return { value: input === 'true' }
    case 'minus_zero':
      return { value: -0 }
    case 'not_a_number':
      return { value: Number.NaN }
    case 'infinity':
      return { value: input === 'true' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY }
    case 'whole':
    case 'fraction': {
      const value = numberOf(input)
      return value === undefined ? undefined : { value }
    }
    case 'text':
      return { value: texts[numberOf(input) ?? -1] ?? `another text ${numberOf(input)}` }
    case 'process':
      return { value: thing('process', processes[numberOf(input) ?? -1] ?? `another process ${numberOf(input)}`) }
    case 'object':
      return { value: thing('object', `object ${numberOf(input)}`) }
    default:
      return undefined
  }
}

function thing(kind: Thing['kind'], key: string): Thing {
  return { kind, key, fields: new Map() }
}

function numberOf(expression: Expression | undefined): number | undefined {
  if (typeof expression === 'string') return Number(expression)
  const [operator, left, right] = expression ?? []
  const first = numberOf(left)
  if (first === undefined) return undefined
  if (operator === '-') return -first
  const second = numberOf(right)
  return operator === '/' && second !== undefined ? first / second : undefined
}

export function isThing(value: Concrete): value is Thing {
  return typeof value === 'object' && value !== null
}

/** Tells all values apart that a program can tell apart. */
export function keyOfConcrete(value: Concrete): string {
  if (isThing(value)) return `${value.kind} ${value.key}`
  return concreteText(value)
}

export function concreteText(value: Concrete): string {
  if (isThing(value)) return value.key.replace(/#$/, '')
  if (typeof value === 'string') return JSON.stringify(value)
  return Object.is(value, -0) ? '-0' : String(value)
}

type Expression = string | readonly Expression[]

/** S-expressions, of which a model has no strings. */
function parse(text: string): readonly Expression[] {
  const top: Expression[] = []
  const open: Expression[][] = [top]
  for (const [token] of text.matchAll(/\(|\)|\|[^|]*\||[^\s()]+/g)) {
    if (token === '(') {
      const list: Expression[] = []
      open.at(-1)?.push(list)
      open.push(list)
    } else if (token === ')') open.pop()
    else open.at(-1)?.push(token)
  }
  return top
}
