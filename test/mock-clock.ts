/** A clock that goes on whenever somebody looks at it: a budget ends at the same place on a slow computer as on a fast one. */
import { vi } from 'vitest'
import { realHost } from '../src/check/host.ts'

/** Until `vi.restoreAllMocks()`. */
export function mockClock(looksInMillisecond = 4): void {
  let looks = 0
  vi.spyOn(realHost, 'now').mockImplementation(() => looks++ / looksInMillisecond)
}
