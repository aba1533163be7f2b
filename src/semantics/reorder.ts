/**
 * The same execution in another order. Decisions of different processes that do not depend on each other may swap without any
 * process noticing; a process that does notice shares something with the others that is not a message.
 */

import type { PartialOrder } from '../core/partial-order.ts'
import type { Random } from '../core/random.ts'
import type { Decision } from '../core/trace.ts'
import { renumbered } from './partial-order.ts'

/** A random linear extension of what happens before what; messages are numbered anew, in the new sending order. */
export function reordered(
  decisions: readonly Decision[],
  { events, after }: PartialOrder,
  random: Random,
): readonly Decision[] {
  const followers = after.map((): number[] => [])
  for (const [at, befores] of after.entries()) for (const before of befores) followers[before]?.push(at)
  const open = after.map((befores) => befores.length)
  const ready = open.flatMap((count, at) => (count === 0 ? [at] : []))
  const result: number[] = []
  while (ready.length > 0) {
    const [at] = ready.splice(random.below(ready.length), 1) as [number]
    result.push(at)
    for (const follower of followers[at] ?? []) {
      open[follower] = (open[follower] ?? 0) - 1
      if (open[follower] === 0) ready.push(follower)
    }
  }
  return renumbered(decisions, events, result)
}
