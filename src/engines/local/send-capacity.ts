/**
 * What a machine can have sent when it is in a state: the greatest multisets of messages over all paths to it. Most
 * combinations of states that cannot be are refused by this alone: what one consumed, the other cannot have sent.
 *
 * Inside of a component with a cycle a message may be sent any number of times. Where there are too many greatest multisets
 * one takes their place that includes them all: an upper bound again, so that nothing possible is refused.
 */
import { componentsOf } from './components.ts'
import type { LocalSpace } from './local-space.ts'

/** By message. */
type Copies = ReadonlyMap<number, number>

const tooMany = 12

export class SendCapacity {
  readonly #components: Int32Array
  /** By component. */
  readonly #greatest: (readonly Copies[])[] = []
  readonly #overall: readonly Copies[]

  constructor(space: LocalSpace) {
    const { of, transitions } = componentsOf(space)
    this.#components = of
    const before: (readonly Copies[])[] = []
    before[of[0] as number] = [new Map()]
    let overall: readonly Copies[] = []
    for (const [component, leaving] of transitions.entries()) {
      const inside = new Map<number, number>()
      for (const { to, sent } of leaving)
        if (of[to] === component) for (const message of sent) inside.set(message, Number.POSITIVE_INFINITY)
      const here = greatest((before[component] ?? []).map((copies) => sum(copies, inside)))
      this.#greatest[component] = here
      overall = greatest([...overall, ...here])
      for (const { to, sent } of leaving) {
        const target = of[to] as number
        if (target === component) continue
        const counts = countsOf(sent)
        before[target] = greatest([...(before[target] ?? []), ...here.map((copies) => sum(copies, counts))])
      }
    }
    this.#overall = overall
  }

  /** Whether some path to the state, or to any if there is none, sends so many copies of each message. */
  covers(state: number | undefined, copies: Copies): boolean {
    const known = state === undefined ? this.#overall : this.#greatest[this.#components[state] as number]
    return known?.some((each) => isWithin(copies, each)) ?? true
  }
}

function greatest(candidates: readonly Copies[]): readonly Copies[] {
  const kept: Copies[] = []
  for (const candidate of candidates) {
    if (kept.some((other) => isWithin(candidate, other))) continue
    for (let at = kept.length - 1; at >= 0; at--) if (isWithin(kept[at] as Copies, candidate)) kept.splice(at, 1)
    kept.push(candidate)
  }
  return kept.length <= tooMany ? kept : [kept.reduce(join)]
}

function isWithin(small: Copies, large: Copies): boolean {
  for (const [message, count] of small) if (count > (large.get(message) ?? 0)) return false
  return true
}

function join(left: Copies, right: Copies): Copies {
  const result = new Map(left)
  for (const [message, count] of right) result.set(message, Math.max(count, result.get(message) ?? 0))
  return result
}

function sum(left: Copies, right: Copies): Copies {
  if (right.size === 0) return left
  const result = new Map(left)
  for (const [message, count] of right) result.set(message, count + (result.get(message) ?? 0))
  return result
}

function countsOf(sent: readonly number[]): Copies {
  const counts = new Map<number, number>()
  for (const message of sent) counts.set(message, (counts.get(message) ?? 0) + 1)
  return counts
}
