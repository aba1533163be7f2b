/** Engines of systems against each other and against naive search, on networks that keep more order: see `machine-agreement.ts`. */
import { expect, test } from 'vitest'
import { amount } from '../amount.ts'
import { compareSystems, poorShares } from './machine-agreement.ts'

const systems = amount({ quick: 50, all: 120 })

test.each([
  { network: 'causal', loss: false },
  { network: 'causal', loss: true },
  { network: 'mailbox', loss: false },
  { network: 'mailbox', loss: true },
  { network: 'sender-queue', loss: false },
  { network: 'sender-queue', loss: true },
] as const)(
  `stateful and dpor agree on ${systems} generated systems: $network, loss $loss`,
  { timeout: 120_000 },
  (network) => {
    expect(poorShares(compareSystems(systems, network))).toEqual([])
  },
)
