/** Programs as people write them: prove says nothing that check contradicts. */
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { judged, usual } from './judge.ts'
import { loaded } from './loaded.ts'
import { hostilePrograms } from './programs.ts'

const programs = hostilePrograms(fileURLToPath(new URL('programs', import.meta.url)))

describe('prove says of a program what check says of its smallest sizes, or less', () => {
  test.each(programs.map(({ name, text }) => [name, text] as const))('%s', async (_, text) => {
    // What check has found already, prove need not find again.
    const { problem } = await judged(loaded(text), { ...usual, milliseconds: 0 })
    expect(problem).toBeUndefined()
  })
})

test('each name is that of one program', () => {
  const names = programs.map(({ name }) => name)
  expect(names).toEqual([...new Set(names)])
  expect(names.length).toBeGreaterThan(120)
})
