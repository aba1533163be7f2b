import type { LocalCounts } from '../../src/engines/local/counts.ts'
import { LocalSearch } from '../../src/engines/local/search.ts'
import { GlobalSearch } from '../../src/engines/stateful/global-search.ts'
import type { Machines } from '../../src/program/machines.ts'
import { paxos } from '../../test/unit/engines/local/paxos.ts'
import { secondsSince } from '../measure.ts'
import { BoundedSearch } from './bounded-search.ts'

/** Events of an execution (LMC §5.1), beyond which B-DFS has nothing to find. */
export const executionLength = 22

export type SearchName = 'none' | 'unbounded' | 'bounded' | 'stateful' | 'general' | 'decomposed'

export interface Explored {
  readonly transitions: number
  /** Global states for global search, states of machines for local search. */
  readonly states: number
  readonly systemStates: number | undefined
  readonly checks: number | undefined
  readonly depth: number | undefined
  /** All that the search still holds. */
  readonly held: unknown
}

/** Paxos with one proposal among three machines. */
export function explore(name: SearchName): Explored {
  const subject = paxos({ machines: 3, proposals: ['v1'], general: name !== 'decomposed' })
  switch (name) {
    case 'none':
      return { transitions: 0, states: 0, systemStates: undefined, checks: undefined, depth: undefined, held: subject }
    case 'unbounded':
      return boundedly(subject, Number.POSITIVE_INFINITY)
    case 'bounded':
      return boundedly(subject, executionLength)
    case 'stateful':
      return globally(subject)
    case 'general':
    case 'decomposed': {
      const { counts, search } = locally(subject)
      const { transitions, states, systemStates, soundnessChecks: checks, depth } = counts
      return { transitions, states, systemStates, checks, depth, held: search }
    }
  }
}

export function boundedly(subject: Machines, bound: number): Explored & { readonly isCut: boolean } {
  const search = new BoundedSearch(subject, bound)
  search.run()
  if (search.violations > 0) throw new Error('Paxos is right')
  const { transitions, states, deepest: depth, isCut } = search
  return { transitions, states, systemStates: undefined, checks: undefined, depth, held: search, isCut }
}

export function globally(
  subject: Machines,
  seconds = Number.POSITIVE_INFINITY,
): Explored & { readonly ended: boolean } {
  const search = new GlobalSearch({ machines: subject }, { search: 'depth' })
  const before = process.cpuUsage()
  let [transitions, states, ended] = [0, 0, true]
  for (const event of search.events()) {
    if (event.kind === 'violation') throw new Error('Paxos is right')
    if (event.kind !== 'progress') continue
    ;({ transitions = 0, states = 0 } = event.counts)
    ended = secondsSince(before) <= seconds
    if (!ended) break
  }
  const { systemStates } = search
  return { transitions, states, systemStates, checks: undefined, depth: undefined, held: search, ended }
}

export interface ExploredLocally {
  readonly counts: LocalCounts
  readonly search: LocalSearch
  readonly violations: number
  /** Within the time given. */
  readonly ended: boolean
}

/** Until the first violation. */
export function locally(subject: Machines, seconds = Number.POSITIVE_INFINITY): ExploredLocally {
  const search = new LocalSearch(subject)
  const before = process.cpuUsage()
  let [violations, ended] = [0, true]
  for (const event of search.events()) {
    if (event.kind === 'violation') violations++
    ended = secondsSince(before) <= seconds
    if (violations > 0 || !ended) break
  }
  return { counts: search.counts(), search, violations, ended }
}
