/** Which values the parameters of a test take together. */
import type { Expression } from './ast.ts'

export type ParameterValue = number | boolean
export type Assignment = ReadonlyMap<string, ParameterValue>

export interface ParameterRange {
  readonly name: string
  readonly values: readonly ParameterValue[]
}

/** Every combination; the first parameter changes fastest. */
export function combinations(ranges: readonly ParameterRange[]): readonly Assignment[] {
  let found: readonly Assignment[] = [new Map()]
  for (const { name, values } of ranges) {
    found = values.flatMap((value) => found.map((assignment) => new Map([...assignment, [name, value]])))
  }
  return found
}

/**
 * Fewer combinations in which nevertheless any `wise` parameters take all values together that they take in one of those given. Greedy: the
 * one that adds most is next, and of several the first. P does the same, so that names and order of tests are the same, too.
 */
export function covering(
  all: readonly Assignment[],
  ranges: readonly ParameterRange[],
  wise: number,
): readonly Assignment[] {
  if (wise >= ranges.length) return all
  const groups = subsets(
    ranges.map((range) => range.name),
    wise,
  )
  // Pieces are numbered; an assignment counts those of its pieces that are still open.
  const numbers = new Map<string, number>()
  const coveredBy: number[][] = []
  const covers = all.map((assignment, index) =>
    groups.map((group) => {
      const piece = group.map((name) => `${name}=${assignment.get(name)}`).join()
      const number = numbers.get(piece) ?? numbers.size
      numbers.set(piece, number)
      coveredBy[number] ??= []
      coveredBy[number].push(index)
      return number
    }),
  )
  const counts = all.map(() => groups.length)
  const open = new Set(numbers.values())
  const chosen: Assignment[] = []
  while (open.size > 0) {
    const best = counts.reduce((first, count, index) => (count > (counts[first] ?? 0) ? index : first), 0)
    chosen.push(...all.slice(best, best + 1))
    for (const number of covers[best] ?? []) {
      if (!open.delete(number)) continue
      for (const index of coveredBy[number] ?? []) counts[index] = (counts[index] ?? 0) - 1
    }
  }
  return chosen
}

function subsets(names: readonly string[], size: number): readonly (readonly string[])[] {
  if (size === 0) return [[]]
  return names.flatMap((name, index) => subsets(names.slice(index + 1), size - 1).map((rest) => [name, ...rest]))
}

/** `tc___n_3__fair_true`; a minus is written `neg`. */
export function mangledName(test: string, assignment: Assignment): string {
  const parts = [...assignment].map(([name, value]) =>
    typeof value === 'number' && value < 0 ? `${name}_neg${-value}` : `${name}_${value}`,
  )
  return parts.length === 0 ? test : `${test}___${parts.join('__')}`
}

/** What an assumption says of an assignment; undefined if it cannot be computed, as of a division by zero. */
export function evaluate(expression: Expression, assignment: Assignment): ParameterValue | undefined {
  switch (expression.kind) {
    case 'int':
      return Number(expression.digits)
    case 'bool':
      return expression.value
    case 'name':
      return assignment.get(expression.name.text)
    case 'unary': {
      const value = evaluate(expression.of, assignment)
      if (value === undefined) return undefined
      return expression.operator === '!' ? !value : -value | 0
    }
    case 'binary': {
      const left = evaluate(expression.left, assignment)
      const right = evaluate(expression.right, assignment)
      if (left === undefined || right === undefined) return undefined
      return applied(expression.operator, left, right)
    }
    default:
      return undefined
  }
}

/** Numbers have 32 bits here, as literals do. */
function applied(operator: string, left: ParameterValue, right: ParameterValue): ParameterValue | undefined {
  const [x, y] = [Number(left), Number(right)]
  switch (operator) {
    case '+':
      return (x + y) | 0
    case '-':
      return (x - y) | 0
    case '*':
      return Math.imul(x, y)
    case '/':
      return y === 0 ? undefined : Math.trunc(x / y) | 0
    case '%':
      return y === 0 ? undefined : (x % y) | 0
    case '<':
      return x < y
    case '<=':
      return x <= y
    case '>':
      return x > y
    case '>=':
      return x >= y
    case '==':
    case '<==>':
      return left === right
    case '!=':
      return left !== right
    case '&&':
      return left === true && right === true
    case '||':
      return left === true || right === true
    case '==>':
      return left === false || right === true
    default:
      return undefined
  }
}
