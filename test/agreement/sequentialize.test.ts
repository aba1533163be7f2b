/**
 * The prover against exploration: whatever it proves of generated programs for every size, dpor finds for all small sizes;
 * and its kernel accepts its proofs and nothing that merely looks like them.
 */
// @module-tag cut
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Random } from '../../src/core/random.ts'
import { checkProof } from '../../src/engines/sequentialize/kernel.ts'
import { sequentialize } from '../../src/engines/sequentialize/sequentialize.ts'
import { extractIcet } from '../../src/frontends/typescript/icet/extract.ts'
import { amount, atLeast, atMost, long } from '../amount.ts'
import { casesOf, readProveEntries } from '../corpus/prove-cases.ts'
import { generateIcet } from './icet-generate.ts'
import { identities, loops, servers } from './icet-hard.ts'
import { endless, knowledge, values } from './icet-hard-values.ts'
import { printIcet } from './icet-print.ts'
import { regressions } from './icet-regressions.ts'
import { type Mutant, mutantsOf } from './proof-mutation.ts'
import {
  compareIcet,
  compareSequentialize,
  explore,
  newSequentializeTally,
  soakSequentialize,
} from './sequentialize-agreement.ts'

const programs = amount({ quick: 12, rest: 100, thorough: 200, all: 2_000 })
const mutants = amount({ quick: 16, rest: 100, thorough: 200, all: 1_000 })
test(`what is proved of ${programs} generated programs, and of 3 programs beside each proved one, holds for all sizes up to 3`, {}, () => {
  const tally = newSequentializeTally()
  for (let seed = 0; seed < programs; seed++) {
    const problem = compareSequentialize(seed, tally)
    if (problem !== undefined) expect.fail(problem)
  }
  const { proved, explored, skipped } = tally
  expect(proved / tally.programs, 'share of programs that are proved').toBeGreaterThan(atLeast(0.2))
  expect(skipped / (explored + skipped), 'share of sizes left out as too large').toBeLessThan(atMost(0.1))
  expect(tally.endless, 'proved programs whose executions do not end').toBeLessThan(atMost(programs / 100))
})

test.each(Object.entries({ loops, identities, servers, knowledge, values, endless }))(
  'nothing is proved of hard terms that does not hold: %s',
  (_name, terms) => {
    const problems = terms.flatMap((icet) => compareIcet(icet, newSequentializeTally()) ?? [])
    expect(problems).toEqual([])
  },
)

test('what is proved of the terms of the corpus holds for all sizes up to 3', long, async () => {
  const cases = (await readProveEntries()).flatMap(casesOf)
  const tally = newSequentializeTally()
  const problems = cases.flatMap(({ file, exportName }) => {
    const term = extractIcet({ file, source: readFileSync(file, 'utf8'), at: exportName })
    return term.ok ? (compareIcet(term.value, tally) ?? []) : []
  })
  expect(problems).toEqual([])
  expect(tally.proved, 'programs that are proved').toBeGreaterThanOrEqual(17)
})

test.each(regressions.map((one) => [one.icet.name, one] as const))(
  'what was once proved and is wrong is not proved: %s',
  (_name, { icet, sizes, problem }) => {
    expect(explore(icet).problem).toEqual({ sizes, text: problem })
    expect(sequentialize(icet).kind).not.toBe('proved')
  },
)

test('generated programs are safe and unsafe, some only from two members on', () => {
  const seeds = Array.from({ length: 150 }, (_, seed) => seed)
  const found = seeds.map((seed) => explore(generateIcet(seed), { budget: 2_000 }))
  const unsafe = found.filter(({ problem }) => problem !== undefined)
  const late = unsafe.filter(({ problem }) => Object.values(problem?.sizes ?? {}).some((size) => size > 1))
  expect(unsafe.length / found.length, 'share of programs that are not safe').toBeGreaterThan(0.4)
  expect(unsafe.length / found.length, 'share of programs that are not safe').toBeLessThan(0.7)
  expect(late.length, 'programs that go wrong with two members and not with one').toBeGreaterThan(4)
})

test(`the kernel refuses ${mutants} proofs with one change each`, () => {
  const names: string[] = []
  for (let seed = 0; names.length < mutants; seed++) {
    const icet = generateIcet(seed)
    const found = sequentialize(icet)
    if (found.kind !== 'proved') continue
    for (const mutant of mutantsOf(found.proof, new Random(seed))) {
      names.push(mutant.name)
      if (checkProof(icet, mutant.proof) === undefined) expect.fail(accepted(printIcet(icet), mutant))
    }
  }
  expect(new Set(names).size, 'different changes').toBeGreaterThan(atLeast(25))
})

function accepted(text: string, { name, proof }: Mutant): string {
  return `accepted: ${name}\n\n${text}\n\n${JSON.stringify(proof.steps, undefined, 2)}`
}

test('a soak compares as many programs as it is asked for', () => {
  expect([...soakSequentialize({ programs: 5, seed: 1 })].length).toBe(5)
})
