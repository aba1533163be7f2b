/** Where calls of abstract objects were announced: known while places are captured, and for nothing but to tell people. */
import { DiagnosticError } from '../../core/diagnostic.ts'

const places = new WeakMap<object, string>()

export function noteAnnounced(event: unknown, stack: string): void {
  if (typeof event === 'object' && event !== null) places.set(event, stack)
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
