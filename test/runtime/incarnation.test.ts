import { expect, test } from 'vitest'
import { isFutureLife, nextLife } from '../../src/runtime/incarnation.ts'

const [now, day] = [1_800_000_000_000, 24 * 3600 * 1000]

test('a life begins later than the one before', () => {
  expect(nextLife(0, now)).toBe(now)
  expect(nextLife(now - 5, now)).toBe(now)
  expect(nextLife(now, now)).toBe(now + 1)
  expect(nextLife(now + day, now)).toBe(now + day + 1)
})

test('a life of the far future is listened to by nobody, and the next one is of the present', () => {
  expect(isFutureLife(now + day, now)).toBe(false)
  expect(isFutureLife(now + day + 1, now)).toBe(true)
  expect(nextLife(now + day + 1, now)).toBe(now)
})
