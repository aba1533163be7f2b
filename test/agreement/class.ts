/**
 * The equivalence class of an execution: what each process did, in its own order, and which send each receive read. Two
 * interleavings are the same execution exactly when their keys are equal.
 */
import type { Event } from '../../src/core/event.ts'
import type { EndedProcess } from '../../src/core/property.ts'
import { encodeValue } from '../../src/core/value.ts'

export function classKey(events: readonly Event[], processes: readonly Pick<EndedProcess, 'id' | 'status'>[]): string {
  const lines = new Map(processes.map(({ id, status }) => [id, `${id} ${status}:`]))
  const sends = new Map<number, string>()
  for (const event of events) {
    if (event.kind === 'send') sends.set(event.message, `${event.process}.${event.index}`)
    // A partition that heals only delays messages; one that does not shows in who waits.
    if (event.kind === 'partition' || event.kind === 'heal') continue
    lines.set(event.process, `${lines.get(event.process)} ${event.index}=${happened(event, sends)}`)
  }
  return [...lines.values()].sort().join('\n')
}

function happened(event: Event, sends: ReadonlyMap<number, string>): string {
  switch (event.kind) {
    case 'spawn':
      return `spawn ${event.child}${event.daemon ? ' daemon' : ''}`
    case 'join':
      return `join ${event.target}`
    case 'send':
      return `${event.notification ? 'notify' : 'send'} ${event.to} ${event.network} ${encodeValue(event.value)}${event.fate === undefined ? '' : ` ${event.fate}`}`
    case 'receive':
      return `receive ${sends.get(event.message)} ${encodeValue(event.value)}`
    case 'choose':
      return `choose ${event.option}/${event.options}`
    case 'fail':
      return `fail ${event.violation.kind} ${event.violation.message}`
    case 'crash':
      return event.restarts ? 'restart' : 'crash'
    case 'timeout':
    case 'partition':
    case 'heal':
    case 'stop':
      return event.kind
    case 'call':
    case 'access':
    case 'return':
      return `${event.kind} ${event.text}`
    case 'enter':
    case 'announce':
    case 'observe':
    case 'print':
      return event.kind
  }
}
