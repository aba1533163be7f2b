/**
 * Clients: the calls that several processes make on one object. They are the unit of a linearizability check, as in
 * Emmi and Enea, "Violat: Generating Tests of Observational Refinement for Concurrent Objects" (CAV 2019), and in
 * thesis §2.3.5.
 */
import type { Value } from '../../core/value.ts'

export interface ValueArgument {
  readonly kind: 'value'
  readonly value: Value
}

/** What an earlier call of the same process returned. Calls count from 0 here and from 1 in text: `$1`. */
interface ResultArgument {
  readonly kind: 'result'
  readonly call: number
}

export type ClientArgument = ValueArgument | ResultArgument

export interface ClientCall {
  readonly operation: string
  readonly args: readonly ClientArgument[]
}

export interface Client {
  /** Calls that run first, alone. */
  readonly setup?: readonly ClientCall[] | undefined
  /** The calls of each process, in the order it makes them. */
  readonly processes: readonly (readonly ClientCall[])[]
}

export function valueArgument(value: Value): ValueArgument {
  return { kind: 'value', value }
}

/** Calls of all processes together, without the setup. */
export function callCount({ processes }: Client): number {
  return processes.reduce((sum, calls) => sum + calls.length, 0)
}
