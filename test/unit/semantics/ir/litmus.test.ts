/** Which outcomes each network has, decided over all states: by hand from what each network promises. */
import { describe, expect, test } from 'vitest'
import type { NetworkName } from '../../../../src/core/operation.ts'
import { messages, statesOf } from './explore.ts'
import {
  creationFirst,
  deferredTwice,
  exitFirst,
  exitOnHalt,
  halted,
  insideHandler,
  interleavedHandlers,
  notCausalQueue,
  otherOrder,
  overtaking,
} from './litmus.ts'

const networks = ['mailbox', 'sender-queue', 'causal', 'fifo', 'bag'] as const satisfies readonly NetworkName[]

const asserted = 'assertion: reached'
const observed = 'monitor: reached'

/** By program: what is found, and with which networks. */
const litmus = [
  ['non-causal overtaking', overtaking, asserted, ['fifo', 'bag']],
  ['causal, and no queue of one end', notCausalQueue, asserted, ['causal', 'fifo', 'bag']],
  ['a message to a halted machine', halted, asserted, networks],
  ['a monitor inside a handler', insideHandler, observed, ['mailbox']],
  ['observed in another order than taken', otherOrder, observed, networks],
  ['handlers that interleave, or queues', interleavedHandlers, asserted, networks],
  ['deferred twice', deferredTwice, asserted, networks],
  ['exit of a machine that halts', exitOnHalt, asserted, networks],
  ['exit before the transition, entry last', exitFirst, asserted, []],
  ['a creation that does not go first', creationFirst, observed, networks],
] as const

describe.each(litmus)('%s', (_, ir, outcome, reachedWith) => {
  test.each(networks)('under %s', (network) => {
    const isReached = (reachedWith as readonly NetworkName[]).includes(network)
    expect(messages(statesOf(ir, { network }))).toEqual(isReached ? [outcome] : [])
  })
})
