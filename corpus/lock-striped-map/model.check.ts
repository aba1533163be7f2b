/** The striped map, and two ways to break it. */
import { linearizable } from 'allways'
import { CheckThenActMap, StripewiseSizeMap } from './broken.ts'
import { LockStripedMap } from './map.ts'

const operations = {
  put: [[0, 1]],
  putIfAbsent: [
    [0, 2],
    [1, 2],
  ],
  get: [0],
  remove: [0],
  size: [],
}

export default linearizable(LockStripedMap, { operations })

export const checkThenAct = linearizable(CheckThenActMap, {
  operations,
  clients: [
    '{ putIfAbsent(0, 1) } || { put(0, 2); get(0) }',
    '{ putIfAbsent(0, 1); get(0) } || { putIfAbsent(0, 2); get(0) }',
    '{ putIfAbsent(0, 1); remove(0) } || { putIfAbsent(0, 2); remove(0) }',
    '{ putIfAbsent(0, 1) } || { putIfAbsent(0, 2) } || { remove(0); get(0) }',
  ],
})

export const stripewiseSize = linearizable(StripewiseSizeMap, {
  operations,
  clients: ['{ put(0, 1); size() } || { remove(0); put(1, 1) }'],
})
