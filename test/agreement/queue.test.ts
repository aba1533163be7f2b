/** Consumers of generated queues see what the guide says that they may see, and nothing else, with and without faults. */
// @module-tag cut
import { describe, expect, test } from 'vitest'
import { Random } from '../../src/core/random.ts'
import { dpor } from '../../src/engines/dpor/dpor.ts'
import { amount, atLeast } from '../amount.ts'
import { allThatMayBeSeen } from './queue-oracle.ts'
import { allSeen, type Consuming, type QueueScene } from './queue-scenes.ts'

const amounts = {
  'no faults': amount({ quick: 40, rest: 80, thorough: 300, all: 20_000 }),
  'faults of messages': amount({ quick: 40, rest: 80, thorough: 300, all: 20_000 }),
  crashes: amount({ quick: 16, rest: 40, thorough: 200, all: 20_000 }),
}
/** Executions beyond which a scene is left out. */
const cap = 1_500

describe.each(['no faults', 'faults of messages', 'crashes'] as const)('%s', (trouble) => {
  const scenes = amounts[trouble]
  test(`${scenes} generated scenes`, () => {
    const tally = { compared: 0, several: 0, struck: 0 }
    for (let seed = 0; seed < scenes; seed++) {
      const scene = generated(seed, trouble)
      const found = allSeen(dpor, scene, cap)
      if (found === undefined) continue
      tally.compared++
      const expected = allThatMayBeSeen(scene)
      expect(found, `seed ${seed}: ${JSON.stringify(scene)}`).toEqual(expected)
      if (expected.size > 1) tally.several++
      if (expected.size > allThatMayBeSeen({ ...scene, faults: {} }).size) tally.struck++
    }
    expect(tally.compared / scenes, 'not left out').toBeGreaterThan(0.6)
    expect(tally.several, 'with several outcomes').toBeGreaterThan(atLeast(0.4 * scenes))
    if (trouble === 'no faults') expect(tally.struck).toBe(0)
    else expect(tally.struck, 'where faults show').toBeGreaterThan(atLeast(0.3 * scenes))
  })
})

function generated(seed: number, trouble: 'no faults' | 'faults of messages' | 'crashes'): QueueScene {
  const random = new Random(seed)
  const delivery = random.pick(['at least once', 'at least once', 'at most once'] as const)
  let body = 0
  const isWide = random.below(2) === 0
  const bodies = (most: number) => Array.from({ length: 1 + random.below(most) }, () => ++body)
  const senders = isWide ? [bodies(1), bodies(1)] : [bodies(trouble === 'no faults' ? 3 : 2)]
  const step = (): Consuming => random.pick(['ack', 'ack', 'reject', 'leave', 'dead letters'])
  const script = () => Array.from({ length: 1 + random.below(2) }, step)
  const consumers = random.below(3) === 0 ? [[...script(), step()]] : [script(), script().slice(0, isWide ? 1 : 2)]
  const faults = {
    'no faults': {},
    'faults of messages': { losses: 1, duplicates: 1 },
    crashes: random.pick([{ crashes: 1 }, { crashes: 1, restarts: 1 }]),
  }[trouble]
  const attempts = delivery === 'at most once' ? 1 : 1 + random.below(3)
  return { delivery, order: random.pick(['fifo', 'any']), attempts, senders, consumers, faults }
}
