/** Shortcuts against the search on histories too long to try all orders of. */
// @module-tag cut
import { describe, expect, test } from 'vitest'
import { type Draw, type Shape, simulatedHistory } from '../../../../corpus/histories/simulate.ts'
import { Random } from '../../../../src/core/random.ts'
import type { Specification } from '../../../../src/properties/linearizability/specification.ts'
import { priorityQueue } from '../../../../src/properties/linearizability/specifications/priority-queue.ts'
import { queue } from '../../../../src/properties/linearizability/specifications/queue.ts'
import { register } from '../../../../src/properties/linearizability/specifications/register.ts'
import { stack } from '../../../../src/properties/linearizability/specifications/stack.ts'
import { LinearizationSearch } from '../../../../src/properties/linearizability/wgl.ts'
import { amount, isLittle } from '../../../amount.ts'

const rounds = Number(process.env.ROUNDS ?? amount({ quick: 80, thorough: 100, all: 300 }))

const alternating = (put: string, take: string, puts: number): Draw => {
  return (random, call) => (random.below(10) < puts ? [put, (call * 7) % 101] : [take])
}

const objects: readonly (readonly [name: string, Specification, Draw])[] = [
  ['register', register(-1), alternating('write', 'read', 4)],
  ['queue', queue([-1]), alternating('enqueue', 'dequeue', 5)],
  ['queue that is mostly full', queue(), alternating('enqueue', 'dequeue', 6)],
  ['stack', stack([-1]), alternating('push', 'pop', 5)],
  ['stack that is mostly full', stack(), alternating('push', 'pop', 6)],
  ['priority queue', priorityQueue([50.5]), alternating('insert', 'deleteMin', 5)],
]

/** `sure`: whether every one of these histories is within the reach of the shortcut. */
const shapes: readonly (readonly [name: string, shape: Shape, sure: boolean])[] = [
  ['that all returned', { processes: 4, calls: 12, pending: 0, unknown: 0, wrong: 12 }, true],
  ['by many processes', { processes: 6, calls: 9, pending: 0, unknown: 0, wrong: 9 }, true],
  ['in a long row', { processes: 3, calls: 18, pending: 0, unknown: 0, wrong: 18 }, true],
  ['cut off', { processes: 3, calls: 10, pending: 0, unknown: 0, wrong: 10, open: 5 }, true],
  ['some of which did not return', { processes: 3, calls: 10, pending: 5, unknown: 0, wrong: 10 }, false],
  ['with unknown results', { processes: 3, calls: 10, pending: 0, unknown: 5, wrong: 10 }, false],
  [
    'with unknown results, some of which did not return',
    { processes: 3, calls: 9, pending: 7, unknown: 7, wrong: 10 },
    false,
  ],
  ['cut off, some unknown', { processes: 3, calls: 10, pending: 7, unknown: 0, wrong: 10, open: 7 }, false],
]

describe.each(objects)('%s', (_name, object, draw) => {
  test.each(shapes)('the shortcut decides calls %s as the search does', (_shape, shape, sure) => {
    const random = new Random(7)
    const count = { yes: 0, no: 0, undecided: 0 }
    for (let round = 0; round < rounds; round++) {
      const { calls } = simulatedHistory(random, object, draw, shape)
      const decision = object.decide?.(calls)
      if (decision === undefined) {
        count.undecided++
        continue
      }
      const found = new LinearizationSearch(calls, object).run()
      decision.linearizable ? count.yes++ : count.no++
      const agreed = found === (decision.linearizable ? 'linearizable' : 'not linearizable')
      if (!agreed) expect({ round, decision, calls }).toEqual(found)
    }
    if (sure) expect(count.undecided).toBe(0)
    expect(Math.min(count.yes, count.no)).toBeGreaterThan(isLittle ? 0 : rounds / 50)
  })
})
