/** Some of the attacks of `npm run soak -- --what network`. */
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { addressText } from '../../src/runtime/address.ts'
import { long } from '../amount.ts'
import { allways } from '../cli/harness.ts'
import { rogueServer } from './hostile-connections.ts'
import { type NetworkTally, soakNetwork } from './hostile-network.ts'

test('strangers are refused, real peers are served throughout, and memory stays what it was', long, async () => {
  let tally: NetworkTally | undefined
  const search = soakNetwork({ programs: 6_000, seed: 1 })
  let step = await search.next()
  for (; step.done !== true; step = await search.next()) tally = step.value
  expect(step.value).toBeUndefined()
  expect((tally?.frames ?? 0) + (tally?.connections ?? 0) + (tally?.rogueServers ?? 0)).toBeGreaterThanOrEqual(6_000)
  expect(tally?.connections).toBeGreaterThan(300)
  expect(tally?.rogueServers).toBeGreaterThan(0)
  // Each kind of refusal, or the attacks are not those that they are named after.
  for (const reason of [
    'malformed',
    'oversized',
    'unauthenticated',
    'foreign',
    'replayed',
    'unproved',
    'silent',
    'excessive',
  ] as const)
    expect([reason, tally?.refused[reason]]).not.toEqual([reason, 0])
})

test('online refuses a rogue control channel, and is told no names by it', long, async () => {
  const server = await rogueServer('other key')
  const file = resolve('test/runtime/fixtures/counter.check.ts')
  const argv = ['online', file, '--attach', addressText(server.address), '--json']
  const ran = await allways(argv, { interruptAfter: /does not prove/ })
  server.close()
  expect(ran.stderr).toContain('the answer does not prove that it has the key')
  expect(ran.stdout + ran.stderr).not.toContain('ping-pong')
  expect(ran.code).toBe(2)
})
