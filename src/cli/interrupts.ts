/**
 * Ctrl-C. While something is explored or proved, the first ends the search with what is known, and the second ends the process. Before that, when
 * files are read and there is nothing to tell, nobody listens, so that the system ends the process at once, whatever it does.
 */
import type { Io } from './io.ts'

export interface Interrupts {
  readonly signal: AbortSignal
  listen(): void
  release(): void
}

export function interruptsOf(io: Io): Interrupts {
  const controller = new AbortController()
  let release: (() => void) | undefined
  return {
    signal: controller.signal,
    listen: () => {
      release ??= io.onInterrupt(() => controller.abort())
    },
    release: () => {
      release?.()
      release = undefined
    },
  }
}
