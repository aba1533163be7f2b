/** The search and the shortcuts against all orders, on thousands of small histories of every built-in specification. */
// @module-tag cut
import { describe, expect, test } from 'vitest'
import { type Draw, type Shape, simulatedHistory } from '../../../../corpus/histories/simulate.ts'
import { Random } from '../../../../src/core/random.ts'
import { decideHistory } from '../../../../src/properties/linearizability/decide-history.ts'
import type { Specification } from '../../../../src/properties/linearizability/specification.ts'
import { counter } from '../../../../src/properties/linearizability/specifications/counter.ts'
import { lock } from '../../../../src/properties/linearizability/specifications/lock.ts'
import { log } from '../../../../src/properties/linearizability/specifications/log.ts'
import { kv, map } from '../../../../src/properties/linearizability/specifications/map.ts'
import { multiRegister } from '../../../../src/properties/linearizability/specifications/multi-register.ts'
import { priorityQueue } from '../../../../src/properties/linearizability/specifications/priority-queue.ts'
import { queue } from '../../../../src/properties/linearizability/specifications/queue.ts'
import { casRegister, register } from '../../../../src/properties/linearizability/specifications/register.ts'
import { set } from '../../../../src/properties/linearizability/specifications/set.ts'
import { stack } from '../../../../src/properties/linearizability/specifications/stack.ts'
import { amount, isLittle, longIf } from '../../../amount.ts'
import { hasLinearization } from './all-orders.ts'

const rounds = Number(process.env.ROUNDS ?? amount({ quick: 80, rest: 120, thorough: 250, all: 250 }))

const few: Draw = (random) => (random.below(2) === 0 ? ['read'] : ['write', random.below(3)])
const unique: Draw = (random, call) => (random.below(2) === 0 ? ['read'] : ['write', call + 1])
const put = (operation: string, take: string, distinct: boolean): Draw => {
  return (random, call) => (random.below(2) === 0 ? [take] : [operation, distinct ? call : random.below(2)])
}

const objects: readonly (readonly [name: string, Specification, Draw])[] = [
  ['register', register(0), few],
  ['register, all writes different', register(0), unique],
  [
    'cas-register',
    casRegister(0),
    (random) => (random.below(2) === 0 ? ['cas', random.below(3), random.below(3)] : few(random, 0)),
  ],
  [
    'counter',
    counter(0),
    (random) => random.pick([['get'], ['increment'], ['getAndAdd', 2], ['decrementAndGet']] as const),
  ],
  ['set', set(), (random) => [random.pick(['add', 'remove', 'contains']), random.below(2)]],
  [
    'set, read as a whole',
    set(),
    (random) => (random.below(3) === 0 ? ['read'] : [random.pick(['add', 'remove']), random.below(2)]),
  ],
  ['map', map(), (random) => [random.pick(['get', 'remove', 'contains']), random.below(2)]],
  [
    'map, with puts',
    map({ '0': 7 }),
    (random) =>
      random.below(2) === 0
        ? [random.pick(['put', 'putIfAbsent', 'getAndPut']), 'k', random.below(2)]
        : [random.pick(['get', 'remove']), 'k'],
  ],
  [
    'kv',
    kv(),
    (random, call) => (random.below(2) === 0 ? ['get', 'k'] : [random.pick(['put', 'append']), 'k', `${call}`]),
  ],
  ['kv, all puts different', kv(), (random, call) => (random.below(2) === 0 ? ['get', 'k'] : ['put', 'k', `${call}`])],
  ['queue', queue(), put('enqueue', 'dequeue', false)],
  ['queue, all values different', queue(), put('enqueue', 'dequeue', true)],
  ['queue, filled', queue(['a', 'b']), put('enqueue', 'dequeue', true)],
  [
    'queue, with peeks',
    queue(),
    (random, call) => (random.below(4) === 0 ? ['peek'] : put('enqueue', 'dequeue', true)(random, call)),
  ],
  ['stack', stack(), put('push', 'pop', false)],
  ['stack, all values different', stack(), put('push', 'pop', true)],
  ['stack, filled', stack(['a', 'b']), put('push', 'pop', true)],
  ['priority queue', priorityQueue(), put('insert', 'deleteMin', false)],
  [
    'priority queue, all values different',
    priorityQueue([2.5]),
    (random, call) => (random.below(2) === 0 ? ['deleteMin'] : ['insert', (call * 5) % 7]),
  ],
  ['lock', lock(), (random) => [random.pick(['acquire', 'release', 'tryAcquire'])]],
  [
    'log',
    log(),
    (random, call) =>
      random.pick([
        ['append', call],
        ['read', random.below(3)],
        ['poll', random.below(2)],
      ] as const),
  ],
  [
    'multi-register',
    multiRegister({ x: 0, y: 0 }),
    (random) => [
      'txn',
      [
        ['read', random.pick(['x', 'y']), null],
        [random.pick(['read', 'write']), random.pick(['x', 'y']), random.below(2)],
      ],
    ],
  ],
]

const shapes: { readonly [name: string]: Shape } = {
  'that all returned': { processes: 3, calls: 6, pending: 0, unknown: 0, wrong: 8 },
  'some of which did not return': { processes: 3, calls: 6, pending: 6, unknown: 0, wrong: 8 },
  'with unknown results': { processes: 3, calls: 6, pending: 8, unknown: 6, wrong: 8 },
  'cut off': { processes: 3, calls: 6, pending: 0, unknown: 0, wrong: 8, open: 5 },
  'of one after another': { processes: 2, calls: 7, pending: 0, unknown: 0, wrong: 5 },
}

// Quickly each object has calls of another shape, and each shape several objects; for a change most of them.
describe.each(objects.map((one, at) => [...one, at] as const))('%s', (_name, object, draw, at) => {
  for (const [of, [name, shape]] of Object.entries(shapes).entries())
    test(`agrees with all orders on calls ${name}`, longIf((at + of) % 5 > 0, (at + of) % 5 > 2), () => {
      const random = new Random(20)
      const count = { yes: 0, no: 0 }
      for (let round = 0; round < rounds; round++) {
        const history = simulatedHistory(random, object, draw, shape)
        const expected = hasLinearization(history.calls, object)
        expected ? count.yes++ : count.no++
        for (const options of [{ shortcuts: true }, { shortcuts: false }, { memory: 200, shortcuts: false }]) {
          const found = decideHistory(history, object, options)
          if (!found.ok || found.value.linearizable !== expected) {
            expect({ round, options, found, history }).toEqual({ expected })
          }
        }
      }
      expect(Math.min(count.yes, count.no)).toBeGreaterThan(isLittle ? 0 : rounds / 50)
    })
})
