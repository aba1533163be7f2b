/** Where something was announced: known while places are captured, and for nothing but to tell people. */
import { DiagnosticError } from '../../core/diagnostic.ts'
import type { Announced } from '../../program/machines.ts'

/** By what was announced, and by its event. */
const places = new WeakMap<object, string>()

export function noteAnnounced(announced: Announced, stack: string): void {
  const { event } = announced
  places.set(announced, stack)
  if (typeof event === 'object' && event !== null) places.set(event, stack)
}

export function placeOfAnnounced(announced: Announced): string | undefined {
  return places.get(announced)
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
    const stack = places.get(call)
    if (stack === undefined || !(error instanceof DiagnosticError) || error.diagnostic.stack !== undefined) throw error
    throw new DiagnosticError({ ...error.diagnostic, stack })
  }
}
