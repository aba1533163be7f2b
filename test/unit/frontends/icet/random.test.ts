import { expect, test } from 'vitest'
import { extractIcet } from '../../../../src/frontends/typescript/icet/extract.ts'
import { amount, cut } from '../../../amount.ts'
import { evaluated, outcome, termProgram } from './outcomes.ts'
import { randomProgram } from './random-programs.ts'

const seeds = Array.from({ length: amount({ quick: 10, thorough: 40, all: 40 }) }, (_, index) => index + 1)
const sizes = { n: 1 }

test('random programs have the executions of their terms, and most of them are inside', cut, async () => {
  const differences: string[] = []
  let inside = 0
  for (const seed of seeds) {
    const source = randomProgram(seed)
    const icet = extractIcet({ source, file: 'a.check.ts', at: 'default' })
    if (!icet.ok) continue
    inside++
    const original = await outcome(evaluated(source), sizes)
    const term = await outcome(termProgram(icet.value), sizes)
    if (original !== term) differences.push(`seed ${seed}: ${original}, but ${term}`)
  }
  expect(differences).toEqual([])
  expect(inside).toBeGreaterThan(seeds.length / 2)
})
