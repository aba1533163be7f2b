/** Where something was announced: known while places are captured, and for nothing but to tell people. */
import { DiagnosticError } from '../../core/diagnostic.ts'
import type { Announced } from '../../program/machines.ts'
import { placedAt, placeOfCall } from '../../program/refinement.ts'

/** By what was announced. Events are known by themselves. */
const places = new WeakMap<object, string>()

export function noteAnnounced(announced: Announced, stack: string): void {
  const { event } = announced
  places.set(announced, stack)
  if (typeof event === 'object' && event !== null) placedAt(event, stack)
}

export function placeOfAnnounced(announced: Announced): string | undefined {
  return places.get(announced) ?? placeOfEvent(announced.event)
}

/** Of what actions announce, the place at which the call was made is all that is known. */
export function placeOfEvent(event: unknown): string | undefined {
  return typeof event === 'object' && event !== null ? placeOfCall(event) : undefined
}

/** A call takes effect before the handler sends anything, wherever it was announced. */
export function atFirst(announced: Announced): Announced {
  if (announced.after === 0) return announced
  const moved = { event: announced.event, after: 0 }
  const place = places.get(announced)
  if (place !== undefined) places.set(moved, place)
  return moved
}

/** What is wrong with a call, and has no line of its own, is wrong where it was announced. */
export function atAnnouncement<Answer>(call: object, ask: () => Answer): Answer {
  try {
    return ask()
  } catch (error) {
    const stack = placeOfCall(call)
    if (stack === undefined || !(error instanceof DiagnosticError) || error.diagnostic.stack !== undefined) throw error
    throw new DiagnosticError({ ...error.diagnostic, stack })
  }
}
