/** Every test file begins with the state that sources keep for themselves as it is when they are loaded, and with memory enough. */
import { vi } from 'vitest'
import { realHost } from '../src/check/host.ts'
import { running } from '../src/core/running.ts'

Object.assign(running, { process: undefined, fuel: 0, unawaited: 0, unperformed: 0, mistake: undefined })
running.made.length = 0

// The heap of this thread is also what the tests before have left in it: a budget of memory that nobody speaks of ends no search.
Object.assign(realHost, { memory: () => 0 })

// A test that failed in between may have left them.
vi.useRealTimers()
vi.restoreAllMocks()
