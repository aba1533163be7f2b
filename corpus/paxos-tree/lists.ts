/** Lists, as models of protocols need them. */

/** All ways to take so many of them. */
export function subsets<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  if (size === 0) return [[]]
  return items.flatMap((item, at) => subsets(items.slice(at + 1), size - 1).map((rest) => [item, ...rest]))
}

/** The same list with one more, in an order that does not depend on when they came. */
export function including<Item>(items: readonly Item[], item: Item): readonly Item[] {
  const key = JSON.stringify(item)
  if (items.some((one) => JSON.stringify(one) === key)) return items
  return [...items, item].sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))
}

export function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at)
}

/** The same list in another order. */
export function reordered<Item>(items: readonly Item[], order: readonly number[]): readonly Item[] {
  return order.map((at) => items[at] as Item)
}
