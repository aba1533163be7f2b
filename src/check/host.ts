/** Time and memory of the real machine. */
import { setImmediate } from 'node:timers/promises'
import { getHeapStatistics } from 'node:v8'
import { isMainThread } from 'node:worker_threads'
import type { Host } from '../distribute/driver.ts'

// Taken at load time: the determinism guard replaces the global functions while a check runs.
const now = performance.now.bind(performance)
const pause = setImmediate

/** Memory is not asked for more often: the question takes longer than many a step of a search, which was 7 to 12 % of the time. */
const memoryMilliseconds = 20

export function hostWith(memory: () => number): Host {
  let [known, askedAt] = [0, Number.NEGATIVE_INFINITY]
  return {
    now,
    memory: () => {
      if (now() - askedAt >= memoryMilliseconds) [known, askedAt] = [memory(), now()]
      return known
    },
    pause: () => pause(),
  }
}

/** What the process takes is also what other threads take, and budgets of a thread are of its own heap. */
export function heapOfThread(): number {
  const { total_heap_size, external_memory } = getHeapStatistics()
  return total_heap_size + external_memory
}

/**
 * Memory as if it had never fallen: what a collector gives back after the start was not the search's own, and a budget of growth
 * that was set while it was still resident would never be reached.
 */
export function risingHost(host: Host, before: number): Host {
  let least = before
  return {
    now: host.now,
    memory: () => {
      const resident = host.memory()
      least = Math.min(least, resident)
      return before + (resident - least)
    },
    pause: host.pause,
  }
}

export const realHost = hostWith(isMainThread ? () => process.memoryUsage.rss() : heapOfThread)
