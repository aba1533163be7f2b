/** Vitest's own words for checks. What a failing one prints stands in the guide, which is executed. */
import { describe } from 'vitest'
import { assert, choose, program, receive } from '../../../src/index.ts'
import { expect, it, test } from '../../../src/runners/vitest.ts'

const dice = program('dice', { params: { sides: 6 } }, function* ({ sides }) {
  const pips = yield* choose(Array.from({ length: sides }, (_, side) => side + 1))
  yield* assert(pips < 6, `rolled ${pips}`)
})

it.check('a die with five sides never shows six', dice, { params: { sides: 5 } })

describe('toVerify', () => {
  it('holds where every execution does', async () => {
    await expect(dice).toVerify({ params: { sides: 5 } })
  })

  test('fails with the counterexample', async () => {
    await expect(expect(dice).toVerify()).rejects.toThrow(/rolled 6/)
  })

  test('negated, is a violation that is expected', async () => {
    await expect(dice).not.toVerify()
    await expect(expect(dice).not.toVerify({ params: { sides: 5 } })).rejects.toThrow(/verified: all 5 executions/)
  })

  test.each([
    ['a search that ends early', dice, { maxExecutions: 2 }, /stopped/],
    ['an option that does not exist', dice, { parms: {} }, /parms/],
    ['what is no program', {}, {}, /needs a program/],
    ['a process that is none', program('none', (() => receive()) as never), {}, /instead of performing|E2\d\d/],
  ])('%s is neither', async (_, checked, options, message) => {
    await expect(expect(checked).toVerify(options as object)).rejects.toThrow(message)
    await expect(expect(checked).not.toVerify(options as object)).rejects.toThrow(message)
  })
})
