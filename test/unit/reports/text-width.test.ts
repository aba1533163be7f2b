import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Canvas } from '../../../src/reports/canvas.ts'
import { glyphsFor, plainPaint } from '../../../src/reports/paint.ts'
import { clip, clipMiddle, padEnd, printable, widthOf, wrap, wrapItems } from '../../../src/reports/text-width.ts'

const unicode = glyphsFor(false)
const texts = fc.string({ unit: 'binary', maxLength: 80 }).map((text) => printable(text, false))

describe('printable text', () => {
  test('has no line breaks, escapes or direction marks', () => {
    expect(printable('a\nb\tc\u001b[31m\u202e\ud800', false)).toBe('a\\nb\\tc\\u{1b}[31m\\u{202e}\\u{d800}')
  })

  test('is ASCII when asked for', () => {
    expect(printable('Größe … 日', true)).toBe('Gr\\u{f6}\\u{df}e ... \\u{65e5}')
  })
})

describe('width', () => {
  test('of East Asian characters and emoji is two, of marks none', () => {
    expect(widthOf('日本')).toBe(4)
    expect(widthOf('👍')).toBe(2)
    expect(widthOf('q\u0307')).toBe(1)
    expect(widthOf('─▶│✗…')).toBe(5)
  })
})

describe('cutting', () => {
  test('keeps what fits and marks what does not', () => {
    expect(clip('abcdef', 6, unicode)).toBe('abcdef')
    expect(clip('abcdefg', 6, unicode)).toBe('abcde…')
    expect(clip('日本語', 4, unicode)).toBe('日…')
    expect(clip('abcdefg', 6, glyphsFor(true))).toBe('abc...')
  })

  test('in the middle keeps both ends', () => {
    expect(clipMiddle('client-with-a-long-name-17', 11, unicode)).toBe('clien…me-17')
  })

  test('never exceeds the width', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 60 }), fc.boolean(), (text, width, ascii) => {
        expect(widthOf(clip(text, width, glyphsFor(ascii)))).toBeLessThanOrEqual(width)
        expect(widthOf(clipMiddle(text, width, glyphsFor(ascii)))).toBeLessThanOrEqual(width)
      }),
      { seed: 4 },
    )
  })
})

describe('wrapping', () => {
  test.each(['x', '\u001b', '漢', 'x '])(
    'lays out the beginning of a long text of %j, and says how much is left out',
    (one) => {
      const text = printable(one.repeat(1_000_000), false)
      const lines = wrap(text, 97)
      expect(lines.join('').length).toBeLessThan(10_100)
      expect(lines.join(' ')).toContain(`${(text.length - 10_000).toLocaleString('en')} more characters`)
    },
  )

  test('breaks at spaces and keeps the indentation', () => {
    expect(wrap('  the quick brown fox', 12)).toEqual(['  the quick', '  brown fox'])
  })

  test('breaks words that are too long', () => {
    expect(wrap('abcdefgh', 3)).toEqual(['abc', 'def', 'gh'])
  })

  test('loses no character but spaces and never exceeds the width', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 4, max: 40 }), (text, width) => {
        const lines = wrap(text, width)
        for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width)
        expect(lines.join('').replaceAll(/\s/gu, '')).toBe(text.replaceAll(/\s/gu, ''))
      }),
      { seed: 5 },
    )
  })

  test('of items breaks between them', () => {
    expect(wrapItems(['one two', 'three', 'four'], ' · ', 16)).toEqual(['one two · three', 'four'])
  })
})

test('padding fills up to the width in columns', () => {
  expect(padEnd('日', 4)).toBe('日  ')
})

describe('a canvas', () => {
  test('puts later text over earlier and forgets trailing spaces', () => {
    const canvas = new Canvas(10)
    canvas.put(0, 'abcdef')
    expect(canvas.put(2, 'XY')).toBe(4)
    canvas.put(8, ' ')
    expect(canvas.render(plainPaint)).toBe('abXYef')
  })

  test('keeps its width when half of a wide character is overwritten', () => {
    const canvas = new Canvas(6)
    canvas.put(0, '日本')
    canvas.put(1, 'x')
    expect(canvas.render(plainPaint)).toBe(' x本')
    canvas.put(2, 'y')
    expect(canvas.render(plainPaint)).toBe(' xy')
  })

  test('loses what does not fit', () => {
    const canvas = new Canvas(3)
    expect(canvas.put(0, 'ab日')).toBe(2)
    expect(canvas.render(plainPaint)).toBe('ab')
  })
})
