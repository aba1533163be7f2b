import { expect, test } from 'vitest'
import {
  type Atomic,
  assert,
  atomic,
  choose,
  join,
  program,
  receive,
  self,
  send,
  spawn,
} from '../../../../src/index.ts'
import { counts, violations } from './explored.ts'

/** Starts one process per body and waits for all of them. */
function* inParallel(bodies: readonly (() => Generator<unknown, unknown, unknown>)[]) {
  const started = []
  for (const [at, body] of bodies.entries()) started.push(yield* spawn(`process ${at + 1}`, body))
  for (const process of started) yield* join(process)
}

const reads = (n: number) =>
  program('reads', function* () {
    const shared = yield* atomic('shared', 5)
    const read = function* () {
      yield* assert((yield* shared.load()) === 5)
    }
    yield* inParallel(Array.from({ length: n }, () => read))
  })

test('loads of an atomic that nobody stores to have as many executions as requests have orders: n!', () => {
  expect([1, 2, 3].map((n) => counts(reads(n)))).toEqual(['1/0', '2/0', '6/0'])
  expect(violations(reads(3))).toEqual([])
})

const increments = (inOneStep: boolean) =>
  program('increments', function* () {
    const counter = yield* atomic('counter', 0)
    const increment = function* () {
      if (inOneStep) yield* counter.update((value) => value + 1)
      else yield* counter.store((yield* counter.load()) + 1)
    }
    yield* inParallel([increment, increment, increment])
    yield* assert((yield* counter.load()) === 3, 'an increment was lost')
  })

test('three atomic updates have 3! executions and none is lost', () => {
  expect(counts(increments(true))).toBe('6/0')
  expect(violations(increments(true))).toEqual([])
})

test('three increments in two steps lose one: 6!/2!³ = 90 orders, of which 3! keep the steps of each together', () => {
  expect(violations(increments(false))).toEqual(['assertion: an increment was lost'])
  // A violated execution ends with a process that has failed, so it counts as blocked.
  expect(counts(increments(false))).toBe('6/84')
})

test('of two processes that set a flag by comparing, one succeeds: 2 executions', () => {
  const flag = program('flag', function* () {
    const owner = yield* atomic<string | null>('owner', null)
    const wins = yield* atomic('wins', 0)
    const claim = function* () {
      const { id } = yield* self()
      if (yield* owner.compareAndSet(null, id)) yield* wins.store(1 + (yield* wins.load()))
    }
    yield* inParallel([claim, claim])
    yield* assert((yield* wins.load()) === 1)
  })
  expect(counts(flag)).toBe('2/0')
  expect(violations(flag)).toEqual([])
})

test('compareAndSet compares by content', () => {
  const pairs = program('pairs', function* () {
    const pair = yield* atomic('pair', { x: 1, y: [2] })
    yield* assert(yield* pair.compareAndSet({ x: 1, y: [2] }, { x: 3, y: [] }))
    yield* assert(!(yield* pair.compareAndSet({ x: 1, y: [2] }, { x: 4, y: [] })))
    yield* assert((yield* pair.load()).x === 3)
  })
  expect(violations(pairs)).toEqual([])
})

test('a write has happened before its process tells others about it, over every network', () => {
  const told = program('told', function* () {
    const shared = yield* atomic('shared', 'old')
    const reader = yield* spawn('reader', function* () {
      yield* receive<'go'>()
      yield* assert((yield* shared.load()) === 'new')
    })
    yield* shared.store('new')
    yield* send(reader, 'go')
  })
  expect(counts(told)).toBe('1/0')
  expect(violations(told)).toEqual([])
})

test('an update whose function throws leaves the value as it was and the atomic usable', () => {
  const throwing = program('throwing', function* () {
    const shared = yield* atomic('shared', 1)
    const broken = (): number => {
      throw new Error('broken')
    }
    try {
      yield* shared.update(broken)
    } catch (error) {
      yield* assert((error as Error).message === 'broken')
    }
    yield* assert((yield* shared.update((value) => value + 1)) === 2)
  })
  expect(violations(throwing)).toEqual([])
})

test('two atomics of the same name are two atomics', () => {
  const twins = program('twins', function* () {
    const [first, second]: [Atomic<number>, Atomic<number>] = [yield* atomic('r', 1), yield* atomic('r', 2)]
    yield* first.store(yield* choose([3, 4]))
    yield* assert(first !== second && (yield* second.load()) === 2)
  })
  expect(counts(twins)).toBe('2/0')
  expect(violations(twins)).toEqual([])
})

test('exchange and getAndAdd give the value before', () => {
  const before = program('before', function* () {
    const shared = yield* atomic('shared', 5)
    yield* assert((yield* shared.exchange(7)) === 5)
    yield* assert((yield* shared.getAndAdd(2)) === 7)
    yield* assert((yield* shared.load()) === 9)
  })
  expect(violations(before)).toEqual([])
})
