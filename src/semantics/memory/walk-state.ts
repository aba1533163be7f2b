/** The state of a process, as a part of a canonical state. */
import type { Canonical } from './canonical.ts'
import type { ClientProcess } from './client-process.ts'
import type { Pending } from './process.ts'
import { returnedCall } from './results.ts'

const statuses: { readonly [status in ClientProcess['status']]: number } = {
  idle: 0,
  running: 1,
  returning: 2,
  ended: 3,
}

/**
 * Calls that returned are part of the state as their results, because the history is judged at the end; what the log holds beyond
 * them is not, because the position and its live values determine what follows.
 */
export function addClient(canonical: Canonical, client: ClientProcess): void {
  const { status, returned, before, outcome, process, promise } = client
  // A call that was begun and has ended lives on in its promise only.
  if (promise !== undefined && (status === 'ended' || process.pending?.operation.isOver === true)) return
  canonical.part(4 * process.number + statuses[status])
  canonical.count(returned.length)
  for (const { text, raw } of returned) {
    canonical.add(text)
    if (typeof raw === 'object' || typeof raw === 'function') canonical.add(raw)
  }
  canonical.count(before.length)
  for (const counts of before) for (const count of counts) canonical.count(count)
  if (outcome !== undefined) addOutcome(canonical, outcome)
  if (promise !== undefined) canonical.add(promise)
  if (status === 'running') addPosition(canonical, process.pending as Pending)
}

function addOutcome(canonical: Canonical, outcome: NonNullable<ClientProcess['outcome']>): void {
  canonical.add(returnedCall(outcome).text)
  if (outcome.kind !== 'returned') return
  if (typeof outcome.value === 'object' || typeof outcome.value === 'function') canonical.add(outcome.value)
}

function addPosition(canonical: Canonical, { site, live, frame, operation }: Pending): void {
  canonical.count(site)
  addValues(canonical, operation.operands)
  addValues(canonical, live)
  for (let caller = frame; caller !== undefined; caller = caller.parent) {
    canonical.count(caller.site)
    addValues(canonical, caller.live)
  }
}

function addValues(canonical: Canonical, values: readonly unknown[]): void {
  canonical.count(values.length)
  for (const value of values) canonical.add(value)
}
