/** Work that takes a breath every so many steps, so that whoever waits for it can look at the clock. */
export type Unhurried<Answer> = Generator<undefined, Answer, undefined>

/** Without looking at the clock. */
export function atOnce<Answer>(work: Unhurried<Answer>): Answer {
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
  }
}

/** Items of a long list between two breaths: a millisecond or two, as far as what is done with each is little. */
export const breath = 128

/** What is done for each of a long list. */
export function* forEachUnhurried<Item>(
  items: readonly Item[],
  visit: (item: Item, at: number) => void,
): Unhurried<void> {
  for (const [at, item] of items.entries()) {
    if (at % breath === breath - 1) yield
    visit(item, at)
  }
}

export function* mappedUnhurried<From, To>(
  items: readonly From[],
  to: (item: From, at: number) => To,
): Unhurried<readonly To[]> {
  const found: To[] = []
  yield* forEachUnhurried(items, (item, at) => void found.push(to(item, at)))
  return found
}
