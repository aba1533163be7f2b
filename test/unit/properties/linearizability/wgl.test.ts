import { describe, expect, test } from 'vitest'
import { simulatedHistory } from '../../../../corpus/histories/simulate.ts'
import type { Call } from '../../../../src/core/history.ts'
import { Random } from '../../../../src/core/random.ts'
import { ConfigurationSet } from '../../../../src/properties/linearizability/configuration-set.ts'
import type { Specification } from '../../../../src/properties/linearizability/specification.ts'
import { counter } from '../../../../src/properties/linearizability/specifications/counter.ts'
import { log } from '../../../../src/properties/linearizability/specifications/log.ts'
import { kv } from '../../../../src/properties/linearizability/specifications/map.ts'
import { queue } from '../../../../src/properties/linearizability/specifications/queue.ts'
import { casRegister, register } from '../../../../src/properties/linearizability/specifications/register.ts'
import { set } from '../../../../src/properties/linearizability/specifications/set.ts'
import { stack } from '../../../../src/properties/linearizability/specifications/stack.ts'
import { LinearizationSearch } from '../../../../src/properties/linearizability/wgl.ts'
import { long } from '../../../amount.ts'
import { call, historyOf, pendingCall } from './calls.ts'

function searched(calls: readonly Call[], object: Specification) {
  const search = new LinearizationSearch(historyOf(...calls).calls, object)
  const outcome = search.run()
  return { outcome, configurations: search.configurations }
}

describe('configurations', () => {
  const at = (process: number) => [process, 100 + process] as const

  test('calls that only look are placed as soon as they fit: one configuration each, and one at the end', () => {
    const reads = Array.from({ length: 20 }, (_, process) => call(`p${process}`, at(process), 'read', [], 0))
    expect(searched(reads, register(0))).toEqual({ outcome: 'linearizable', configurations: 21 })
  })

  test('calls that do the same are placed in the order of their returns: n + 1 configurations instead of 2 to the n', () => {
    const adds = Array.from({ length: 20 }, (_, process) => call(`p${process}`, at(process), 'increment'))
    expect(searched(adds, counter())).toEqual({ outcome: 'linearizable', configurations: 21 })
    const wrong = call('last', [300, 301], 'get', [], 19)
    expect(searched([...adds, wrong], counter())).toEqual({ outcome: 'not linearizable', configurations: 21 })
  })

  test('of calls without a return that do the same, only how many took effect counts', () => {
    const lost = Array.from({ length: 20 }, (_, process) => pendingCall(`p${process}`, process, 'increment'))
    const saw = call('last', [300, 301], 'get', [], 20)
    expect(searched([...lost, saw], counter())).toEqual({ outcome: 'linearizable', configurations: 22 })
  })

  test('a value that is written and never read makes sets of calls, not orders of them: 2 to the n', () => {
    // A configuration is a set of writes and its last one. From one with k writes there are 5 - k others: 5 from none, and
    // the sum over k of C(5, k) k (5 - k) = 160 from the others; with the first one, 166 are entered.
    const writes = Array.from({ length: 5 }, (_, process) => call(`p${process}`, at(process), 'write', [process + 1]))
    const wrong = call('last', [300, 301], 'read', [], 9)
    const { outcome, configurations } = searched([...writes, wrong], register(0))
    expect(outcome).toBe('not linearizable')
    expect(configurations).toBe(166)
  })
})

describe('interruption', () => {
  const history = simulatedHistory(
    new Random(3),
    casRegister(0),
    (random) => random.pick([['read'], ['write', random.below(4)], ['cas', random.below(4), random.below(4)]] as const),
    { processes: 6, calls: 60, pending: 8, unknown: 0, wrong: 15 },
  )

  test('a search in pieces of any size enters the same configurations as one in a single piece', () => {
    const whole = new LinearizationSearch(history.calls, casRegister(0))
    const outcome = whole.run()
    for (const size of [1, 7, 100]) {
      const search = new LinearizationSearch(history.calls, casRegister(0))
      let last = search.run(size)
      while (last === 'unfinished') last = search.run(size)
      expect([last, search.configurations, search.order(), search.stuck()]).toEqual([
        outcome,
        whole.configurations,
        whole.order(),
        whole.stuck(),
      ])
    }
  })
})

