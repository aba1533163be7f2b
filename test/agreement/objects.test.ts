/**
 * The stateful search of classes against itself without any reduction: every variant finds the same outcomes and the same
 * violations, on the clients of the corpus and on generated classes that go through the front end as users' classes do.
 */
import { describe, expect, test } from 'vitest'
import type { Criterion } from '../../src/core/verdict.ts'
import type { Client } from '../../src/properties/linearizability/client.ts'
import { isSlow } from '../amount.ts'
import { type ClassEntry, type ClassRow, readClasses } from '../corpus/class-entries.ts'
import { requestFor } from '../corpus/objects.ts'
import type { StatefulSetting } from '../stateful-setting.ts'
import { compareObjects, judgements, loadText, newObjectTally, requestOf } from './object-agreement.ts'
import { cases, casesModule } from './object-cases.ts'
import { compare, forgetting, full, reduced, some } from './object-compare.ts'
import { clientOf, search } from './object-search.ts'

const oneMinute = 60_000
const oneHour = 60 * oneMinute

/** Rows whose full search takes less than a second. */
const small = new Set(
  'AS1 AS2 AS3 AS4 CM1 CM2 CP1 CP2 JQ1 JQ2 LRU1 LRU2 LSM1 LSM2 LSM3 LSM5 MSQ1 MSQ2 MSQ4 RL1 RW1 RW4 RW7'.split(' '),
)
const rows = readClasses().flatMap((entry) => entry.rows.map((row) => ({ entry, row, title: row.id })))
const criteria = ['outcomes', 'linearizable'] as const
const most = 20_000

describe('all variants agree with the full search on small clients', () => {
  test('every entry has one, in full or cut', () => {
    const covered = new Set([...rows.filter(isSmall), ...rows.filter(isCut)].map(({ entry }) => entry.name))
    expect([...covered].sort()).toEqual(
      readClasses()
        .map(({ name }) => name)
        .sort(),
    )
  })

  test.each(rows.filter(isSmall))('$title', { timeout: oneMinute }, async ({ entry, row }) => {
    for (const name of [row.program, 'default']) {
      expect(await agreement(entry, name, clientOf(row.client), 'outcomes', [...reduced, ...forgetting])).toBe('agree')
    }
  })

  test.each(rows.filter(isSmall))('$title, with real-time order', { timeout: oneMinute }, async ({ entry, row }) => {
    const variants = [...some(reduced, 4, seedOf(row)), ...some(forgetting, 1, seedOf(row))]
    expect(await agreement(entry, row.program, clientOf(row.client), 'linearizable', variants)).toMatch(
      /agree|too large/,
    )
  })
})

/** The last call of each process; the others are made before, one after the other. */
describe('some variants agree with the full search on the last calls of large clients', () => {
  test.each(rows.filter(isCut))('$title', { timeout: oneMinute }, async ({ entry, row }) => {
    const client = lastCalls(clientOf(row.client))
    const variants = [...some(reduced, 4, seedOf(row)), ...some(forgetting, 1, seedOf(row))]
    expect(await agreement(entry, row.program, client, 'linearizable', variants)).toBe('agree')
    expect(await agreement(entry, 'default', client, 'outcomes', variants)).toBe('agree')
  })
})

describe('all variants agree with the full search on hidden accesses', async () => {
  const loaded = await loadText(casesModule)
  test.each(cases)('$title', ({ class: className, client, outcomes }) => {
    const request = requestOf(loaded, className, client)
    for (const judgement of judgements) {
      const compared = compare({
        request: { ...request, ...judgement },
        client: clientOf(client),
        variants: [...reduced, ...forgetting],
        seed: 1,
        mostTransitions: most,
      })
      expect(compared).toMatchObject({ kind: 'agree' })
      if (compared.kind === 'agree') expect(compared.truth.outcomes.length).toBe(outcomes)
    }
  })

  test('what a module does when it is loaded is not undone with an earlier search', async () => {
    const source = 'const state = { x: 0 }; state.x = 5; export class Late { read() { return state.x } }'
    for (const again of [1, 2]) {
      const request = requestOf(await loadText(source), 'Late', '{ read() }')
      const found = search(request, clientOf('{ read() }'), full)
      expect(found, `load ${again}`).toMatchObject({ endings: { outcomes: ['n5'] } })
    }
  })

  test('code that the language calls for a conversion must not access shared state', async () => {
    const source = 'let n = 0; export class Text { show() { return "" + { toString() { n++; return "x" } } } }'
    const request = requestOf(await loadText(source), 'Text', '{ show() }')
    expect(() => search(request, clientOf('{ show() }'), full)).toThrow('called where a value is converted')
  })
})

test('all variants agree with the full search on 240 generated classes', { timeout: 2 * oneMinute }, async () => {
  const tally = newObjectTally()
  for (let first = 0; first < 240; first += 40) {
    const seeds = Array.from({ length: 40 }, (_, index) => first + index)
    const problem = await compareObjects(seeds, tally)
    if (problem !== undefined) expect.fail(problem)
  }
  const { classes, tooLarge, comparisons, branching, violated, deadlocking, async: asynchronous, forgetful } = tally
  expect(tooLarge / classes, 'share of classes left out as too large').toBeLessThan(0.2)
  expect(branching / comparisons, 'share with several outcomes').toBeGreaterThan(0.3)
  expect(violated / comparisons, 'share with violations').toBeGreaterThan(0.15)
  expect(deadlocking / comparisons, 'share that can end waiting').toBeGreaterThan(0.02)
  expect(asynchronous / classes, 'share of classes with async methods').toBeGreaterThan(0.2)
  expect(forgetful / comparisons, 'share explored without memory too').toBeGreaterThan(0.5)
  expect(tally.lazyTransitions / tally.transitions, 'transitions left by source sets').toBeLessThan(0.3)
})

/** Takes an hour: `SLOW=1 npx vitest run test/agreement/objects.test.ts`. */
describe.runIf(isSlow)('all variants agree with the full search on all clients of the corpus', () => {
  test.each(rows)('$title', { timeout: oneHour }, async ({ entry, row }) => {
    for (const name of [row.program, 'default']) {
      for (const criterion of criteria) {
        const found = await agreement(entry, name, clientOf(row.client), criterion, reduced, Number.POSITIVE_INFINITY)
        expect(found).toBe('agree')
      }
    }
  })
})

interface Case {
  readonly entry: ClassEntry
  readonly row: ClassRow
}

function isSmall({ row }: Case): boolean {
  return small.has(row.id)
}

/** Three processes of the trees and of the optimistic list are too much even with one call each. */
function isCut({ entry, row }: Case): boolean {
  const isLarge = entry.name === 'cas-tree' || entry.name === 'optimistic-list'
  return !isSmall({ entry, row }) && !(isLarge && clientOf(row.client).processes.length > 2)
}

function lastCalls({ processes }: Client): Client {
  return {
    setup: processes.flatMap((calls) => calls.slice(0, -1)),
    processes: processes.map((calls) => calls.slice(-1)),
  }
}

function seedOf({ id }: ClassRow): number {
  return [...id].reduce((seed, letter) => Math.imul(seed, 31) + letter.charCodeAt(0), 7)
}

async function agreement(
  entry: ClassEntry,
  exportName: string,
  client: Client,
  criterion: Criterion,
  variants: readonly StatefulSetting[],
  mostTransitions = most,
): Promise<string> {
  const request = await requestFor(entry.name, exportName, { criterion })
  const compared = compare({ request, client, variants, seed: 1, mostTransitions })
  return compared.kind === 'disagree' ? `${exportName}: ${compared.problem}` : compared.kind
}
