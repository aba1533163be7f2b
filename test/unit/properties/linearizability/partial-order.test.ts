import { describe, expect, test } from 'vitest'
import { Random } from '../../../../src/core/random.ts'
import { admits, linearizationOf, type Predecessors } from '../../../../src/properties/linearizability/partial-order.ts'
import { fits, type Invocation, type Specification } from '../../../../src/properties/linearizability/specification.ts'
import { counter } from '../../../../src/properties/linearizability/specifications/counter.ts'
import { queue } from '../../../../src/properties/linearizability/specifications/queue.ts'
import { casRegister } from '../../../../src/properties/linearizability/specifications/register.ts'
import { stack } from '../../../../src/properties/linearizability/specifications/stack.ts'

function returning(operation: string, args: readonly number[], value?: number | boolean | null): Invocation {
  return { operation, args, result: { kind: 'returned', value } }
}

describe('admits', () => {
  const increments = [returning('getAndIncrement', [], 0), returning('getAndIncrement', [], 0)]

  test('two increments cannot both return the old value, whatever the order', () => {
    expect(admits(increments, [[], []], counter())).toBe(false)
    expect(
      admits([returning('getAndIncrement', [], 1), returning('getAndIncrement', [], 0)], [[], []], counter()),
    ).toBe(true)
  })

  test('predecessors come first', () => {
    const calls = [returning('push', [1]), returning('pop', [], 1), returning('pop', [], null)]
    expect(admits(calls, [[], [], []], stack())).toBe(true)
    expect(admits(calls, [[], [2], []], stack())).toBe(true)
    expect(admits(calls, [[], [], [0]], stack())).toBe(true)
    expect(admits(calls, [[], [2], [0]], stack())).toBe(false)
  })

  test('calls that are pending may be left out', () => {
    const pending: Invocation = { operation: 'write', args: [1], result: { kind: 'pending' } }
    for (const value of [0, 1])
      expect(admits([pending, returning('read', [], value)], [[], []], casRegister(0))).toBe(true)
    expect(admits([pending, returning('read', [], 2)], [[], []], casRegister(0))).toBe(false)
  })

  test('an order is returned, or the longest that goes well', () => {
    const calls = [returning('dequeue', [], 1), returning('enqueue', [1]), returning('enqueue', [2])]
    expect(linearizationOf(calls, [[], [2], []], queue())).toEqual({ linearizable: false, longestPrefix: [2, 1] })
    expect(linearizationOf(calls, [[], [], [1]], queue())).toEqual({ linearizable: true, order: [1, 0, 2] })
  })

  test('agrees with all orders on random partial orders of random calls', () => {
    const random = new Random(5)
    const count = { yes: 0, no: 0 }
    for (let round = 0; round < 2000; round++) {
      const calls = Array.from({ length: 5 }, () => {
        const [from, to] = [random.below(3), random.below(3)]
        return random.pick([
          returning('read', [], from),
          returning('write', [to]),
          returning('cas', [from, to], random.below(2) === 0),
        ])
      })
      const before: Predecessors = calls.map((_, at) =>
        [...calls.keys()].filter((other) => other < at && random.below(3) === 0),
      )
      const expected = someOrder(calls, before, casRegister(0), [], 0)
      expected ? count.yes++ : count.no++
      expect({ round, found: admits(calls, before, casRegister(0)) }).toEqual({ round, found: expected })
    }
    expect(Math.min(count.yes, count.no)).toBeGreaterThan(300)
  })

  function someOrder(
    calls: readonly Invocation[],
    before: Predecessors,
    object: Specification,
    placed: readonly number[],
    state: unknown,
  ): boolean {
    if (placed.length === calls.length) return true
    return calls.some((one, at) => {
      if (placed.includes(at) || !before[at]?.every((other) => placed.includes(other))) return false
      const observed = object.observation(one.operation, one.args, one.result)
      return object
        .apply(state, one.operation, one.args, observed)
        .some((effect) => fits(observed, effect) && someOrder(calls, before, object, [...placed, at], effect.state))
    })
  }
})
