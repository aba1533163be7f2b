/** Calls of abstract objects as steps of processes: others may go on before them. Those of a machine belong to its handler. */
import { callStep, Operation } from '../../core/operation.ts'
import { forgetOperations } from '../../core/running.ts'
import type { Value } from '../../core/value.ts'
import type { Runnable } from '../../program/program.ts'
import { callOf } from '../../program/refinement.ts'

export interface Called {
  readonly announced: Operation
  /** What the process waits for until it is announced: a choice without alternative. */
  readonly step: Operation
}

/** Nothing, if it is no call. */
export function calledBy({ refines = [], exposing }: Runnable, operation: Operation): Called | undefined {
  if (refines.length === 0 || operation.kind !== 'announce' || exposing !== undefined) return undefined
  const { payload, stack } = operation
  if (!refines.some((object) => callOf(object, payload as Value) !== undefined)) return undefined
  const step = new Operation('choose', callStep, [payload], undefined, undefined, stack)
  forgetOperations()
  return { announced: operation, step }
}
