/** What running machines announced, as their logs tell: one execution, known up to the order of what did not depend on each other. */
import type { Place } from '../core/diagnostic.ts'
import type { Value } from '../core/value.ts'
import type { Paths } from './path.ts'
import type { AbstractObject } from './refinement.ts'

/** Calls that one handler announced: nothing comes between them. */
export interface LoggedStep {
  readonly calls: readonly Value[]
  /** By machine: how many of its steps come before this one in every order. */
  readonly past: readonly number[]
  /** Logical time: one that the step can have had. */
  readonly at: number
  /** The line of the log. */
  readonly place: Place
}

interface LoggedMachine {
  readonly name: string
  readonly steps: readonly LoggedStep[]
}

export interface LoggedCalls {
  readonly objects: readonly AbstractObject[]
  readonly callers: readonly LoggedMachine[]
  /** Of all machines, with calls or without. */
  readonly events: number
  /** Machines whose logs do not say that they stopped: what they did after the last line is not known. */
  readonly unended: readonly string[]
  /** Lines of handlers that failed, and changed and announced nothing therefore. */
  readonly failed: readonly Place[]
}

/** Calls with the paths that are their orders. */
export interface Logged extends LoggedCalls {
  readonly paths: Paths
}
