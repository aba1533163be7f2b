/** What cannot be announced, by processes or by machines: monitors and objects would be told nothing. */
import type { Diagnostic } from './diagnostic.ts'

export function emptyAnnouncement(event: unknown): Pick<Diagnostic, 'message' | 'hint'> | undefined {
  if (event !== undefined && event !== null) return undefined
  return {
    message: `announce() needs an event or a call of a specification and got ${event}`,
    hint: "announce({ kind: 'granted', … }), or announce(lock.take({ … }))",
  }
}
