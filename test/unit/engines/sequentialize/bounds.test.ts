import { expect, test } from 'vitest'
import { boundsOf } from '../../../../src/engines/sequentialize/bounds.ts'
import { constant, keyOf, term, type Value } from '../../../../src/engines/sequentialize/value.ts'
import type { Icet } from '../../../../src/program/icet.ts'

const n: Value = { kind: 'parameter', name: 'n' }
const icet = (least: number): Icet => {
  const place = { file: 'p', line: 1, column: 1 }
  return { name: 'p', parameters: [{ name: 'n', least, size: 3, place }], processes: [] }
}

/** What was decided: conditions that hold, and after them those that do not. */
function bounds(holds: readonly Value[], fails: readonly Value[] = [], least = 0, plus = 0) {
  const truths = [...holds.map((one) => [one, true] as const), ...fails.map((one) => [one, false] as const)]
  const known = new Map(truths.map(([condition, isTrue]) => [keyOf(condition), { condition, holds: isTrue }]))
  const { least: from, most } = boundsOf({ kind: 'parameter', name: 'n', plus }, { truths: known }, icet(least))
  return [from, most]
}

const compared = (operator: string, to: number): Value => term(operator, n, constant(to))
const [zero, infinity] = [compared('===', 0), Number.POSITIVE_INFINITY]

test.each<readonly [string, readonly number[], readonly number[]]>([
  ['nothing', bounds([]), [0, infinity]],
  ['a least size', bounds([], [], 2), [2, infinity]],
  ['n === 0', bounds([zero]), [0, 0]],
  ['0 === n', bounds([term('===', constant(0), n)]), [0, 0]],
  ['n !== 0', bounds([], [zero]), [1, infinity]],
  ['n', bounds([n]), [1, infinity]],
  ['!n', bounds([], [n]), [0, 0]],
  ['n < 1', bounds([compared('<', 1)]), [0, 0]],
  ['not n < 1', bounds([], [compared('<', 1)]), [1, infinity]],
  ['n <= 1', bounds([compared('<=', 1)]), [0, 1]],
  ['n > 1', bounds([compared('>', 1)]), [2, infinity]],
  ['not n > 1', bounds([], [compared('>', 1)]), [0, 1]],
  ['n >= 1', bounds([compared('>=', 1)]), [1, infinity]],
  ['1 > n', bounds([term('>', constant(1), n)]), [0, 0]],
  ['1 >= n', bounds([term('>=', constant(1), n)]), [0, 1]],
  ['n - 1 === 0', bounds([term('===', term('-', n, constant(1)), constant(0))]), [1, 1]],
  ['n + 1 < 3', bounds([term('<', term('+', n, constant(1)), constant(3))]), [0, 1]],
  ['n !== 1 and n !== 0, in this order', bounds([], [compared('===', 1), zero]), [2, infinity]],
  ['n < 1, of n - 2', bounds([compared('<', 1)], [], 0, -2), [0, 0]],
  ['n > 1, of n - 1', bounds([compared('>', 1)], [], 0, -1), [1, infinity]],
  ['n === 0.5', bounds([compared('===', 0.5)]), [0, infinity]],
  ['1 - n === 0', bounds([term('===', term('-', constant(1), n), constant(0))]), [0, infinity]],
  ['m === 0', bounds([term('===', { kind: 'parameter', name: 'm' }, constant(0))]), [0, infinity]],
])('a size is as %s says', (_, found, expected) => {
  expect(found).toEqual(expected)
})
