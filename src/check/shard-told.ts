/** What a shard reports of itself, once the judge has confirmed what was found in it. */
import type { Counterexample } from '../core/evidence.ts'
import { violationKey } from '../core/property.ts'
import type { ShardAccount } from '../core/shard.ts'
import type { DrivenShard } from '../distribute/driver.ts'

/** A piece with a violation that nobody has confirmed is not done: whoever takes it for done would say that it holds. */
export function shardTold({ foundIn, ...shard }: DrivenShard, confirmed: readonly Counterexample[]): ShardAccount {
  const keys = confirmed.map(({ violation }) => violationKey(violation))
  const open = [...foundIn].flatMap(([key, at]) => (keys.includes(key) ? [] : [at]))
  return {
    ...shard,
    done: shard.done.filter(({ at }) => !open.includes(at)),
    foundIn: keys.flatMap((key) => foundIn.get(key) ?? []),
  }
}
