import { describe, expect, test } from 'vitest'
import { type Draw, simulatedHistory } from '../../../../corpus/histories/simulate.ts'
import { type Call, type History, precedes } from '../../../../src/core/history.ts'
import { Random } from '../../../../src/core/random.ts'
import {
  decideHistory,
  type HistoryDecision,
  type HistoryOptions,
  historySearch,
} from '../../../../src/properties/linearizability/decide-history.ts'
import {
  fits,
  type SomeSpecification,
  type Specification,
  specification,
} from '../../../../src/properties/linearizability/specification.ts'
import { lock } from '../../../../src/properties/linearizability/specifications/lock.ts'
import { kv } from '../../../../src/properties/linearizability/specifications/map.ts'
import { priorityQueue } from '../../../../src/properties/linearizability/specifications/priority-queue.ts'
import { queue } from '../../../../src/properties/linearizability/specifications/queue.ts'
import { casRegister, register } from '../../../../src/properties/linearizability/specifications/register.ts'
import { set } from '../../../../src/properties/linearizability/specifications/set.ts'
import { stack } from '../../../../src/properties/linearizability/specifications/stack.ts'
import { call, historyOf, inARow, pendingCall, withResult } from './calls.ts'

function verdictOf(history: History, object: SomeSpecification, options: HistoryOptions = {}): HistoryDecision {
  const found = decideHistory(history, object, options)
  if (!found.ok) throw new Error(JSON.stringify(found.diagnostics))
  return found.value
}

function refuted(history: History, object: SomeSpecification, options: HistoryOptions = {}) {
  const found = verdictOf(history, object, options)
  if (found.linearizable) throw new Error('linearizable')
  return found
}

describe('verdicts', () => {
  test('an empty history is linearizable', () => {
    expect(verdictOf({ calls: [] }, kv())).toMatchObject({ linearizable: true, progress: { operations: 0 } })
  })

  test('calls that end and begin at the same moment may take effect in either order', () => {
    const early = call('a', [0, 5], 'write', [1])
    const read = (moment: number) => call('b', [moment, 9], 'read', [], 0)
    expect(verdictOf(historyOf(early, read(5)), register(0)).linearizable).toBe(true)
    expect(verdictOf(historyOf(early, read(6)), register(0)).linearizable).toBe(false)
  })

  test('a call without a return explains what others saw, or is left out', () => {
    const write = pendingCall('a', 0, 'write', [1])
    const saw = [call('b', [1, 2], 'read', [], 0), call('b', [3, 4], 'read', [], 1)]
    expect(verdictOf(historyOf(write, ...saw), register(0)).linearizable).toBe(true)
    expect(verdictOf(historyOf(write, ...saw.slice(0, 1)), register(0)).linearizable).toBe(true)
    const back = call('b', [5, 6], 'read', [], 0)
    expect(verdictOf(historyOf(write, ...saw, back), register(0)).linearizable).toBe(false)
  })

  test('a pending dequeue may have taken what an empty queue lacks', () => {
    const calls = [call('a', [0, 1], 'enqueue', [7]), call('a', [4, 5], 'dequeue', [], null)]
    expect(verdictOf(historyOf(...calls), queue()).linearizable).toBe(false)
    expect(verdictOf(historyOf(...calls, pendingCall('b', 2, 'dequeue')), queue()).linearizable).toBe(true)
    expect(verdictOf(historyOf(...calls, pendingCall('b', 6, 'dequeue')), queue()).linearizable).toBe(false)
  })

  test('results that nobody knows fit everything', () => {
    const read = withResult(call('a', [2, 3], 'read'), { kind: 'unknown' })
    expect(verdictOf(historyOf(call('a', [0, 1], 'write', [5]), read), register(0)).linearizable).toBe(true)
  })

  test('several objects are several instances of the specification', () => {
    const history = historyOf(call('a', [0, 1], 'write', [1]), call('b', [2, 3], 'read', [], 0))
    expect(verdictOf(history, register(0)).linearizable).toBe(false)
    const apart = verdictOf(history, register(0), { objectOf: ({ process }: Call) => process })
    expect(apart).toMatchObject({ linearizable: true, progress: { parts: 2 } })
  })
})

