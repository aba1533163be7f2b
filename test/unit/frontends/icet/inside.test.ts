/** Every construct of the provable subset, and the exact term it becomes. */
import { expect, test } from 'vitest'
import { main } from './extracted.ts'
import { inside } from './inside.ts'

test.each(inside)('$name', ({ body, more, term }) => {
  expect(main(body, more)).toBe(term)
})
