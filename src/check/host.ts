/** Time and memory of the real machine. */
import { setImmediate } from 'node:timers/promises'
import { getHeapStatistics } from 'node:v8'
import { isMainThread } from 'node:worker_threads'
import type { Host } from '../distribute/driver.ts'

// Taken at load time: the determinism guard replaces the global functions while a check runs.
const now = performance.now.bind(performance)
const pause = setImmediate
const usage = process.cpuUsage.bind(process)

function worked(): number {
  const { user, system } = usage()
  return (user + system) / 1000
}

/**
 * Memory is not asked for more often, because the question takes longer than many a step of a search: with every look at the clock it was
 * 7 to 12 % of the time, and every 20 ms still 7 % where an answer takes a millisecond. So it is also asked so rarely that it takes a
 * fiftieth of the time, but not so rarely that a search could fill the memory in between.
 */
const memoryMilliseconds = { least: 20, most: 200, ofAnswer: 50 }

export function hostWith(memory: () => number): Host & { worked(): number } {
  const { least, most, ofAnswer } = memoryMilliseconds
  let [known, nextAt] = [0, Number.NEGATIVE_INFINITY]
  return {
    now,
    worked,
    memory: () => {
      const askedAt = now()
      if (askedAt < nextAt) return known
      known = memory()
      const answeredAt = now()
      nextAt = answeredAt + Math.min(most, Math.max(least, ofAnswer * (answeredAt - askedAt)))
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
    worked: host.worked,
    memory: () => {
      const resident = host.memory()
      least = Math.min(least, resident)
      return before + (resident - least)
    },
    pause: host.pause,
  }
}

const resources = process.resourceUsage.bind(process)

export const realHost: ReturnType<typeof hostWith> = {
  ...hostWith(isMainThread ? () => process.memoryUsage.rss() : heapOfThread),
  peak: () => resources().maxRSS * 1024,
}
