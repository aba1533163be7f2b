/** What a sweep over the settings of a request is given, and what it comes to. */

import type { Counterexample, Evidence } from '../core/evidence.ts'
import type { Options } from '../core/options.ts'
import type { ShardAccount } from '../core/shard.ts'
import type { Counts, Raced, Rest } from '../core/verdict.ts'
import type { EndOfSearch, Host, Progress } from '../distribute/driver.ts'
import type { Failing, Program } from '../program/program.ts'
import type { Threads } from './drive.ts'
import type { CheckRequest } from './request.ts'

export interface SweepOptions {
  readonly host: Host
  readonly startedAt: number
  readonly resume?: Rest | undefined
  /** Of what is left, only so many units from the first on; the others stay left. */
  readonly units?: number | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** Loads the program anew, for the judge. */
  readonly reload?: (() => Promise<Program | undefined>) | undefined
  readonly threads?: Threads | undefined
}

export interface Swept {
  /** Each sort of violation once, the first found first. */
  readonly counterexamples: readonly Counterexample[]
  /** Further ones, each like one of those. */
  readonly alike: number
  readonly failing: Failing | undefined
  /** Settings that were explored to their end and hold. */
  readonly verified: number
  /** What was thrown behind a violation that is known, and ended the search. */
  readonly stumbled?: { readonly by: unknown } | undefined
  readonly because: EndOfSearch
  /** Violations that an engine claims, and that the end of the check kept the judge from confirming. */
  readonly unconfirmed: number
  readonly counts: Counts
  readonly explored: number
  readonly evidence: readonly Evidence[]
  /** Of several that took turns, the request whose counts these are; and what became of all of them. */
  readonly by: CheckRequest
  readonly raced: readonly Raced[] | undefined
  /** Options that were left to its engine, as it chose them. */
  readonly picked: Options | undefined
  readonly shard: ShardAccount | undefined
  /** Where a later run goes on, if it can. */
  readonly rest: Rest | undefined
}
