/**
 * The language under control against plain Node: snippets of all of it log the same in an async process, in a class, and in a class in
 * JavaScript's own job order. What does not is refused, but for what the guide lists.
 */
import { afterAll, describe, expect, test } from 'vitest'
import { amount, cut, isLittle } from '../amount.ts'
import { snippets } from './language/all.ts'
import { Comparison, type Form, forms } from './language/compare.ts'
import { exceptions, isInOneOrder } from './language/exceptions.ts'
import type { Snippet } from './language/snippet.ts'

const comparison = new Comparison()
afterAll(() => comparison.end())

const atOnce = 40

/** Spread over all families. */
function picked(form: Form): readonly Snippet[] {
  const fitting = snippets.filter(({ name }) => form !== 'class' || !isInOneOrder(name))
  const step = fitting.length / amount({ quick: 40, rest: fitting.length, all: fitting.length })
  return fitting.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step))
}

describe('snippets log under control what they log in Node', () => {
  test.each(forms)('%s', cut, async (form) => {
    const known = exceptions.filter((one) => one.forms.includes(form))
    const isKnown = ({ name }: Snippet): boolean => known.some((one) => one.of.test(name))
    const all = picked(form).filter((one) => !isKnown(one))
    for (let at = 0; at < all.length; at += atOnce)
      expect(await comparison.differences(form, all.slice(at, at + atOnce))).toEqual({})
    if (!isLittle) expect(all.length).toBeGreaterThan(700)
  })
})

describe('what is known not to is refused, or listed in the guide', () => {
  for (const form of forms)
    for (const { of, outcome } of exceptions.filter((one) => one.forms.includes(form)))
      test(`${form}: ${of.source}: ${outcome}`, cut, async () => {
        const all = snippets.filter(({ name }) => of.test(name))
        expect(all).not.toEqual([])
        for (const snippet of all.slice(0, amount({ quick: 1, rest: all.length, all: all.length }))) {
          const told = await comparison.differences(form, [snippet])
          if (outcome.startsWith('E')) expect([snippet.name, told]).toEqual([snippet.name, outcome])
          else expect(Object.keys(told)).toEqual([snippet.name])
        }
      })
})
