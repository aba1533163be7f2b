/** Calls of a quorum tree, most of which can be right together: on one branch, or beside it. */
import { qtree } from 'allways'
import type { Random } from '../../src/core/random.ts'
import type { AbstractCall } from '../../src/program/refinement.ts'

export const tree = qtree('tree')

interface Drawing {
  /** Whether pairs of calls decide them. */
  readonly isByPairs: boolean
}

export function treeCall(random: Random, { isByPairs }: Drawing): () => AbstractCall {
  const round = 1 + random.below(3)
  const parent = random.below(4) === 0 ? random.below(4) : random.below(round)
  const value = random.below(5) === 0 ? 'b' : 'a'
  const kind = random.below(isByPairs ? 6 : 9)
  if (kind < 3) return () => tree.add({ round, value, parent })
  if (kind === 3) return () => tree.commit({ round })
  if (kind === 4) return () => tree.commit({ round, value })
  if (kind === 5) return () => tree.decided({ round })
  if (kind === 6) return () => tree.add({ round, open: true, parent })
  const phase = random.pick(['add', 'commit'] as const)
  const by = random.pick(['ann', 'bob'])
  return () => tree.vote({ phase, round, value, parent, by, quorum: 2 })
}
