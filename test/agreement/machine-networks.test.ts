/** Engines of systems against each other and against naive search, on networks that keep more order: see `machine-agreement.ts`. */
// @module-tag cut
import { expect, test } from 'vitest'
import { amount } from '../amount.ts'
import { compareSystems, poorShares } from './machine-agreement.ts'

const systems = amount({ quick: 12, thorough: 50, all: 120 })

test.each([
  { network: 'causal', losses: 0 },
  { network: 'causal', losses: 'any' },
  { network: 'mailbox', losses: 0 },
  { network: 'mailbox', losses: 'any' },
  { network: 'sender-queue', losses: 0 },
  { network: 'sender-queue', losses: 'any' },
] as const)(`stateful and dpor agree on ${systems} generated systems: $network, losses $losses`, (network) => {
  expect(poorShares(compareSystems(systems, network))).toEqual([])
})
