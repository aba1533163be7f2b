/** Every construct outside the provable subset: code, place, what is wrong, and the rewrite that brings it inside. */
import { expect, test } from 'vitest'
import { around, refusal } from './extracted.ts'
import { outside } from './outside.ts'

test.each(outside)('$name is refused', ({ body, more, says }) => {
  expect(refusal(around(body, more))).toBe(says)
})
