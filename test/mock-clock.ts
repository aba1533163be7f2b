/**
 * A clock that goes on whenever somebody looks at it: a budget of time ends at the same place on a slow computer as on a fast one, and
 * what other tests keep in memory ends nothing.
 */
import { vi } from 'vitest'
import { realHost } from '../src/check/host.ts'

/** Until `vi.restoreAllMocks()`. */
export function mockClock(looksInMillisecond = 4): void {
  let looks = 0
  const look = (): number => looks++ / looksInMillisecond
  vi.spyOn(realHost, 'now').mockImplementation(look)
  vi.spyOn(realHost, 'worked').mockImplementation(look)
  vi.spyOn(realHost, 'memory').mockReturnValue(0)
}
