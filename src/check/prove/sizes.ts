/** Small sizes of parameters that range over every size: each on its own, because equal sizes hide what depends on unequal ones. */
import type { Params } from '../../core/setting.ts'
import type { Program } from '../../program/program.ts'

/** Sizes up to here are tried, and at least so many of each. */
const largest = 3
const leastMany = 3

export function smallSizes({ every }: Pick<Program, 'every'>): readonly Params[] {
  let combined: readonly Readonly<Record<string, number>>[] = [{}]
  for (const [name, { least }] of Object.entries(every)) {
    const last = Math.max(largest, least + leastMany - 1)
    const sizes = Array.from({ length: last - least + 1 }, (_, index) => least + index)
    combined = combined.flatMap((before) => sizes.map((size) => ({ ...before, [name]: size })))
  }
  return bySize(combined)
}

/** Smaller ones first; of equal sum, those that are most alike last. */
export function bySize(all: readonly Params[]): readonly Params[] {
  const numbers = (sizes: Params): readonly number[] => Object.values(sizes).map(Number)
  const sum = (sizes: Params): number => numbers(sizes).reduce((a, b) => a + b, 0)
  const spread = (sizes: Params): number => {
    const values = numbers(sizes)
    return values.length === 0 ? 0 : Math.max(...values) - Math.min(...values)
  }
  return [...all].sort((left, right) => sum(left) - sum(right) || spread(right) - spread(left))
}
