/** The compare-and-set tree, and the tree without marks. */
import { linearizable } from 'allways'
import { CasTreeSet } from './tree.ts'
import { UnmarkedTreeSet } from './unmarked.ts'

const operations = { add: [0, 1], remove: [0, 1], contains: [0, 1] }

export default linearizable(CasTreeSet, { operations })

export const unmarked = linearizable(UnmarkedTreeSet, {
  operations,
  clients: [
    '{ add(1); remove(1) } || { add(0); contains(0) }',
    '{ remove(1) } || { add(1); add(0); remove(0) }',
    '{ add(0); add(1); add(2) } || { remove(1); remove(0) }',
    '{ add(0); remove(0); contains(0) } || { add(1); remove(1) }',
    '{ add(0); contains(0) } || { add(1) } || { remove(1) }',
    '{ add(2); add(1); add(0); remove(1); contains(1) } || { remove(2) }',
  ],
})
