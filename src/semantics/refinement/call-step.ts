/** Calls of abstract objects as steps of processes: others may go on before them. Those of a machine belong to its handler. */
import { DiagnosticError } from '../../core/diagnostic.ts'
import { callStep, Operation } from '../../core/operation.ts'
import { forgetOperations } from '../../core/running.ts'
import type { Value } from '../../core/value.ts'
import type { Runnable } from '../../program/program.ts'
import { callOf, placedAt } from '../../program/refinement.ts'
import { unaskedCall } from './unasked-calls.ts'

export interface Called {
  readonly announced: Operation
  /** What the process waits for until it is announced: a choice without alternative. */
  readonly step: Operation
}

/** Nothing, if it is no call. */
export function calledBy({ refines = [], exposing, witness }: Runnable, operation: Operation): Called | undefined {
  if (operation.kind !== 'announce') return undefined
  const { payload, stack } = operation
  if (stack !== undefined && typeof payload === 'object' && payload !== null) placedAt(payload, stack)
  const unasked = unaskedCall(payload as Value, { refines, witness, stack })
  if (unasked !== undefined) throw new DiagnosticError({ ...unasked, stack })
  if (refines.length === 0 || exposing !== undefined) return undefined
  if (!refines.some((object) => callOf(object, payload as Value) !== undefined)) return undefined
  const step = new Operation('choose', callStep, [payload], undefined, undefined, stack)
  forgetOperations()
  return { announced: operation, step }
}
