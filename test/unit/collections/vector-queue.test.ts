import fc from 'fast-check'
import { expect, test } from 'vitest'
import { VectorQueue } from '../../../src/collections/vector-queue.ts'

const vectors = fc.array(fc.array(fc.integer({ min: 1 }), { maxLength: 40 }), { maxLength: 200 })

test('vectors come in the order in which they were added, each as often as it is asked for, and then are gone', () => {
  fc.assert(
    fc.property(vectors, fc.array(fc.boolean()), (added, turns) => {
      const queue = new VectorQueue(false)
      let next = 0
      for (const [number, places] of added.entries()) {
        queue.add(number, Int32Array.from(places))
        if (turns[number] !== true || next > number) continue
        for (const _ of [0, 1]) expect([...(queue.get(next) ?? [])]).toEqual(added[next])
        next++
      }
      for (; next < added.length; next++) expect([...(queue.get(next) ?? [])]).toEqual(added[next])
      expect(queue.get(added.length)).toBeUndefined()
      expect(queue.get(0)).toBeUndefined()
    }),
  )
})

test('of a stack the last one comes first, and those before it stay', () => {
  fc.assert(
    fc.property(vectors, fc.array(fc.boolean()), (added, turns) => {
      const stack = new VectorQueue(true)
      const open: number[] = []
      for (const [number, places] of added.entries()) {
        stack.add(number, Int32Array.from(places))
        open.push(number)
        if (turns[number] !== true) continue
        const last = open.pop() as number
        for (const _ of [0, 1]) expect([...(stack.get(last) ?? [])]).toEqual(added[last])
      }
      for (const number of open.reverse()) expect([...(stack.get(number) ?? [])]).toEqual(added[number])
    }),
  )
})

test('what is not there behind the last place is not kept', () => {
  const queue = new VectorQueue(false)
  queue.add(1, Int32Array.of(0, 5, 0, 0))
  queue.add(2, new Int32Array(4))
  expect([...(queue.get(1) ?? [])]).toEqual([0, 5])
  expect([...(queue.get(2) ?? [1])]).toEqual([])
})

test('what has gone makes room for others', () => {
  const queue = new VectorQueue(false)
  for (let number = 0; number < 10_000; number++) {
    queue.add(number, new Int32Array(20).fill(1))
    queue.get(number)
  }
  expect(queue.bytes).toBeLessThan(10_000)
})