describe('witnesses', () => {
  const draws: readonly (readonly [Specification, Draw])[] = [
    [
      kv(),
      (random, at) =>
        random.below(2) === 0 ? ['get', `k${random.below(4)}`] : ['put', `k${random.below(4)}`, `${at % 5}`],
    ],
    [
      casRegister(0),
      (random) =>
        random.pick([['read'], ['write', random.below(3)], ['cas', random.below(3), random.below(3)]] as const),
    ],
    [set(), (random) => [random.pick(['add', 'remove', 'contains']), random.below(5)]],
    [queue(), (random, at) => (random.below(2) === 0 ? ['enqueue', at] : ['dequeue'])],
  ]

  test.each(draws)('$name: an order of all calls that returned explains every result', (object, draw) => {
    for (let seed = 0; seed < 30; seed++) {
      const shape = { processes: 4, calls: 25, pending: 12, unknown: 12, wrong: 0 }
      const history = simulatedHistory(new Random(seed), object, draw, shape)
      const found = verdictOf(history, object, { witness: true })
      const order = found.linearizable ? (found.witness ?? []) : []
      expect(new Set(order).size).toBe(order.length)
      expect(history.calls.filter(({ result }) => result.kind !== 'pending').every((one) => order.includes(one))).toBe(
        true,
      )
      expect(order.flatMap((one, at) => order.slice(at + 1).filter((later) => precedes(later, one)))).toEqual([])
      expect(isExplained(order, object)).toBe(true)
    }
  })

  function isExplained(order: readonly Call[], object: Specification): boolean {
    let state = object.initial()
    return order.every(({ operation, args, result }) => {
      const observed = object.observation(operation, args, result)
      const effect = object.apply(state, operation, args, observed).find((one) => fits(observed, one))
      state = effect?.state
      return effect !== undefined
    })
  }
})

