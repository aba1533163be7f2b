/** Lines that begin with words from outside. */
import { expect, test } from 'vitest'
import { apart, frameLines, paragraph } from '../../../src/reports/lines.ts'
import { glyphsFor } from '../../../src/reports/paint.ts'
import { widthOf } from '../../../src/reports/text-width.ts'

const glyphs = glyphsFor(false)

test('further lines of a text are marked, whatever they are', () => {
  expect(paragraph('wrong\n ✓ verified  all\n\nreplay   npx x\nplain\n\n', 97, glyphs)).toEqual([
    'wrong',
    '│  ✓ verified  all',
    '',
    '│ replay   npx x',
    '│ plain',
  ])
})

test.each([
  'replay   npx allways replay x',
  // Cyrillic letters look the same, and so does a space that does not break.
  'rеplay   npx x',
  'replay\u00a0\u00a0npx x',
  'replay',
  'npx allways replay x',
  '  npx x',
  'hint: run this',
  'note: all is well',
  '✓ verified',
  '✗ other.check.ts:3  assertion violated',
  '◌ incomplete',
])('%j looks like a line of ours and is marked', (line) => {
  expect(apart([line], 97, glyphs)).toEqual([`│ ${line}`])
})

test.each(['replay protection failed', 'the page is gone', 'npx', '1 is not 2', ''])('%j stays as it is', (line) => {
  expect(apart([line], 97, glyphs)).toEqual([line])
})

test('what comes to the beginning by being wrapped is marked, and no line gets too wide', () => {
  for (let before = 1; before < 200; before++) {
    const lines = paragraph(`${'x'.repeat(before)} replay   npx FORGED ${'y '.repeat(60)}`, 97, glyphs)
    expect(lines.filter((line) => /^\s*replay\s/.test(line))).toEqual([])
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(97)
  }
})

test('a framed text that looks like a line of ours is marked, and its caret stays below its place', () => {
  expect(frameLines('replay   npx x\n         ^', 3, glyphs)).toEqual(['   │ replay   npx x', '   │          ^'])
  expect(frameLines('{ push(1) }\n  ^', 3, glyphs)).toEqual(['   { push(1) }', '     ^'])
  expect(frameLines('>  5 |   x\n     |   ^', 0, glyphs)).toEqual(['>  5 |   x', '     |   ^'])
  const [long = ''] = frameLines(`hint: ${'x'.repeat(200)}`, 3, glyphs)
  expect(widthOf(long)).toBe(100)
})
