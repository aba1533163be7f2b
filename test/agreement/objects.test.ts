/**
 * The stateful search of classes against itself without any reduction: every variant finds the same outcomes and the same
 * violations, on small clients of the corpus. The large ones are in `object-last-calls.test.ts`,
 * generated classes in `generated-objects.test.ts`.
 */
// @module-tag cut
import { describe, expect, test } from 'vitest'
import { amount, isLittle, isSlow, longIf, oneIn } from '../amount.ts'
import { readClasses } from '../corpus/class-entries.ts'
import { agreement, isCut, isSmall, rows, seedOf, usualTransitions } from '../corpus/variants.ts'
import { judgements, loadText, requestOf } from './object-agreement.ts'
import { cases, casesModule } from './object-cases.ts'
import { compare, forgetting, full, reduced, some } from './object-compare.ts'
import { clientOf, search } from './object-search.ts'

const oneHour = 3_600_000

const small = rows.filter(isSmall)
const criteria = ['outcomes', 'linearizable'] as const
/** Of the variants each row and program draws others, so that together they have all. */
const variantsPerRow = amount({ quick: 1, rest: 1, thorough: 3, all: reduced.length })
const realTimePerRow = amount({ quick: 4, rest: 2, all: 4 })
const forgettingPerRow = amount({ quick: 1, all: forgetting.length })

describe('all variants agree with the full search on small clients', () => {
  test('every entry has one, in full or cut', () => {
    const covered = new Set([...rows.filter(isSmall), ...rows.filter(isCut)].map(({ entry }) => entry.name))
    expect([...covered].sort()).toEqual(
      readClasses()
        .map(({ name }) => name)
        .sort(),
    )
  })

  test.each(oneIn(6, small))('$title', async ({ entry, row }) => {
    for (const name of [row.program, 'default']) {
      const seed = seedOf(row) + (name === 'default' ? 1 : 0)
      const variants = [...some(reduced, variantsPerRow, seed), ...some(forgetting, forgettingPerRow, seed)]
      expect(await agreement(entry, name, clientOf(row.client), 'outcomes', variants)).toBe('agree')
    }
  })

  for (const [at, { title, entry, row }] of rows.filter(isSmall).entries())
    test(`${title}, with real-time order`, longIf(true, at % 6 > 0), async () => {
      const variants = [...some(reduced, realTimePerRow, seedOf(row)), ...some(forgetting, 1, seedOf(row))]
      const found = await agreement(entry, row.program, clientOf(row.client), 'linearizable', variants)
      expect(found).toMatch(/agree|too large/)
    })
})

describe('all variants agree with the full search on hidden accesses', async () => {
  const loaded = await loadText(casesModule)
  test.each(oneIn(4, cases))('$title', ({ class: className, client, outcomes }) => {
    const request = requestOf(loaded, className, client)
    for (const judgement of isLittle ? judgements.slice(0, 1) : judgements) {
      const compared = compare({
        request: { ...request, ...judgement },
        client: clientOf(client),
        variants: [...reduced, ...forgetting],
        seed: 1,
        mostTransitions: usualTransitions,
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

/** Takes an hour: `AMOUNT=all npx vitest run test/agreement/objects.test.ts`. */
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
