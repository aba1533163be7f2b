import { expect, test } from 'vitest'
import { Random } from '../../../../src/core/random.ts'
import {
  allConflicts,
  type Edge,
  groupsOnCycles,
  nearestConflicts,
} from '../../../../src/properties/repair/conflicts.ts'
import { randomExecution } from '../../../agreement/repair-executions.ts'

test('nearest conflicts and program order order the same accesses as all conflicts', () => {
  let saved = 0
  for (let seed = 0; seed < 200; seed++) {
    const shape = { processes: 3, callsPerProcess: 1, accesses: 20, objects: 2 }
    const { accesses } = randomExecution(new Random(seed), shape)
    const programOrder = accesses.flatMap(({ process }, i) =>
      accesses.flatMap((other, j): Edge[] => (i < j && other.process === process ? [[i, j]] : [])),
    )
    const all = allConflicts(accesses)
    const nearest = nearestConflicts(accesses)
    saved += all.length - nearest.length
    expect(closure([...programOrder, ...nearest]), `seed ${seed}`).toEqual(closure([...programOrder, ...all]))
  }
  expect(saved).toBeGreaterThan(0)
})

test('groups are on cycles exactly if a way leads out of them and back', () => {
  const groupOf = [0, 1, 0, 2, 3]
  expect(
    [
      ...groupsOnCycles(groupOf, [
        [0, 1],
        [1, 2],
        [2, 3],
        [3, 4],
      ]),
    ].sort(),
  ).toEqual([0, 1])
  expect([
    ...groupsOnCycles(groupOf, [
      [0, 1],
      [2, 3],
      [3, 4],
    ]),
  ]).toEqual([])
  expect([...groupsOnCycles(groupOf, [[0, 2]])]).toEqual([])
})

test('a cycle through ten thousand groups is found without recursion', () => {
  const count = 10_000
  const groupOf = Array.from({ length: count }, (_, i) => i)
  const ring = groupOf.map((i): Edge => [i, (i + 1) % count])
  expect(groupsOnCycles(groupOf, ring).size).toBe(count)
  expect(groupsOnCycles(groupOf, ring.slice(1)).size).toBe(0)
})

function closure(edges: readonly Edge[]): readonly string[] {
  const next = new Map<number, number[]>()
  for (const [from, to] of edges) next.set(from, [...(next.get(from) ?? []), to])
  const pairs: string[] = []
  for (const from of next.keys()) {
    const reached = new Set<number>()
    const frontier = [from]
    for (let current = frontier.pop(); current !== undefined; current = frontier.pop()) {
      for (const to of next.get(current) ?? []) if (!reached.has(to)) frontier.push(reached.add(to) && to)
    }
    for (const to of reached) pairs.push(`${from}-${to}`)
  }
  return pairs.sort()
}
