/** Every test file begins with the one piece of state that sources keep for themselves as it is when they are loaded. */
import { vi } from 'vitest'
import { running } from '../src/core/running.ts'

Object.assign(running, { process: undefined, fuel: 0, unawaited: 0, unperformed: 0, mistake: undefined })
running.made.length = 0

// A test that failed in between may have left them.
vi.useRealTimers()
vi.restoreAllMocks()
