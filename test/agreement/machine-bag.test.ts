/** Engines of systems against each other and against naive search, where messages arrive in any order: see `machine-agreement.ts`. */
import { expect, test } from 'vitest'
import { amount, cut } from '../amount.ts'
import { compareSystems, poorShares } from './machine-agreement.ts'

const systems = amount({ quick: 10, rest: 60, all: 400 })

test(`local, stateful and dpor agree on ${systems} generated systems`, cut, () => {
  const tally = compareSystems(systems, { network: 'bag', losses: 'any' })
  expect(poorShares(tally)).toEqual([])
})
