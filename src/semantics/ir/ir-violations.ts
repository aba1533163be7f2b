/** What goes wrong, in words that users of P know. */
import type { Violation } from '../../core/property.ts'
import type { Failed } from './failed.ts'

export function machineViolation(failed: Failed, process: string): Violation {
  const { failure, message: what, place } = failed
  if (failure === 'assertion') return { kind: 'assertion', property: what, message: what, process, place }
  const message = failureText(failed, process)
  return { kind: 'exception', property: message, message, process, place, ...unhandled(failed) }
}

export function monitorViolation(failed: Failed, monitor: string): Violation {
  const { failure, message: what, place } = failed
  const message = failure === 'assertion' ? what : failureText(failed, monitor)
  return { kind: 'monitor', property: monitor, message, process: monitor, place, ...unhandled(failed) }
}

function unhandled({ failure }: Failed): Pick<Violation, 'isUnhandled'> {
  return failure === 'unhandled event' ? { isUnhandled: true } : {}
}

/** An unhandled event names itself. */
function failureText({ failure, message }: Failed, who: string): string {
  return failure === 'unhandled event' ? `${who}: ${message}` : `${who}: ${failure}: ${message}`
}
