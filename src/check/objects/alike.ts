/**
 * Which violations are told apart. Every larger client that contains a failing one fails as well, usually hundreds of them:
 * what users want of all violations is one of each sort, in the smallest client that has it.
 */
import type { ClientExecution, Counterexample } from '../../core/evidence.ts'
import type { CallResult } from '../../core/history.ts'
import { type Violation, violationKey } from '../../core/property.ts'

/** Equal for counterexamples that are told once. */
export function keyOf({ violation, client }: Counterexample): string {
  return client === undefined ? violationKey(violation) : alikeKey(violation, client)
}

/**
 * Equal for violations of one sort: the same operations are called, and the same one of them goes wrong in the same way, such as
 * by returning null, or a number.
 */
function alikeKey(violation: Violation, { stuck, history: { calls } }: ClientExecution): string {
  const names = (among: typeof calls): readonly string[] => [...new Set(among.map(({ operation }) => operation))].sort()
  const wrong = violation.kind === 'deadlock' ? calls.filter(({ result }) => result.kind === 'pending') : []
  const failing = stuck === undefined ? undefined : calls[stuck]
  return JSON.stringify([violation.kind, names(calls), names(wrong), failing?.operation, sortOf(failing?.result)])
}

function sortOf(result: CallResult | undefined): string {
  if (result?.kind !== 'returned') return result?.kind ?? ''
  const { value } = result
  return value === null || typeof value === 'boolean' ? String(value) : typeof value
}
