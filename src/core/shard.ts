/** Shards: a search that is explored by several runs apart, each of which explores a fixed part of it and knows nothing of the others. */
import type { BudgetName, Counts, VerdictKind } from './verdict.ts'
import type { Known } from './witness.ts'

/** `2/8` is number 2 of 8. */
export interface Shard {
  readonly number: number
  readonly of: number
}

/**
 * What a run has explored of its shard. A search is cut into pieces, which have an order: that of one thread. Which pieces there are
 * follows from the search and from the number of shards.
 */
export interface ShardAccount extends Shard {
  /** Pieces of the whole search. */
  readonly pieces: number
  /** Equal for searches that were cut alike, and only for those. */
  readonly cut: string
  /** Those of this shard that are done, in order; the last one to the violation that ended the search, if one did. */
  readonly done: readonly DonePiece[]
  /** Of each violation that is told: the piece it was found in. */
  readonly foundIn: readonly number[]
}

export interface DonePiece {
  readonly at: number
  readonly counts: Counts
  /** Of the whole search, as its engine estimates it. */
  readonly share: number
}

/** What the verdict on the whole needs of each shard. */
export interface ShardEvidence extends ShardAccount {
  readonly ended: 'exhausted' | 'undecided' | 'violation' | BudgetName
  /** What the whole search may claim, if nothing is found in any shard. */
  readonly claim: Exclude<VerdictKind, 'violated' | 'incomplete'>
  /** What happened in this one, and what did not. */
  readonly seen: Known
}

export function shardWords({ number, of }: Shard): string {
  return `shard ${number} of ${of}`
}
