/** Programs as people write them: prove says nothing that check contradicts. */
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { judged, usual } from './judge.ts'
import { knownWrong } from './known-wrong.ts'
import { loaded } from './loaded.ts'
import { hostilePrograms } from './programs.ts'

const programs = hostilePrograms(fileURLToPath(new URL('programs', import.meta.url)))

describe('prove says of a program what check says of its smallest sizes, or less', () => {
  test.each(programs.map(({ name, text }) => [name, text] as const))('%s', async (name, text) => {
    // What check has found already, prove need not find again.
    const { problem } = await judged(loaded(text), { ...usual, milliseconds: 0 })
    if (knownWrong.has(name)) expect(problem, 'mended: take it out of the list of what is known').toBeDefined()
    else expect(problem).toBeUndefined()
  })
})

test('each name is that of one program, also among those that are known to be wrong', () => {
  const names = programs.map(({ name }) => name)
  expect(names).toEqual([...new Set(names)])
  expect([...knownWrong].filter((name) => !names.includes(name))).toEqual([])
  expect(names.length).toBeGreaterThan(120)
})