describe('memory', () => {
  const appends = Array.from({ length: 7 }, (_, process) =>
    call(`p${process}`, [process, 100 + process], 'append', ['k', `${process}`]),
  )
  const pushes = Array.from({ length: 7 }, (_, process) =>
    call(`p${process}`, [process, 100 + process], 'push', [process % 4]),
  )

  test.each([
    ['kv', kv(), [...appends, call('last', [300, 301], 'get', ['k'], 'nothing like it')]],
    ['stack', stack(), [...pushes, call('last', [300, 301], 'pop', [], 9)]],
    [
      'log',
      log(),
      [...pushes.map((one) => ({ ...one, operation: 'append' })), call('last', [300, 301], 'read', [3], 9)],
    ],
  ] as const)('%s: a search that must forget finds the same verdict and report', (_name, object, calls) => {
    const roomy = new LinearizationSearch(calls, object)
    const narrow = new LinearizationSearch(calls, object, 20_000)
    expect(roomy.run()).toBe('not linearizable')
    expect(narrow.run()).toBe('not linearizable')
    expect(narrow.stuck()).toBe(roomy.stuck())
    expect(narrow.order().length).toBe(roomy.order().length)
    expect(narrow.configurations).toBeGreaterThanOrEqual(roomy.configurations)
    expect(narrow.transitions.stateCount).toBeLessThan(roomy.transitions.stateCount / 2)
  })

  test('a set of configurations forgets rows, but never takes a new one for known', () => {
    const rows = new ConfigurationSet(2, 5000)
    for (let round = 0; round < 3; round++) {
      for (let at = 0; at < 10_000; at++) expect(rows.add(Int32Array.of(at, round))).toBe(true)
    }
    expect(rows.bytes).toBeLessThanOrEqual(5000)
    expect(rows.add(Int32Array.of(9999, 2))).toBe(false)
  })

  test('a set of configurations with room for all remembers all', () => {
    const rows = new ConfigurationSet(3, 1 << 20)
    for (let at = 0; at < 5000; at++) rows.add(Int32Array.of(at, -at, at * 7919))
    expect(rows.size).toBe(5000)
    for (let at = 0; at < 5000; at++) expect(rows.add(Int32Array.of(at, -at, at * 7919))).toBe(false)
  })
})

describe('long histories', () => {
  const shape = { processes: 50, calls: 100_000, pending: 0, unknown: 0, wrong: 0 }

  test('100,000 calls on one set of 20 elements take one configuration per call and part', long, () => {
    const object = set()
    const calls = simulatedHistory(
      new Random(1),
      object,
      (random) => [random.pick(['add', 'remove', 'contains']), random.below(20)],
      shape,
    ).calls
    let configurations = 0
    for (const element of Array.from({ length: 20 }, (_, at) => at)) {
      const search = new LinearizationSearch(
        calls.filter(({ args }) => args[0] === element),
        object,
      )
      expect(search.run()).toBe('linearizable')
      configurations += search.configurations
    }
    expect(configurations).toBe(100_020)
  })

  test('100,000 calls on one register, in one part', long, () => {
    const object = register(0)
    const { calls } = simulatedHistory(
      new Random(2),
      object,
      (random) => (random.below(2) === 0 ? ['read'] : ['write', random.below(5)]),
      {
        ...shape,
        processes: 6,
      },
    )
    const search = new LinearizationSearch(calls, object)
    expect(search.run(120_000)).toBe('linearizable')
    expect(search.order().length).toBe(100_000)
  })

  test('10,000 calls on queues and stacks are searched without a wrong guess', long, () => {
    const small = { ...shape, processes: 4, calls: 10_000 }
    for (const [object, put, take] of [
      [queue(), 'enqueue', 'dequeue'],
      [stack(), 'push', 'pop'],
    ] as const) {
      const { calls } = simulatedHistory(
        new Random(3),
        object,
        (random, at) => (random.below(2) === 0 ? [put, at] : [take]),
        small,
      )
      const search = new LinearizationSearch(calls, object)
      expect(search.run(11_000)).toBe('linearizable')
    }
  })
})
