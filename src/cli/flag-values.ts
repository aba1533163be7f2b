/** Values of flags as typed: whole numbers and one of several names. */

import { failure, type Result, success } from '../core/diagnostic.ts'
import { nearestName } from '../core/did-you-mean.ts'

export function wholeNumber(option: string, text: string | undefined, least: number): Result<number | undefined> {
  if (text === undefined) return success(undefined)
  const value = /^-?\d[\d_]*$/.test(text) ? Number(text.replaceAll('_', '')) : Number.NaN
  if (Number.isSafeInteger(value) && value >= least) return success(value)
  const isTooLarge = Number.isInteger(value) && !Number.isSafeInteger(value)
  const sort = least === 1 ? 'a whole number above 0' : 'a whole number'
  const expected = isTooLarge ? `${sort} with at most 15 digits` : sort
  return failure({
    code: 'E107',
    message: `${option} is "${text}", but it must be ${expected}`,
    hint: `write ${expected}`,
  })
}

export function oneOf<T extends string>(
  option: string,
  text: string | undefined,
  allowed: readonly T[],
): Result<T | undefined> {
  if (text === undefined) return success(undefined)
  const value = allowed.find((known) => known === text)
  if (value !== undefined) return success(value)
  const nearest = text.length === 1 ? undefined : nearestName(text, allowed)
  const hint = nearest === undefined ? `write one of ${allowed.join(', ')}` : `did you mean "${nearest}"?`
  return failure({ code: 'E107', message: `${option} is "${text}"`, hint })
}
