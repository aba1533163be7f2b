/**
 * Everyday forms that are easily guessed wrong: each program fails under `check`, so its term is refused, or fails as well, or says too
 * little for a proof.
 */
import { describe, expect, test, vi } from 'vitest'
import { sequentialize } from '../../../../src/engines/sequentialize/sequentialize.ts'
import { extractIcet } from '../../../../src/frontends/typescript/icet/extract.ts'
import { expressionsOf, type Icet, partsOf, statementsOf } from '../../../../src/program/icet.ts'
import { cut, oneIn } from '../../../amount.ts'
import { guesses, programText } from './guesses.ts'
import { evaluated, outcome, termProgram } from './outcomes.ts'
import { smallGuesses } from './small-guesses.ts'

const sizes = { n: 1 }

// The test runner's own console asks for the time, which a process may not.
for (const method of ['error', 'info', 'log', 'warn'] as const) vi.spyOn(console, method).mockReturnValue(undefined)

const families = { ...guesses, 'small programs': smallGuesses }

describe.each(Object.entries(families))('%s', (_family, programs) => {
  test.each(oneIn(4, programs))('$body', cut, async (guess) => {
    const source = programText(guess)
    const truth = await outcome(evaluated(source), sizes)
    expect(truth).toMatch(/^violated/)
    const extracted = extractIcet({ source, file: 'a.check.ts', at: 'default' })
    if (!extracted.ok) {
      for (const { code, place, hint } of extracted.diagnostics) expect([code, place, hint]).not.toContain(undefined)
      return
    }
    expect(sequentialize(extracted.value).kind).not.toBe('proved')
    if (!isOpaque(extracted.value)) expect(await outcome(termProgram(extracted.value), sizes)).toBe(truth)
  })
})

test('most of them are refused where they stand, and the rest is read', () => {
  const all = Object.values(families).flat()
  const refused = all.filter((guess) => {
    return !extractIcet({ source: programText(guess), file: 'a.check.ts', at: 'default' }).ok
  })
  expect(all.length).toBeGreaterThan(400)
  expect(refused.length / all.length).toBeLessThan(0.75)
})

function isOpaque({ processes }: Icet): boolean {
  return processes.some(({ body }) =>
    [...statementsOf(body)].some((statement) =>
      expressionsOf(statement).some((expression) => [...partsOf(expression)].some(({ kind }) => kind === 'opaque')),
    ),
  )
}
