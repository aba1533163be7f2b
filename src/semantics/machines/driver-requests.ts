/** What the driver still asks of machines, and which timers machines can have where they do not stand at the beginning. */
import { DiagnosticError } from '../../core/diagnostic.ts'
import type { LocalState } from '../../program/machines.ts'
import type { RequestCall, SystemDefinition } from '../../program/system-definition.ts'
import type { Member } from './context.ts'

/** A timer without handler would fire without effect, and never set again. */
export function checkTimers({ definition, setup }: Member, timers: readonly string[]): void {
  const unknown = timers.find((name) => !definition.timers.has(name))
  if (unknown === undefined) return
  const known = [...definition.timers.keys()].map((name) => JSON.stringify(name)).join(', ')
  throw new DiagnosticError({
    code: 'E608',
    message: `timer ${JSON.stringify(unknown)} of "${setup.self}" is set, and that machine has ${known === '' ? 'no timers' : known}`,
    hint: 'take a snapshot of machines that run this version of the file',
  })
}

/** Of each machine: what it is asked after so many requests before. */
export type Requests = readonly { readonly before: number; readonly calls: readonly RequestCall[] }[]

export function allRequests({ requests }: SystemDefinition, members: readonly Member[]): Requests {
  return members.map(({ setup }) => ({ before: 0, calls: requests.get(setup.self) ?? [] }))
}

export function requestsAfter(
  requests: SystemDefinition['requests'],
  machines: readonly string[],
  states: readonly LocalState[],
): Requests {
  return machines.map((name, machine) => ({
    before: (states[machine] as LocalState).requests,
    calls: requests.get(name) ?? [],
  }))
}
