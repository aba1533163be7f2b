import { expect, test } from 'vitest'
import { NodeHeap } from '../../../src/collections/node-heap.ts'
import { OperationCache } from '../../../src/collections/operation-cache.ts'

test('nodes are one exactly if their kinds and their parts are equal, however many there are', () => {
  const heap = new NodeHeap()
  const known = new Map<string, number>()
  for (let at = 0; at < 20_000; at++) {
    const kind = at % 3
    const parts = [at % 7, (at * 31) % 400, -(at % 5)].slice(0, 1 + (at % 3))
    const node = heap.of(kind, parts)
    const key = `${kind}:${parts}`
    expect(node).toBe(known.get(key) ?? node)
    known.set(key, node)
  }
  expect(new Set(known.values()).size).toBe(known.size)
  expect(heap.size).toBe(known.size)
  for (const [key, node] of known) expect(`${heap.kindOf(node)}:${heap.parts(node)}`).toBe(key)
})

test('a node that is known already takes no room', () => {
  const heap = new NodeHeap()
  const [first, bytes] = [heap.of(1, [4, 5]), heap.bytes]
  expect(heap.of(1, [4, 5])).toBe(first)
  expect(heap.bytes).toBe(bytes)
  expect(heap.of(2, [4, 5])).not.toBe(first)
})

test('nodes of rows are those of each row, whether they were there, are new or come twice', () => {
  const [heap, plain] = [new NodeHeap(), new NodeHeap()]
  for (let round = 0; round < 200; round++) {
    const rows = Array.from({ length: round % 40 }, (_, at) => [round % 90, (at * 7) % 30, 5 - at])
    const nodes = heap.ofRows(3, 3, Int32Array.from([...rows, [1, 2, 3]].flat()), rows.length)
    expect(nodes).toEqual(rows.map((row) => plain.of(3, row)))
    expect(nodes.map((node) => [heap.kindOf(node), ...heap.parts(node)])).toEqual(rows.map((row) => [3, ...row]))
  }
  expect(heap.size).toBe(plain.size)
  expect(heap.of(3, [3, 7, 4])).toBe(plain.of(3, [3, 7, 4]))
})

test('a cache of operations has the last result of what is asked, or nothing', () => {
  const cache = new OperationCache(2)
  expect(cache.get(1, 2, 3, 4)).toBe(-1)
  for (let at = 0; at < 100; at++) {
    cache.set(1, [at, 0, 0], at)
    expect(cache.get(1, at, 0, 0)).toBe(at)
    expect(cache.get(2, at, 0, 0)).toBe(-1)
  }
  const kept = Array.from({ length: 100 }, (_, at) => cache.get(1, at, 0, 0)).filter((result) => result >= 0)
  expect(kept.length).toBeLessThanOrEqual(4)
})
