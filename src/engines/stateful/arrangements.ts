/** Orders of machines, where those of one kind count as one and the same. */

/**
 * Groups stand in their order; within each, all orders of its kinds: three of a kind and one of another have four of them. Each is a list of all
 * machines.
 */
export function* arrangements(groups: readonly (readonly (readonly number[])[])[]): Generator<readonly number[], void> {
  const [first, ...others] = groups
  if (first === undefined) return yield []
  for (const order of ordersOf(first)) for (const rest of arrangements(others)) yield [...order, ...rest]
}

function* ordersOf(kinds: readonly (readonly number[])[]): Generator<readonly number[], void> {
  if (kinds.length === 0) return yield []
  for (const [at, [machine, ...rest]] of kinds.entries()) {
    const left = rest.length === 0 ? kinds.toSpliced(at, 1) : kinds.with(at, rest)
    for (const order of ordersOf(left)) yield [machine as number, ...order]
  }
}
