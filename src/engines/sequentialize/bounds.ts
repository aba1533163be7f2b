/** How large sizes can be, by what was decided on the way: after `if (n === 0) return` there is at least one. */
import { type Count, countWith, type Icet } from '../../program/icet.ts'
import type { Knowledge, Truth } from './knowledge.ts'
import type { Value } from './value.ts'

/** Both included. */
export interface Bounds {
  readonly least: number
  readonly most: number
}

export function boundsOf(count: Count, { truths }: Pick<Knowledge, 'truths'>, { parameters }: Icet): Bounds {
  const boundsFor = (of: string): Bounds => {
    const { least = 0 } = parameters.find(({ name }) => name === of) ?? {}
    return decided(of, [...truths.values()], { least, most: Number.POSITIVE_INFINITY })
  }
  return {
    least: countWith(count, (of) => boundsFor(of).least),
    most: countWith(count, (of) => boundsFor(of).most),
  }
}

/** Until they say no more: that it is not the least is worth something only when that is known. */
function decided(parameter: string, truths: readonly Truth[], start: Bounds): Bounds {
  const narrower = truths.reduce((bounds, truth) => narrowed(parameter, truth, bounds), start)
  const isSame = narrower.least === start.least && narrower.most === start.most
  return isSame || narrower.least > narrower.most ? narrower : decided(parameter, truths, narrower)
}

function narrowed(parameter: string, { condition, holds }: Truth, bounds: Bounds): Bounds {
  if (isParameter(condition, parameter)) return compared(holds ? '!==' : '===', 0, bounds)
  if (condition.kind !== 'term' || condition.inputs.length !== 2) return bounds
  const [left, right] = condition.inputs as [Value, Value]
  const operator = holds ? condition.operator : opposite.get(condition.operator)
  const [first, second] = [shiftOf(left, parameter), shiftOf(right, parameter)]
  if (first !== undefined && isWhole(right)) return compared(operator, right.value - first, bounds)
  if (second !== undefined && isWhole(left)) return compared(mirrored.get(operator ?? ''), left.value - second, bounds)
  return bounds
}

function compared(operator: string | undefined, to: number, { least, most }: Bounds): Bounds {
  switch (operator) {
    case '===':
      return { least: Math.max(least, to), most: Math.min(most, to) }
    case '!==':
      return { least: least === to ? least + 1 : least, most: most === to ? most - 1 : most }
    case '<':
      return { least, most: Math.min(most, to - 1) }
    case '<=':
      return { least, most: Math.min(most, to) }
    case '>':
      return { least: Math.max(least, to + 1), most }
    case '>=':
      return { least: Math.max(least, to), most }
    default:
      return { least, most }
  }
}

const opposite = new Map([
  ['===', '!=='],
  ['<', '>='],
  ['<=', '>'],
  ['>', '<='],
  ['>=', '<'],
])

/** With its sides exchanged. */
const mirrored = new Map([
  ['===', '==='],
  ['!==', '!=='],
  ['<', '>'],
  ['<=', '>='],
  ['>', '<'],
  ['>=', '<='],
])

/** What is added to the parameter, if that is all. */
function shiftOf(value: Value, parameter: string): number | undefined {
  if (isParameter(value, parameter)) return 0
  if (value.kind !== 'term' || value.inputs.length !== 2) return undefined
  const [left, right] = value.inputs as [Value, Value]
  if (!isParameter(left, parameter) || !isWhole(right)) return undefined
  return value.operator === '+' ? right.value : value.operator === '-' ? -right.value : undefined
}

function isParameter(value: Value, parameter: string): boolean {
  return value.kind === 'parameter' && value.name === parameter
}

function isWhole(value: Value): value is { readonly kind: 'constant'; readonly value: number } {
  return value.kind === 'constant' && Number.isSafeInteger(value.value)
}
