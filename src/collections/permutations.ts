/** All orders of some items, the given one first. */
export function* permutations<T>(items: readonly T[]): Generator<readonly T[], void> {
  if (items.length === 0) yield []
  for (const [at, item] of items.entries())
    for (const rest of permutations(items.toSpliced(at, 1))) yield [item, ...rest]
}
