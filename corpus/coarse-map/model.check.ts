/** The map under one lock, and the map whose get takes none. */
import { linearizable } from 'allways'
import { UnlockedGetMap } from './broken.ts'
import { CoarseMap } from './map.ts'

const operations = {
  put: [
    [0, 1],
    [1, 2],
  ],
  get: [0, 1],
  remove: [0],
  size: [],
}

export default linearizable(CoarseMap, { operations })

export const unlockedGet = linearizable(UnlockedGetMap, {
  operations,
  clients: [
    '{ put(0, 7); get(0) } || { put(1, 8) }',
    '{ get(0); put(1, 7); get(0) } || { put(0, 8); get(0) }',
    '{ put(0, 1); put(1, 2); put(2, 3) } || { get(0); get(1); get(0) }',
    '{ put(0, 1); get(0) } || { put(1, 2); get(1) } || { put(2, 3) }',
  ],
})
