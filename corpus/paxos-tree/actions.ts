/**
 * A protocol as what may happen next: one machine that holds what all processes know and every message that was ever sent. Messages stay, so that loss,
 * duplication and any order are part of it; a quorum is counted in one step.
 */
import { machine } from 'allways'

/** Something that can happen now: what it is called, what becomes of the state, and what it means. */
export interface Action<State> {
  readonly name: string
  readonly after: () => State
  readonly announces?: readonly object[]
}

export function actions<State extends object>(
  name: string,
  first: State,
  next: (state: State) => readonly Action<State>[],
) {
  return machine<{ now: State }, never>(name, {
    state: () => ({ now: first }),
    start: (_, context) => context.setTimer('next', { milliseconds: 1 }),
    timers: {
      next(state, context) {
        const possible = next(state.now)
        const chosen = context.choose(possible.map((action) => action.name))
        const action = possible.find((one) => one.name === chosen) as Action<State>
        state.now = action.after()
        for (const call of action.announces ?? []) context.announce(call as never)
        if (next(state.now).length > 0) context.setTimer('next', { milliseconds: 1 })
      },
    },
  })
}

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
