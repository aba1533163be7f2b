import { describe, expect, test } from 'vitest'
import type { CallResult } from '../../../../src/core/history.ts'
import type { Value } from '../../../../src/core/value.ts'
import { decideHistory } from '../../../../src/properties/linearizability/decide-history.ts'
import { fits, type Specification } from '../../../../src/properties/linearizability/specification.ts'
import {
  builtInSpecification,
  specificationNames,
} from '../../../../src/properties/linearizability/specifications/catalogue.ts'
import { counter } from '../../../../src/properties/linearizability/specifications/counter.ts'
import { lock } from '../../../../src/properties/linearizability/specifications/lock.ts'
import { log } from '../../../../src/properties/linearizability/specifications/log.ts'
import { kv, map } from '../../../../src/properties/linearizability/specifications/map.ts'
import { multiRegister } from '../../../../src/properties/linearizability/specifications/multi-register.ts'
import { operationNames } from '../../../../src/properties/linearizability/specifications/names.ts'
import { priorityQueue } from '../../../../src/properties/linearizability/specifications/priority-queue.ts'
import { queue } from '../../../../src/properties/linearizability/specifications/queue.ts'
import { casRegister, register } from '../../../../src/properties/linearizability/specifications/register.ts'
import { set } from '../../../../src/properties/linearizability/specifications/set.ts'
import { stack } from '../../../../src/properties/linearizability/specifications/stack.ts'
import { inARow } from './calls.ts'

type Row = readonly [operation: string, args: readonly Value[], result?: Value]

/** How many of the calls, one after another, return what is written. */
function goesWell(object: Specification, ...rows: readonly Row[]): number {
  let state = object.initial()
  for (const [at, [operation, args, value]] of rows.entries()) {
    const result: CallResult = { kind: 'returned', value }
    expect(object.problem(operation, args)).toBeUndefined()
    const observed = object.observation(operation, args, result)
    const effect = object.apply(state, operation, args, observed).find((one) => fits(observed, one))
    if (effect === undefined) return at
    if (object.observes(operation, args, observed)) expect(object.key(effect.state)).toBe(object.key(state))
    state = effect.state
  }
  return rows.length
}

describe('one after another', () => {
  const rows: readonly (readonly [string, Specification, readonly Row[]])[] = [
    [
      'register',
      register(0),
      [
        ['read', [], 0],
        ['put', [5], 'ignored'],
        ['get', [], 5],
      ],
    ],
    [
      'cas-register',
      casRegister(0),
      [
        ['cas', [0, 1], true],
        ['cas', [[1, 2]], [1, 2]],
        ['cas', [7, 3], false],
        ['read', [], 2],
      ],
    ],
    [
      'counter',
      counter(3),
      [
        ['inc', []],
        ['increment', [], 5],
        ['getAndIncrement', [], 5],
        ['incrementAndGet', [], 7],
        ['dec', [], 6],
        ['addAndGet', [4], 10],
        ['getAndAdd', [-1], 10],
        ['get', [], 9],
      ],
    ],
    [
      'counter that returns old values',
      counter(0, { returns: 'old' }),
      [
        ['inc', [], 0],
        ['inc', [], 1],
        ['add', [5], 2],
        ['read', [], 7],
      ],
    ],
    [
      'set',
      set([1]),
      [
        ['add', [2], true],
        ['add', [{ a: 1 }], null],
        ['has', [{ a: 1 }], true],
        ['remove', [1], true],
        ['remove', [1], false],
        ['size', [], 2],
        ['read', [], [{ a: 1 }, 2]],
      ],
    ],
    [
      'map',
      map({ x: 1 }),
      [
        ['get', ['x'], 1],
        ['get', ['y'], null],
        ['putIfAbsent', ['x', 5], 1],
        ['putIfAbsent', ['x', 5], false],
        ['putIfAbsent', ['y', 6], null],
        ['getAndPut', ['y', 7], 6],
        ['cas', ['y', 7, 8], true],
        ['remove', ['y'], 8],
        ['remove', ['y'], false],
        ['remove', ['y'], null],
        ['has', ['y'], false],
        ['size', [], 1],
      ],
    ],
    [
      'kv',
      kv(),
      [
        ['get', ['k'], ''],
        ['append', ['k', 'a']],
        ['append', ['k', 'b']],
        ['get', ['k'], 'ab'],
        ['put', ['k', 'c']],
        ['get', ['k'], 'c'],
      ],
    ],
    [
      'queue',
      queue([1]),
      [
        ['push', [2], 2],
        ['peek', [], 1],
        ['shift', [], 1],
        ['dequeue', [], 2],
        ['poll', [], null],
        ['dequeue', []],
        ['size', [], 0],
      ],
    ],
    [
      'stack',
      stack([1]),
      [
        ['push', [2]],
        ['peek', [], 2],
        ['pop', [], 2],
        ['pop', [], 1],
        ['pop', [], null],
        ['size', [], 0],
      ],
    ],
    [
      'priority queue',
      priorityQueue([5]),
      [
        ['insert', [3]],
        ['add', [4]],
        ['min', [], 3],
        ['deleteMin', [], 3],
        ['poll', [], 4],
        ['poll', [], 5],
        ['poll', [], null],
      ],
    ],
    [
      'lock',
      lock(),
      [
        ['acquire', []],
        ['tryAcquire', [], false],
        ['lock', [], false],
        ['release', []],
        ['tryLock', [], true],
        ['unlock', []],
      ],
    ],
    [
      'log',
      log(['a']),
      [
        ['append', ['b'], 1],
        ['append', ['c'], 'ignored'],
        ['read', [2], 'c'],
        ['read', [3], null],
        ['poll', [1], ['b', 'c']],
        ['poll', [0, 2], ['a', 'b']],
        ['size', [], 3],
      ],
    ],
    [
      'multi-register',
      multiRegister({ x: 0, y: 0 }),
      [
        [
          'txn',
          [
            [
              ['write', 'x', 1],
              ['read', 'x', null],
              ['read', 'y', null],
            ],
          ],
          [
            ['write', 'x', 1],
            ['read', 'x', 1],
            ['read', 'y', 0],
          ],
        ],
        ['txn', [[['r', 'x', null]]], [['r', 'x', null]]],
      ],
    ],
  ]

  test.each(rows)('%s does what its operations say', (_name, object, calls) => {
    expect(goesWell(object, ...calls)).toBe(calls.length)
  })

  const wrong: readonly (readonly [string, Specification, readonly Row[]])[] = [
    ['register', register(0), [['read', [], 1]]],
    ['cas-register', casRegister(0), [['cas', [1, 2], true]]],
    ['counter', counter(0), [['increment', [], 0]]],
    ['set', set(), [['add', [1], false]]],
    ['grow-only set read with a member twice', set([1]), [['read', [], [1, 1]]]],
    ['map', map(), [['remove', ['x'], true]]],
    ['kv', kv(), [['get', ['k'], 'a']]],
    ['queue', queue([1, 2]), [['dequeue', [], 2]]],
    ['queue that refuses', queue(), [['offer', [1], false]]],
    ['stack', stack([1, 2]), [['pop', [], 1]]],
    ['priority queue', priorityQueue([1, 2]), [['deleteMin', [], 2]]],
    ['lock', lock('held'), [['acquire', []]]],
    ['log', log(), [['append', [1], 1]]],
    ['multi-register', multiRegister({ x: 0 }), [['txn', [[['read', 'x', null]]], [['read', 'x', 1]]]]],
  ]

  test.each(wrong)('%s does nothing else', (_name, object, calls) => {
    expect(goesWell(object, ...calls)).toBe(0)
  })
})

