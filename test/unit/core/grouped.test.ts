import { expect, test } from 'vitest'
import { grouped } from '../../../src/core/grouped.ts'

test.each([0, 7, 999, 1000, 1204, 12_345, 999_999, 1_000_000, 1_234_567_890, -5, -1000, -123_456, 0.5, 1234.125])(
  '%d is written as the host writes it in English',
  (count) => {
    expect(grouped(count)).toBe(count.toLocaleString('en'))
  },
)

test('so are numbers beyond those', () => {
  expect(grouped(10n ** 30n)).toBe((10n ** 30n).toLocaleString('en'))
})
