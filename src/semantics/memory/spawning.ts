/**
 * Code that goes on by itself, as a process of its own: callbacks of promises, ticks and timers, and async functions that native code
 * or a constructor calls. It runs up to where it waits as part of whatever begins it, and the search says when it goes on.
 */
import { type ControlledPromise, pendingPromise } from '../../jobs/promise-core.ts'
import type { Invocation, ObjectProcess } from './process.ts'

export interface Spawned {
  readonly invocation: Invocation
  /** What the code gives, as a promise. */
  readonly promise: ControlledPromise
  /** Whether nobody sees the promise, so that what the code throws ends a program of Node's. */
  readonly isAlone: boolean
  /** How many callbacks of timers led to it, if one did. */
  readonly round: number | undefined
}

interface World {
  /** Makes it a process; set by each walk. */
  spawn: ((spawned: Spawned) => void) | undefined
  /** Whose step is under way. */
  acting: ObjectProcess | undefined
}

export const world: World = { spawn: undefined, acting: undefined }

/** Whether code can go on by itself: not while modules are loaded, or to look at an instance. */
export function canSpawn(): boolean {
  return world.spawn !== undefined
}

interface How {
  readonly isAlone?: boolean
  readonly round?: number
}

/** Part of an operation, or of native code, whose answer is in a log if it must be known again. */
export function spawn(invocation: Invocation, { isAlone = false, round }: How = {}): ControlledPromise {
  const promise = pendingPromise()
  world.spawn?.({ invocation, promise, isAlone, round })
  return promise
}
