/**
 * How often each message can be consumed at most, judged by the transitions explored so far: an upper bound, often infinite,
 * never too small for executions that use these transitions only.
 *
 * A path passes each component of a machine's states once. Between components it takes one transition; inside of one it may
 * take each as often as its message can be consumed, and internal ones without end. So the bounds of messages depend on each
 * other; the least solution is approached from below, and what still grows after as many rounds as there are messages grows for
 * ever.
 */
import { type Components, componentsOf } from './components.ts'
import type { LocalSpace, Transition } from './local-space.ts'
import { type Messages, noMessage } from './messages.ts'

const endless = Number.POSITIVE_INFINITY

/** By message. Yields after each round. */
export function* copyBounds(
  spaces: readonly LocalSpace[],
  messages: Messages,
): Generator<undefined, readonly number[]> {
  const components = spaces.map(componentsOf)
  let bounds: number[] = Array.from({ length: messages.size }, () => 0)
  for (let round = 1; ; round++) {
    const next = [...messages.copiesAtStart]
    yield undefined
    for (const each of components)
      for (const [message, sent] of mostSentBy(each, bounds)) next[message] = (next[message] as number) + sent
    const grown = [...next.keys()].filter((message) => (next[message] as number) > (bounds[message] as number))
    if (grown.length === 0) return bounds
    if (round > messages.size + 1) for (const message of grown) next[message] = endless
    // Never back: what was taken for endless may look finite again by bounds that have not followed yet, and so on for ever.
    bounds = next.map((bound, message) => Math.max(bound, bounds[message] as number))
  }
}

/**
 * By message, the smaller of two bounds: by the components that a path passes, and by how often each message that makes the
 * machine send can be consumed in all, wherever on the path.
 */
function mostSentBy(components: Components, bounds: readonly number[]): ReadonlyMap<number, number> {
  const byComponents = mostSent(components, bounds)
  const inAll = new Map(mostSent(internalOnly(components), bounds))
  for (const [consumed, counts] of mostPerConsumption(components.transitions.flat()))
    for (const [message, count] of counts)
      inAll.set(message, (inAll.get(message) ?? 0) + times(bounds[consumed] as number, count))
  return new Map([...byComponents].map(([message, most]) => [message, Math.min(most, inAll.get(message) ?? 0)]))
}

function internalOnly({ of, transitions }: Components): Components {
  const silent = (transition: Transition): Transition =>
    transition.consumed === noMessage ? transition : { ...transition, sent: [] }
  return { of, transitions: transitions.map((leaving) => leaving.map(silent)) }
}

function mostPerConsumption(transitions: readonly Transition[]): ReadonlyMap<number, ReadonlyMap<number, number>> {
  const most = new Map<number, Map<number, number>>()
  for (const { consumed, sent } of transitions) {
    if (consumed === noMessage || sent.length === 0) continue
    const counts = most.get(consumed) ?? new Map<number, number>()
    raise(counts, countsOf(sent))
    most.set(consumed, counts)
  }
  return most
}

function times(count: number, each: number): number {
  return count === 0 ? 0 : count * each
}

/** By message: the most copies on any path through the machine's states. */
function mostSent({ of, transitions }: Components, bounds: readonly number[]): ReadonlyMap<number, number> {
  const most = new Map<number, number>()
  /** By component: copies on paths to its first state; components are in order of paths. */
  const before: (Map<number, number> | undefined)[] = []
  before[of[0] as number] = new Map()
  for (const [component, leaving] of transitions.entries()) {
    const here = sum(before[component] ?? new Map(), sentInside(component, of, leaving, bounds))
    raise(most, here)
    before[component] = undefined
    for (const { to, sent } of leaving) {
      const target = of[to] as number
      if (target === component) continue
      let there = before[target]
      if (there === undefined) {
        there = new Map()
        before[target] = there
      }
      const along = sent.length === 0 ? here : sum(here, countsOf(sent))
      raise(there, along)
      raise(most, along)
    }
  }
  return most
}

/** Each message inside of the component can be consumed so often, each time by the transition that sends most. */
function sentInside(
  component: number,
  of: Int32Array,
  transitions: readonly Transition[],
  bounds: readonly number[],
): ReadonlyMap<number, number> {
  const byConsumed = new Map<number, Map<number, number>>()
  for (const { to, consumed, sent } of transitions) {
    if (of[to] !== component || sent.length === 0) continue
    const counts = byConsumed.get(consumed) ?? new Map<number, number>()
    raise(counts, countsOf(sent))
    byConsumed.set(consumed, counts)
  }
  const total = new Map<number, number>()
  for (const [consumed, counts] of byConsumed) {
    const times = consumed === noMessage ? endless : (bounds[consumed] as number)
    if (times === 0) continue
    for (const [message, count] of counts) total.set(message, (total.get(message) ?? 0) + times * count)
  }
  return total
}

function countsOf(sent: readonly number[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const message of sent) counts.set(message, (counts.get(message) ?? 0) + 1)
  return counts
}

function sum(left: ReadonlyMap<number, number>, right: ReadonlyMap<number, number>): Map<number, number> {
  const result = new Map(left)
  for (const [message, count] of right) result.set(message, (result.get(message) ?? 0) + count)
  return result
}

function raise(target: Map<number, number>, counts: ReadonlyMap<number, number>): void {
  for (const [message, count] of counts) if (count > (target.get(message) ?? 0)) target.set(message, count)
}
