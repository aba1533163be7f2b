/** What shards come to together, by what they say of their pieces: written down a second time, beside `allways merge`. */
import { violationKey } from '../src/core/property.ts'
import { addCounts, type Counts, noCounts } from '../src/core/verdict.ts'
import type { Driven, DrivenShard } from '../src/distribute/driver.ts'

export type Sharded = Driven & { readonly shard: DrivenShard }

/** As the first piece that ends the search says, and all before it. */
export function together(shards: readonly Sharded[]) {
  const ends = shards.flatMap(({ because, shard }) =>
    because === 'violation' ? [shard.done.at(-1)?.at as number] : [],
  )
  const last = Math.min(Number.POSITIVE_INFINITY, ...ends)
  const done = shards.flatMap(({ shard }) => shard.done).filter(({ at }) => at <= last)
  const found = shards.flatMap((driven) =>
    driven.found.map(({ violation, decisions }) => {
      const key = violationKey(violation)
      return { key, decisions, at: driven.shard.foundIn.get(key) as number }
    }),
  )
  const firsts = new Map<string, unknown>()
  for (const one of found.sort((left, right) => left.at - right.at))
    if (one.at <= last && !firsts.has(one.key)) firsts.set(one.key, one.decisions)
  return {
    because: ends.length > 0 ? 'violation' : 'exhausted',
    counts: counted(done.reduce((sum, { counts }) => addCounts(sum, counts), noCounts)),
    found: [...firsts],
    pieces: done.length,
  }
}

/** What one run says, to be compared with it. */
export function answer({ because, counts, found }: Driven) {
  return { because, counts: counted(counts), found: found.map((one) => [violationKey(one.violation), one.decisions]) }
}

function counted({ executions = 0, blocked = 0, events = 0, longest = 0 }: Counts) {
  return { executions, blocked, events, longest }
}
