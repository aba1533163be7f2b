/** The sets of the corpus, called one operation at a time, are sets; so are their broken forms, which need two processes to fail. */
import { expect, test } from 'vitest'
import { CasTreeSet } from '../../../corpus/cas-tree/tree.ts'
import { UnmarkedTreeSet } from '../../../corpus/cas-tree/unmarked.ts'
import { OptimisticListSortedSetWaitFreeContains } from '../../../corpus/optimistic-list/list.ts'
import * as optimistic from '../../../corpus/optimistic-list/shrunk.ts'
import { RWLockCoarseGrainedListIntSet } from '../../../corpus/rw-list/list.ts'
import * as readWrite from '../../../corpus/rw-list/shrunk.ts'
import { Random } from '../../../src/core/random.ts'

interface IntSet {
  add(key: number): boolean
  remove(key: number): boolean
  contains(key: number): boolean
}

const sets: readonly (readonly [string, () => IntSet])[] = [
  ['the list under one read-write lock', () => new RWLockCoarseGrainedListIntSet()],
  ['that list with add shrunk', () => new readWrite.AddShrunk()],
  ['that list with remove shrunk', () => new readWrite.RemoveShrunk()],
  ['that list with both shrunk', () => new readWrite.BothShrunk()],
  ['the optimistic list', () => new OptimisticListSortedSetWaitFreeContains()],
  ['the optimistic list with add shrunk', () => new optimistic.AddShrunk()],
  ['the optimistic list with remove shrunk', () => new optimistic.RemoveShrunk()],
  ['the optimistic list with both shrunk', () => new optimistic.BothShrunk()],
  ['the compare-and-set tree', () => new CasTreeSet()],
  ['the tree without marks', () => new UnmarkedTreeSet()],
]

test.each(sets)('%s answers 4,000 random calls like a Set', (_name, create) => {
  for (const [seed, keys] of [
    [1, 3],
    [2, 20],
    [3, 200],
  ] as const) {
    const random = new Random(seed)
    const set = create()
    const model = new Set<number>()
    for (let call = 0; call < 4000; call++) {
      const key = random.below(keys) - 1
      const had = model.has(key)
      const operation = random.pick(['add', 'remove', 'contains'] as const)
      const expected = operation === 'add' ? !had : had
      expect(set[operation](key), `call ${call}: ${operation}(${key})`).toBe(expected)
      if (operation === 'add') model.add(key)
      if (operation === 'remove') model.delete(key)
    }
  }
})
