import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Address, type Value } from '../../../src/core/value.ts'
import { showValue } from '../../../src/core/value-text.ts'
import { values } from './values.ts'

describe('the text of a value', () => {
  test.each<[Value, string]>([
    ['a "quoted" text', '"a \\"quoted\\" text"'],
    [12n, '12n'],
    [-0, '-0'],
    [undefined, 'undefined'],
    [null, 'null'],
    [Address.of('n1'), 'n1'],
    [[1, [true]], '[1, [true]]'],
    [new Set(['a', 1]), 'Set{"a", 1}'],
    [new Map([['a', { b: 1 }]]), 'Map{"a": {b: 1}}'],
    [{ kind: 'Vote', term: 1, from: Address.of('n1') }, 'Vote{term: 1, from: n1}'],
    [{ kind: 'stop' }, 'stop'],
    [{ kind: 1, term: 2 }, '{kind: 1, term: 2}'],
    [{}, '{}'],
  ])('of %o is %s', (value, text) => {
    expect(showValue(value)).toBe(text)
  })

  test('is cut with an ellipsis at the width', () => {
    expect(showValue('abcdef', 8)).toBe('"abcdef"')
    expect(showValue('abcdef', 7)).toBe('"abcde…')
  })

  test('says how much is left out of a long one', () => {
    const shown = showValue({ kind: 'word', text: 'x'.repeat(2_000_000) }, 200)
    expect(shown).toBe(`word{text: "${'x'.repeat(28)}… 1,999,974 more characters`)
  })

  test('is never longer than the width, and has no line break', () => {
    fc.assert(
      fc.property(values, fc.integer({ min: 2, max: 40 }), (value, width) => {
        expect(showValue(value, width).length).toBeLessThanOrEqual(width)
      }),
      { seed: 30 },
    )
  })
})
