import { expect, test } from 'vitest'
import { unifiedDiff } from '../../../src/check/objects/unified-diff.ts'

test('a change near the end has no context line behind the last', () => {
  expect(unifiedDiff('a.ts', 'one\ntwo\n', 'one\nTWO\n')).toBe(
    '--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n',
  )
})

test('a last line without its end is marked', () => {
  expect(unifiedDiff('a.ts', 'one\ntwo', 'one\n2\ntwo')).toBe(
    '--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,3 @@\n one\n+2\n two\n\\ No newline at end of file\n',
  )
})

test('blank lines around a change stay', () => {
  expect(unifiedDiff('a.ts', 'x\n\n\n', 'y\n\n\n')).toBe('--- a/a.ts\n+++ b/a.ts\n@@ -1,3 +1,3 @@\n-x\n+y\n \n \n')
})

test('equal texts have no difference', () => {
  expect(unifiedDiff('a.ts', 'x', 'x')).toBe('')
})
