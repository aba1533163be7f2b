import { expect, test } from 'vitest'
import { cutText } from '../../../src/core/cut-text.ts'

test('a text of a stranger is cut, with the number of letters that were left out', () => {
  expect(cutText('x'.repeat(500))).toBe('x'.repeat(500))
  expect(cutText('x'.repeat(70_000))).toBe(`${'x'.repeat(500)}… (69500 more characters)`)
  expect(cutText('abcdef', 3)).toBe('abc… (3 more characters)')
})

test('no half of a letter is left at the end', () => {
  expect(cutText('ab🙂cd', 3)).toBe('ab… (4 more characters)')
})
