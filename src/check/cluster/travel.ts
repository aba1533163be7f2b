/** What is said of a program that cannot be sent to other machines, and what of this one it may depend on. */
import type { Diagnostic } from '../../core/diagnostic.ts'

/** Language and time zone, by which dates and orders of letters differ. */
export function localeHere(): string {
  const { locale, timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return `${locale}, ${timeZone}`
}

export const elsewhere = 'use threads of this machine, --workers auto, or shards, --shard 1/8'

export function cannotTravel(shown: string, why: string, hint: string): Diagnostic {
  return { code: 'E802', message: `${shown} cannot be sent to other machines: ${why}`, hint }
}
