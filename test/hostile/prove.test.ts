/** Programs as people write them: prove says nothing that check contradicts. */
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { amount, cut, isLittle, isQuick } from '../amount.ts'
import { mockClock } from '../mock-clock.ts'
import { judged, usual } from './judge.ts'
import { loaded } from './loaded.ts'
import { hostilePrograms } from './programs.ts'

const programs = hostilePrograms(fileURLToPath(new URL('programs', import.meta.url)))

// As far as on any other computer, with as much time as the solver may want.
beforeEach(() => mockClock(1 / 240))
afterEach(() => vi.restoreAllMocks())

/** How many programs are answered how. */
const answers = new Map<string, number>()

describe('prove says of a program what check says of its smallest sizes, or less', cut, () => {
  const asked = programs.filter((_, at) => at % (isQuick ? 5 : isLittle ? 3 : 1) === 0)
  test.each(asked.map(({ name, text }) => [name, text] as const))('%s', async (_, text) => {
    const { said, problem, codes } = await judged(loaded(text), usual)
    expect(problem).toBeUndefined()
    // Refused for what it says, not for how it was asked about.
    expect(codes).not.toContain('E107')
    answers.set(said, (answers.get(said) ?? 0) + 1)
  })
})

test('each name is that of one program', () => {
  const names = programs.map(({ name }) => name)
  expect(names).toEqual([...new Set(names)])
  expect(names.length).toBeGreaterThan(120)
})

test('not all are refused', cut, () => {
  expect(answers.get('violated')).toBeGreaterThan(amount({ quick: 4, thorough: 20, all: 20 }))
  expect(answers.get('proved')).toBeGreaterThan(amount({ quick: 0, thorough: 1, all: 1 }))
})
