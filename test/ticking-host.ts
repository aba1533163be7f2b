/** Time of a driver's host that passes only when it is asked for. */
import type { Host } from '../src/distribute/driver.ts'

/** So much at each question that the driver asks after every event and every execution. */
export const tick = 2

export function tickingHost(): Host {
  let time = 0
  return {
    now: () => {
      time += tick
      return time
    },
    memory: () => 0,
    pause: async () => {},
  }
}
