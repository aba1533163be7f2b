/** Counts that are known from elsewhere, beside n queens: tilings, codes, squares, lists. */
import { describe, expect, test } from 'vitest'
import type { Diagram } from '../../../src/bdd/diagram.ts'
import { Diagrams } from '../../../src/bdd/diagrams.ts'

const orders = ['above', 'below'] as const

function variables(diagrams: Diagrams, count: number): readonly Diagram[] {
  return Array.from({ length: count }, () => diagrams.literal(diagrams.variable()))
}

function all(diagrams: Diagrams, guards: Iterable<Diagram>): Diagram {
  let found = diagrams.always
  for (const one of guards) found = diagrams.and(found, one)
  return found
}

/** Where exactly so many of the guards hold. */
function exactly(diagrams: Diagrams, wanted: number, guards: readonly Diagram[]): Diagram {
  let byCount: readonly Diagram[] = [diagrams.always]
  for (const one of guards)
    byCount = Array.from({ length: Math.min(byCount.length, wanted) + 1 }, (_, count) => {
      const more = count === 0 ? diagrams.never : diagrams.and(one, byCount[count - 1] ?? diagrams.never)
      return diagrams.or(more, diagrams.minus(byCount[count] ?? diagrams.never, one))
    })
  return byCount[wanted] ?? diagrams.never
}

const squares = (size: number): readonly (readonly [row: number, column: number])[] =>
  Array.from({ length: size * size }, (_, at) => [Math.floor(at / size), at % size])

/** A variable for each pair of squares that lie side by side, and each square in exactly one. */
function dominoes(diagrams: Diagrams, size: number): Diagram {
  const at = new Map<string, Diagram[]>(squares(size).map((square) => [square.join(), []]))
  for (const [row, column] of squares(size))
    for (const [down, right] of [
      [0, 1],
      [1, 0],
    ] as const) {
      const other = at.get([row + down, column + right].join())
      if (other === undefined) continue
      const [pair] = variables(diagrams, 1) as [Diagram]
      at.get([row, column].join())?.push(pair)
      other.push(pair)
    }
  return all(
    diagrams,
    [...at.values()].map((pairs) => exactly(diagrams, 1, pairs)),
  )
}

/** Sets of squares no two of which lie side by side. */
function apart(diagrams: Diagrams, size: number): Diagram {
  const chosen = variables(diagrams, size * size)
  const notBoth = (one: number, other: number): Diagram =>
    diagrams.not(diagrams.and(chosen[one] as Diagram, chosen[other] as Diagram))
  return all(
    diagrams,
    squares(size).flatMap(([row, column], at) => [
      ...(column + 1 < size ? [notBoth(at, at + 1)] : []),
      ...(row + 1 < size ? [notBoth(at, at + size)] : []),
    ]),
  )
}

function latinSquares(diagrams: Diagrams, size: number): Diagram {
  const cells = squares(size).map(() => variables(diagrams, size))
  const lines = Array.from({ length: size }, (_, line) => line)
  const groups = lines.flatMap((symbol) =>
    lines.flatMap((line) => [
      lines.map((one) => cells[line * size + one]?.[symbol] as Diagram),
      lines.map((one) => cells[one * size + line]?.[symbol] as Diagram),
    ]),
  )
  return all(
    diagrams,
    [...cells, ...groups].map((group) => exactly(diagrams, 1, group)),
  )
}

/** Words of the extended binary Golay code: 12 digits, and 12 that are sums of them by the circulant of squares modulo 11. */
function golay(diagrams: Diagrams): { readonly words: Diagram; readonly digits: readonly Diagram[] } {
  const digits = variables(diagrams, 24)
  const isOdd = diagrams.operation((left, right) => left ^ right, { commutative: true })
  const nonResidues = [2, 6, 7, 8, 10]
  const checks = Array.from({ length: 12 }, (_, row) => {
    const among = Array.from({ length: 12 }, (_unused, column) => {
      if (row === 11 || column === 11) return row !== column
      return !nonResidues.includes((column - row + 11) % 11)
    })
    const summed = digits.filter((_digit, at) => (at < 12 ? among[at] : at - 12 === row))
    return diagrams.not(summed.reduce((sum, one) => diagrams.apply(isOdd, sum, one), diagrams.never))
  })
  return { words: all(diagrams, checks), digits }
}