describe('names', () => {
  test.each(Object.entries(operationNames))('every name of an operation of %s is known', (name, operations) => {
    const object = builtInSpecification(name)
    if (!('kind' in object)) throw new Error(object.message)
    for (const [canonical, aliases] of Object.entries(operations)) {
      for (const alias of [canonical, ...aliases]) expect(object.arity(alias)).toBe(object.arity(canonical))
      expect(object.arity(canonical)).toBeTypeOf('number')
    }
  })

  test('every specification of the table of names is built in', () => {
    expect(specificationNames).toEqual(expect.arrayContaining(Object.keys(operationNames)))
  })

  test('a name that is none, and an initial state that cannot be, are told', () => {
    expect(builtInSpecification('qeue')).toMatchObject({ message: 'there is no specification "qeue"' })
    expect(builtInSpecification('counter', { initial: 'three' })).toEqual({
      message: '"three" cannot be the initial state of a counter',
      hint: 'it must be a number',
    })
  })
})

describe('arguments', () => {
  test.each([
    [casRegister(0), 'cas', [1], 'it takes from, to or a list of the two'],
    [casRegister(0), 'read', [1], 'it takes 0 arguments'],
    [counter(), 'add', ['1'], 'it takes a number'],
    [queue(), 'enqueue', [null], 'it takes a value other than null and undefined, which mean that there is none'],
    [priorityQueue(), 'insert', [{}], 'it takes a number, a big integer or a text'],
    [kv(), 'append', ['k', 1], 'it takes a key and a text'],
    [log(), 'read', [-1], 'it takes offsets and counts that are whole numbers from 0'],
    [multiRegister(), 'txn', [[['add', 'x', 1]]], 'it takes a list of ["read" | "write", register, value]'],
  ] as const)('%o: %s of %o is refused', (object, operation, args, hint) => {
    expect(object.problem(operation, args)).toMatchObject({ hint })
  })
})

describe('parts', () => {
  test('a map is checked key by key, unless its size is asked for', () => {
    const calls = [
      ['put', ['x', 1]],
      ['put', ['y', 2]],
      ['get', ['x'], 1],
    ] as const
    const parts = (rows: readonly Row[]) => {
      const found = decideHistory(inARow('a', ...rows), map())
      return found.ok && found.value.linearizable && found.value.progress.parts
    }
    expect(parts(calls)).toBe(2)
    expect(parts([...calls, ['size', [], 2]])).toBe(1)
  })

  test('initial entries of a map are those of its parts', () => {
    const found = decideHistory(
      inARow('a', ['get', ['x'], 1], ['get', ['y'], null], ['remove', ['x'], 1]),
      map({ x: 1 }),
    )
    expect(found.ok && found.value.linearizable).toBe(true)
  })
})
