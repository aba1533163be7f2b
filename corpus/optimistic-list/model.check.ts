/** The optimistic list, and its forms with shrunk atomic sections on the clients of the thesis, Table 2.1. */
import { linearizable } from 'allways'
import { OptimisticListSortedSetWaitFreeContains } from './list.ts'
import { AddShrunk, BothShrunk, RemoveShrunk } from './shrunk.ts'

const operations = { add: [0, 1], remove: [0, 1], contains: [0, 1] }

export default linearizable(OptimisticListSortedSetWaitFreeContains, { operations })

export const addShrunk = linearizable(AddShrunk, {
  operations,
  clients: [
    '{ remove(1); remove(0); add(0) } || { add(1); remove(1); add(0) }',
    '{ add(0); add(1); add(1); remove(0) } || { add(0); add(1); remove(1); add(1) }',
    '{ add(0); remove(1) } || { add(0); add(1) } || { add(0); add(0) }',
  ],
})

export const removeShrunk = linearizable(RemoveShrunk, {
  operations,
  clients: [
    '{ remove(0); add(0); remove(0) } || { add(0); remove(0); add(1) }',
    '{ remove(1); add(0); remove(1); remove(1) } || { add(0); add(0); add(1); remove(0) }',
    '{ add(1); remove(0) } || { add(0); add(1) } || { remove(0); remove(1) }',
  ],
})

export const bothShrunk = linearizable(BothShrunk, {
  operations,
  clients: [
    '{ remove(1); remove(1); add(0) } || { add(1); remove(0); remove(1) }',
    '{ add(1); remove(1); add(1); remove(0) } || { remove(0); remove(1); add(1); remove(0) }',
    '{ add(0); remove(1) } || { add(0); add(1) } || { add(0); add(0) }',
  ],
})
