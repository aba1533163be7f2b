/** When calls of abstract objects take effect, among what a handler announces. */
import type { Announced } from '../../program/machines.ts'
import { type AbstractObject, callOf } from '../../program/refinement.ts'

/** Calls of abstract objects take effect with the handler, and not between two of its messages. */
export function callsFirst(announced: readonly Announced[], refines: readonly AbstractObject[]): readonly Announced[] {
  const isCall = ({ event }: Announced) => refines.some((object) => callOf(object, event) !== undefined)
  if (announced.length === 0 || !announced.some(isCall)) return announced
  const calls = announced.filter(isCall).map(({ event }) => ({ event, after: 0 }))
  return [...calls, ...announced.filter((one) => !isCall(one))]
}
