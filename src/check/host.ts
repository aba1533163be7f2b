/** Time and memory of the real machine. */
import { setImmediate } from 'node:timers/promises'
import type { Host } from '../distribute/driver.ts'

// Taken at load time: the determinism guard replaces the global functions while a check runs.
const now = performance.now.bind(performance)
const pause = setImmediate

export const realHost: Host = {
  now,
  memory: () => process.memoryUsage.rss(),
  pause: () => pause(),
}
