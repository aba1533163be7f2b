/** The kernel against terms and proofs that were written to break it. */
import { expect, test } from 'vitest'
import { checkProof } from '../../src/engines/sequentialize/kernel.ts'
import { sequentialize } from '../../src/engines/sequentialize/sequentialize.ts'
import { likeness, orders } from './icet-attacks.ts'
import { alternatingProof, falseProofs } from './icet-false-proofs.ts'
import { compareIcet, explore, newSequentializeTally } from './sequentialize-agreement.ts'

const attacks = [...orders, ...likeness]
const mended = attacks.flatMap(({ term, twin }) => (twin === undefined ? [] : [{ term, twin }]))

test.each(attacks)('is not safe, and not proved: $term.name', ({ term }) => {
  expect(compareIcet(term, newSequentializeTally())).toBeUndefined()
  expect(explore(term).problem).toBeDefined()
})

test.each(mended)('is proved when mended, by a proof that is none without: $term.name', ({ term, twin }) => {
  const found = sequentialize(twin)
  if (found.kind !== 'proved') return expect(found).toBe('proved')
  expect(explore(twin).problem).toBeUndefined()
  expect(checkProof(term, found.proof)).toBeDefined()
})

test.each(falseProofs)('the kernel refuses a proof of what is not safe: $term.name', ({ term, proof, twin }) => {
  expect(explore(term).problem).toBeDefined()
  expect(checkProof(term, proof)).toBeDefined()
  if (twin === undefined) return
  expect(explore(twin).problem).toBeUndefined()
  expect(checkProof(twin, proof)).toBeUndefined()
})

test('the kernel accepts that an iteration takes all that another iteration left', () => {
  expect(checkProof(alternatingProof.term, alternatingProof.proof)).toBeUndefined()
  expect(explore(alternatingProof.term).problem).toBeUndefined()
})
