/** Evaluates obligations with JavaScript's operators for every assignment of a pool of values: slow, simple, independent. */
import type { Obligation } from '../../../../src/engines/sequentialize/state.ts'
import { leavesOf, type Value } from '../../../../src/engines/sequentialize/value.ts'

/** Values to try for what nothing is known about. */
export const pool: readonly unknown[] = [
  ...[undefined, null, true, false, '', 'a', 'b', '1'],
  ...[0, -0, 1, 2, -1, -3, 0.5, Number.NaN, Number.POSITIVE_INFINITY],
  Object.freeze({ a: 1 }),
]

const sizes = [0, 1, 2, 3]

/** Pure functions that an opaque one may be. */
const functions: readonly ((...inputs: readonly unknown[]) => unknown)[] = [
  (input) => input,
  (input) => Object.is(input, -0),
  (input) => (typeof input === 'number' ? Number.NaN : 'a'),
  (input) => (typeof input === 'number' ? 1 / input : 0),
]

export interface Assignment {
  readonly symbols: ReadonlyMap<number, unknown>
  readonly parameters: ReadonlyMap<string, number>
  readonly opaque: (...inputs: readonly unknown[]) => unknown
}

/** Values with which all that is known holds and the condition does not. */
export function counterexample(assertion: Obligation, values: readonly unknown[] = pool): Assignment | undefined {
  for (const assignment of assignments(assertion, values))
    if (isCounterexample(assertion, assignment)) return assignment
  return undefined
}

export function isCounterexample({ condition, truths, domains }: Obligation, assignment: Assignment): boolean {
  try {
    return (
      [...assignment.symbols].every(([id, value]) => domains.get(id)?.some((one) => Object.is(one, value)) ?? true) &&
      truths.every((truth) => Boolean(evaluate(truth.condition, assignment)) === truth.holds) &&
      !evaluate(condition, assignment)
    )
  } catch (error) {
    // Reading a field of undefined, or comparing an object without a primitive value: such executions end there.
    if (error instanceof TypeError) return false
    throw error
  }
}

function* assignments({ condition, truths, domains }: Obligation, values: readonly unknown[]): Generator<Assignment> {
  const leaves = [condition, ...truths.map((truth) => truth.condition)].flatMap((value) => [...leavesOf(value)])
  const ids = [...new Set(leaves.flatMap((leaf) => (leaf.kind === 'symbol' ? [leaf.id] : [])))]
  const names = [...new Set(leaves.flatMap((leaf) => (leaf.kind === 'parameter' ? [leaf.name] : [])))]
  const choices = [condition, ...truths.map((truth) => truth.condition)].some(isOpaque)
    ? functions
    : functions.slice(0, 1)
  for (const tuple of tuples(ids.map((id) => domains.get(id) ?? values))) {
    for (const counts of tuples(names.map(() => sizes))) {
      const symbols = new Map(ids.map((id, index) => [id, tuple[index]]))
      const parameters = new Map(names.map((name, index) => [name, counts[index] as number]))
      for (const opaque of choices) yield { symbols, parameters, opaque }
    }
  }
}

function isOpaque(value: Value): boolean {
  return value.kind === 'term' && (value.operator === '`f(v)`' || value.inputs.some(isOpaque))
}

function* tuples<T>(choices: readonly (readonly T[])[]): Generator<readonly T[]> {
  const [first, ...others] = choices
  if (first === undefined) yield []
  else for (const item of first) for (const rest of tuples(others)) yield [item, ...rest]
}

function evaluate(value: Value, assignment: Assignment): unknown {
  switch (value.kind) {
    case 'constant':
      return value.value
    case 'parameter':
      return assignment.parameters.get(value.name)
    case 'symbol':
      return assignment.symbols.get(value.id)
    case 'term':
      return apply(value.operator, value.inputs, assignment)
    default:
      throw new Error(`no ${value.kind} here`)
  }
}

function apply(operator: string, inputs: readonly Value[], assignment: Assignment): unknown {
  const at = (index: number): unknown => evaluate(inputs[index] as Value, assignment)
  if (operator === '?:') return at(0) ? at(1) : at(2)
  if (operator === '&&') return at(0) && at(1)
  if (operator === '||') return at(0) || at(1)
  const [a, b] = inputs.map((_, index) => at(index)) as [number, number]
  if (operator.startsWith('.')) return (a as unknown as Record<string, unknown>)[operator.slice(1)]
  if (operator === '`typeof v`') return typeof a
  if (operator === '`Number.isInteger(v)`') return Number.isInteger(a)
  if (operator.startsWith('`')) return assignment.opaque(a, b)
  const table: Readonly<Record<string, () => unknown>> = {
    '!': () => !a,
    '===': () => a === b,
    '<': () => a < b,
    '<=': () => a <= b,
    '>': () => a > b,
    '>=': () => a >= b,
    '+': () => a + b,
    '-': () => a - b,
    '*': () => a * b,
    '/': () => a / b,
    '%': () => a % b,
  }
  return table[operator]?.()
}
