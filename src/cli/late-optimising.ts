/**
 * Most commands are over before optimised code has earned what it took to make: of a search of a quarter of a second that was a fifth of the CPU time. Ours asks
 * V8 to wait until a function has run several times as much bytecode as it waits for by itself (67,584 bytes); longer searches take as long as before.
 */
import { setFlagsFromString } from 'node:v8'

const bytesBeforeOptimising = 300_000

/** Of the whole process, and from now on. */
export function optimiseLate(): void {
  setFlagsFromString(`--interrupt-budget=${bytesBeforeOptimising}`)
}
