/** Engines of systems against each other and against naive search, where messages arrive in order: see `machine-agreement.ts`. */
// @module-tag cut
import { expect, test } from 'vitest'
import { amount } from '../amount.ts'
import { compareSystems, poorShares } from './machine-agreement.ts'

const systems = amount({ quick: 20, thorough: 80, all: 300 })

test(`local, stateful and dpor agree on ${systems} generated systems`, () => {
  const tally = compareSystems(systems, { network: 'fifo', losses: 0 })
  expect(poorShares(tally)).toEqual([])
})
