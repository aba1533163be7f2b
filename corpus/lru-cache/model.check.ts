import { linearizable } from 'allways'
import { RacyCache } from './broken.ts'
import { LruCache } from './cache.ts'

/** A source whose rows never change. */
async function load(key: string): Promise<string> {
  return `${key} of the source`
}

const operations = { get: ['a', 'b'], put: [['a', 'put']], stats: [] }

export default linearizable(LruCache<string>, {
  name: 'lru cache',
  create: () => new LruCache(1, load),
  operations,
})

/** Room for two, so that the order of use decides who has to go. */
export const two = linearizable(LruCache<string>, {
  name: 'lru cache of two',
  create: () => new LruCache(2, load),
  operations: { get: ['a', 'b'], put: [['c', 'put']], stats: [] },
})

export const racy = linearizable(RacyCache<string>, {
  name: 'racy lru cache',
  create: () => new RacyCache(1, load),
  operations,
})
