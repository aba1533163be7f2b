/**
 * Calls that may have taken any value: they are tried with every value that need not have been taken, as long as there are few
 * such ways. Those that returned took a value or found nothing; those that did not may also have done nothing.
 */
import { type ContainerHistory, isUntaken, type Stay } from './container-history.ts'
import type { Ruling } from './specification.ts'

/** Ways are tried only while calls times ways stay below this: about a second. */
const mostWork = 2_000_000
const mostWays = 2000

/** The verdict, given what is wrong with the history as it stands. Undefined if there are too many ways to try. */
export function decideWithFreeTakes(
  history: ContainerHistory,
  whatIsWrong: () => Ruling | undefined,
): Ruling | undefined {
  return new FreeTakes(history, whatIsWrong).decision()
}

class FreeTakes {
  readonly #history: ContainerHistory
  readonly #whatIsWrong: () => Ruling | undefined
  /** Calls to give values to; those that returned first, because they must get one or find nothing. */
  readonly #takes: readonly number[]
  readonly #untaken: readonly Stay[]
  /** Values given on the present way. Their stays are changed in place, and changed back when the way is given up. */
  readonly #given = new Set<Stay>()
  #waysLeft: number
  #wrong: Ruling | undefined

  constructor(history: ContainerHistory, whatIsWrong: () => Ruling | undefined) {
    const { stays, openTakes, unknownTakes, invoked, calls } = history
    this.#history = history
    this.#whatIsWrong = whatIsWrong
    const inOrder = (takes: readonly number[]) => [...takes].sort((left, right) => invoked(left) - invoked(right))
    this.#takes = [...inOrder(unknownTakes), ...inOrder(openTakes)]
    this.#untaken = stays.filter((stay) => isUntaken(stay, history))
    // Two more, so that a history without such calls is decided whatever its length.
    this.#waysLeft = 2 + Math.min(mostWays, Math.floor(mostWork / Math.max(1, calls.length)))
  }

  decision(): Ruling | undefined {
    if (this.#someWay(0)) return { linearizable: true }
    return this.#waysLeft > 0 ? this.#wrong : undefined
  }

  /** Whether the takes from `at` on can be given values so that nothing is wrong; leaves the history as it was. */
  #someWay(at: number): boolean {
    const { unknownTakes, empty } = this.#history
    const call = this.#takes[at]
    const mustTake = at < unknownTakes.length
    if (this.#waysLeft <= 0) return false
    if (!mustTake && this.#isRight()) return true
    if (call === undefined) return false
    if (mustTake) {
      empty.push(call)
      const found = this.#someWay(at + 1)
      empty.pop()
      if (found) return true
    }
    if (this.#untaken.some((stay) => !this.#given.has(stay) && this.#isTakenBy(stay, call, at))) return true
    return !mustTake && this.#someWayWithout(at)
  }

  #isTakenBy(stay: Stay, call: number, at: number): boolean {
    const { invoked, returned, length, unknownTakes } = this.#history
    const { take, takeInvoked, takeReturned } = stay
    const end = at < unknownTakes.length ? returned(call) : length + 1
    if (end < stay.putInvoked) return false
    this.#given.add(stay)
    Object.assign(stay, { take: call, takeInvoked: invoked(call), takeReturned: end })
    const found = this.#someWay(at + 1)
    Object.assign(stay, { take, takeInvoked, takeReturned })
    this.#given.delete(stay)
    return found
  }

  /** The same history has just been found wrong; only what later takes could add is left. */
  #someWayWithout(at: number): boolean {
    const next = this.#takes[at + 1]
    if (next === undefined) return false
    return (
      this.#untaken.some((stay) => !this.#given.has(stay) && this.#isTakenBy(stay, next, at + 1)) ||
      this.#someWayWithout(at + 1)
    )
  }

  #isRight(): boolean {
    this.#waysLeft--
    const wrong = this.#whatIsWrong()
    this.#wrong ??= wrong
    return wrong === undefined
  }
}