describe('what is said about a contradiction', () => {
  const pushes = [call('a', [0, 1], 'push', [2]), call('a', [2, 3], 'push', [3])]

  test('a search names the call, the states it met and what the call returns there', () => {
    const found = refuted(historyOf(...pushes, call('b', [4, 5], 'pop', [], 2)), stack(), { shortcuts: false })
    expect(found.stuck).toMatchObject({ operation: 'pop' })
    expect(found.longestPrefix.map(({ operation, args }) => [operation, ...args])).toEqual([
      ['push', 2],
      ['push', 3],
    ])
    expect(found.reason).toBe(
      'pop() → 2 has no place: when all calls that returned before it have taken effect, the stack is [2, 3], where it returns 3',
    )
  })

  test('a call that fits earlier only at the expense of another says so', () => {
    const write = call('a', [0, 5], 'write', [1])
    const reads = [call('b', [1, 2], 'read', [], 1), call('b', [3, 4], 'read', [], 0)]
    expect(refuted(historyOf(write, ...reads), register(0), { shortcuts: false }).reason).toBe(
      'read() → 0 has no place: when all calls that returned before it have taken effect, the register is 1, where it returns 1',
    )
    const swapped = historyOf(
      call('a', [0, 9], 'read', [], 0),
      call('b', [1, 2], 'write', [1]),
      call('b', [3, 4], 'cas', [0, 2], true),
    )
    expect(refuted(swapped, casRegister(0)).reason).toBe(
      'cas(0, 2) → true has no place: when all calls that returned before it have taken effect, the cas-register is 1, where it returns false',
    )
    const placed = historyOf(
      call('a', [0, 9], 'cas', [0, 1], true),
      call('b', [1, 2], 'read', [], 0),
      call('c', [1, 12], 'cas', [0, 2], true),
    )
    expect(refuted(placed, casRegister(0)).reason).toBe(
      'cas(0, 2) → true has no place: when all calls that returned before it have taken effect, the cas-register is 1, where it returns false; if it takes effect earlier, one of those calls has no place',
    )
  })

  test('an operation that cannot happen is said not to', () => {
    expect(refuted(inARow('a', ['release', []]), lock()).reason).toBe(
      'release() has no place: when all calls that returned before it have taken effect, the lock is free, where it cannot happen',
    )
  })

  test('registers: which values are held at the same time', () => {
    const calls = [
      call('a', [0, 1], 'write', [1]),
      call('b', [0, 2], 'write', [2]),
      call('a', [3, 4], 'read', [], 1),
      call('b', [5, 6], 'read', [], 2),
    ]
    const found = refuted(historyOf(...calls), register(0))
    expect(found.stuck).toBe(calls[3])
    expect(found.reason).toBe(
      'the value is 1 since write(1) returned until read() → 1 was called, and the value is 2 since write(2) returned until read() → 2 was called; these overlap',
    )
    expect(found.culprits).toEqual([calls[0], calls[2], calls[1], calls[3]])
  })

  test('registers: what was written in between', () => {
    const history = inARow('a', ['write', [1]], ['read', [], 1], ['write', [2]], ['read', [], 1])
    expect(refuted(history, register(0)).reason).toBe(
      'the value is 1 since write(1) returned until read() → 1 was called, and write(2) took effect in between',
    )
    expect(refuted(inARow('a', ['read', [], 9]), register(0)).reason).toBe(
      'read() → 9 returned a value that no call wrote before',
    )
  })

  test('queues: what should have come out before', () => {
    const history = inARow('a', ['enqueue', [1]], ['enqueue', [2]], ['dequeue', [], 2])
    expect(refuted(history, queue()).reason).toBe(
      'dequeue() → 2 returned, but 1 was enqueued before 2 and never dequeued',
    )
    const twice = inARow('a', ['enqueue', [1]], ['dequeue', [], 1], ['dequeue', [], 1])
    expect(refuted(twice, queue()).reason).toBe(
      'dequeue() → 1 returned a value that was put in once and taken out before',
    )
    const empty = inARow('a', ['enqueue', [1]], ['dequeue', [], null], ['dequeue', [], 1])
    expect(refuted(empty, queue()).reason).toBe(
      'dequeue() → null found nothing, but at every moment while it was open some value was in the queue',
    )
  })

  test('stacks: what can be at the bottom', () => {
    const found = refuted(historyOf(...pushes, call('b', [4, 5], 'pop', [], 2)), stack())
    expect(found.reason).toBe(
      'some value is on the stack at every moment since push(2) returned to the end, but none can be at the bottom all that time',
    )
    expect(found.stuck.operation).toBe('pop')
  })

  test('priority queues: that something smaller was inside', () => {
    const history = inARow('a', ['insert', [1]], ['insert', [2]], ['deleteMin', [], 2])
    expect(refuted(history, priorityQueue()).reason).toBe(
      'deleteMin() → 2 returned, but at every moment at which it could take effect a smaller value was inside',
    )
  })

  test('the part is named, and the stuck call is the first that cannot be placed', () => {
    const calls = [
      call('a', [0, 1], 'put', ['x', 1]),
      call('b', [2, 3], 'put', ['y', 1]),
      call('b', [4, 5], 'get', ['y'], 2),
      call('b', [6, 7], 'get', ['y'], 3),
    ]
    const found = refuted(historyOf(...calls), kv())
    expect(found.part.key).toBe('y')
    expect(found.stuck).toBe(calls[2])
    expect(found.longestPrefix).toEqual([calls[1]])
  })
})

