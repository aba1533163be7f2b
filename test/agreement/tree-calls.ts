/** Calls of quorum trees, most of which can be right together: on one branch, or beside it. */
import { qtree } from 'allways'
import type { Random } from '../../src/core/random.ts'
import type { AbstractCall } from '../../src/program/refinement.ts'

/** A tree of each kind; rounds of one of them are lists of numbers. */
export const trees = {
  single: qtree('tree'),
  log: qtree('tree', { decree: 'log' }),
  slots: qtree('tree', { slots: true }),
  lists: qtree('tree', { decree: 'log' }),
}

type Kind = keyof typeof trees

interface Drawing {
  readonly of?: Kind
  /** Whether pairs of calls decide them. */
  readonly isByPairs: boolean
}

/** Round 1 is the first of a term, and rounds 2 and 3 are those of the next one. */
function labelOf(round: number, kind: Kind): number | readonly number[] {
  if (kind !== 'lists' || round === 0) return round
  return round === 1 ? [1, 1] : [2, round - 1]
}

export function treeCall(random: Random, { of = 'single', isByPairs }: Drawing): () => AbstractCall {
  const tree = trees[of]
  const number = 1 + random.below(3)
  const parent = labelOf(random.below(4) === 0 ? random.below(4) : random.below(number), of)
  const round = labelOf(number, of)
  const value = random.below(5) === 0 ? 'b' : 'a'
  const slot = of === 'slots' ? { slot: random.below(2) } : {}
  const kind = random.below(isByPairs ? 6 : 9)
  if (kind < 3) return () => tree.add({ round, value, parent, ...slot })
  if (kind === 3) return () => tree.commit({ round, ...slot })
  if (kind === 4) return () => tree.commit({ round, value, ...slot })
  if (kind === 5) return () => tree.decided({ round, ...slot })
  if (kind === 6) return () => tree.add({ round, open: true, parent, ...slot })
  const phase = random.pick(['add', 'commit'] as const)
  const by = random.pick(['ann', 'bob'])
  return () => tree.vote({ phase, round, value, parent, by, quorum: 2, ...slot })
}
