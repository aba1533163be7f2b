import { describe, expect, test } from 'vitest'
import { addCounts, countedExecutions, exploredIn, noCounts } from '../../../src/core/verdict.ts'
import type { Driven, DrivenShard, Host, Search, Watch } from '../../../src/distribute/driver.ts'
import { driveInline } from '../../../src/distribute/inline.ts'
import { driveShard } from '../../../src/distribute/shard-drive.ts'
import { tickingHost } from '../../ticking-host.ts'
import { drawn, numbers, subject } from './numbers.ts'

type Sharded = Driven & { readonly shard: DrivenShard }

async function shardsOf(
  search: () => Search,
  of: number,
  watch: Watch,
  host = tickingHost,
): Promise<readonly Sharded[]> {
  const shards: Sharded[] = []
  for (let number = 1; number <= of; number++)
    shards.push((await driveShard(search(), watch, host(), { number, of })) as Sharded)
  return shards
}

/** Up to the first piece that ends the search, as one thread would count. */
function counted(shards: readonly Sharded[]) {
  const ends = shards
    .filter(({ because }) => because === 'violation')
    .map(({ shard }) => shard.done.at(-1)?.at as number)
  const last = Math.min(Number.POSITIVE_INFINITY, ...ends)
  const done = shards.flatMap(({ shard }) => shard.done.filter(({ at }) => at <= last))
  return { last, counts: done.reduce((sum, { counts }) => addCounts(sum, counts), noCounts) }
}

function even(all: number): () => Search {
  const engine = numbers({ all, wrong: new Map() })
  return () => ({ engine, subject, options: {} })
}

describe('shards of a search', () => {
  test('have the counts and the first violation of one thread, however many there are', async () => {
    let [violated, several] = [0, 0]
    for (let seed = 0; seed < 300; seed++) {
      const { search, keepGoing } = drawn(seed)
      const alone = await driveInline(search(), { budget: {}, keepGoing }, tickingHost())
      if (alone.because === 'diagnostic') continue
      const of = 1 + (seed % 9)
      const shards = await shardsOf(search, of, { budget: {}, keepGoing })
      // Behind a violation there may be a mistake, which one thread never meets.
      const { last, counts } = counted(shards)
      expect(counts, `seed ${seed}, ${of} shards`).toEqual({ ...alone.counts })
      const found = shards.flatMap(({ found: own, shard }) =>
        own.map((one) => ({ one, at: [...shard.foundIn.values()][own.indexOf(one)] as number })),
      )
      const [first] = found.filter(({ at }) => at <= last).sort((left, right) => left.at - right.at)
      expect(first?.one).toEqual(alone.found[0])
      if (alone.found.length > 0) violated++
      if (shards.filter(({ shard }) => shard.done.length > 0).length > 1) several++
    }
    expect(violated).toBeGreaterThan(30)
    expect(several).toBeGreaterThan(100)
  })

  test('are the same however slow the machine is', async () => {
    const sleepy = (): Host => {
      let time = 0
      return { now: () => (time += 777), memory: () => 0, pause: async () => undefined }
    }
    const watch = { budget: {}, keepGoing: true }
    const [fast, slow] = [await shardsOf(even(500), 5, watch), await shardsOf(even(500), 5, watch, sleepy)]
    expect(slow.map(({ shard }) => shard)).toEqual(fast.map(({ shard }) => shard))
    expect(new Set(fast.map(({ shard }) => shard.cut)).size).toBe(1)
  })

  test('are even where the engine knows how large its units are', async () => {
    const shards = await shardsOf(even(8_000), 8, { budget: {}, keepGoing: false })
    const sizes = shards.map(({ counts }) => exploredIn(counts, countedExecutions))
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(8_000)
    expect(Math.max(...sizes)).toBeLessThan(1_030)
    for (const { explored } of shards) expect(explored).toBeCloseTo(1, 9)
  })

  test('more shards than executions leave some with nothing', async () => {
    const shards = await shardsOf(even(3), 7, { budget: {}, keepGoing: false })
    expect(counted(shards).counts).toMatchObject({ executions: 2, blocked: 1 })
    expect(shards.every(({ because }) => because === 'exhausted')).toBe(true)
  })
})

describe('a shard that is ended', () => {
  test('by a budget of executions has counted so many of its own', async () => {
    const [first] = await shardsOf(even(8_000), 2, { budget: { executions: 100 }, keepGoing: false })
    expect(first?.because).toBe('executions')
    expect(exploredIn(first?.counts ?? {}, countedExecutions)).toBe(100)
    expect(first?.remaining).toEqual([])
  })

  test('while it is cut has done nothing', async () => {
    const watch = { budget: {}, keepGoing: false, signal: { aborted: true } }
    const [first] = await shardsOf(even(8_000), 2, watch)
    expect(first).toMatchObject({ because: 'interrupt', counts: {}, shard: { done: [] } })
  })

  test('by the time says so, and what is half done is not among what is done', async () => {
    const [first] = await shardsOf(even(100_000), 2, { budget: { milliseconds: 4_000 }, keepGoing: false })
    expect(first?.because).toBe('time')
    const { counts } = counted([first as Sharded])
    const [done, all] = [counts, first?.counts ?? {}].map((one) => exploredIn(one, countedExecutions))
    expect(done).toBeLessThan(all as number)
    expect(all).toBeLessThan(50_000)
  })
})