describe('parts are searched in turns', () => {
  /** Appends that are all open at once, and a read of something impossible: 2 to the 14th sets times all their orders. */
  const hopeless = [
    ...Array.from({ length: 14 }, (_, at) => call(`h${at}`, [at, 100 + at], 'append', ['hard', `${at % 10}`])),
    call('h', [200, 201], 'get', ['hard'], 'no'),
  ]

  test('a part that takes very long does not keep another from being found wrong', () => {
    const wrong = [call('a', [300, 301], 'put', ['easy', '1']), call('a', [302, 303], 'get', ['easy'], '2')]
    const found = refuted(historyOf(...hopeless, ...wrong), kv())
    expect(found.part.key).toBe('easy')
    expect(found.progress).toMatchObject({ parts: 2, configurations: 1000 })
  })

  test('whoever drives the search can leave it', () => {
    const search = historySearch(historyOf(...hopeless), kv(), { stride: 500 })
    const steps = [search.next(), search.next(), search.next()]
    expect(steps.map(({ done }) => done)).toEqual([false, false, false])
    expect(steps.map(({ value }) => ('configurations' in value ? value.configurations : 0))).toEqual([500, 1000, 1500])
  })
})

describe('diagnostics', () => {
  const place = { file: 'a.history.jsonl', line: 3, column: 1 }

  test('an operation that is not known, with its place and those that are', () => {
    const calledHere = expect.stringContaining('decide-history.test.ts')
    const history = { calls: [{ ...call('a', [0, 1], 'pusch', [1]), place }, call('a', [2, 3], 'push', [])] }
    expect(decideHistory(history, stack())).toMatchObject({
      ok: false,
      diagnostics: [
        {
          code: 'E503',
          message: 'stack has no operation "pusch"',
          hint: 'it has push, add, put, pop, poll, take, peek, top, size',
          place,
        },
        { code: 'E503', message: 'push was called with no arguments', hint: 'it takes 1 argument', stack: calledHere },
      ],
    })
  })

  test('a specification that throws, with the call at which it did', () => {
    const broken = specification<number>({
      name: 'broken',
      initial: 0,
      apply() {
        throw new RangeError('no')
      },
    })
    const found = decideHistory({ calls: [{ ...call('a', [0, 1], 'go', [1]), place }] }, broken)
    expect(found).toMatchObject({
      ok: false,
      diagnostics: [{ code: 'E504', message: 'the specification broken threw at go(1): RangeError: no', place }],
    })
  })

  test('a specification that throws elsewhere, or returns what is no effect', () => {
    const broken = (what: object) =>
      decideHistory(inARow('a', ['go', [1]]), { initial: 0, apply: (state: number) => ({ state }), ...what })
    const fail = () => {
      throw new Error('no')
    }
    const messages = [
      { partition: fail },
      { observes: fail },
      { key: fail },
      { initial: fail },
      { apply: () => 5 },
    ].map((what) => {
      const found = broken(what)
      return found.ok ? 'fine' : found.diagnostics.map(({ code, message }) => `${code} ${message}`).join()
    })
    expect(messages).toEqual([
      'E504 the specification object threw at go(1): Error: no',
      'E504 the specification object threw at go(1): Error: no',
      'E504 the specification object threw: Error: no',
      'E504 the specification object threw: Error: no',
      'E504 the specification object threw at go(1): TypeError: apply must return { state, returns }, a list of such, or undefined, not 5',
    ])
  })

  test('a specification that changes a state in place is caught where it does', () => {
    const careless = specification<number[]>({
      name: 'careless',
      initial: [],
      apply(state, _operation, [value]) {
        state.push(value as number)
        return { state }
      },
    })
    const found = decideHistory(inARow('a', ['push', [1]]), careless)
    expect(found).toMatchObject({
      ok: false,
      diagnostics: [{ code: 'E504', message: expect.stringContaining('TypeError') }],
    })
  })

  test('a state that cannot be compared needs a key', () => {
    class Box {
      readonly content: number
      constructor(content: number) {
        this.content = content
      }
    }
    const apply = (box: Box) => ({ state: new Box(box.content + 1), returns: box.content })
    const history = inARow('a', ['next', [], 0], ['next', [], 1])
    expect(decideHistory(history, { name: 'box', initial: () => new Box(0), apply })).toMatchObject({
      ok: false,
      diagnostics: [{ code: 'E504', message: expect.stringContaining('give the specification a `key`') }],
    })
    const keyed = { name: 'box', initial: () => new Box(0), apply, key: (box: Box) => box.content }
    expect(verdictOf(history, keyed).linearizable).toBe(true)
  })
})