/** Lists of numbers of so many bits, each at least as large as the one before. */
function sorted(diagrams: Diagrams, length: number, bits: number): Diagram {
  const numbers = Array.from({ length }, () => variables(diagrams, bits))
  const atMost = (one: readonly Diagram[], other: readonly Diagram[]): Diagram =>
    one.reduceRight<Diagram>((rest, bit, at) => {
      const others = other[at] as Diagram
      return diagrams.ite(bit, diagrams.and(others, rest), diagrams.or(others, rest))
    }, diagrams.always)
  return all(
    diagrams,
    numbers.slice(1).map((one, at) => atMost(numbers[at] ?? [], one)),
  )
}

describe.each(orders)('with new variables %s', (order) => {
  // Kasteleyn 1961; OEIS A004003.
  test.each([
    [2, 2n],
    [4, 36n],
    [6, 6728n],
    [8, 12_988_816n],
  ])('a board of %i has %i tilings by dominoes', (size, tilings) => {
    const diagrams = new Diagrams({ order })
    expect(diagrams.count(dominoes(diagrams, size))).toBe(tilings)
  })

  // OEIS A006506.
  test.each([
    [3, 63n],
    [5, 55_447n],
    [6, 5_598_861n],
    [8, 660_647_962_955n],
  ])('a board of %i has %i sets of squares that lie apart', (size, sets) => {
    const diagrams = new Diagrams({ order })
    expect(diagrams.count(apart(diagrams, size))).toBe(sets)
  })

  // OEIS A002860.
  test.each([
    [3, 12n],
    [4, 576n],
  ])('there are latin squares of %i: %i', (size, count) => {
    const diagrams = new Diagrams({ order })
    expect(diagrams.count(latinSquares(diagrams, size))).toBe(count)
  })

  test('the words of the extended Golay code have their weights', () => {
    const diagrams = new Diagrams({ order })
    const { words, digits } = golay(diagrams)
    const weights = Array.from({ length: 25 }, (_, weight) =>
      diagrams.count(diagrams.and(words, exactly(diagrams, weight, digits))),
    )
    const expected = new Map([
      [0, 1n],
      [8, 759n],
      [12, 2576n],
      [16, 759n],
      [24, 1n],
    ])
    expect(weights).toEqual(weights.map((_, weight) => expected.get(weight) ?? 0n))
    expect(diagrams.count(words)).toBe(4096n)
  })

  // C(2^b + k − 1, k).
  test.each([
    [5, 3, 792n],
    [4, 6, 766_480n],
  ])('there are sorted lists of %i numbers of %i bits: %i', (length, bits, lists) => {
    const diagrams = new Diagrams({ order })
    expect(diagrams.count(sorted(diagrams, length, bits))).toBe(lists)
  })

  test('words of 32 bits at most 3 away from one are as many as the ways to change them', () => {
    const diagrams = new Diagrams({ order })
    const bits = variables(diagrams, 32)
    const differs = bits.map((bit, at) => ((0xdeadbeef >>> at) & 1 ? diagrams.not(bit) : bit))
    const near = [0, 1, 2, 3].map((far) => exactly(diagrams, far, differs))
    const within = near.reduce((some, one) => diagrams.or(some, one), diagrams.never)
    // 1 + 32 + 496 + 4960.
    expect(diagrams.count(within)).toBe(5489n)
    expect(diagrams.hitRates.pairs).toBeGreaterThan(0)
  })
})
