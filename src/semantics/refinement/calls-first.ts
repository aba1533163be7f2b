/** When calls of abstract objects take effect, among what a handler announces. */
import type { Announced } from '../../program/machines.ts'
import type { AbstractObject } from '../../program/refinement.ts'
import { atFirst } from './announced-at.ts'
import { isCall } from './calls-at-start.ts'

/** Calls of abstract objects take effect with the handler, and not between two of its messages. */
export function callsFirst(announced: readonly Announced[], refines: readonly AbstractObject[]): readonly Announced[] {
  if (announced.length === 0 || !announced.some(({ event }) => isCall(event, refines))) return announced
  const calls = announced.filter(({ event }) => isCall(event, refines)).map(atFirst)
  return [...calls, ...announced.filter(({ event }) => !isCall(event, refines))]
}
