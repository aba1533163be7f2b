/** The logical-ordering tree, and its forms with shrunk atomic sections on the clients of the thesis, Table 2.1. */
import { linearizable } from 'allways'
import { LogicalOrderingAVL } from './map.ts'
import { BothShrunk, PutShrunk, RemoveShrunk } from './shrunk.ts'

const operations = {
  put: [
    [0, 0],
    [0, 1],
    [1, 0],
  ],
  remove: [
    [0, 0],
    [1, 0],
  ],
  get: [0],
}

export default linearizable(LogicalOrderingAVL, { operations })

export const putShrunk = linearizable(PutShrunk, {
  operations,
  clients: [
    '{ put(0, 1); put(1, 0) } || { remove(0, 1); put(1, 0) }',
    '{ put(1, 0); remove(1, 0); put(1, 1) } || { put(0, 0); put(1, 0); remove(1, 0) }',
    '{ put(1, 0); put(0, 0); put(1, 0); put(0, 1) } || { put(0, 0); put(0, 1); remove(0, 1); remove(1, 1) }',
  ],
})

export const removeShrunk = linearizable(RemoveShrunk, {
  operations,
  clients: [
    '{ put(1, 0); remove(1, 1); remove(1, 0) } || { put(0, 1); remove(1, 0); remove(0, 0) }',
    '{ put(0, 0); put(1, 1); remove(1, 1) } || { remove(1, 1); put(1, 0); remove(1, 1) }',
    '{ put(0, 1); put(1, 0); put(1, 0); remove(1, 0) } || { put(1, 1); put(0, 0); put(1, 0); remove(1, 0) }',
  ],
})

export const bothShrunk = linearizable(BothShrunk, {
  operations,
  clients: [
    '{ put(1, 1); put(1, 0) } || { put(1, 0); remove(1, 0) }',
    '{ put(0, 0); put(1, 1); remove(1, 1) } || { remove(1, 1); put(1, 0); remove(1, 1) }',
    '{ put(1, 1); put(0, 1); put(1, 1); remove(0, 1) } || { put(0, 1); put(0, 0); put(0, 1); put(1, 0) }',
  ],
})
