/** The maps of the corpus, called one operation at a time, are maps; so are their broken forms. */
import { expect, test } from 'vitest'
import { LogicalOrderingAVL } from '../../../corpus/avl-map/map.ts'
import * as avl from '../../../corpus/avl-map/shrunk.ts'
import { UnlockedGetMap } from '../../../corpus/coarse-map/broken.ts'
import { CoarseMap } from '../../../corpus/coarse-map/map.ts'
import { CheckThenActMap, StripewiseSizeMap } from '../../../corpus/lock-striped-map/broken.ts'
import { LockStripedMap } from '../../../corpus/lock-striped-map/map.ts'
import { Random } from '../../../src/core/random.ts'

type Operations = { readonly [name: string]: (model: Map<number, number>, key: number, value: number) => unknown }

const common: Operations = {
  get: (model, key) => model.get(key) ?? null,
  put: (model, key, value) => {
    const old = model.get(key) ?? null
    model.set(key, value)
    return old
  },
}
const removeAny = (model: Map<number, number>, key: number): number | null => {
  const old = model.get(key) ?? null
  model.delete(key)
  return old
}
const treeOperations: Operations = {
  ...common,
  contains: (model, key) => model.has(key),
  remove: (model, key, value) => model.get(key) === value && model.delete(key),
  removeKey: removeAny,
}
const hashOperations: Operations = { ...common, remove: removeAny, size: (model) => model.size }
const stripedOperations: Operations = {
  ...hashOperations,
  putIfAbsent: (model, key, value) => {
    const old = model.get(key) ?? null
    if (old === null) model.set(key, value)
    return old
  },
}

const maps: readonly (readonly [string, () => object, Operations])[] = [
  ['the logical-ordering tree', () => new LogicalOrderingAVL(), treeOperations],
  ['that tree with put shrunk', () => new avl.PutShrunk(), treeOperations],
  ['that tree with remove shrunk', () => new avl.RemoveShrunk(), treeOperations],
  ['that tree with both shrunk', () => new avl.BothShrunk(), treeOperations],
  ['the map under one lock', () => new CoarseMap(), hashOperations],
  ['that map with get unlocked', () => new UnlockedGetMap(), hashOperations],
  ['the striped map', () => new LockStripedMap(3), stripedOperations],
  ['the striped map that checks, then acts', () => new CheckThenActMap(3), stripedOperations],
  ['the striped map that counts stripe by stripe', () => new StripewiseSizeMap(3), stripedOperations],
]

test.each(maps)('%s answers 4,000 random calls like a Map', (_name, create, operations) => {
  const names = Object.keys(operations)
  for (const [seed, keys] of [
    [1, 2],
    [2, 20],
    [3, 200],
  ] as const) {
    const random = new Random(seed)
    const map = create() as { readonly [name: string]: (key: number, value: number) => unknown }
    const model = new Map<number, number>()
    for (let call = 0; call < 4000; call++) {
      const [name, key, value] = [random.pick(names), random.below(keys), random.below(3)]
      expect(map[name]?.(key, value), `call ${call}: ${name}(${key}, ${value})`).toBe(
        operations[name]?.(model, key, value),
      )
    }
  }
})
